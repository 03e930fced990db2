#!/bin/bash
# A wheel in a fresh environment of Python, without a network and with nothing in the environment: what it finds is what
# its program finds, and the tests of the package pass on it.
#   tests/python/wheel.sh WHEEL
set -euo pipefail
wheel=$(realpath "$1")
tests=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

clean() { env -i HOME="$folder" PATH=/usr/bin:/bin OMP_WAIT_POLICY=passive PYTHONDONTWRITEBYTECODE=1 "$@"; }

/usr/bin/python3 -m venv --system-site-packages "$folder/python"
clean "$folder/python/bin/pip" install -q --no-index "$wheel"
cd "$folder" # the source tree is not on the path
installed=$(clean "$folder/python/bin/python" -c 'import qcd_starpu; print(qcd_starpu.__file__)')
[[ $installed == "$folder"/* ]] || { echo "the package is $installed"; exit 1; }
clean "$folder/python/bin/qcd_starpu" --lattice 4x4x4x4 | grep 'digest of x'
outside=$(clean ldd "${installed%/*}/lib/libqcd_starpu.so" | awk '$2 == "=>" {print $3}' | grep -v "^$folder/" |
    grep -vE '/lib(c|m|stdc\+\+|gcc_s|dl|pthread|rt|resolv)\.so' || true)
[[ -z $outside ]] || { echo "not in the wheel: $outside"; exit 1; }
export program=${installed%/*}/bin/qcd_starpu
clean QCD_STARPU_PROGRAM="$program" "$folder/python/bin/python" -X faulthandler "$tests/test_python.py" "${@:2}"
