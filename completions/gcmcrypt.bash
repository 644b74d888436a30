# shellcheck shell=bash
# SPDX-License-Identifier: ISC
#
# gcmcrypt.bash - completion for bash 4 and later.
#
# Commands and options are read from what the program's own --help prints, and kernels from its
# bench --list, whenever a word is completed: nothing here has to follow the program.

# _gcmcrypt_options COMMAND: prints a line for each of its options: "-K --key-file FILE", with a "."
# in the place of what one does not have; without a COMMAND those of the program.
_gcmcrypt_options() {
	local row='^ +(-[A-Za-z])?(, )?(--[a-z-]+)?( ([A-Z:]+)|\[=[A-Z]+\])? ' line

	"$program" ${1:+"$1"} --help 2>/dev/null | while IFS= read -r line; do
		[[ $line =~ $row && ${BASH_REMATCH[1]}${BASH_REMATCH[3]} ]] &&
			echo "${BASH_REMATCH[1]:-.} ${BASH_REMATCH[3]:-.} ${BASH_REMATCH[5]:-.}"
	done
}

_gcmcrypt_commands() {
	local row='^  ([a-z]+) ' line

	"$program" --help 2>/dev/null | while IFS= read -r line; do
		[[ $line =~ $row ]] && echo "${BASH_REMATCH[1]}"
	done
}

_gcmcrypt_kernels() {
	"$program" bench --list 2>/dev/null | while read -r name usable _; do
		[[ $usable == yes* ]] && echo "$name"
	done
}

# _gcmcrypt_offer ARGUMENT OF COMPGEN...: what that makes of the word under the cursor.
_gcmcrypt_offer() {
	mapfile -t COMPREPLY < <(compgen "$@" -- "$current")
}

# _gcmcrypt_argument OPTION ARGUMENT: what may stand behind OPTION. Files, where nothing is
# offered and nothing said, are readline's own work.
_gcmcrypt_argument() {
	case $1,$2 in
	--kernel,*) _gcmcrypt_offer -W "$(_gcmcrypt_kernels)" ;;
	*,FILE) ;;
	*,VAR) _gcmcrypt_offer -e ;;
	*,CMD) _gcmcrypt_offer -c ;;
	*) compopt +o default ;;
	esac
}

# Which operands a command takes: any file to seal, sealed ones first where one is read.
_gcmcrypt_operand() {
	case $1 in
	seal) ;;
	keygen | bench) compopt +o default ;;
	*)
		compopt -o filenames
		mapfile -t COMPREPLY < <(
			compgen -f -X '!*.gcm' -- "$current"
			compgen -d -- "$current"
		)
		;;
	esac
}

# _gcmcrypt_behind_dashes: --, and with it the end of the options, stands before this word.  Then
# $first is the place of the word behind it.
_gcmcrypt_behind_dashes() {
	for ((first = 2; first <= COMP_CWORD; first++)); do
		[[ ${COMP_WORDS[first - 1]} != -- ]] || return 0
	done
	return 1
}

_gcmcrypt() {
	local program=${1/#'~/'/$HOME/} current=$2 previous=$3 command='' first
	local short long argument options

	COMPREPLY=()
	((COMP_CWORD == 1)) || command=${COMP_WORDS[1]}
	if _gcmcrypt_behind_dashes; then
		if [[ " ${COMP_WORDS[*]:0:first} " != *' --from-command '* ]]; then
			_gcmcrypt_operand "$command"
		elif ((COMP_CWORD == first)); then
			_gcmcrypt_offer -c
		fi
		return
	fi
	# --name=value comes as three words, and -fo FILE ends with the letter that takes it.
	[[ $current != = ]] || current=
	[[ $previous != = ]] || previous=${COMP_WORDS[COMP_CWORD - 2]}
	[[ $previous != -[!-]* ]] || previous=-${previous: -1}
	options=$(_gcmcrypt_options "$command")
	while read -r short long argument; do
		if [[ $argument != . && ($previous == "$short" || $previous == "$long") ]]; then
			_gcmcrypt_argument "$long" "$argument"
			return
		fi
	done <<<"$options"
	if [[ $current == -* ]]; then
		_gcmcrypt_offer -W "$options"
	elif [[ $command ]]; then
		_gcmcrypt_operand "$command"
	else
		_gcmcrypt_offer -W "$(_gcmcrypt_commands)"
		compopt +o default
	fi
}

complete -o default -F _gcmcrypt gcmcrypt
