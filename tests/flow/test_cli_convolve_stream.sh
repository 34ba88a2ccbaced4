#!/usr/bin/env bash
# armilla convolve --stream: the bytes of the command without it, whatever memory and threads; what
# cannot be read in pieces is refused, and nothing is left after a failure.
source "$(dirname "$0")/support.sh"

zero='\x00\x00\x00\x00' one='\x3f\x80\x00\x00' half='\x3f\x00\x00\x00' nan='\x7f\xc0\x00\x00'
infinity='\x7f\x80\x00\x00' minus='\xbf\x80\x00\x00'
npix=12288 # nside 32

# streams ARGUMENT...: the same file with and without --stream.
streams() {
    works convolve "$@" -o whole.fits --method pixels --overwrite
    whole_said=$said
    works convolve "$@" -o pieces.fits --stream --overwrite
    checks=$((checks + 1))
    cmp -s whole.fits pieces.fits || fail "convolve $*: --stream makes other bytes"
}

make_cl
works simulate --cl cl.txt --nside 32 --seed 1 -o map.fits --quiet
works simulate --cl cl.txt --nside 3 --seed 1 -o odd.fits --quiet
{ repeat 4000 "$one"; repeat 288 "$nan"; repeat 4000 "$half"; repeat 4000 "$one"; } |
    with_data map.fits $npix holes.fits
{ repeat 5000 "$one"; repeat 2288 "$zero"; repeat 5000 "$one"; } |
    with_data map.fits $npix mask.fits
{ repeat 5000 "$one"; repeat 2288 "$half"; repeat 5000 "$zero"; } |
    with_data map.fits $npix weights.fits

# Without holes.
streams map.fits --kernel gaussian:10deg
streams map.fits --kernel gaussian:10deg --normalization sum
streams map.fits --kernel mexhat:10deg
streams map.fits --kernel tophat:30deg --mode exact
streams odd.fits --kernel gaussian:40deg
streams map.fits --kernel gaussian:3deg --threads 3
says 'takes at most|GB of memory|0 pixels missing|method pixels'
for memory in 0.05 0.06 0.5; do
    streams map.fits --kernel gaussian:3deg
    works convolve map.fits -o pieces.fits --kernel gaussian:3deg --stream --memory $memory \
        --threads 1 --overwrite
    checks=$((checks + 1))
    cmp -s whole.fits pieces.fits || fail "--memory $memory makes other bytes"
done

# Holes: a mean of what is there, missing or filled; zeros under a kernel that is not normalized.
streams holes.fits --kernel gaussian:10deg
says '288 of 12288 pixels are missing: the kernel|288 pixels missing'
streams holes.fits --kernel gaussian:10deg --fill
says '288 of 12288 pixels are missing|0 pixels missing'
streams holes.fits --kernel gaussian:2deg --fill --least 0.03
lost=${said##*, }
is "holes that are not filled" "${lost%% *} > 0 && ${lost%% *} < 288"
case $whole_said in *"$lost"*) ;; *) fail "other counts: $whole_said, $said" ;; esac
streams holes.fits --kernel mexhat:10deg
says 'count as 0|288 pixels missing'
streams holes.fits --kernel gaussian:10deg --normalization sum

# Masks.
streams map.fits --kernel gaussian:10deg --mask mask.fits
says '2288 of 12288 pixels are missing or masked'
streams holes.fits --kernel gaussian:10deg --mask mask.fits --fill
streams holes.fits --kernel mexhat:10deg --mask weights.fits
refuses 2 'weights.fits|pixel 5000|0.5|0 and 1' convolve map.fits -o out.fits \
    --kernel gaussian:10deg --mask weights.fits --stream --quiet

# Columns by number and name; gzip on both sides.
printf '# l TT EE BB TE\n' >pol.txt
awk 'BEGIN { for (l = 0; l <= 16; l++) print l, 1, 1, 0, 0 }' >>pol.txt
works simulate --cl pol.txt --pol --nside 32 --seed 1 -o pol.fits --quiet
streams pol.fits --kernel gaussian:10deg
streams pol.fits --kernel gaussian:10deg --field Q --scalar
streams pol.fits --kernel gaussian:10deg --field 2 --scalar
gzip -k map.fits
streams map.fits.gz --kernel gaussian:10deg
works convolve map.fits -o packed.fits.gz --kernel gaussian:10deg --stream
checks=$((checks + 1))
gzip -dc packed.fits.gz | cmp -s - whole.fits || fail "packed.fits.gz holds something else"

