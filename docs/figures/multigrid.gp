# gnuplot multigrid.gp, in this folder: draws multigrid.svg of multigrid.csv, for ../multigrid.md
set terminal svg size 760,460 font "Helvetica,13" background "white"
set output "multigrid.svg"
set termoption noenhanced
set datafile separator ","
set title "Iterations to 1e-10, quenched, beta 6.0, csw 1.769 (fewer is better)"
set xlabel "kappa (to the right: lighter quarks)"
set ylabel "iterations of one source"
set logscale y
set yrange [8:6000]
set xrange [0.1333:0.13505]
set xtics 0.1335,0.0005
set mxtics 5
set border 3
set tics nomirror
set key outside right center samplen 2

array lattices[3] = ["12x12x12x24", "16x16x16x32", "24x24x24x48"]
array kappas[3] = [0.1335, 0.1342, 0.1347]
is(l, k, m) = strcol(1) eq l && $2 > 0 && abs($3 - k) < 1e-9 && strcol(5) eq m
set print $means
do for [m in "cg mg"] { do for [i=1:3] { do for [j=1:3] {
    stats "multigrid.csv" every ::1 using (is(lattices[i], kappas[j], m) ? $6 : NaN) nooutput
    print sprintf("%s,%s,%g,%g,%g", m, lattices[i], kappas[j] + (i - 2) * 2e-5, STATS_mean, STATS_ssd / sqrt(STATS_records))
} } }
unset print
array marks[3] = [4, 6, 8]
of(m, l) = strcol(1) eq m && strcol(2) eq l ? $4 : NaN
plot for [i=1:3] $means using 3:(of("cg", lattices[i])):5 with yerrorbars pt marks[i] lc rgb "#b03030" title "CG, ".lattices[i], \
     for [i=1:3] $means using 3:(of("mg", lattices[i])):5 with yerrorbars pt marks[i] + 1 lc rgb "#2050a0" title "multigrid, ".lattices[i]
