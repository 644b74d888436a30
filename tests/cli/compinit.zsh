# SPDX-License-Identifier: ISC
#
# compinit.zsh - what zsh's own compinit does, for the functions in $FOLDER and for words in the
# place of a command; to read all of zsh's own functions for more takes it seconds.
theirs=($fpath)
fpath=($FOLDER $^theirs/compinit(N:h))
autoload -U compinit
compinit -D -u
fpath=($FOLDER $theirs)
autoload -U $^theirs/_*(N:t)
compdef _command_names -command-
