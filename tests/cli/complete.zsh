# SPDX-License-Identifier: ISC
#
# complete.zsh LINE... - what zsh, with the completion functions of $FOLDER, offers behind each
# LINE: "== LINE", then a word a line.
#
# An interactive zsh on a terminal of its own gets the lines and a TAB behind each; what it adds to
# its matches is printed (with -O, -A or -D compadd fills an array, and adds nothing yet).
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=
stty -echo
setopt no_auto_list
. '${(q)${(%):-%x}:h}'/compinit.zsh
compadd() {
	local -a words
	if [[ " ${@[1,(i)(-|--)]}" != *" -"[OAD]" "* ]]; then
		builtin compadd -A words "$@"
		print -rl -- $words
	fi
	builtin compadd "$@"
}
complete-and-tell() {
	print "<begin>"
	zle complete-word
	print "<end>"
	BUFFER= 
	zle accept-line
}
zle -N complete-and-tell
bindkey "^I" complete-and-tell
print "<ready>"'
zpty -r shell out $'*<ready>\r'
for line; do
	zpty -n -w shell "$line"$'\t'
	zpty -r shell out $'*<begin>\r'
	zpty -r shell out $'*<end>\r'
	print -r -- "== $line"
	print -rn -- "${${out//$'\r'}%<end>}"
done
zpty -d shell
