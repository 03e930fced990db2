"""The pion of an ensemble: a loop over configurations and sources, and errors by the jackknife.

    ensemble.py KAPPA CONFIGURATION...
"""

import sys

import numpy as np
from qcd_starpu import Dirac, GaugeField, Session, effective_mass

kappa, files = float(sys.argv[1]), sys.argv[2:]

correlators = []  # one for each configuration
with Session() as session:  # StarPU starts once for all solves
    for file in files:
        U = GaugeField.read(file)
        D = Dirac(U, kappa=kappa)
        T = U.lattice[3]
        # Two sources half the lattice apart. pion() counts t from the source on, so that they can be averaged.
        sources = [(0, 0, 0, 0), (0, 0, 0, T // 2)]
        pions = [session.propagator(D, point=source, smeared=(2, 10)).pion() for source in sources]
        correlators.append(np.mean(pions, axis=0))
        print(f"{file}: plaquette {U.plaquette():.6f}, C(0) = {correlators[-1][0]:.6e}", flush=True)

# Sources of one configuration are not independent, configurations are. The jackknife leaves out one at a time.
C = np.array(correlators)
N = len(C)
mass = effective_mass(C.mean(axis=0))
without_one = np.array([effective_mass((C.sum(axis=0) - c) / (N - 1)) for c in C])
error = np.sqrt((N - 1) * without_one.var(axis=0))
for t in range(1, C.shape[1] // 2):
    print(f"t = {t}: m_eff = {mass[t]:.3f} +- {error[t]:.3f}")
