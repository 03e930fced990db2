#!/bin/bash
# Runs a script of tests with a Python that has NumPy: tests/python/run.sh LIBRARY PROGRAM SCRIPT [ARGUMENT...]
# Status 77, and a line that says so, where there is none.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export QCD_STARPU_LIBRARY=$1 QCD_STARPU_PROGRAM=$2 PYTHONPATH=$root/python PYTHONDONTWRITEBYTECODE=1
shift 2

# The first on the path may be one of its own, without the system's packages.
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import numpy' 2>/dev/null; then
        # Of a library with sanitizers, or of leaks in Python, this says nothing.
        exec "$python" -X faulthandler "$@"
    fi
done
echo "SKIPPED: the Python package: no python3 with NumPy (Debian: python3-numpy)"
exit 77
