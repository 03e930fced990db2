#!/bin/bash
# Does ViTE open our traces without a complaint?   tests/trace_vite.sh PATH/qcd_starpu
# Solves on a small lattice with --trace, draws the trace headless and fails on any warning or error of ViTE and
# on an empty picture. One line of result. Exit status 77: ViTE is not installed.
set -euo pipefail

program=${1:?usage: tests/trace_vite.sh PATH/qcd_starpu}
smallest_picture=100 # rectangles; containers and axes alone are about 15

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "trace_vite: $*" >&2
    for log in "$folder"/*.log; do
        [[ ! -s $log ]] || tail -n 20 "$log" >&2
    done
    exit 1
}

if ! command -v vite >/dev/null; then
    echo "SKIPPED: trace_vite: vite is not installed (package vite)"
    exit 77
fi

timeout 300 "$program" --lattice 8x8x8x8 --tiles 1x1x2x2 --trace "$folder/trace" --quiet >"$folder/run.log" 2>&1 ||
    fail "$program failed with status $?"
for file in paje.trace profile.txt profile.csv; do
    [[ -s $folder/trace/$file ]] || fail "no $file"
done

draw() {
    XDG_RUNTIME_DIR=$folder QT_QPA_PLATFORM=offscreen \
        timeout 300 vite -e "$folder/picture.svg" "$folder/trace/paje.trace" >"$folder/vite.log" 2>&1
}
status=0
draw || status=$?
if ((status > 128)); then # by a signal: by what we wrote only if it does so again
    echo "trace_vite: vite ended with status $status, and is run again"
    status=0
    draw || status=$?
fi
((status == 0)) || fail "vite failed with status $status"
summary="0 errors and 0 warnings were found during parsing."
grep -qF "$summary" "$folder/vite.log" || fail "vite found fault with the trace"
if grep -vF "$summary" "$folder/vite.log" | grep -iE 'warning|error|cannot|invalid'; then
    fail "vite complained"
fi
rectangles=$(grep -o '<rect' "$folder/picture.svg" | wc -l)
((rectangles >= smallest_picture)) || fail "the picture has only $rectangles rectangles"

tasks=$(head -n 1 "$folder/trace/profile.txt")
echo "trace_vite: ok: ${tasks%% (*}; $rectangles rectangles, no warning"
