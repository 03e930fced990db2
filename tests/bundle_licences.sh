#!/bin/bash
# scripts/bundle-licences names where each file of an archive is from and keeps its licence; what has none is refused.
#   tests/bundle_licences.sh
set -uo pipefail
script=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/scripts/bundle-licences
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
command -v dpkg-query >/dev/null || { echo "SKIPPED: no dpkg here"; exit 77; }
failed=0
expect() { # WHAT CONDITION...
    "${@:2}" || { echo "$1"; failed=1; }
}

# ---- a library of a package by both of its names, a header, and one of no package with a licence above it
zlib=$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p)
zlib=$(awk '$1 == "libz.so.1" && /x86-64/ {print $NF}' <<<"$zlib")
zlib=${zlib#/usr}
mkdir -p "$folder/toolkit/lib"
touch "$folder/toolkit/lib/libother.so.1"
echo "do as you like" >"$folder/toolkit/EULA.txt"
list() { printf '%s\t%s\n' lib/libz.so.1 "$zlib" lib/usr/libz.so.1 "/usr$zlib" "$@"; }
list lib/libother.so.1 "$folder/toolkit/lib/libother.so.1" | "$script" "$folder/L" || { echo "status $?"; failed=1; }
expect "zlib's row" grep -qE '^lib/libz.so.1 +zlib 1:1\.[^ ]+ +zlib1g$' "$folder/L/README"
expect "by its other name, too" grep -qE '^lib/usr/libz.so.1 +zlib 1:1\.[^ ]+ +zlib1g$' "$folder/L/README"
expect "zlib's licence" cmp -s /usr/share/doc/zlib1g/copyright "$folder/L/zlib1g"
expect "the other's" grep -q "do as you like" "$folder/L/libother.so.1"
expect "ours" cmp -s "$(dirname "$script")/../LICENSE" "$folder/L/qcd_starpu"
expect "nothing of NVIDIA's is said to be there" test "$(grep -c libcudart "$folder/L/README")" = 0

# ---- what licences refer to
gcc=$(g++ -print-file-name=libstdc++.so.6 2>/dev/null || true)
if [[ $gcc == /* ]]; then
    printf '%s\t%s\n' lib/libstdc++.so.6 "$gcc" | "$script" "$folder/G" || { echo "status $?"; failed=1; }
    expect "the text that gcc's refers to" grep -q "GNU GENERAL PUBLIC LICENSE" "$folder/G/common/GPL-3"
fi

# ---- no licence
mkdir -p "$folder/bare/a/b/lib"
touch "$folder/bare/a/b/lib/libbare.so"
said=$(list lib/libbare.so "$folder/bare/a/b/lib/libbare.so" | "$script" "$folder/N" 2>&1)
status=$?
[[ $status == 4 && $said == *"no licence found of $folder/bare/a/b/lib/libbare.so"* && $said != *$'\n'* ]] ||
    { echo "no licence: status $status, '$said'"; failed=1; }
exit "$failed"
