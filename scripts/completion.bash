# Completion for bash: commands, options and their words, from what --help says.
# shellcheck shell=bash
_qcd_starpu() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=() help words=
    ((COMP_CWORD == 1)) || [[ ${COMP_WORDS[1]} == -* ]] || command=("${COMP_WORDS[1]}")
    # "compare generate" is a command of two words.
    if ((COMP_CWORD > 2)) && [[ ${COMP_WORDS[*]:1:2} == "compare generate" ]]; then command+=(generate); fi
    help=$("$program" "${command[@]}" --help 2>/dev/null) || return
    if [[ $before == -?* ]]; then
        # --option one|two|FILE: the words, not what stands in capitals for something
        words=$(sed -nE "s/^  ([^ ]*,)?$before(,[^ ]*)? ([^ ]+)( .*)?$/\3/p" <<<"$help" | tr '|,' '\n' | sed '/[A-Z:.]/d')
    fi
    if [[ $words ]]; then
        :
    elif [[ $word == -* ]]; then
        words=$(sed -nE 's/^  (-[^ ]+).*/\1/p' <<<"$help" | tr ',' '\n')
    elif ((COMP_CWORD == 1)); then
        words=$(sed -nE '/^Commands:/,/^$/s/^  ([a-z]+)  .*/\1/p' <<<"$help")
    elif [[ ${command[*]} == compare ]] && ((COMP_CWORD == 2)); then
        words=generate
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _qcd_starpu qcd_starpu
