#!/bin/sh
# SPDX-License-Identifier: ISC
# run.sh PROGRAM FOLDER [OPTION]... - runs bench with OPTIONs, shows what it prints, and leaves in
# FOLDER the text, the CSV and, where gnuplot is, its plots, all named after machine, compiler,
# versions and date.  "make bench" calls it.
set -eu
program=$1 folder=$2 here=$(dirname "$0")
shift 2

# about WORD - what bench says of machine, compiler, openssl or libsodium.
about() {
	"$program" --about | sed -n "s/^$1: //p"
}

# A part of a file name: lower case, and a dash for all that is neither letter nor digit.
plain() {
	tr '[:upper:]' '[:lower:]' | sed 's/(r)//g; s/(tm)//g; s/[^a-z0-9.]\{1,\}/-/g; s/^-//; s/-$//'
}

# Many processors have one model name: family, model and stepping tell them apart.
processor() {
	awk -F ': *' '
		/^cpu family/ { family = $2 }
		/^model[ \t]*:/ { model = $2 }
		/^stepping/ { stepping = $2; exit }
		END { if (family != "") print "family " family " model " model " stepping " stepping }
	' /proc/cpuinfo 2>/dev/null || :
}

machine=$(about machine | plain)
compiler=$(about compiler | awk '{ print $1, $2 }' | plain)
openssl=$(about openssl | awk '{ print $1, $2 }' | plain)
name=$machine-$compiler-$openssl-$(date -u +%Y-%m-%d)
mkdir -p "$folder"
out=$folder/$name
n=1
while [ -e "$out.txt" ] || [ -e "$out.csv" ]; do
	n=$((n + 1)) out=$folder/$name-$n
done

{
	date -u '+date: %Y-%m-%d %H:%M UTC'
	echo "processor: $(processor)"
	echo "system: $(uname -srm)"
	echo "options: $*"
} >"$out.txt"
"$program" --csv "$out.csv" "$@" >>"$out.txt"
cat "$out.txt"
if command -v gnuplot >/dev/null; then
	for bits in 128 256; do
		grep -q "^seal,$bits," "$out.csv" || continue
		for format in svg png; do
			gnuplot -e "csv='$out.csv'; out='$out-$bits.$format'; format='$format'" \
				-e "key_bits=$bits" "$here/plot.gp"
		done
	done
else
	echo "gnuplot is not here: no plots" >&2
fi
echo "Results: $out.*"
