# SPDX-License-Identifier: MIT
# bash completion for memwatch. The part between the two marks comes from the rows of options: "make completions".
# shellcheck shell=bash disable=SC2207 # completions of this program hold no blanks

# <rows>
_memwatch_commands='compare gpus hook mark report'
_memwatch_value_of() {
	case $1 in
	-p | --pid) echo PID ;;
	-i | --interval) echo DURATION ;;
	-o | --output) echo FILE ;;
	-r | --report) echo FILE ;;
	--fail-on) echo LIST ;;
	--limit) echo SIZE ;;
	--on-growth) echo COMMAND ;;
	-e | --epochs) echo HOW ;;
	--epoch-regex) echo RE ;;
	--unbuffered) echo WHEN ;;
	--gpu) echo WHICH ;;
	--gpu-interval) echo DURATION ;;
	--duration) echo DURATION ;;
	--until) echo SECONDS ;;
	--value-col) echo COLUMN ;;
	--time-col) echo COLUMN ;;
	--unit) echo UNIT ;;
	--run) echo COMMAND ;;
	--times) echo N ;;
	--color) echo WHEN ;;
	--symbols) echo SYMBOLS ;;
	*) return 1 ;;
	esac
}
_memwatch_watch_options='-p --pid -i --interval -o --output -r --report --fail-on --limit --on-growth --until-verdict --explain -e --epochs --epoch-regex --unbuffered --gpu --gpu-interval --live --no-live --status --force --no-children --no-keep --duration -q --quiet -v --verbose --color --symbols -h --help --version'
_memwatch_compare_options='-i --interval -o --output -r --report --fail-on --force --value-col --time-col --unit --markdown --json --run --times --against -q --quiet -v --verbose --color -h --help --version'
_memwatch_gpus_options='--json -q --quiet -v --verbose --color -h --help --version'
_memwatch_hook_options='-q --quiet -v --verbose --color -h --help --version'
_memwatch_mark_options='-q --quiet -v --verbose --color -h --help --version'
_memwatch_report_options='-i --interval -r --report --fail-on --limit --force --until --value-col --time-col --unit --epochs-table --csv --markdown --json -q --quiet -v --verbose --color --symbols -h --help --version'
# </rows>

_memwatch_complete_value() {
	case $1 in
	PID) COMPREPLY=($(compgen -W "$(cd /proc && echo [0-9]*)" -- "$cur")) ;;
	DURATION) COMPREPLY=($(compgen -W '100ms 200ms 500ms 1s 5s 1m 1h' -- "$cur")) ;;
	SECONDS) COMPREPLY=() ;;
	UNIT) COMPREPLY=($(compgen -W 'B KiB MiB GiB TiB kB MB GB TB' -- "$cur")) ;;
	SIZE) COMPREPLY=($(compgen -W '8GiB 16GiB 24GiB 40GiB 80GiB' -- "$cur")) ;;
	WHEN) COMPREPLY=($(compgen -W 'auto always never' -- "$cur")) ;;
	HOW)
		COMPREPLY=($(compgen -W 'auto none log: every:' -- "$cur"))
		[[ ${COMPREPLY[*]} == *: ]] && compopt -o nospace
		;;
	SYMBOLS) COMPREPLY=($(compgen -W 'auto braille block ascii none' -- "$cur")) ;;
	WHICH) COMPREPLY=($(compgen -W 'auto none 0' -- "$cur")) ;;
	LIST)
		case $command in
		compare) value='regression' ;;
		report) value='growth limit growth,limit' ;;
		*) value='growth limit retained growth,limit growth,limit,retained' ;;
		esac
		COMPREPLY=($(compgen -W "$value" -- "$cur"))
		;;
	COMMAND) COMPREPLY=($(compgen -c -- "$cur")) ;;
	FILE) compopt -o filenames && mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	esac
}

# COMMAND and its arguments: as they complete by themselves, where bash-completion is there to ask.
_memwatch_complete_command() {
	if declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif ((COMP_CWORD == $1)); then
		COMPREPLY=($(compgen -c -- "$cur"))
	else
		compopt -o filenames && mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}

_memwatch() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=watch word options value i

	# bash makes "--color=al" three words, and "log:fit" too.
	local before=${COMP_WORDS[COMP_CWORD - 2]-}
	if [[ $cur == [=:] ]]; then
		before=$prev prev=$cur cur=
	fi
	case $prev in
	=) prev=$before ;;
	:)
		case $before in
		log) _memwatch_complete_value FILE; return ;;
		every) _memwatch_complete_value DURATION; return ;;
		esac
		;;
	esac
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ $word == -- && $command == watch ]]; then
			_memwatch_complete_command $((i + 1))
			return
		elif [[ $word == -* ]]; then
			if [[ $word != --unbuffered || ${COMP_WORDS[i + 1]} =~ ^(auto|always|never|=)$ ]]; then
				_memwatch_value_of "$word" >/dev/null && ((i++))
			fi
			[[ ${COMP_WORDS[i]} == = ]] && ((i++))
			while [[ ${COMP_WORDS[i + 1]} == : ]]; do ((i += 2)); done
		elif [[ $command == watch && " $_memwatch_commands " == *" $word "* ]]; then
			command=$word
		elif [[ $command == watch ]]; then
			_memwatch_complete_command "$i"
			return
		fi
	done
	options=_memwatch_${command}_options
	if value=$(_memwatch_value_of "$prev"); then
		_memwatch_complete_value "$value"
	elif [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "${!options}" -- "$cur"))
	elif [[ $command == watch ]]; then
		COMPREPLY=($(compgen -W "$_memwatch_commands" -- "$cur") $(compgen -c -- "$cur"))
	elif [[ $command == report || $command == compare ]]; then
		_memwatch_complete_value FILE
	fi
}

complete -F _memwatch memwatch