# A NESTED file is read as a RING map.
cp map.fits nested.fits
edit_header nested.fits "'RING    '" "'NESTED  '"
works convolve nested.fits -o whole.nested.fits --kernel gaussian:10deg --method pixels
works convolve nested.fits -o nested.stream.fits --kernel gaussian:10deg --stream
checks=$((checks + 1))
cmp -s whole.nested.fits nested.stream.fits || fail "nested.fits: --stream makes other bytes"

# Refused: nothing is written, and nothing is left.
stream="-o out.fits --kernel gaussian:10deg --stream --quiet"
refuses 2 'Q_POLARISATION|--scalar' convolve pol.fits $stream --field Q
refuses 2 '--field|"V"|3 columns' convolve pol.fits $stream --field V
refuses 2 '--field|"3"|3 columns' convolve pol.fits $stream --field 3
cp map.fits partial.fits
edit_header partial.fits "FIRSTPIX=                    0" "FIRSTPIX=                    1"
edit_header partial.fits "NSIDE   =                   32" "NSIDE   =                   64"
edit_header partial.fits "LASTPIX =                12287" "LASTPIX =                12288"
refuses 1 'partial.fits|NSIDE = 64 needs|of NSIDE = 32' convolve partial.fits $stream # FULLSKY
edit_header partial.fits "'FULLSKY '" "'PARTIAL '"
refuses 1 'partial.fits|a part of the sky' convolve partial.fits $stream
refuses 2 'odd.fits|nside 3|nside 32' convolve map.fits $stream --mask odd.fits
{ repeat 7 "$one"; repeat 1 "$infinity"; repeat 12280 "$one"; } | with_data map.fits $npix inf.fits
refuses 1 'inf.fits|pixel 7|infinite' convolve inf.fits $stream
{ repeat 7 "$one"; repeat 1 "$minus"; repeat 12280 "$one"; } | with_data map.fits $npix minus.fits
refuses 1 '--mask|minus.fits|pixel 7|left out' convolve map.fits $stream --mask minus.fits
repeat $npix "$nan" | with_data map.fits $npix nothing.fits
refuses 1 'nothing.fits|no valid pixel' convolve nothing.fits $stream
refuses 1 '--mask|nothing.fits|leaves no pixel' convolve map.fits $stream --mask nothing.fits
refuses 2 '--memory "0.001"|least|GB' convolve map.fits $stream --memory 0.001
refuses 2 '--memory "0"|above 0' convolve map.fits $stream --memory 0
refuses 2 '--memory "4GB"|GB' convolve map.fits $stream --memory 4GB
refuses 2 '--memory|--stream' convolve map.fits -o out.fits --kernel gaussian:10deg --memory 4
refuses 2 '--stream|--method rings' convolve map.fits $stream --method rings
refuses 2 '--method "fast"|pixels|rings' convolve map.fits -o out.fits --kernel gaussian:10deg \
    --method fast

refuses 2 'no/out.fits' convolve map.fits -o no/out.fits --kernel gaussian:10deg --stream

# Interrupted in the middle: a file is begun under another name, then nothing is left.
works simulate --cl cl.txt --nside 256 --seed 1 -o large.fits --quiet
"$armilla" convolve large.fits -o stopped.fits --kernel tophat:90deg --stream 2>message &
process=$!
for ((i = 0; i < 100; i++)); do
    ls -A | grep -q 'stopped.fits.*tmp' && break
    sleep 0.1
done
[ $i -lt 100 ] || fail "no temporary file: $(cat message)"
kill -s TERM $process
wait $process 2>/dev/null
ended=$?
checks=$((checks + 1))
[ $ended -gt 128 ] || fail "SIGTERM: ended with $ended"
grep -q interrupted message || fail "SIGTERM: said $(cat message)"
ls -A | grep -q stopped && fail "left $(ls -A | grep stopped)"

# --method: both ways give the same, to what a support cuts off.
works convolve map.fits -o rings.fits --kernel gaussian:20deg --method rings
says 'method rings'
works convolve map.fits -o pixels.fits --kernel gaussian:20deg --method pixels
says 'method pixels'
paste <(floats rings.fits $npix) <(floats pixels.fits $npix) |
    awk '/nan/ { bad++ } # awk takes a NaN as equal to any number
         { d = $1 - $2; if (d < 0) d = -d; if (d > worst) worst = d; v = $2 < 0 ? -$2 : $2
           if (v > scale) scale = v }
         END { exit !(NR == 12288 && !bad && worst < 1e-5 * scale) }' ||
    fail "--method changes the result"

finish
