# gnuplot peers.gp, in this folder: draws peers.svg from peers.dat
set terminal svg size 960,330 font "Helvetica,13" background "white"
set output "peers.svg"
theirs = "#9aa5b1"
ours = "#1f6fb4"
set termoption noenhanced
set multiplot
set bmargin 3
set border 3
set tics nomirror
set yrange [0:*]

set origin 0,0; set size 0.42,1
set title "one H100: CG to 1e-10 at 32x32x32x64\nms (less is better); QUDA of 2024-10"
set boxwidth 0.6
set style fill solid noborder
unset key
set xtics font ",10"
set xrange [-0.6:3.6]
set yrange [0:560]
plot "peers.dat" index 0 using 0:2:($3 == 2 ? 0x1f6fb4 : 0x9aa5b1):xtic(1) with boxes lc rgb variable, \
     "" index 0 using 0:2:2 with labels offset 0,0.7

set origin 0.42,0; set size 0.58,1
set title "two cores of a Zen 4: hopping term, lattices LxLxLx2L\nGFLOPS (more is better); Grid of 2024-10"
set style data histograms
set style histogram clustered gap 1
set boxwidth 0.9
set key top right
set xrange [*:*]
set yrange [0:175]
plot "peers.dat" index 1 using 2:xtic(1) title "Grid" lc rgb theirs, \
     "" index 1 using 3 title "qcd_starpu" lc rgb ours, \
     "" index 1 using ($0 - 0.2):2:2 with labels offset -0.3,0.7 font ",9" notitle, \
     "" index 1 using ($0 + 0.2):3:3 with labels offset 0.3,0.7 font ",9" notitle
unset multiplot
