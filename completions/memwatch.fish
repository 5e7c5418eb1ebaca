# SPDX-License-Identifier: MIT
# fish completion for memwatch. The part between the two marks comes from the rows of options: "make completions".

# <rows>
set -g __memwatch_commands compare gpus hook mark report
set -g __memwatch_valued -p --pid -i --interval -o --output -r --report --fail-on --limit --on-growth -e --epochs --epoch-regex --unbuffered --gpu --gpu-interval --duration --until --value-col --time-col --unit --run --times --color --symbols
complete -c memwatch -n '__memwatch_in watch' -s p -l pid -x -a '(__memwatch_value PID)' -d 'attach to this process and its descendants; may be repeated'
complete -c memwatch -n '__memwatch_in watch' -s i -l interval -x -a '(__memwatch_value DURATION)' -d 'time between samples: 250ms, 1s, 1m; default 200ms'
complete -c memwatch -n '__memwatch_in watch' -s o -l output -x -a '(__memwatch_value FILE)' -d 'write the samples as CSV; - is standard output; compare: a directory'
complete -c memwatch -n '__memwatch_in watch' -s r -l report -x -a '(__memwatch_value FILE)' -d 'report: .txt .json .md .html .svg .png .pdf; - is text on stdout'
complete -c memwatch -n '__memwatch_in watch' -l fail-on -x -a '(__memwatch_value LIST)' -d 'exit 3 on growth, limit, retained; compare: regression[:SIZE or %]'
complete -c memwatch -n '__memwatch_in watch' -l limit -x -a '(__memwatch_value SIZE)' -d 'memory at which the run would be killed; default: as found'
complete -c memwatch -n '__memwatch_in watch' -l on-growth -x -a '(__memwatch_value COMMAND)' -d 'run once by sh -c when growth is established (MEMWATCH_*)'
complete -c memwatch -n '__memwatch_in watch' -l until-verdict -d 'stop watching as soon as every series has a firm verdict'
complete -c memwatch -n '__memwatch_in watch' -l explain -d 'name what grows in a Python program, once it grows'
complete -c memwatch -n '__memwatch_in watch' -s e -l epochs -x -a '(__memwatch_value HOW)' -d 'where epochs come from: auto, none, log:FILE, every:DURATION'
complete -c memwatch -n '__memwatch_in watch' -l epoch-regex -x -a '(__memwatch_value RE)' -d 'lines that match end or start an epoch; group 1 is its number'
complete -c memwatch -n '__memwatch_in watch' -l unbuffered -x -a '(__memwatch_value WHEN)' -d 'PYTHONUNBUFFERED=1 for COMMAND: auto, always (or no word), never'
complete -c memwatch -n '__memwatch_in watch' -l gpu -x -a '(__memwatch_value WHICH)' -d 'GPUs to watch: auto, none, or a list of indices or UUIDs'
complete -c memwatch -n '__memwatch_in watch' -l gpu-interval -x -a '(__memwatch_value DURATION)' -d 'time between GPU samples; default 1s, at least 100ms'
complete -c memwatch -n '__memwatch_in watch' -l live -d 'full-screen view; by itself with --pid on a terminal'
complete -c memwatch -n '__memwatch_in watch' -l no-live -d 'no such view'
complete -c memwatch -n '__memwatch_in watch' -l status -d 'value, slope and verdict so far in the terminal'\''s title'
complete -c memwatch -n '__memwatch_in watch' -l force -d 'overwrite a file that memwatch did not write'
complete -c memwatch -n '__memwatch_in watch' -l no-children -d 'watch the process alone, not its descendants'
complete -c memwatch -n '__memwatch_in watch' -l no-keep -d 'without -o: do not keep the samples for a later report'
complete -c memwatch -n '__memwatch_in watch' -l duration -x -a '(__memwatch_value DURATION)' -d 'stop watching after this time'
complete -c memwatch -n '__memwatch_in watch' -s q -l quiet -d 'say nothing but errors'
complete -c memwatch -n '__memwatch_in watch' -s v -l verbose -d 'say more'
complete -c memwatch -n '__memwatch_in watch' -l color -x -a '(__memwatch_value WHEN)' -d 'colours on a terminal: auto, always, never'
complete -c memwatch -n '__memwatch_in watch' -l symbols -x -a '(__memwatch_value SYMBOLS)' -d 'charts: auto (on a terminal), braille, block, ascii, none'
complete -c memwatch -n '__memwatch_in watch' -s h -l help -d 'show this help'
complete -c memwatch -n '__memwatch_in watch' -l version -d 'show the version'
complete -c memwatch -n '__memwatch_in compare' -s i -l interval -x -a '(__memwatch_value DURATION)' -d 'time between samples: 250ms, 1s, 1m; default 200ms'
complete -c memwatch -n '__memwatch_in compare' -s o -l output -x -a '(__memwatch_value FILE)' -d 'write the samples as CSV; - is standard output; compare: a directory'
complete -c memwatch -n '__memwatch_in compare' -s r -l report -x -a '(__memwatch_value FILE)' -d 'report: .txt .json .md .html .svg .png .pdf; - is text on stdout'
complete -c memwatch -n '__memwatch_in compare' -l fail-on -x -a '(__memwatch_value LIST)' -d 'exit 3 on growth, limit, retained; compare: regression[:SIZE or %]'
complete -c memwatch -n '__memwatch_in compare' -l force -d 'overwrite a file that memwatch did not write'
complete -c memwatch -n '__memwatch_in compare' -l value-col -x -a '(__memwatch_value COLUMN)' -d 'read any CSV: the column of the memory, by name or number'
complete -c memwatch -n '__memwatch_in compare' -l time-col -x -a '(__memwatch_value COLUMN)' -d 'the column of the time, likewise'
complete -c memwatch -n '__memwatch_in compare' -l unit -x -a '(__memwatch_value UNIT)' -d 'the unit of that memory: B (default), KiB, MB, ...'
complete -c memwatch -n '__memwatch_in compare' -l markdown -d 'the table of epochs first, or the comparison, as Markdown'
complete -c memwatch -n '__memwatch_in compare' -l json -d 'JSON on standard output'
complete -c memwatch -n '__memwatch_in compare' -l run -x -a '(__memwatch_value COMMAND)' -d 'given twice: run both by sh -c, record and compare them'
complete -c memwatch -n '__memwatch_in compare' -l times -x -a '(__memwatch_value N)' -d 'run each so often, in turn; default 1'
complete -c memwatch -n '__memwatch_in compare' -l against -d 'runs before it against those behind it'
complete -c memwatch -n '__memwatch_in compare' -s q -l quiet -d 'say nothing but errors'
complete -c memwatch -n '__memwatch_in compare' -s v -l verbose -d 'say more'
complete -c memwatch -n '__memwatch_in compare' -l color -x -a '(__memwatch_value WHEN)' -d 'colours on a terminal: auto, always, never'
complete -c memwatch -n '__memwatch_in compare' -s h -l help -d 'show this help'
complete -c memwatch -n '__memwatch_in compare' -l version -d 'show the version'
complete -c memwatch -n '__memwatch_in gpus' -l json -d 'JSON on standard output'
complete -c memwatch -n '__memwatch_in gpus' -s q -l quiet -d 'say nothing but errors'
complete -c memwatch -n '__memwatch_in gpus' -s v -l verbose -d 'say more'
complete -c memwatch -n '__memwatch_in gpus' -l color -x -a '(__memwatch_value WHEN)' -d 'colours on a terminal: auto, always, never'
complete -c memwatch -n '__memwatch_in gpus' -s h -l help -d 'show this help'
complete -c memwatch -n '__memwatch_in gpus' -l version -d 'show the version'
complete -c memwatch -n '__memwatch_in hook' -s q -l quiet -d 'say nothing but errors'
complete -c memwatch -n '__memwatch_in hook' -s v -l verbose -d 'say more'
complete -c memwatch -n '__memwatch_in hook' -l color -x -a '(__memwatch_value WHEN)' -d 'colours on a terminal: auto, always, never'
complete -c memwatch -n '__memwatch_in hook' -s h -l help -d 'show this help'
complete -c memwatch -n '__memwatch_in hook' -l version -d 'show the version'
complete -c memwatch -n '__memwatch_in mark' -s q -l quiet -d 'say nothing but errors'
complete -c memwatch -n '__memwatch_in mark' -s v -l verbose -d 'say more'
complete -c memwatch -n '__memwatch_in mark' -l color -x -a '(__memwatch_value WHEN)' -d 'colours on a terminal: auto, always, never'
complete -c memwatch -n '__memwatch_in mark' -s h -l help -d 'show this help'
complete -c memwatch -n '__memwatch_in mark' -l version -d 'show the version'
complete -c memwatch -n '__memwatch_in report' -s i -l interval -x -a '(__memwatch_value DURATION)' -d 'time between samples: 250ms, 1s, 1m; default 200ms'
complete -c memwatch -n '__memwatch_in report' -s r -l report -x -a '(__memwatch_value FILE)' -d 'report: .txt .json .md .html .svg .png .pdf; - is text on stdout'
complete -c memwatch -n '__memwatch_in report' -l fail-on -x -a '(__memwatch_value LIST)' -d 'exit 3 on growth, limit, retained; compare: regression[:SIZE or %]'
complete -c memwatch -n '__memwatch_in report' -l limit -x -a '(__memwatch_value SIZE)' -d 'memory at which the run would be killed; default: as found'
complete -c memwatch -n '__memwatch_in report' -l force -d 'overwrite a file that memwatch did not write'
complete -c memwatch -n '__memwatch_in report' -l until -x -a '(__memwatch_value SECONDS)' -d 'judge the run as it stood at that moment'
complete -c memwatch -n '__memwatch_in report' -l value-col -x -a '(__memwatch_value COLUMN)' -d 'read any CSV: the column of the memory, by name or number'
complete -c memwatch -n '__memwatch_in report' -l time-col -x -a '(__memwatch_value COLUMN)' -d 'the column of the time, likewise'
complete -c memwatch -n '__memwatch_in report' -l unit -x -a '(__memwatch_value UNIT)' -d 'the unit of that memory: B (default), KiB, MB, ...'
complete -c memwatch -n '__memwatch_in report' -l epochs-table -d 'the table of epochs first'
complete -c memwatch -n '__memwatch_in report' -l csv -d 'the table of epochs of one FILE alone, as CSV'
complete -c memwatch -n '__memwatch_in report' -l markdown -d 'the table of epochs first, or the comparison, as Markdown'
complete -c memwatch -n '__memwatch_in report' -l json -d 'JSON on standard output'
complete -c memwatch -n '__memwatch_in report' -s q -l quiet -d 'say nothing but errors'
complete -c memwatch -n '__memwatch_in report' -s v -l verbose -d 'say more'
complete -c memwatch -n '__memwatch_in report' -l color -x -a '(__memwatch_value WHEN)' -d 'colours on a terminal: auto, always, never'
complete -c memwatch -n '__memwatch_in report' -l symbols -x -a '(__memwatch_value SYMBOLS)' -d 'charts: auto (on a terminal), braille, block, ascii, none'
complete -c memwatch -n '__memwatch_in report' -s h -l help -d 'show this help'
complete -c memwatch -n '__memwatch_in report' -l version -d 'show the version'
# </rows>

