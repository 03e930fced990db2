#!/bin/bash
# scripts/build-starpu empties the folders that it builds in, so it must refuse those that are not its own.
# No source is fetched: where a refusal fails, there is no apt-get to go on with.
#   tests/build_starpu.sh
set -uo pipefail
script=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/scripts/build-starpu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
printf '#!/bin/sh\nexit 1\n' >"$folder/bin/apt-get"
chmod +x "$folder/bin/apt-get"
export PATH=$folder/bin:$PATH

failed=0
expect() { # WHAT TEXT: a call with $folder/p fails with this text in its only line
    local said status=0
    said=$("$script" "$folder/p" 2>&1) || status=$?
    [[ $status == 4 && $said == *"$2"* && $said != *$'\n'* ]] || { echo "$1: status $status, '$said'"; failed=1; }
}
untouched() { # FILE
    [[ -f $folder/$1 ]] || { echo "$1 is gone"; failed=1; }
}

mkdir "$folder/p" "$folder/p-build"
expect "empty folders are used" "apt knows no Debian mirror"
expect "those of an interrupted call, too" "apt knows no Debian mirror"

touch "$folder/p/file"
expect "a user's PREFIX" "p was not made by this script"
untouched p/file

rm -r "$folder/p" "$folder/p-build"
mkdir "$folder/p-build"
touch "$folder/p-build/file"
expect "a user's PREFIX-build" "p-build was not made by this script"
untouched p-build/file

rm -r "$folder/p-build"
touch "$folder/p"
expect "a file" "p was not made by this script"
untouched p
exit "$failed"
