# gnuplot cluster.gp, in this folder: draws cluster.svg, the cost model of ../cluster.md
set terminal svg size 960,560 font "Helvetica,13" background "white"
set output "cluster.svg"
set termoption noenhanced

# Measured on H100s (../measurements.md), seconds, of an iteration of CG in double with links of 12 reals:
site = 0.230 / 100 / (32. * 32 * 32 * 64) # in a batch
tasks = 0.019 / 100                       # what a graph takes longer than a batch
# of a hop's exchange through the hosts' memory: two points, 0.39 and 3.1 MB each way
host_start = 0.21e-3
host_rate = 4.4e9
# of one between memories of GPUs: as StarPU's own within a process, pinned on two GPUs
gpu_start = 0.05e-3
gpu_rate = 35e9
sum = 26e-6 # a dependent step between ranks; an iteration has three sums, each of log2 of the ranks

# A lattice of x, y, z, t sites on 2^r ranks: cut in t, then in z, then in y, at least 4 sites thick.
least(a, b) = a < b ? a : b
cuts(extent) = floor(log(extent / 4.) / log(2) + 1e-9)
in_t(t, r) = least(r, cuts(t))
in_z(z, t, r) = least(r - in_t(t, r), cuts(z))
in_y(z, t, r) = r - in_t(t, r) - in_z(z, t, r)
face(volume, thickness, n) = n > 0 ? 96. * volume / thickness : 0 # bytes of two faces of one parity
bytes(x, y, z, t, r) = face(V(x, y, z, t, r), t / 2**in_t(t, r), in_t(t, r)) \
    + face(V(x, y, z, t, r), z / 2**in_z(z, t, r), in_z(z, t, r)) \
    + face(V(x, y, z, t, r), y / 2**in_y(z, t, r), in_y(z, t, r))
V(x, y, z, t, r) = 1. * x * y * z * t / 2**r
exchange(b, start, rate) = b > 0 ? start + b / rate : 0
iteration(x, y, z, t, r, start, rate) = site * V(x, y, z, t, r) + tasks \
    + 4 * exchange(bytes(x, y, z, t, r), start, rate) + 3 * r * sum

set border 3
set tics nomirror
set logscale x 2
set xlabel "GPUs, one rank each"
set samples 11
set key samplen 2
set multiplot layout 1,2
set xrange [4:4096]
set xtics 4
r(gpus) = log(gpus) / log(2)

set title "model: one lattice on more and more GPUs\nms an iteration of CG (less is better)"
set logscale y
set yrange [0.05:1e4]
set format y "%g"
set bmargin 11
set key at graph 0.02, screen 0.245 left top Left reverse
plot iteration(96, 96, 96, 192, r(x), host_start, host_rate) * 1e3 with linespoints pt 7 ps 0.5 lw 2 lc rgb "#1f6fb4" title "96x96x96x192, through the hosts", \
     iteration(96, 96, 96, 192, r(x), gpu_start, gpu_rate) * 1e3 with linespoints pt 6 ps 0.5 lw 2 lc rgb "#1f6fb4" title "96x96x96x192, GPU to GPU", \
     iteration(128, 128, 128, 256, r(x), host_start, host_rate) * 1e3 with linespoints pt 7 ps 0.5 lw 2 lc rgb "#c4572e" title "128x128x128x256, through the hosts", \
     iteration(128, 128, 128, 256, r(x), gpu_start, gpu_rate) * 1e3 with linespoints pt 6 ps 0.5 lw 2 lc rgb "#c4572e" title "128x128x128x256, GPU to GPU", \
     site * 96**3 * 192. / x * 1e3 with lines dt 2 lw 1.5 lc rgb "#1f6fb4" title "96x96x96x192, arithmetic alone", \
     site * 128.**3 * 256 / x * 1e3 with lines dt 2 lw 1.5 lc rgb "#c4572e" title "128x128x128x256, arithmetic alone"

# Of ranks with n x n x n x 2n sites each, cut in t, in z, too, from 4 on and in y, too, from 8 on.
weak(n, r, start, rate) = (site * n**3 * 2. * n + tasks) / (site * n**3 * 2. * n + tasks \
    + 4 * exchange((r > 0) * 96. * n**3 + (r > 1) * 2 * 96. * n**3 + (r > 2) * 2 * 96. * n**3, start, rate) + 3 * r * sum)
set title "model: as many sites on each GPU\nspeed of a GPU over that of one alone, % (more is better)"
unset logscale y
set yrange [0:100]
set xrange [1:4096]
set xtics 4
set key at graph 0.02, screen 0.245 left top Left reverse
set samples 13
plot 100 * weak(48, r(x), gpu_start, gpu_rate) with linespoints pt 6 ps 0.5 lw 2 lc rgb "#c4572e" title "48x48x48x96, GPU to GPU", \
     100 * weak(32, r(x), gpu_start, gpu_rate) with linespoints pt 6 ps 0.5 lw 2 lc rgb "#1f6fb4" title "32x32x32x64, GPU to GPU", \
     100 * weak(48, r(x), host_start, host_rate) with linespoints pt 7 ps 0.5 lw 2 lc rgb "#c4572e" title "48x48x48x96, through the hosts", \
     100 * weak(32, r(x), host_start, host_rate) with linespoints pt 7 ps 0.5 lw 2 lc rgb "#1f6fb4" title "32x32x32x64, through the hosts"
unset multiplot
