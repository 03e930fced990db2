#!/bin/sh
# Which of three schedulers of StarPU is the fastest, by how much, and is that certain?
set -eu

# Each case runs once in a round, in shuffled order; ten rounds after one that does not count. Typed again after Ctrl-C,
# the command goes on where it was.
qcd_starpu compare --lattice 16x16x16x16 --iterations 20 --workers cpus:2 --tiles 1x1x1x4 --sched lws,eager,dmda \
    --repeat 10 --out schedulers

# One more run of a case, with every task recorded: who ran what, when, and who waited.
qcd_starpu --lattice 16x16x16x16 --iterations 6 --cpus 2 --tiles 1x1x1x4 --sched dmda --trace dmda --quiet
qcd_starpu trace dmda --svg dmda.svg --quiet
