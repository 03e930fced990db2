#!/bin/sh
# From a gauge configuration of your own to the pion's effective mass: pion.sh CONFIGURATION KAPPA
set -eu
configuration=$1 kappa=$2

# What the file is: format, precision, checksum, plaquette. A damaged file ends here, with status 2.
qcd_starpu check "$configuration"

# Twelve solves, one for each spin and colour of a source that is smeared in space with width 2 in 10 steps. The
# propagator goes to S.lime, residuals and correlators to S.json.
qcd_starpu propagator --gauge "$configuration" --kappa "$kappa" --point 0,0,0,0 --smeared 2,10 \
    --save S.lime --json S.json --quiet

# The correlator C(t) and the mass m of cosh m = (C(t-1) + C(t+1)) / (2 C(t)), in lattice units. Where m no longer
# changes with t, on the plateau, the pion alone is left.
python3 - <<'PYTHON'
import json

pion = json.load(open("S.json"))["pion"]["t"]
print("  t          C(t)    m_eff")
for t, (c, m) in enumerate(zip(pion["correlator"], pion["effective_mass"])):
    print(f"{t:3}  {c:12.6e}  {'-' if m is None else f'{m:.4f}':>7}")
PYTHON
