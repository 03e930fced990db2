# gnuplot timeline.gp, in this folder: draws timeline.svg from timeline.dat, which timeline.py has made of a trace
set terminal svg size 960,300 font "Helvetica,13" background "white"
set output "timeline.svg"
set border 1
set tics nomirror
unset ytics
set ytics ("core 0" 0, "core 1" 1, "core 2" 2, "core 3" 3) scale 0
set yrange [3.5:-0.5]
set xrange [0:16.5]
set xlabel "ms"
set key above horizontal samplen 1.5
set style fill solid border rgb "white"
box = 0.38
plot "timeline.dat" index 0 using (($2 + $3) / 2):1:2:3:($1 - box):($1 + box) with boxxyerror lc rgb "#1f6fb4" lw 0.4 title "hop of a tile", \
     "" index 1 using (($2 + $3) / 2):1:2:3:($1 - box):($1 + box) with boxxyerror lc rgb "#e08a1e" lw 0.4 title "update of the vectors", \
     "" index 2 using (($2 + $3) / 2):1:2:3:($1 - box):($1 + box) with boxxyerror lc rgb "#5aa469" lw 0.2 title "faces for the neighbours", \
     "" index 3 using (($2 + $3) / 2):1:2:3:($1 - box):($1 + box) with boxxyerror lc rgb "#c0392b" fs solid border rgb "#c0392b" title "scalars"
