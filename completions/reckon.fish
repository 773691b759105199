# Completion of reckon for fish. Subcommands and options come from --help, so this file need not know them.
function __reckon_sub
    for word in (commandline -opc)[2..]
        switch $word
            case init doctor check run r confirm dump pack annotate mine compdb linux import gir spec show words list-checks explain diff lsp
                echo $word
        end
    end
end
function __reckon_options
    printf '%s\n' --help --help-all
    reckon (__reckon_sub) --help-all 2>/dev/null | string match -r '^ +-.*' | string replace -ra '^ +' '' |
        string match -ra -- '(?:^|,)--[a-z][a-z-]*' | string trim -c ,
end
function __reckon_subcommands
    reckon (__reckon_sub) --help 2>/dev/null | sed -n '/^Subcommands:/,$s/^  \([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p'
end
function __reckon_checks
    reckon list-checks 2>/dev/null | sed -n 's/^\([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p'
end
function __reckon_formats
    reckon check --help 2>/dev/null | sed -n 's/^ *--format FORMAT \.\.\. *\([a-z, ]*\);.*/\1/p' | string split ', '
end
complete -c reckon -n 'test -z (__reckon_sub)[1]' -f -a '(__reckon_subcommands)'
complete -c reckon -n 'string match -qr "^(spec|compdb|import)\$" -- (__reckon_sub)' -f -a '(__reckon_subcommands)'
complete -c reckon -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__reckon_options)'
complete -c reckon -l format -x -a '(__reckon_formats)'
complete -c reckon -l severity -x -a 'note low medium high'
complete -c reckon -l dump -x -a 'model summary states'
complete -c reckon -l domain -x -a 'python r linux glib'
complete -c reckon -l new-since -x -a '(git for-each-ref --format="%(refname:short)" 2>/dev/null)'
complete -c reckon -l changed-since -x -a '(git for-each-ref --format="%(refname:short)" 2>/dev/null)'
complete -c reckon -l confidence -x -a 'low medium high'
complete -c reckon -l trigger -x -a 'normal input outside race memory'
complete -c reckon -l place -x -a 'run teardown init'
complete -c reckon -l fail-on -x -a 'note low medium high never'
complete -c reckon -l checks -x -a '(__reckon_checks)'
complete -c reckon -n 'test "$(__reckon_sub)" = explain' -f -a '(__reckon_checks)'
