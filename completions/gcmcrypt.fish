# SPDX-License-Identifier: ISC
#
# gcmcrypt.fish - completion for fish 3.2 and later.
#
# Commands and options are read from what the program's own --help prints, when a shell completes
# gcmcrypt for the first time, and kernels from its bench --list: nothing here has to follow the
# program.

# Whether the command is one of these words; without words: whether none was typed yet.
function __gcmcrypt_command
    set -l typed (commandline -opc)
    if set -q argv[1]
        contains -- "$typed[2]" $argv
    else
        not set -q typed[2]
    end
end

# Whether the word under the cursor belongs to the command that --from-command runs.
function __gcmcrypt_producing
    set -l typed (commandline -opc)
    contains -- --from-command $typed; and contains -- -- $typed
end

function __gcmcrypt_producer
    set -l typed (commandline -opc) (commandline -ct)
    set -l dashes (contains -i -- -- $typed)
    __fish_complete_subcommand --commandline $typed[(math $dashes + 1)..-1]
end

# Sealed files and folders; where there are none, all files.
function __gcmcrypt_sealed
    set -l files (__fish_complete_suffix .gcm)
    string match -er '(?:\.gcm|/)(?:\t|$)' -- $files; or printf '%s\n' $files
end

function __gcmcrypt_kernels
    gcmcrypt bench --list 2>/dev/null | string replace -rf '^(\S+) +yes.*' '$1'
end

# What complete is to be told about an option's argument, from the word that --help has for it.
function __gcmcrypt_argument -a option argument
    switch $option=$argument
        case 'kernel=*'
            printf '%s\n' -xa '(__gcmcrypt_kernels)'
        case '*=FILE'
            echo -rF
        case '*=VAR'
            printf '%s\n' -xa '(set -nx)'
        case '*=CMD'
            printf '%s\n' -xa '(__fish_complete_command)'
        case '*=?*'
            echo -x
    end
end

# Tells complete all options of a command; without one, those of the program.
function __gcmcrypt_options
    for line in (gcmcrypt $argv --help 2>/dev/null)
        string match -rq '^ +(-(?<short>[A-Za-z]))?(, )?(--(?<long>[a-z-]+))?(?<rest>.*)' -- $line
        and string match -rq '^( (?<argument>[A-Z:]+)|\[=[A-Z]+\])? +(?<help>.+)' -- $rest
        or continue
        test -n "$short$long"; or continue
        # Without a letter -s$short is no word at all, and so is -l$long without a name.
        complete -c gcmcrypt -n "__gcmcrypt_command $argv" -s$short -l$long \
            (__gcmcrypt_argument "$long" "$argument") -d $help
    end
end

complete -c gcmcrypt -f
complete -c gcmcrypt -n '__gcmcrypt_command seal; and not __gcmcrypt_producing' -F
complete -c gcmcrypt -n '__gcmcrypt_command open verify info rekey' -a '(__gcmcrypt_sealed)'
complete -c gcmcrypt -n __gcmcrypt_producing -a '(__gcmcrypt_producer)'
__gcmcrypt_options
gcmcrypt --help 2>/dev/null | string match -r '^  [a-z]+ +.+' | while read -l command summary
    complete -c gcmcrypt -n __gcmcrypt_command -a $command -d $summary
    __gcmcrypt_options $command
end