# The words from the first one that is not memwatch's own option: a command of memwatch, or the program to run.
function __memwatch_rest
    set -l words (commandline -opc) (commandline -ct)
    set -e words[1]
    while set -q words[1]; and string match -q -- '-*' $words[1]
        set -l word $words[1]
        set -e words[1]
        test $word = --; and break
        test $word = --unbuffered; and not contains -- "$words[1]" auto always never; and continue
        contains -- $word $__memwatch_valued; and set -e words[1]
    end
    printf '%s\n' $words
end

# Which options are in place: those of "watch" until a command of memwatch or the program to run is complete.
function __memwatch_in
    set -l rest (__memwatch_rest)
    if test (count $rest) -gt 1
        test $rest[1] = $argv[1]; and contains -- $rest[1] $__memwatch_commands
    else
        test $argv[1] = watch; and not contains -- -- (commandline -opc)
    end
end

function __memwatch_first
    test (count (__memwatch_rest)) -le 1
end

function __memwatch_program
    set -l rest (__memwatch_rest)
    set -q rest[1]; and not contains -- $rest[1] $__memwatch_commands; and complete -C "$rest"
end

function __memwatch_value
    switch $argv[1]
        case PID
            __fish_complete_pids
        case FILE
            __fish_complete_path (commandline -ct)
        case COMMAND
            __fish_complete_command
        case DURATION
            printf '%s\n' 100ms 200ms 500ms 1s 5s 1m 1h
        case UNIT
            printf '%s\n' B KiB MiB GiB TiB kB MB GB TB
        case SIZE
            printf '%s\n' 8GiB 16GiB 24GiB 40GiB 80GiB
        case WHEN
            printf '%s\n' auto always never
        case HOW
            switch (commandline -ct)
                case 'log:*'
                    printf 'log:%s\n' (__fish_complete_path (string replace log: '' -- (commandline -ct)))
                case 'every:*'
                    printf 'every:%s\n' (__memwatch_value DURATION)
                case '*'
                    printf '%s\n' auto none log: every:
            end
        case SYMBOLS
            printf '%s\n' auto braille block ascii none
        case WHICH
            printf '%s\n' auto none 0
        case LIST
            if __memwatch_in compare
                printf '%s\n' regression regression:5%
            else if __memwatch_in report
                printf '%s\n' growth limit growth,limit
            else
                printf '%s\n' growth limit retained growth,limit growth,limit,retained
            end
    end
end

complete -c memwatch -f
complete -c memwatch -n __memwatch_first -a "$__memwatch_commands"
complete -c memwatch -a '(__memwatch_program)'
complete -c memwatch -n '__memwatch_in report' -F
complete -c memwatch -n '__memwatch_in compare' -F
