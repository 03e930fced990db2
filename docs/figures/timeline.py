#!/usr/bin/env python3
"""The tasks of a trace, for timeline.gp:  timeline.py DIR/paje.trace BEGIN-MS END-MS >timeline.dat

A line a task: worker, begin and end in ms after BEGIN-MS, kind (the set of the file)."""
import re
import shlex
import sys

KINDS = [("hopping", "hopping"), ("update", "cr_update"), ("faces", "pack_faces"), ("scalars", "merge_sums|coefficients|cr_alpha_beta")]

begin, end = float(sys.argv[2]), float(sys.argv[3])
names, since, tasks = {}, {}, []
for line in open(sys.argv[1]):
    if line.startswith("7") and re.search(r"\sw\d+\s+W\s", line):
        names[line.split()[2]] = line.split()[-1]
    if line.startswith("10"):
        _, time, worker, kind, state = shlex.split(line)[:5]
        if kind != "WS":
            continue
        if worker in since:
            tasks.append((worker, *since[worker], float(time)))
        since[worker] = (state, float(time))
print(f"# one worker a number: {' '.join(names.values())}; ms")
for i, (kind, pattern) in enumerate(KINDS):
    print("\n\n" * (i > 0) + f'# {i}: {kind}')
    for worker, state, a, b in tasks:
        if re.match(pattern, state) and b > begin and a < end:
            print(list(names).index(worker), f"{max(a, begin) - begin:.3f} {min(b, end) - begin:.3f}")
