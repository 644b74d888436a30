# shellcheck shell=bash
# SPDX-License-Identifier: ISC
#
# complete.bash LINE... - what bash, with $FOLDER/gcmcrypt.bash, offers behind each LINE:
# "== LINE", then a word a line.  Where it leaves file names to readline, "readline" is one.
# shellcheck disable=SC1091 # the folder is a variable
. "$FOLDER/gcmcrypt.bash"

# What bash lets a completion function change.
compopt() {
	[[ $* != '+o default' ]] || readline=
}

for line; do
	echo "== $line"
	readline=readline
	# As readline takes words apart: = is one.
	read -ra COMP_WORDS <<<"${line//=/ = }"
	[[ $line != *[[:space:]=] ]] || COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_gcmcrypt gcmcrypt "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
	if ((${#COMPREPLY[@]} > 0)); then
		printf '%s\n' "${COMPREPLY[@]}"
	elif [[ $readline ]]; then
		echo "$readline"
	fi
done
