#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# What bash, zsh and fish complete, asked of these shells; a shell that is missing is skipped.

load common

export FOLDER=$TESTS/../completions
COMMANDS=(seal open verify info keygen rekey bench)
declare -gA OFFERED

needs() {
	SHELL_NAME=${BATS_TEST_DESCRIPTION%%:*}
	not_sanitized "it is the shells that are tested"
	command -v "$SHELL_NAME" >/dev/null || skip "no $SHELL_NAME here"
}

# ask LINE...: asks the shell, in one run of it, what it offers behind each.
ask() {
	local line key=
	case $SHELL_NAME in
	bash) set -- bash --norc "$TESTS/cli/complete.bash" "$@" ;;
	zsh) set -- zsh -f "$TESTS/cli/complete.zsh" "$@" ;;
	fish) set -- env HOME="$AWAY" fish --no-config "$TESTS/cli/complete.fish" "$@" ;;
	esac
	gives 0 timeout -k 1 60 "$@"
	while IFS= read -r line; do
		case $line in
		'== '*) key=${line#== } ;;
		?*) OFFERED[$key]+=$line$'\n' ;;
		esac
	done <"$OUT"
}

# offers LINE [WORD...]: behind it these words are offered, in any order, and no other.
offers() {
	local -A got=()
	local word
	while IFS= read -r word; do
		# The word itself: without what quotes it, a slash behind a folder, folder/ or --name= before it.
		word=${word//\\/}
		word=${word%/}
		word=${word#folder/}
		[ -z "$word" ] || got[${word#--*=}]=1
	done <<<"${OFFERED[$1]-}"
	for word in "${@:2}"; do
		[ "${got[$word]-}" ] || fail "$1: not offered: $word [${!got[*]}]"
		unset "got[$word]"
	done
	[ ${#got[@]} -eq 0 ] || fail "$1: also offered: ${!got[*]}"
}

# offers_files LINE NAME...: the same for names of all kinds of files; bash leaves them to readline.
offers_files() {
	case $SHELL_NAME in
	bash) offers "$1" readline ;;
	*) offers "$@" ;;
	esac
}

# in_help [COMMAND]: sets options to those in its --help.
in_help() {
	mapfile -t options < <(gcmcrypt "$@" --help | awk '/^ +-/ {
		for (i = 1; i <= 2 && $i ~ /^-/; i++) { sub(/[,[].*/, "", $i); print $i } }')
	[ ${#options[@]} -ge 4 ]
}

shows_what_help_shows() {
	local command options lines=("${COMMANDS[@]/#/gcmcrypt }")
	ask "gcmcrypt " "gcmcrypt -" "${lines[@]/%/ -}"
	offers "gcmcrypt " "${COMMANDS[@]}"
	in_help
	offers "gcmcrypt -" "${options[@]}"
	for command in "${COMMANDS[@]}"; do
		in_help "$command"
		offers "gcmcrypt $command -" "${options[@]}"
	done
}

knows_operands_and_arguments() {
	local line kernels
	mkdir folder
	touch plain 'a file.gcm' z.gcm folder/inside
	mapfile -t kernels < <(gcmcrypt bench --list | awk '$2 ~ /^yes/ { print $1 }')
	set -- open\ {,-fo\ ,z,folder/,--range\ ,"-K k --qu"} verify\  seal\ {,--key-file=,--context\ } \
		"seal -f plain -- " "seal --passphrase-env BATS_TEST_NU" "keygen -i " "seal --kernel=" \
		seal\ {--passphrase-command,"--from-command -o x --"}" sha256s" "rekey --new-p"
	ask "${@/#/gcmcrypt }"
	for line in "open " "verify "; do offers "gcmcrypt $line" 'a file.gcm' folder z.gcm; done
	for line in "open -fo " "seal " "seal --key-file=" "seal -f plain -- " "keygen -i "; do
		offers_files "gcmcrypt $line" 'a file.gcm' folder plain z.gcm
	done
	# No name there ends in .gcm, so any will do.
	offers_files "gcmcrypt open folder/" inside
	offers "gcmcrypt open z" z.gcm
	offers "gcmcrypt open --range "
	offers "gcmcrypt open -K k --qu" --quiet
	offers "gcmcrypt seal --context "
	offers "gcmcrypt seal --kernel=" "${kernels[@]}"
	offers "gcmcrypt seal --passphrase-env BATS_TEST_NU" BATS_TEST_NUMBER
	offers "gcmcrypt seal --passphrase-command sha256s" sha256sum
	offers "gcmcrypt seal --from-command -o x -- sha256s" sha256sum
	offers "gcmcrypt rekey --new-p" --new-passphrase{,-file,-fd,-command,-env}
}

# at_a_terminal COMMAND...: starts the shell, types SETUP, which sets the prompt, and then a line.
at_a_terminal() {
	sealed 'a file.gcm' 100
	export KEY TESTS
	gives 0 expect -f "$TESTS/cli/dialogue.exp" 3 '' "$SETUP"$'\r' 'ready> ' \
		$'gcmcrypt veri\t--quic\t--key-f\t$KEY a\\ fi\t\r' 'last chunk ok' $'exit\r' "$@"
	writes 'a file.gcm: header, key and last chunk ok'
}

@test "bash: commands and options are those of --help" { shows_what_help_shows; }
@test "zsh: commands and options are those of --help" { shows_what_help_shows; }
@test "fish: commands and options are those of --help" { shows_what_help_shows; }

@test "bash: operands, and what stands behind an option" { knows_operands_and_arguments; }
@test "zsh: operands, and what stands behind an option" { knows_operands_and_arguments; }
@test "fish: operands, and what stands behind an option" { knows_operands_and_arguments; }

@test "bash: a line typed at a terminal, with TABs" {
	SETUP='. "$FOLDER/gcmcrypt.bash"; PS1=rea"dy> "'
	at_a_terminal env INPUTRC=/dev/null bash --norc -i
}

@test "zsh: a line typed at a terminal, with TABs" {
	SETUP='. "$TESTS/cli/compinit.zsh"; PS1=rea"dy> "'
	at_a_terminal zsh -f -i
}

@test "fish: a line typed at a terminal, with TABs" {
	SETUP='source $FOLDER/gcmcrypt.fish; function fish_prompt; echo rea"dy> "; end'
	at_a_terminal env HOME="$AWAY" TERM=dumb fish --no-config -i
}
