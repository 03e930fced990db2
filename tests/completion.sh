#!/bin/bash
# What scripts/completion.bash completes:  tests/completion.sh PROGRAM
set -euo pipefail

program=$1
# shellcheck source=/dev/null
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/completion.bash"

failed=0
expect() { # WORDS WORD...: the words so far, the last one being typed, and what it may become
    read -ra COMP_WORDS <<<"$program $1"
    [[ $1 != *' ' ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    _qcd_starpu
    [[ ${COMPREPLY[*]} == "${*:2}" ]] || { echo "'$1' becomes '${COMPREPLY[*]}' instead of '${*:2}'"; failed=1; }
}
expect "lad" ladder
expect "--mub" --mubar
expect "--load-g" --load-gauge
expect "--precision " double single
expect "--lattice 4x4x4x4 --even-odd of" off
expect "compare --rep" --repeat
expect "compare --sch" --sched --sched-lib
expect "trace --sv" --svg
expect "compare gen" generate
expect "compare generate --bet" --beta
expect "--gauge " # a file's name, by readline
expect "--reunitarize --latt" --lattice
exit "$failed"
