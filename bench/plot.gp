# SPDX-License-Identifier: ISC
# plot.gp - draws what bench wrote: core cycles a byte over the size of a message, seal and open.
#
#   gnuplot -e "csv='FILE'; out='FILE'; format='svg'" bench/plot.gp
#
# format is svg or png; key_bits, 256 unless given, is the length of key.  One line a kernel;
# OpenSSL and libsodium dashed; bounds, which cost nothing a message, dotted and level.  Rows of
# fewer than 9 samples are left out.

if (!exists("csv") || !exists("out")) {
	print "plot.gp: set csv and out"
	exit status 1
}
if (!exists("format")) format = "svg"
if (!exists("key_bits")) key_bits = 256

if (format eq "png") {
	set terminal pngcairo size 1400,760 font "sans,12" background "white"
} else {
	set terminal svg size 1400,760 font "sans,14" background "white"
}
set output out

set datafile separator ","
set datafile commentschars "#"
set datafile missing NaN

set logscale x 2
set logscale y 10
set xrange [14:75000]
set yrange [0.1:300]
set xtics (16, 64, 256, "1 Ki" 1024, "4 Ki" 4096, "16 Ki" 16384, "64 Ki" 65536)
set ytics (0.1, 0.2, 0.3, 0.5, 0.7, 1, 2, 3, 5, 10, 20, 30, 50, 100, 200)
set grid xtics ytics lt 1 lc rgb "#dddddd"
set border 3
set tics nomirror out
set xlabel "bytes of a message"
set ylabel "core cycles a byte (lower is faster)"

# Each name, its colour, dash type and width; those that the file has not are left out.
names = "soft libsodium openssl aesni vaes256 vaes512 bound-xmm bound-ymm bound-zmm-cached"
titles = "'soft' 'libsodium' 'OpenSSL' 'aesni' 'vaes256' 'vaes512' 'bound, 128 bits' 'bound, 256 bits' 'bound, 512 bits, cached'"
colours = "#7f7f7f #8c564b #000000 #1f77b4 #2ca02c #d62728 #1f77b4 #2ca02c #d62728"
dashes = "1 2 2 1 1 1 3 3 3"
points = "7 0 0 7 7 7 0 0 0"

cost(operation, name) = strcol(1) eq operation && column(2) == key_bits && strcol(4) eq name \
	&& column(8) >= 9 ? column(5) : NaN
here(name) = int(system(sprintf("grep -cE '^seal,%d,[0-9]+,%s,[0-9]' '%s' || :", key_bits, name, csv))) > 0
present = ""
do for [i = 1:words(names)] {
	if (here(word(names, i))) { present = present . " " . i }
}

# One key for both, under them.
set multiplot layout 1, 2 margins 0.06, 0.98, 0.26, 0.94 spacing 0.08
do for [operation in "seal open"] {
	if (operation eq "seal") {
		unset key
	} else {
		set key at screen 0.5, 0.02 center bottom maxrows 3 Left reverse samplen 3 spacing 1.2
	}
	set title sprintf("%s, AES-%d-GCM", operation, key_bits)
	plot for [i in present] csv using 3:(cost(operation, word(names, int(i)))) \
		with linespoints lc rgb word(colours, int(i)) dt int(word(dashes, int(i))) \
		lw 2 pt int(word(points, int(i))) ps 0.6 title word(titles, int(i))
}
unset multiplot
