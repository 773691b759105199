# Completion of reckon for fish. Subcommands and options come from --help, so this file need not know them.
function __reckon_sub
    for word in (commandline -opc)[2..]
        switch $word
            case check run dump pack spec show list-checks explain
                echo $word
        end
    end
end
function __reckon_options
    reckon (__reckon_sub) --help 2>/dev/null | string match -r '^ +-.*' | string replace -ra '^ +' '' |
        string match -ra -- '(?:^|,)--[a-z][a-z-]*' | string trim -c ,
end
function __reckon_subcommands
    reckon (__reckon_sub) --help 2>/dev/null | sed -n '/^Subcommands:/,$s/^  \([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p'
end
function __reckon_checks
    reckon list-checks 2>/dev/null | sed -n 's/^\([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p'
end
complete -c reckon -n 'test -z (__reckon_sub)[1]' -f -a '(__reckon_subcommands)'
complete -c reckon -n 'test "$(__reckon_sub)" = spec' -f -a '(__reckon_subcommands)'
complete -c reckon -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__reckon_options)'
complete -c reckon -l format -x -a 'text json sarif gitlab html'
complete -c reckon -l confidence -x -a 'low medium high'
complete -c reckon -l trigger -x -a 'normal input outside race memory'
complete -c reckon -l fail-on -x -a 'note low medium high never'
complete -c reckon -l checks -x -a '(__reckon_checks)'
complete -c reckon -n 'test "$(__reckon_sub)" = explain' -f -a '(__reckon_checks)'
