#!/bin/bash
# The installed library serves a program of another project, by CMake and by pkg-config, in C and C++: the examples are
# built against an installed tree alone, that was moved, and find what the program finds.
#   tests/api/installed.sh CMAKE BUILD-FOLDER
set -euo pipefail
cmake=$1 build=$(realpath "$2")
examples=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../examples")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

"$cmake" --install "$build" --prefix "$folder/installed" >"$folder/log"
mv "$folder/installed" "$folder/tree"
program=$folder/tree/bin/qcd_starpu
pc=$(find "$folder/tree" -name qcd_starpu.pc)
export PKG_CONFIG_PATH=${pc%/*}

digest() { # ARGUMENT...: of what the program finds
    "$program" --lattice 4x4x4x8 --gauge weak:0.2 --solver bicgstab --cpus 1 "$@" | sed -n 's/.*digest of x *//p'
}
expect() { # FILE DIGEST...: the digests that are printed there
    local found
    found=$(sed -n 's/.*digest //p' "$1" | tr '\n' ' ')
    [[ $found == "${*:2} " ]] || { echo "${1##*/}: digests $found, expected ${*:2}"; failed=1; }
}
one=$(digest --kappa 0.12) two=$(digest --kappa 0.124) point=$(digest --kappa 0.12 --source point:0,0,0,0,0,0)

"$cmake" -S "$examples" -B "$folder/cmake" -DCMAKE_PREFIX_PATH="$folder/tree" >"$folder/log"
"$cmake" --build "$folder/cmake" >>"$folder/log" || { cat "$folder/log"; exit 1; }
cp -r "$examples" "$folder/make"
make -C "$folder/make" >"$folder/log" || { cat "$folder/log"; exit 1; }
for way in cmake make; do
    for language in c cpp; do
        "$folder/$way/solve_$language" >"$folder/$way.$language" || { echo "$way $language: status $?"; failed=1; }
    done
    expect "$folder/$way.c" "$one" "$two"
    expect "$folder/$way.cpp" "$one" "$point" "$one"
done

if type help2man >/dev/null 2>&1; then
    grep -q 'conjugate residuals' "$folder/tree/share/man/man1/qcd_starpu.1" || { echo "no manual page"; failed=1; }
fi
[[ -f $folder/tree/share/bash-completion/completions/qcd_starpu ]] || { echo "no completion"; failed=1; }

version=$("$program" --version)
[[ $version == "qcd_starpu $(pkg-config --modversion qcd_starpu)"* ]] ||
    { echo "pkg-config says another version than '$version'"; failed=1; }
others=$(nm -D --defined-only "$folder"/tree/lib*/libqcd_starpu.so | awk '{print $3}' |
    grep -vE '^qcd_(session_(open|close)|solver_(open|open_propagator|close|plan|command|rhs|solve|solve_all|stop|apply)|solve|read_(gauge|gauge_with|source|source_for|source_with)|write_(gauge|spinors)|plaquette|smear|pion|effective_masses|spin_rotation|options|version)$' || true)
[[ -z $others ]] || { echo "names that are not of the API: $others"; failed=1; }
exit "$failed"
