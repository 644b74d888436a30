#!/bin/sh
# SPDX-License-Identifier: ISC
# whole.sh PROGRAM FOLDER [--size SIZE] [--soft-size SIZE] [--rounds N] [--dir DIR] - times whole
# commands, gcmcrypt's and other programs', and leaves tables in FOLDER: Markdown with medians,
# ratios and what they should be, and a CSV of every single time.  "make bench-whole" calls it.
#
# In a round each command of a group runs once, so that whatever else the machine does meets them
# all; hyperfine takes the time.  Files lie in DIR, a tmpfs, where no disk is waited for.  Programs
# that are not installed, and options that gcmcrypt does not have yet, are skipped by name.
set -eu

size=2G soft_size=256M rounds=11 dir=/dev/shm
[ $# -ge 2 ] || { echo "usage: whole.sh PROGRAM FOLDER [OPTION]..." >&2 && exit 2; }
program=$(realpath "$1") here=$(realpath "$(dirname "$0")")
mkdir -p "$2"
folder=$(realpath "$2")
shift 2
while [ $# -gt 1 ]; do
	case $1 in
	--size) size=$2 ;;
	--soft-size) soft_size=$2 ;;
	--rounds) rounds=$2 ;;
	--dir) dir=$2 ;;
	*) break ;;
	esac
	shift 2
