# The plots of docs/studies.md from the tables that scripts/studies-figures writes, which has set
#   study, where ("cores", "pocl", "cuda"), machine: in words, in: the tables' folder, out: the plots' folder
file(table) = in."/".table."-".where.".csv"
there(table) = system("test -s ".file(table)." && echo yes") eq "yes"
ours = "#1f6fb4"
other = "#9aa5b1"
set linetype 1 lc rgb ours
set linetype 2 lc rgb other
set linetype 3 lc rgb "#2e8b57"
set linetype 4 lc rgb "#c0392b"
set linetype 5 lc rgb "#8e6bbf"
set linetype 6 lc rgb "#d68910"
set datafile separator ","
set border 3
set tics nomirror
set grid ytics lc rgb "#dddddd"
set style fill solid 0.9 noborder
set termoption noenhanced
set errorbars 0

if (study eq "matmul" && there("matmul-total")) {
    set terminal svg size 960,1000 font "Helvetica,13" background "white"
    set output out."/study-matmul-".where.".svg"
    set multiplot layout 3,2 title "matmul on ".machine.", against N of N x N; means with 95% intervals"
    set style data yerrorlines
    set logscale xy
    set format y "%.0e"
    set xtics (64, 128, 256, 512, 1024, 2048)
    set xrange [56:2400]
    set key top left font ",11"
    versions = ""
    do for [v in "naive blocks shared four padded library"] {
        if (system("grep -c '^".v.",' ".file("matmul-total")) > 0) { versions = versions." ".v }
    }
    do for [q in "total allocation transfer compute back rate"] { # cores alone transfer nothing
        if (!there("matmul-".q)) { continue }
        set title q.(q eq "rate" ? ", GFLOPS (more is better)" : ", seconds (less is better)")
        if (q eq "rate") { set format y "%g" }
        plot for [v in versions] "< grep '^".v.",' ".file("matmul-".q)." | sort -t, -n -k2" \
            using 2:3:4:5 title v lw 1.5 pt 0
    }
    unset multiplot
}

if (study eq "sandpile" && there("sandpile")) {
    set terminal svg size 960,420 font "Helvetica,13" background "white"
    set output out."/study-sandpile-".where.".svg"
    set title "sandpile on ".machine.": speed over that of ".(where eq "cores" ? "naive" : "tiles")." (more is better)"
    set style data histograms
    set style histogram clustered gap 1
    set logscale y
    set format y "%g"
    set xtics rotate by -35
    set key outside right top width 1
    plot file("sandpile") using 2:xtic(1) title "homogeneous" lc rgb ours, "" using 3 title "towers" lc rgb other
}

if (study eq "sandpile" && there("overlap")) {
    set output out."/study-overlap-".where.".svg"
    set title "k sweeps from a halo of k on ".machine.": cells a second over those of tiles (more is better)"
    unset logscale
    set format y "%g"
    set xtics norotate 1
    set xrange [0.5:8.5]
    set yrange [0:*]
    set xlabel "k, sweeps of a task"
    set key inside top left
    # cells that a block of 32x32 computes, of those that it keeps, in k sweeps
    work(k) = 1 + 2 * (k - 1) / 32. + 4 * (k - 1) * (2 * k - 1) / 6. / 1024
    pile(name) = "< grep '^".name.",' ".file("overlap")
    plot pile("homogeneous") using 2:3:4:5 with yerrorlines title "homogeneous" lw 2 pt 7 ps 0.6 lc rgb ours, \
         pile("towers") using 2:3:4:5 with yerrorlines title "towers" lw 2 pt 7 ps 0.6 lc rgb other, \
         x with lines dt 2 lc rgb "#888888" title "limit where tasks are the only cost: k", \
         1 / work(x) with lines dt 3 lc rgb "#c0392b" title "limit where cells are: kept / computed"
}

if (study eq "fisher" && there("fisher") || study eq "wave" && there("wave")) {
    set terminal svg size 960,380 font "Helvetica,13" background "white"
    set output out."/study-".study."-".where.".svg"
    set style data histograms
    set style histogram errorbars gap 1 lw 1
    set yrange [0:*]
    set xtics rotate by -20
    set key outside right
    sizes = system("cut -d, -f2 ".file(study)." | sort -nu")
    set ylabel "GB/s (more is better)"
    set title study." on ".machine.(study eq "wave" ? ": 24 bytes a cell and step; copy: 16" : ": 96 or 104 bytes a cell and iteration of CG")
    triad = system("grep triad ".file("yardsticks")." | cut -d, -f2")
    # a line for each label, in their order; of other sizes: none
    of(size) = "< awk -F, '!seen[$1]++ { order[++n] = $1 } $2 == ".size." { v[$1] = $3 \",\" $4 \",\" $5 } ".\
               "END { for (i = 1; i <= n; ++i) print order[i] \",\" (order[i] in v ? v[order[i]] : \"NaN,NaN,NaN\") }' ".file(study)
    plot for [s in sizes] of(s) using 2:3:4:xtic(1) title s.(study eq "wave" ? "^3" : "^2"), \
         real(triad) with lines dt 2 lw 2 lc rgb "#c0392b" title "triad"
}
