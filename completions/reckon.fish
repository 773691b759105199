# Completion of reckon for fish. Commands and options come from --help, so this file need not know them.
function __reckon_below # the commands below these words, with what they do
    reckon $argv --help 2>/dev/null | sed -n '/^Subcommands:/,$s/^  \([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p'
end
function __reckon_sub # the words of the line that name the command
    set -l sub
    for word in (commandline -opc)[2..]
        test "$word" = -- && break
        string match -q -- '-*' $word && continue
        __reckon_below $sub | string match -q -- "$word"\t'*' || break
        set -a sub $word
    end
    test -n "$sub" && printf '%s\n' $sub
end
function __reckon_trailing # behind --: a build command or compiler flags
    contains -- -- (commandline -opc)
end
function __reckon_options
    printf '%s\n' --help --help-all
    reckon (__reckon_sub) --help-all 2>/dev/null | string match -r '^ +-[^ ]+' | string match -ra -- '--?[a-z][a-z-]*'
end
function __reckon_has # does the command of this line have the option?
    set -l line (commandline -opc | string join ' ')
    if test "$line" != "$__reckon_line"
        set -g __reckon_line $line
        set -g __reckon_known (__reckon_options)
    end
    contains -- --$argv[1] $__reckon_known
end
function __reckon_checks
    reckon list-checks 2>/dev/null | sed -n 's/^\([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p'
end
function __reckon_formats
    reckon check --help 2>/dev/null | sed -n 's/^ *--format FORMAT \.\.\. *\([a-z, ]*\)$/\1/p' | string split ', '
end
complete -c reckon -n 'not __reckon_trailing; and test -n "$(__reckon_below (__reckon_sub))"' -f -a '(__reckon_below (__reckon_sub))'
complete -c reckon -n 'not __reckon_trailing; and string match -q -- "-*" (commandline -ct)' -f -a '(__reckon_options)'
complete -c reckon -n '__reckon_has format' -l format -x -a '(__reckon_formats)'
complete -c reckon -n '__reckon_has severity' -l severity -x -a 'note low medium high'
complete -c reckon -n '__reckon_has dump' -l dump -x -a 'model summary states'
complete -c reckon -n '__reckon_has domain' -l domain -x -a 'python r linux glib openssl attribute'
complete -c reckon -n '__reckon_has new-since' -l new-since -x -a '(git for-each-ref --format="%(refname:short)" 2>/dev/null)'
complete -c reckon -n '__reckon_has changed-since' -l changed-since -x -a '(git for-each-ref --format="%(refname:short)" 2>/dev/null)'
complete -c reckon -n '__reckon_has confidence' -l confidence -x -a 'low medium high'
complete -c reckon -n '__reckon_has trigger' -l trigger -x -a 'normal input outside race memory'
complete -c reckon -n '__reckon_has place' -l place -x -a 'run teardown init'
complete -c reckon -n '__reckon_has fail-on' -l fail-on -x -a 'note low medium high never'
complete -c reckon -n '__reckon_has sort' -l sort -x -a confirmed
complete -c reckon -n '__reckon_has only' -l only -x -a confirmed
complete -c reckon -n '__reckon_has checks' -l checks -x -a '(__reckon_checks)'
complete -c reckon -n 'test "$(__reckon_sub)" = explain' -f -a '(__reckon_checks)'
