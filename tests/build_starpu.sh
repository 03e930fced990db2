#!/bin/bash
# scripts/build-starpu empties the folders that it builds in, so it must refuse those that are not its own; and it
# builds what it says. No source is fetched: apt-get is a stand-in, which first has nothing and then something tiny.
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

# ---- sources: a suite is there if there is a file with its name, which holds a line of the perfmodel.c in it
rm "$folder/p"
export STAND_IN=$folder
cat >"$folder/bin/apt-get" <<'END'
#!/bin/bash
case " $* " in
*" indextargets "*) echo http://mirror.invalid/debian/ ;;
*" source "*)
    suite=$(awk '{print $4}' ../apt/src.list) version=${*: -1}
    version=${version#starpu} version=${version#=}
    version=${version:-1.4.99-1} # asked for without one
    [[ -f $STAND_IN/$suite ]] || { echo "E: no $version"; exit 100; }
    mkdir -p "starpu-$version/src/drivers/cuda" "starpu-$version/src/core/perfmodel" \
        "starpu-$version/debian"
    touch "starpu-$version/debian/copyright"
    touch "starpu_$version.dsc"
    cd "starpu-$version" && touch src/drivers/cuda/{driver_cuda,starpu_cublas,starpu_cublas_v2}.c
    cp "$STAND_IN/$suite" src/core/perfmodel/perfmodel.c
    install "$STAND_IN/configure" configure
    ;;
esac
END
cat >"$folder/configure" <<'END'
#!/bin/bash
mkdir -p include src/common src/.libs
printf '#define STARPU_%s 1\n' USE_{FXT,OPENCL,MPI,CUDA} HAVE_{HWLOC,GLPK_H} | tee include/starpu_config.h >src/common/config.h
printf 'all:\n\tcp %s src/.libs/libstarpu-1.4.so\ninstall-strip:\n\tmkdir -p %s\n\ttouch %s\n' \
    "$(dirname "$0")/src/core/perfmodel/perfmodel.c" "${1#--prefix=}/lib/pkgconfig" "${1#--prefix=}/lib/pkgconfig/starpu-1.4.pc" >Makefile
END
fits='    _perf_model_add_dir(STARPU_SAMPLING_DIR, 1, "perfmodels/sampling");'
built() { # WHAT PACKAGE LINE: a call builds this package, says so, and why another was not taken (LINE); its stamp holds
    local said status=0
    rm -rf "$folder/p"
    said=$("$script" "$folder/p" 2>&1) || status=$?
    if [[ $status != 0 || ${said##*$'\n'} != "StarPU: $2 is in $folder/p" || $(<"$folder/p/qcd-source") != "$2" ||
        $(grep 'not that of' <<<"$said") != "$3" ]] || ! "$script" --check "$folder/p"; then
        echo "$1: status $status, '$said'"
        failed=1
    fi
}
echo "$fits" | tee "$folder/trixie" >"$folder/sid"
pinned=$(sed -n 's/^sources=("trixie \(.*\)" sid)$/\1/p' "$script")
built "the pinned source" "starpu $pinned (trixie)" ""
echo "${fits/(/( }" >"$folder/trixie"
built "one that a patch does not fit" "starpu 1.4.99-1 (sid)" \
    "StarPU: not that of trixie: the library built still has perfmodels/sampling in it: a patch of this script does not fit"
rm "$folder/trixie"
built "no pinned source" "starpu 1.4.99-1 (sid)" "StarPU: not that of trixie: E: no $pinned"
rm "$folder/sid"
echo "older" >"$folder/p/qcd-stamp"
said=$("$script" "$folder/p" 2>&1) && failed=1
[[ $said == *"not that of trixie"*"not that of sid"*"could be used"* ]] || { echo "no source: '$said'"; failed=1; }
untouched p/qcd-source
exit "$failed"