done
[ $# -eq 0 ] || { echo "whole.sh: not understood: $1" >&2 && exit 2; }

have() {
	command -v "$1" >/dev/null
}

die() {
	echo "whole.sh: $*" >&2
	exit 1
}

have hyperfine || die "hyperfine is not installed"
work=$(mktemp -d "$dir/gcmcrypt-whole-XXXXXX")
cleanup() {
	! have gpgconf || gpgconf --homedir "$work/gpg" --kill gpg-agent 2>/dev/null || :
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
trap 'exit 141' PIPE
cd "$work"

# ---- What there is to run ------------------------------------------------------------------------

skipped=skipped.txt
: >"$skipped"
skip() {
	echo "$*" >>"$skipped"
	echo "skipped: $*" >&2
}

# peer NAME PROGRAM... - whether all of its programs are installed.
peer() {
	name=$1
	shift
	for tool; do
		have "$tool" || { skip "$name: $tool is not installed" && return 1; }
	done
}

first_line() {
	"$@" 2>&1 </dev/null | sed -n 1p
}

versions() {
	first_line ./gcmcrypt --version
	first_line cp --version
	first_line dd --version
	first_line cat --version
	[ -z "$age" ] || echo "age $(first_line age --version)"
	[ -z "$openssl" ] || first_line openssl version
	[ -z "$gpg" ] || first_line gpg --version
	first_line hyperfine --version
}

ln -s "$program" gcmcrypt
age='' openssl='' gpg=''
! peer age age age-keygen || age=yes
! peer openssl openssl || openssl=yes
! peer gpg gpg gpgconf || gpg=yes

ssl="openssl enc -aes-256-ctr -K 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
ssl="$ssl -iv 00000000000000000000000000000000"
pgp="gpg --homedir gpg --batch --quiet --no-options --pinentry-mode loopback --passphrase-file pass"
pgp_seal="$pgp --cipher-algo AES256 --compress-algo none --s2k-count 1024 --symmetric"

# make_inputs - random bytes, keys, and what each program makes of them.
make_inputs() {
	need=$(numfmt --from=iec "$size") free=$(($(df -Pk . | awk 'NR == 2 { print $4 }') * 1024))
	[ "$free" -gt $((need * 7)) ] || die "$dir has no room for seven times $size: use --dir or --size"
	head -c "$size" /dev/urandom >data
	head -c "$soft_size" /dev/urandom >soft
	head -c 1K /dev/urandom >small
	(umask 077 && ./gcmcrypt keygen -o key && mkdir gpg && echo passphrase >pass)
	./gcmcrypt seal -K key -o sealed data
	[ -z "$age" ] || make_age
	[ -z "$openssl" ] || $ssl -in data -out data.ssl
	[ -z "$gpg" ] || $pgp_seal -o data.gpg data
	# A time counts only for a program that does what it is timed for.
	./gcmcrypt open -K key -o out sealed && cmp out data && rm out
}

make_age() {
	(umask 077 && age-keygen -o age.key 2>/dev/null && age-keygen -y age.key >age.pub)
	age -R age.pub -o data.age data
}

# ---- Times ---------------------------------------------------------------------------------------

times=times.csv
: >"$times"

# times_of ROUNDS GROUP {NAME COMMAND}... - runs the rounds; each time becomes a line of $times.
times_of() {
	last=$1 group=$2 pairs=$((($# - 2) / 2)) round=0
	shift 2
	while [ "$pairs" -gt 0 ]; do
		name=$1 command=$2 pairs=$((pairs - 1))
		shift 2
		set -- "$@" --command-name "$name" "$command"
	done
	printf '%s:' "$group" >&2
	while [ "$round" -lt "$last" ]; do
		round=$((round + 1))
		printf ' %s' "$round" >&2
		hyperfine -N --style none --runs 1 --prepare "rm -f out" --export-csv round.csv "$@" \
			>round.log 2>&1 || { cat round.log >&2 && die "$group failed"; }
		awk -F , -v group="$group" -v round="$round" \
			'NR > 1 { print group "," round "," $1 "," $2 }' round.csv >>"$times"
		# Each is the first of a round as often as any other: what came before may matter,
		# such as gigabytes that were just given back.
		name=$2 command=$3
		shift 3
		set -- "$@" --command-name "$name" "$command"
	done
	echo >&2
}

# pipe_of INPUT MIDDLE - between two cats, as in a backup script.
pipe_of() {
	echo "sh -c 'cat $1 | $2 | cat >/dev/null'"
}

time_files() {
	set -- seal-file gcmcrypt "./gcmcrypt seal -K key -o out data" cp "cp data out"
	[ -z "$age" ] || set -- "$@" age "age -R age.pub -o out data"
	[ -z "$openssl" ] || set -- "$@" openssl "$ssl -in data -out out"
	[ -z "$gpg" ] || set -- "$@" gpg "$pgp_seal -o out data"
	times_of "$rounds" "$@"
	set -- open-file gcmcrypt "./gcmcrypt open -K key -o out sealed" cp "cp sealed out"
	[ -z "$age" ] || set -- "$@" age "age -d -i age.key -o out data.age"
	[ -z "$openssl" ] || set -- "$@" openssl "$ssl -d -in data.ssl -out out"
	[ -z "$gpg" ] || set -- "$@" gpg "$pgp -o out -d data.gpg"
	times_of "$rounds" "$@"
}

time_pipes() {
	times_of "$rounds" seal-pipe gcmcrypt "$(pipe_of data './gcmcrypt seal -K key')" \
		cat "$(pipe_of data cat)"
	times_of "$rounds" open-pipe gcmcrypt "$(pipe_of sealed './gcmcrypt open -K key')" \
		cat "$(pipe_of sealed cat)"
}

time_rest() {
	two=''
	if ./gcmcrypt seal --help | grep -q -e --threads; then
		two='-T 2'
		times_of "$rounds" soft one-thread "./gcmcrypt seal --kernel soft -T 1 -K key -o out soft" \
			two-threads "./gcmcrypt seal --kernel soft -T 2 -K key -o out soft"
	else
		skip "soft with two threads: gcmcrypt has no -T yet"
	fi
	times_of "$rounds" verify gcmcrypt "./gcmcrypt verify $two -K key sealed" dd \
		"dd if=sealed of=/dev/null bs=512K status=none"
	# What starting any program at all takes is no program's own.
	set -- start gcmcrypt "./gcmcrypt seal -K key -o out small" true true
	[ -z "$age" ] || set -- "$@" age "age -R age.pub -o out small"
	# The shortest of all, and so the noisiest.
	times_of $((rounds * 5)) "$@"
}

# peak NAME COMMAND... - the most memory that a command held at once, in MiB, as a line of $times.
peak() {
	name=$1
	shift
	rm -f out
	/usr/bin/time -f %M -o peak.txt "$@" >/dev/null || die "$* failed"
	echo "memory,1,$name,$(awk 'END { print $1 / 1024 }' peak.txt)" >>"$times"
}

measure_memory() {
	if ! /usr/bin/time -f %M true >/dev/null 2>&1; then
		skip "peak memory: GNU time is not installed as /usr/bin/time"
		return
	fi
	peak seal-file ./gcmcrypt seal -K key -o out data
	peak open-file ./gcmcrypt open -K key -o out sealed
	peak verify ./gcmcrypt verify -K key sealed
	# shellcheck disable=SC2002 # a pipe is what is meant
	{
		cat data | peak seal-pipe ./gcmcrypt seal -K key
		cat sealed | peak open-pipe ./gcmcrypt open -K key
	}
}

# ---- Tables --------------------------------------------------------------------------------------

machine() {
	awk -F ': *' '/^model name/ { print $2; exit }' /proc/cpuinfo 2>/dev/null || uname -m
}

about() {
	echo "- $(date -u '+%Y-%m-%d %H:%M UTC'), $(machine), $(getconf _NPROCESSORS_ONLN) processors," \
		"$(uname -srm)"
	echo "- $size of random bytes ($soft_size for soft) on $(stat -f -c %T .); $rounds rounds" \
		"(of start five times as many), each command once a round;" \
		"kernel $(./gcmcrypt bench --list | awk '/use it/ { print $1 }')"
	versions | awk '{ printf "%s%s", NR == 1 ? "- " : ", ", $0 } END { print "" }'
	sed 's/^/- skipped: /' "$skipped"
}

results=$folder/whole-$(machine | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9]\{1,\}/-/g; s/-$//')
results=$results-$(date -u +%F)
make_inputs
time_files
time_pipes
time_rest
measure_memory
about >about.md
{
	cat about.md
	awk -F , -v bytes="$(stat -c %s data)" -v soft="$(stat -c %s soft)" -f "$here/whole.awk" "$times"
} >"$results.md"
{
	sed 's/^- /# /' about.md
	echo "group,round,command,seconds_or_mib"
	cat "$times"
} >"$results.csv"
cat "$results.md"
echo "Results: $results.*"
