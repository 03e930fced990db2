# The plots of docs/studies.md from the tables that scripts/studies-figures writes:
#   gnuplot -e "in='FOLDER'; out='docs/figures'; where='cores'" docs/figures/studies.gp
set terminal svg size 760,420 font "sans,13" background "white"
set datafile separator ","
set key outside right
set grid lc rgb "#dddddd"
set style data yerrorlines
do for [q in "total allocation transfer compute back rate"] {
    file = in."/matmul-".where."-".q.".csv"
    if (system("test -s ".file." && echo yes") ne "yes") { continue }
    set output out."/study-matmul-".where."-".q.".svg"
    set title "matmul on ".where.": ".q
    set xlabel "N, of N x N matrices"
    set ylabel (q eq "rate" ? "GF/s" : "seconds, mean of the runs, with its 95% interval")
    set logscale xy
    versions = system("cut -d, -f1 ".file." | sort -u")
    plot for [v in versions] "< grep '^".v.",' ".file using 2:3:4:5 title v lw 2 pt 7 ps 0.5
}
unset logscale
set style data histograms
set style fill solid 0.8
set style histogram errorbars gap 1 lw 1
do for [s in "sandpile fisher wave"] {
    set output out."/study-".s."-".where.".svg"
    set title s." on ".where.(s eq "sandpile" ? ": seconds until stable" : s eq "wave" ? ": bandwidth" : ": seconds of a CG iteration")
    set ylabel (s eq "wave" ? "GB/s, 24 bytes a cell and step" : "seconds, mean of the runs, with its 95% interval")
    set xlabel ""
    set xtics rotate by -35
    if (s ne "wave") { set logscale y }
    plot in."/".s."-".where.".csv" using 2:3:4:xtic(1) notitle lc rgb "#1f6fb4"
    unset logscale
}
