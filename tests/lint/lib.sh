# SPDX-License-Identifier: ISC
# lib.sh - what the lint scripts share.  Each is run as SCRIPT SOURCE-FOLDER BUILD-FOLDER, prints
# one line for each violation, and fails if there was one.
# shellcheck shell=sh
set -eu
# shellcheck disable=SC2034  # used by the scripts
srcdir=$1 builddir=$2 here=$(dirname "$0")

# Passes its input on; fails if there was any.
none() {
	awk '{ print } END { exit NR > 0 }'
}

# The objects of all modules, as src/MODULE/....o in the build folder.
objects() {
	(cd "$srcdir" && find src -name '*.c' | sort | sed 's/c$/o/')
}

# "OBJECT SYMBOL" for each symbol that an object takes from elsewhere, by the name that it has in
# C: no leading underscores, no trace of large files (open64) or fortified functions (__read_chk).
# An object that is missing is named, so that a rule cannot pass for want of something to look at.
imports() {
	(cd "$builddir" && objects | xargs nm -A -u 2>&1) | awk '
		/No such file/ { print "not built:", $0; next }
		NF >= 2 {
			sub(/:.*/, "", $1)
			sub(/^_+/, "", $NF); sub(/_chk$/, "", $NF)
			sub(/(64)?_2$/, "", $NF); sub(/64$/, "", $NF)
			print $1, $NF
		}'
}

# callers NAMES ALLOWED - imports of one of NAMES by an object other than ALLOWED (both are
# extended regular expressions for whole words).
callers() {
	imports | awk -v names="^($1)$" -v allowed="^($2)$" '
		/^not built/ || ($2 ~ names && $1 !~ allowed)'
}
