#!/usr/bin/env bash
# armilla-mpi on 1, 2, 3 and more ranks against armilla: the same bytes in every file, the same
# words, the same exit codes; and what is refused.
#
#   ARMILLA=... ARMILLA_MPI=... ARMILLA_MPIRUN="mpirun ..." tests/mpi/test_command.sh short|long
: "${ARMILLA_MPI:?set ARMILLA_MPI to the armilla-mpi binary}"
: "${ARMILLA_MPIRUN:?set ARMILLA_MPIRUN to mpirun and its options}"
over_ranks=$(realpath "$ARMILLA_MPI")
form=${1:-short}
source "$(dirname "$0")/../flow/support.sh"
mkdir alone ranks
export ARMILLA_NUM_THREADS=1 OMPI_MCA_mpi_yield_when_idle=1

# on N ARGUMENT...: armilla-mpi on N ranks.
on() {
    local ranks=$1
    shift
    timeout 100 $ARMILLA_MPIRUN -n "$ranks" "$over_ranks" "$@"
}

# same RANKS COMMAND...: both programs, in directories of their own, make the same files, print the
# same and say the same; mpirun sends the two streams on in any order. RANKS: such as "1 3".
same() {
    local all=$1 ranks file
    shift
    rm -f alone/*
    (cd alone && "$armilla" "$@") >alone.printed 2>alone.said ||
        fail "armilla $*: $(cat alone.said)"
    for ranks in $all; do
        checks=$((checks + 1))
        (cd ranks && on "$ranks" "$@") >ranks.printed 2>ranks.said ||
            fail "$ranks ranks: armilla-mpi $*: $(cat ranks.said)"
        sed -i 's/^armilla-mpi /armilla /' ranks.said
        cmp -s alone.said ranks.said ||
            fail "$ranks ranks: armilla-mpi $* said $(cat ranks.said), not $(cat alone.said)"
        cmp -s alone.printed ranks.printed ||
            fail "$ranks ranks: armilla-mpi $* printed $(cat ranks.printed)"
        for file in $(ls -A alone); do
            [ -f "ranks/$file" ] || fail "$ranks ranks: armilla-mpi $* made no $file"
            cmp -s "alone/$file" "ranks/$file" || fail "$ranks ranks: armilla-mpi $*: other bytes"
            rm -f "ranks/$file"
        done
        [ -z "$(ls -A ranks)" ] || fail "$ranks ranks: armilla-mpi $* left $(ls -A ranks)"
    done
}

most=unlimited # size of files

# refused CODE WORDS ARGUMENT...: three ranks end with CODE, say one line that holds the WORDS, and
# change nothing.
refused() {
    local code=$1 words=$2 before ended word
    shift 2
    checks=$((checks + 1))
    before=$(ls -lAR --time-style=full-iso)
    said=$(ulimit -f $most && on 3 "$@" 2>&1)
    ended=$?
    [ $ended -eq "$code" ] || fail "armilla-mpi $* ended with $ended instead of $code: $said"
    [ "$(printf '%s\n' "$said" | wc -l)" -eq 1 ] || fail "armilla-mpi $* said: $said"
    [ "$before" = "$(ls -lAR --time-style=full-iso)" ] || fail "armilla-mpi $* changed files"
    local command="$*" IFS='|'
    for word in $words; do
        case $said in armilla-mpi*"$word"*) ;; *) fail "$command: no \"$word\" in: $said" ;; esac
    done
}

# --- Inputs ---------------------------------------------------------------------------------------

awk 'BEGIN {
    print "# l TT EE BB TE in uK^2"
    for (l = 0; l <= 150; l++) {
        p = 1 / (l + 2) ^ 2
        print l, 1 / (l + 1) ^ 2, 0.1 * p, 0.01 * p, 0.02 * p
    }
}' >cl.txt
awk 'BEGIN { for (l = 0; l <= 150; l++) print l, exp(-l * (l + 1) / 2000) }' >beam.txt
simulate="simulate --cl cl.txt --quiet"
"$armilla" $simulate --nside 32 --seed 3 -o map.fits --alm alm.fits
"$armilla" $simulate --nside 32 --seed 4 --double --pol -o pol.fits --alm pol.alm.fits
"$armilla" $simulate --grid O24 --seed 5 -o reduced.fits
# a file of floats
"$armilla" analyze pol.fits --pol --lmax 40 --mmax 7 --float -o few.alm.fits --quiet
cp map.fits nested.fits
edit_header nested.fits "'RING    '" "'NESTED  '"

one='\x3f\x80\x00\x00' zero='\x00\x00\x00\x00' nan='\x7f\xc0\x00\x00' half='\x3f\x00\x00\x00'
npix=12288 # of nside 32

# as_map NAME COUNT BYTES ...: a map of one column, COUNT pixels with each of the values.
as_map() {
    local name=$1
    shift
    while [ $# -gt 0 ]; do
        repeat "$1" "$2"
        shift 2
    done | with_data map.fits $npix "$name"
}
as_map mask.fits 3000 "$one" 500 "$zero" 60 "$nan" 500 "$half" 8228 "$one"
as_map cut.fits 11000 "$one" 40 "$zero" 1248 "$one"
"$armilla" smooth map.fits -o holes.fits --fwhm 1deg --mask cut.fits --quiet
: >empty.fits
awk 'BEGIN { print "0 0\n1 0"; for (l = 2; l <= 60; l++) print l, 1e-7 / l ^ 4 }' >cl.phi.txt
"$armilla" simulate --cl cl.phi.txt --nside 32 --lmax 60 --seed 6 --alm phi.fits \
    -o phi.map.fits --quiet
awk 'BEGIN { for (i = 0; i < 5000; i++) print (i * 0.618034) % 3.14, i % 7 }' >points.txt
printf '266.4 -28.9\n0 90\n10 -90\n' >few.txt
awk 'BEGIN { for (i = 0; i < 3000; i++) print (i * 0.618034) % 3.14, i % 7, i % 5 }' >scan.txt
printf '266.4 -28.9 10\n0 90 0\n' >two.txt
# a grid without a name
awk 'BEGIN { for (i = 0; i < 30; i++) print 88 - 6 * i + (i % 3) }' >latitudes.txt
"$armilla" synthesize alm.fits -o listed.fits --grid latitudes:latitudes.txt:64 --lmax 20 --quiet
# its rings have no weights; a row of the table of rings has four doubles, of which this is the last
weigh() {
    local file=$1 first i
    first=$(($(stat -c %s "$file") - 2880))
    for ((i = 0; i < 30; i++)); do
        printf '\x3f\x80\x00\x00\x00\x00\x00\x00' |
            dd of="$file" bs=1 seek=$((first + 32 * i + 24)) conv=notrunc status=none
    done
}
weigh listed.fits # by 2^-7 each

# --- The same bytes -------------------------------------------------------------------------------

short_form() {
    same "1 3" simulate --cl ../cl.txt --nside 32 --seed 1 --pol -o out.fits --alm alm.fits
    same 3 smooth ../holes.fits -o out.fits --fwhm 10deg --mask ../mask.fits
    same 2 analyze ../pol.fits -o out.fits --pol --lmax 60 --mmax 40 --iter 1
    same 3 analyze ../nested.fits -o out.fits --lmax 50 --tol 1e-6
    same 3 synthesize ../pol.alm.fits -o out.fits --pol --grid healpix:16 --fwhm 5deg --double
    same 2 spectrum ../map.fits ../holes.fits -o out.txt --mask ../mask.fits --remove-dipole
    same 2 spectrum ../map.fits --lmax 20 --json
    same 3 spectrum ../pol.fits --pol --lmax 40 --mask ../mask.fits --decouple --bands 13 --errors \
        --covariance cov.txt -o out.txt
    same 2 spectrum ../map.fits --lmax 40 --mask ../mask.fits --decouple --bands 13 --errors \
        --cl ../cl.txt -o out.txt
    same 2 spectrum ../map.fits --lmax 20 -o -
    same "1 3" simulate --cl ../cl.txt --grid O16 --seed 1 --pol -o out.fits
    same 3 synthesize ../alm.fits -o out.fits --grid cc:33x64 --lmax 31 --double
    same 2 analyze ../reduced.fits -o out.fits
    same 3 smooth ../reduced.fits -o out.fits --fwhm 10deg
    same 3 convolve ../holes.fits -o out.fits --kernel gaussian:20deg --method rings
    same "1 3" rotate ../few.alm.fits -o out.fits --coord G,E
    same "1 3" lens ../few.alm.fits --phi ../phi.fits -o out.fits --grid healpix:16 --pol
    same "1 3" evaluate ../pol.alm.fits -o out.txt --points ../points.txt --spin 2
    same 3 evaluate ../map.fits -o out.txt --points ../few.txt --lonlat --lmax 40 --iter 1
    same "1 3" observe ../pol.alm.fits -o out.txt --points ../scan.txt --fwhm 3deg --fwhm-max 5deg
    same 3 convolve ../listed.fits -o out.fits --kernel gaussian:20deg
}

long_form() {
    local ranks="1 2 3 5"
    same "$ranks" simulate --cl ../cl.txt --nside 16 --seed 1 -o out.fits --alm alm.fits
    same 3 simulate --cl ../cl.txt --nside 64 --seed 7 --pol --double --fwhm 2deg \
        --lmax 140 -o out.fits --alm alm.fits
    same "1 5 8" simulate --cl ../cl.txt --nside 1 --seed 1 -o out.fits --alm alm.fits
    same "2 5" simulate --cl ../cl.txt --nside 3 --seed 1 --pol -o out.fits
    same 3 simulate --cl ../cl.txt --nside 16 --seed 2 -o out.fits.gz
    same "$ranks" analyze ../map.fits -o out.fits
    same 3 analyze ../map.fits -o out.fits --iter 0 --ring-weights --mask ../mask.fits
    same 2 analyze ../map.fits -o out.fits --lmax 120 --mmax 7 --iter 0
    same "2 3" analyze ../holes.fits -o out.fits --tol 1e-8 --lmax 64
    same 3 analyze ../pol.fits -o out.fits --pol --tol 1e-7 --lmax 48
    same "2 5" analyze ../pol.fits -o out.fits --pol --iter 0
    same 3 analyze ../pol.fits -o out.fits --field Q --hdu 1
    same "2 3" analyze ../nested.fits -o out.fits --iter 0
    same "$ranks" synthesize ../alm.fits -o out.fits --grid healpix:32
    same 3 synthesize ../alm.fits -o out.fits --grid healpix:8 --lmax 20 --double
    same 3 synthesize ../pol.alm.fits -o out.fits --grid healpix:64 --pol --fwhm 1deg
    same "$ranks" smooth ../map.fits -o out.fits --fwhm 5deg --iter 0
    same 3 smooth ../pol.fits -o out.fits --pol --fwhm 5deg --mask ../mask.fits --ring-weights
    same 2 smooth ../holes.fits -o out.fits --beam ../beam.txt --lmax 70
    same 3 smooth ../nested.fits -o out.fits --fwhm 3deg
    same "$ranks" spectrum ../map.fits -o out.fits
    same 3 spectrum ../pol.fits ../pol.fits -o out.txt --pol --remove-monopole --mask ../mask.fits
    same "2 5" spectrum ../holes.fits -o out.fits --remove-dipole --iter 0
    same "$ranks" convolve ../map.fits -o out.fits --kernel gaussian:5deg
    same "2 3" convolve ../holes.fits -o out.fits --kernel gaussian:9deg --mask ../mask.fits
    same 3 convolve ../holes.fits -o out.fits --kernel tophat:9deg --fill --method pixels
    same 3 convolve ../holes.fits -o out.fits --kernel mexhat:20deg --ring-weights
    same 2 convolve ../map.fits -o out.fits --kernel gaussian:20deg --mode standard
    same "2 5" spectrum ../reduced.fits -o out.txt --remove-dipole
    same 3 convolve ../reduced.fits -o out.fits --kernel gaussian:20deg
    same 2 analyze ../reduced.fits -o out.fits --lmax 30 --iter auto
    same "2 3" synthesize ../pol.alm.fits -o out.fits --grid mw:31x63 --pol --lmax 30
    same "2 3" convolve ../pol.fits -o out.fits --kernel gaussian:9deg --pol --mask ../mask.fits
    same 3 convolve ../pol.fits -o out.fits --kernel gaussian:30deg --field Q --scalar
    same 3 smooth ../holes.fits -o out.fits --fwhm 9deg --method radial
    same 2 smooth ../pol.fits -o out.fits --fwhm 9deg --method radial --pol
    same "$ranks" rotate ../pol.alm.fits -o out.fits --euler 30deg,-5deg,0.1rad
    same "3 8" rotate ../few.alm.fits -o out.fits.gz --euler 0deg,90deg,0deg
    same 2 rotate ../alm.fits --coord C,G -o out.fits --json
    same "$ranks" lens ../alm.fits --phi ../phi.fits -o out.fits --nside 32 --epsilon 1e-10
    same "3 5" lens ../pol.alm.fits --phi ../phi.fits -o out.fits --grid gl:64x130 --pol --double
    same 2 lens ../alm.fits --phi ../phi.fits -o out.fits --grid cc:65x128 --json
    same 3 lens ../few.alm.fits --phi ../phi.fits -o out.fits --grid O24
    same 2 lens ../alm.fits --phi ../alm.fits -o out.fits --nside 4 --any-deflection
    same "$ranks" evaluate ../alm.fits -o out.txt --points ../points.txt --epsilon 1e-10
    same "2 5" evaluate ../few.alm.fits -o out.txt --points ../few.txt --lonlat --method interpolate
    same 3 evaluate ../few.alm.fits -o out.txt --points ../points.txt --method direct --spin 2
    same "2 3" evaluate ../alm.fits -o - --points ../few.txt --lonlat --derivatives 2
    same 3 evaluate ../few.alm.fits -o out.txt --points ../few.txt --lonlat --derivatives 1 --spin 2
    same "2 3" evaluate ../pol.fits -o out.txt --points ../points.txt --spin 2 --mask ../mask.fits
    same 3 evaluate ../reduced.fits -o out.txt --points ../points.txt --lonlat --tol 1e-6 --json
    same "$ranks" observe ../pol.alm.fits -o out.txt --points ../scan.txt --fwhm 3deg \
        --fwhm-max 4deg --psi 20deg --polarisation 70deg --epsilon 1e-10
    same "2 5" observe ../alm.fits -o out.txt --points ../scan.txt --beam ../few.alm.fits --kmax 4
    same 3 observe ../pol.fits -o out.txt --points ../scan.txt --fwhm 9deg --mask ../mask.fits
    same "3 5" observe ../reduced.fits -o - --points ../two.txt --lonlat --fwhm 9deg --lmax 30
    same 2 observe ../pol.alm.fits -o out.txt --points ../two.txt --lonlat --fwhm 9deg \
        --intensity --json
    same "2 3" synthesize ../pol.alm.fits -o out.fits --grid latitudes:../latitudes.txt:50 --pol \
        --lmax 20 --double
    same "$ranks" convolve ../listed.fits -o out.fits --kernel tophat:9deg
    same 2 smooth ../listed.fits -o out.fits --fwhm 20deg --method radial
    "$armilla" simulate --cl cl.txt --nside 640 --seed 3 -o large.fits --quiet # resampled rings
    same "2 3" smooth ../large.fits -o out.fits --fwhm 1deg --lmax 700 --iter 0
    same 2 analyze ../large.fits -o out.fits --iter 0 --lmax 650
}

# --- Refused --------------------------------------------------------------------------------------
refusals() {
    refused 2 '"none.fits"|no such file' analyze none.fits -o out.fits
    refused 2 'alm.fits|exists already|--overwrite' analyze map.fits -o alm.fits
    refused 2 '--lmaxx|--lmax?' analyze map.fits -o out.fits --lmaxx 3
    refused 2 'convert|armilla convert' convert map.fits
    refused 2 '--points "none.txt"|no such file' evaluate alm.fits --points none.txt -o out.txt
    refused 2 '--beam "none.fits"|no such file' observe alm.fits --points scan.txt -o out.txt \
        --beam none.fits
    refused 2 '--method auto' smooth map.fits -o out.fits --fwhm 9deg --method auto
    refused 1 'cl.txt|no FITS file' analyze cl.txt -o out.fits
    refused 2 '--mask "reduced.fits"|grid O24|nside 32' analyze map.fits -o out.fits \
        --mask reduced.fits
}

more_refusals() {
    "$armilla" rotate alm.fits -o ecliptic.fits --coord G,E --quiet
    refused 2 '--coord|ecliptic.fits|system E' rotate ecliptic.fits -o out.fits --coord G,C
    refused 2 'rotation is missing|--euler' rotate alm.fits -o out.fits
    refused 2 '--phi "alm.fits"|arcmin' lens alm.fits --phi alm.fits --nside 8 -o out.fits
    refused 2 '--phi "none.fits"|no such file' lens alm.fits --phi none.fits --nside 8 -o out.fits
    refused 1 'map.fits|holds no coefficients' lens alm.fits --phi map.fits --nside 8 -o out.fits
    refused 2 '--pol|1 table' lens alm.fits --phi phi.fits --nside 8 -o out.fits --pol
    refused 2 '--float|over ranks' lens alm.fits --phi phi.fits --nside 8 -o out.fits --float
    printf '0 80\n0 91\n' >bad.txt
    refused 1 'bad.txt|line 2|latitude' evaluate alm.fits --points bad.txt --lonlat -o out.txt
    refused 2 '--points "-"|ranks cannot read' evaluate alm.fits --points - -o out.txt
    refused 1 'few.txt|line 1' observe alm.fits --points few.txt -o out.txt --fwhm 1deg
    refused 2 'the beam is missing' observe alm.fits --points scan.txt -o out.txt
    refused 1 'map.fits|holds no coefficients' observe alm.fits --points scan.txt -o out.txt \
        --beam map.fits
    refused 2 '--kmax 200|lmax' observe alm.fits --points scan.txt -o out.txt --fwhm 1deg --kmax 200
    refused 2 '--lmax|are for maps' observe alm.fits --points scan.txt -o out.txt --fwhm 1deg \
        --lmax 3
    refused 2 '--device cuda|ranks' evaluate alm.fits --points few.txt -o out.txt --device cuda
    refused 2 '--spin 3|map|spin 2' evaluate map.fits --points few.txt -o out.txt --spin 3
    refused 2 '--spin 2|one table' evaluate alm.fits --points points.txt -o out.txt --spin 2
    refused 2 '--lmax|are for maps' evaluate alm.fits --points points.txt -o out.txt --lmax 3
    refused 1 'cl.txt|no FITS file' evaluate cl.txt --points points.txt -o out.txt
    refused 1 'map.fits|holds no coefficients' rotate map.fits -o out.fits --coord G,C
    refused 2 '"empty.fits"|empty' smooth empty.fits -o out.fits --fwhm 9deg
    refused 2 '--cl "-"|stream|ranks cannot read' simulate --cl - --nside 8 -o out.fits
    refused 2 '--float|over ranks' analyze map.fits -o out.fits --float
    refused 2 'map|armilla map' map map.fits
    refused 2 '--json|-o -' spectrum map.fits -o - --json
    refused 2 '--stream|ranks' convolve map.fits -o out.fits --kernel gaussian:9deg --stream
    refused 2 '"box:1deg"|unknown kernel' convolve map.fits -o out.fits --kernel box:1deg
    refused 2 '--fill|normalized' convolve map.fits -o out.fits --kernel mexhat:9deg --fill
    refused 2 'unknown command|smooth' smoth map.fits
    refused 2 '--device cuda|ranks' analyze map.fits -o out.fits --device cuda
    refused 2 '--field|"V"|columns' analyze pol.fits -o out.fits --field V
    refused 2 '--pol|columns' analyze map.fits -o out.fits --pol
    refused 2 '--lmax "200"|ends at' synthesize alm.fits -o out.fits --grid healpix:8 --lmax 200
    refused 2 '--pol|1 table' synthesize alm.fits -o out.fits --grid healpix:8 --pol
    refused 1 'coefficients|not a map' analyze alm.fits -o out.fits
    "$armilla" simulate --cl cl.txt --nside 16 --seed 3 -o small.fits --quiet
    refused 2 '--mask "small.fits"|nside 16|nside 32' analyze map.fits -o out.fits --mask small.fits
    as_map nothing.fits $npix "$nan"
    refused 1 'nothing.fits|no valid pixel' smooth nothing.fits -o out.fits --fwhm 9deg
    as_map inf.fits 7001 "$one" 1 '\x7f\x80\x00\x00' 5286 "$one"
    refused 1 'inf.fits|pixel 7001|infinite' smooth inf.fits -o out.fits --fwhm 9deg
    as_map minus.fits 7001 "$one" 1 '\xbf\x80\x00\x00' 5286 "$one"
    refused 1 '--mask|minus.fits|pixel 7001|negative' smooth map.fits -o out.fits --fwhm 9deg \
        --mask minus.fits
    most=10240 # kB of a file; Open MPI has files of 4 MB of its own
    refused 1 'out.fits|File too large' simulate --cl cl.txt --lmax 9 --nside 512 -o out.fits
    most=unlimited
}

# on_one POINTS FILE ARGUMENT...: three ranks, the last of which has FILE for the POINTS of the
# others: they end with one error.
on_one() {
    local points=$1 file=$2 ended
    shift 2
    checks=$((checks + 1))
    said=$(timeout 100 $ARMILLA_MPIRUN -n 2 "$over_ranks" "$@" --points "$points" -o out.txt : \
        -n 1 "$over_ranks" "$@" --points "$file" -o out.txt 2>&1)
    ended=$?
    [ $ended -ne 0 ] || fail "armilla-mpi $*: one rank read $file, and the job ended well"
    [ "$(printf '%s\n' "$said" | grep -c '^armilla-mpi')" -eq 1 ] ||
        fail "armilla-mpi $* said: $said"
    [ ! -e out.txt ] || fail "armilla-mpi $*: one rank read $file, and left out.txt"
}

one_wrong_rank() {
    local command points
    for command in "points.txt evaluate alm.fits" "scan.txt observe alm.fits --fwhm 1deg"; do
        points=${command%% *} command=${command#* }
        sed '5s/^/9/' $points >wrong.txt # a colatitude beyond pi
        on_one $points wrong.txt $command
        case $said in *"rank 2: "*"line 5"*) ;; *) fail "$command: no rank 2 in: $said" ;; esac
        on_one $points none.txt $command
        head -20 $points >short.txt
        on_one $points short.txt $command
        case $said in *"20 to "*) ;; *) fail "$command: no number of rows in: $said" ;; esac
    done
}

# --- Ranks that die -------------------------------------------------------------------------------

# A minute's work with --iter 1000.
"$armilla" $simulate --nside 256 --lmax 20 --seed 3 -o long.fits

# ranks_of MPIRUN_PID: the processes of armilla-mpi under a launcher.
ranks_of() {
    local pid
    for pid in $(pgrep -P "$1"); do
        [ "$(readlink /proc/$pid/exe)" != "$over_ranks" ] || echo "$pid"
        ranks_of "$pid"
    done
}

# killed WHEN ARGUMENT...: kills the last rank when the command WHEN is true. The job must end
# with an error within half a minute, and leave nothing under the name out.fits.
killed() {
    local when=$1 i pid ended
    shift
    checks=$((checks + 1))
    rm -f out.* .out.*
    $ARMILLA_MPIRUN -n 3 "$over_ranks" "$@" >killed.said 2>&1 &
    pid=$!
    for ((i = 0; i < 300; i++)); do
        [ "$(ranks_of $pid | wc -l)" -ge 3 ] && eval "$when" && break
        sleep 0.1
    done
    [ $i -lt 300 ] || fail "armilla-mpi $*: $when never came: $(cat killed.said)"
    kill -9 "$(ranks_of $pid | tail -1)"
    for ((i = 0; i < 300; i++)); do
        kill -0 $pid 2>/dev/null || break
        sleep 0.1
    done
    [ $i -lt 300 ] || { fail "armilla-mpi $*: still runs after 30 s" && kill -9 $pid; }
    wait $pid
    ended=$?
    [ $ended -ne 0 ] || fail "armilla-mpi $*: a rank was killed, and the job ended well"
    [ -z "$(ls | grep '^out')" ] || fail "armilla-mpi $*: a rank was killed, and left $(ls)"
}

killed_ranks() {
    local left
    killed 'sleep 1.5' analyze long.fits -o out.fits --iter 1000
    killed 'sleep 1.5' observe long.fits -o out.txt --iter 1000 --points scan.txt --fwhm 1deg
    [ -z "$(ls -A | grep '^\.out')" ] || fail "killed while it computed: left $(ls -A)"
    # while rank 0 writes: MPICH kills it without warning, and the temporary file stays
    killed "ls -A | grep -q '^\.out.*tmp'" simulate --cl cl.txt --lmax 9 --nside 1024 -o out.fits
    left=$(ls -A | grep '^\.out')
    case $ARMILLA_MPIRUN in *openmpi*) [ -z "$left" ] || fail "left $left" ;; esac
}

# SIGTERM to one rank ends the job in an orderly way: one line, and nothing is left.
interrupted_rank() {
    local pid i
    checks=$((checks + 1))
    $ARMILLA_MPIRUN -n 3 "$over_ranks" analyze long.fits -o out.fits --iter 1000 \
        >stopped.said 2>&1 &
    pid=$!
    for ((i = 0; i < 100 && $(ranks_of $pid | wc -l) < 3; i++)); do sleep 0.1; done
    sleep 1.5
    kill -s TERM "$(ranks_of $pid | tail -1)"
    for ((i = 0; i < 200; i++)); do
        kill -0 $pid 2>/dev/null || break
        sleep 0.1
    done
    [ $i -lt 200 ] || { fail "SIGTERM: still runs after 20 s" && kill -9 $(ranks_of $pid); }
    wait $pid && fail "SIGTERM: the job ended well"
    [ "$(grep -c 'armilla-mpi analyze: interrupted' stopped.said)" -eq 1 ] ||
        fail "SIGTERM: said $(cat stopped.said)"
    [ -z "$(ls -A | grep 'out.fits')" ] || fail "SIGTERM: left $(ls -A)"
}

# Ranks draw one seed, and say which.
drawn_seed() {
    local seed
    checks=$((checks + 1))
    seed=$(on 3 simulate --cl cl.txt --nside 16 -o drawn.fits 2>&1 | sed 's/.*seed //')
    "$armilla" simulate --cl cl.txt --nside 16 -o again.fits --seed "$seed" --quiet &&
        cmp -s drawn.fits again.fits || fail "ranks draw another sky than that of seed $seed"
}

# The progress bar is there, of rank 0 alone, and reaches the end.
progress() {
    local said
    checks=$((checks + 1))
    said=$(ARMILLA_PROGRESS=1 on 2 analyze long.fits -o out.fits --iter 60 2>&1 | tr '\r' '\n')
    [ "$(printf '%s\n' "$said" | grep -c '^analysis .*#.* %')" -ge 3 ] || fail "no bar: $said"
    printf '%s\n' "$said" | tr -d '.#[]%' |
        awk '$1 == "analysis" { bad += $2 < last; last = $2 } END { exit bad || last < 50 }' ||
        fail "the bar goes back, or ends early: $said"
    rm -f out.fits
}

refusals
if [ "$form" = long ]; then
    long_form
    more_refusals
    one_wrong_rank
    drawn_seed
    progress
    interrupted_rank
    killed_ranks
else
    short_form
fi
finish
