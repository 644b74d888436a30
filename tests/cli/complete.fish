# SPDX-License-Identifier: ISC
#
# complete.fish LINE... - what fish, with $FOLDER/gcmcrypt.fish, offers behind each LINE:
# "== LINE", then a word a line.
source $FOLDER/gcmcrypt.fish
for line in $argv
    echo "== $line"
    complete -C $line | string replace -r '\t.*' ''; or true
end
