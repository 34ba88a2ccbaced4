#!/usr/bin/env bash
# Files that are not what they should be, disks that are full, signals: the message names the file,
# and no half file is left.
source "$(dirname "$0")/support.sh"

make_cl
smooth="--fwhm 1deg --lmax 20 -o out.fits"
works simulate --cl cl.txt --nside 8 --seed 1 -o map.fits --quiet
works simulate --cl cl.txt --nside 16 --seed 1 -o fine.fits --quiet
works analyze map.fits --lmax 20 -o alm.fits --quiet

# Foreign, truncated, contradictory files.
echo "no FITS at all" >foreign.fits
refuses 1 'foreign.fits' smooth foreign.fits $smooth
refuses 1 'foreign.fits' info foreign.fits
refuses 1 'foreign.fits' synthesize foreign.fits --grid healpix:8 -o out.fits
head -c 3000 map.fits >short.fits
refuses 1 'short.fits' smooth short.fits $smooth
size=$(wc -c <map.fits)
head -c $((size / 2)) map.fits >half.fits
refuses 1 'half.fits' smooth half.fits $smooth
for cut in short half; do # what can be told, and an error
    "$armilla" info $cut.fits >told 2>said
    [ $? -eq 1 ] || fail "info $cut.fits did not fail"
    grep -q 'FITS file' told || fail "info $cut.fits told nothing"
    grep -q "^armilla info: $cut.fits: truncated" said || fail "info $cut.fits: $(cat said)"
    checks=$((checks + 3))
done
rm told said
refuses 1 'alm.fits' smooth alm.fits $smooth
refuses 1 'map.fits' synthesize map.fits --grid healpix:8 -o out.fits
cp map.fits nside.fits
edit_header nside.fits "NSIDE   =                    8" "NSIDE   =                    4"
refuses 1 'nside.fits' smooth nside.fits $smooth
cp map.fits order.fits
edit_header order.fits "ORDERING= 'RING    '" "ORDERING= 'DIAGONAL'"
refuses 1 'order.fits' smooth order.fits $smooth
cp map.fits nested.fits # NESTED, and which resolution it has is not said
edit_header nested.fits "ORDERING= 'RING    '" "ORDERING= 'NESTED  '"
works smooth nested.fits $smooth
rm out.fits
edit_header nested.fits "NSIDE   =" "NSIDEX  ="
refuses 1 'nested.fits|NSIDE' smooth nested.fits $smooth
echo "0 1 nonsense" >bad_cl.txt
refuses 1 'bad_cl.txt' simulate --cl bad_cl.txt --nside 8 -o out.fits
printf '# l TT\n0 1\n1 -1\n' >negative.txt
refuses 1 'negative.txt|[1] = -1' simulate --cl negative.txt --nside 8 -o out.fits
printf '# l TT\n0 1\n1 1e90\n' >large.txt
refuses 1 'out.fits|does not fit' simulate --cl large.txt --nside 8 -o out.fits

# Two maps in one file: the first one, or that of --hdu.
{ cat map.fits; tail -c +2881 fine.fits; } >two.fits
head -c 2880 map.fits >named.fits # MAP, FINE, and a second version of FINE
for part in "map.fits MAP_____ 1" "fine.fits FINE____ 1" "map.fits FINE____ 2"; do
    read -r file name version <<<"$part"
    tail -c +2881 $file | LC_ALL=C sed "s|'xtension'|'${name//_/ }'|
        s|CREATOR = 'Armilla |EXTVER  = $version /      |" >>named.fits
done
printf '1 2\n' >points.txt
both=two.fits
same_of() { # FILE OPTIONS COMMAND...: the file's map gives what $both gives with the options
    local file=$1 options=$2 command=$3 ending=fits
    shift 3
    [ $command = view ] && ending=png
    [ $command = evaluate ] && ending=txt # whose first line names the file
    works $command $file "$@" --quiet -o one.$ending
    works $command $both $options "$@" --quiet -o other.$ending
    checks=$((checks + 1))
    [ $command = evaluate ] && sed -i 1d one.txt other.txt
    cmp -s one.$ending other.$ending || fail "$command $both $options differs from $file"
    rm -f one.$ending other.$ending
}
for extension in "map.fits --hdu=1" "map.fits " "fine.fits --hdu=2"; do
    read -r file option <<<"$extension"
    same_of $file "$option" spectrum --lmax 20
    same_of $file "$option" analyze --lmax 20
    same_of $file "$option" smooth --fwhm 10deg --lmax 20
    same_of $file "$option" convolve --kernel gaussian:10deg
    same_of $file "$option" convolve --kernel gaussian:10deg --stream
    same_of $file "$option" convolve --kernel gaussian:10deg --field TEMPERATURE
    same_of $file "$option" evaluate --points points.txt
    same_of $file "$option" view --width 200
done
both=named.fits
same_of fine.fits "--hdu fine" analyze --lmax 20
same_of fine.fits "--hdu fine" convolve --kernel gaussian:10deg --stream
same_of fine.fits "--hdu fine" convolve --kernel gaussian:10deg --field TEMPERATURE
same_of fine.fits "--hdu fine" evaluate --points points.txt
same_of fine.fits "--hdu fine" view --width 200
same_of fine.fits "--hdu fine" map --calc "2 * a"
for extension in "map.fits MAP" "map.fits FINE,2" "map.fits -1" "map.fits -3" "fine.fits 2"; do
    read -r file option <<<"$extension"
    same_of $file "--hdu $option" spectrum --lmax 20
done
# An image in the primary HDU, in front of a table.
works simulate --cl cl.txt --grid cc:13x24 --lmax 8 --seed 1 --double -o cc.fits --quiet
works convert cc.fits image.fits --image --coordsys G
{ cat image.fits; tail -c +2881 map.fits; } >primary.fits
both=primary.fits
same_of map.fits "" analyze --lmax 8
for asked in 0 PRIMARY -2; do
    same_of image.fits "--hdu $asked" analyze --lmax 8
    same_of image.fits "--hdu $asked" map --calc "2 * a"
    same_of image.fits "--hdu $asked" convert
    same_of image.fits "--hdu $asked" view --width 200
    same_of image.fits "--hdu $asked" evaluate --lmax 8 --points points.txt
    same_of image.fits "--hdu $asked" convolve --kernel gaussian:10deg --field TEMPERATURE
done
refuses 1 'primary.fits|is an image' convolve primary.fits --kernel gaussian:10deg --stream \
    --hdu PRIMARY -o out.fits
points="--points points.txt -o out.txt"
for command in "spectrum named.fits -o out.fits" "spectrum named.fits --pol -o out.fits" \
    "view named.fits -o out.png" "map named.fits --calc a -o out.fits" \
    "evaluate named.fits $points" "convolve named.fits --kernel gaussian:10deg -o out.fits" \
    "convolve named.fits --kernel gaussian:10deg --stream -o out.fits"; do
    for asked in 4 MASK FINE,3 -5; do
        refuses 2 "hdu = $asked|3 extension(s): 0 PRIMARY, 1 MAP, 2 FINE, 3 FINE,2" \
            $command --hdu $asked
    done
    refuses 2 'hdu = 0|HDU 0 of named.fits holds no table' $command --hdu 0
    refuses 2 'hdu = primary|holds no table' $command --hdu primary
done
refuses 2 'hdu = 3|two.fits|2 extension' spectrum two.fits --hdu 3 -o out.fits
refuses 2 'alm.fits|--hdu' evaluate alm.fits --hdu 1 $points
{ cat map.fits; tail -c +2881 alm.fits; } >mixed.fits # evaluate speaks of the extension it is given
refuses 2 'mixed.fits|2 extension' evaluate mixed.fits --hdu 3 $points
LC_ALL=C sed 's/NSIDE   =                    8/NSIDE   =                   17/' \
    map.fits >wrong.fits
for extension in "" "--hdu 1" "--hdu xtension"; do
    refuses 1 'wrong.fits|NSIDE = 17 needs 3468 pixels|as the sky of NSIDE = 8 has' \
        spectrum wrong.fits $extension -o out.fits
done
refuses 1 'wrong.fits|NSIDE = 17 needs' evaluate wrong.fits --hdu 1 $points
refuses 1 'wrong.fits|no coefficients|NSIDE = 17 needs' evaluate wrong.fits $points

# Right files, wrong wishes.
refuses 2 'field|7' smooth map.fits --field 7 $smooth
refuses 2 '--mask "fine.fits"|nside 16|nside 8' smooth map.fits --mask fine.fits $smooth
refuses 1 '--mask "map.fits"|is negative' smooth map.fits --mask map.fits $smooth
printf '# l TT\n0 0\n1 0\n2 0\n' >zero_cl.txt
works simulate --cl zero_cl.txt --nside 8 -o zero.fits --quiet
refuses 1 '--mask "zero.fits"|leaves no pixel' smooth map.fits --mask zero.fits $smooth
refuses 2 'nside 8|nside 16' spectrum map.fits fine.fits -o out.fits
refuses 2 '--lmax "41"|cl.txt|l = 40' simulate --cl cl.txt --nside 16 --lmax 41 -o out.fits
refuses 2 '--spectrum "BB"|TT' simulate --cl cl.txt --spectrum BB --nside 8 -o out.fits
refuses 2 '--lmax "21"|alm.fits|l = 20' synthesize alm.fits --lmax 21 --grid healpix:8 -o out.fits
refuses 2 '--mmax "24"|lmax = 23' analyze map.fits --mmax 24 -o out.fits
refuses 2 '--beam "cl.txt"|l = 40|lmax is 47' smooth fine.fits --beam cl.txt -o out.fits

# A file that exists is replaced only on request.
echo "precious" >out.fits
refuses 2 'out.fits|--overwrite' smooth map.fits $smooth
[ "$(cat out.fits)" = precious ] || fail "an existing file was touched"
works smooth map.fits $smooth --overwrite
works info out.fits
rm out.fits

# A limit on the size of files stands for a full disk.
(
    ulimit -f 4
    "$armilla" simulate --cl cl.txt --nside 64 --seed 1 -o big.fits 2>message
) && fail "a file above the limit was written"
grep -q 'big.fits' message || fail "full disk: no file name in: $(cat message)"
ls | grep -q big && fail "full disk: left $(ls | grep big)"
works spectrum map.fits -o cl_big.txt --quiet
if [ -w /dev/shm ] && mkdir small && mount -t tmpfs -o size=64k none small 2>/dev/null; then
    "$armilla" simulate --cl cl.txt --nside 64 --seed 1 -o small/big.fits 2>message &&
        fail "a full disk was not noticed"
    [ -z "$(ls -A small)" ] || fail "full disk: left $(ls -A small)"
    umount small
fi

# Names that end in .gz: packed files, which hold the same bytes and are read like others.
works simulate --cl cl.txt --nside 16 --seed 1 -o plain.fits --quiet
works simulate --cl cl.txt --nside 16 --seed 1 -o packed.fits.gz --quiet
gunzip -c packed.fits.gz | cmp - plain.fits || fail "packed.fits.gz holds other bytes"
works spectrum packed.fits.gz -o packed_cl.fits.gz --quiet
gunzip -t packed_cl.fits.gz || fail "packed_cl.fits.gz is not packed"
works info packed.fits.gz

# Interrupted by Ctrl-C, or killed: no file under the name asked for.
interrupt() { # SIGNAL: runs long work, sends the signal after half a second
    "$armilla" smooth large.fits --fwhm 1deg --iter 1000 -o stopped.fits 2>message &
    local process=$! start=$SECONDS
    sleep 0.5
    kill -s "$1" $process
    wait $process 2>/dev/null
    ended=$?
    checks=$((checks + 1))
    [ $((SECONDS - start)) -lt 10 ] || fail "SIG$1: the work went on for $((SECONDS - start)) s"
    [ ! -e stopped.fits ] || fail "SIG$1 left a file"
}
works simulate --cl cl.txt --nside 256 --seed 1 -o large.fits --quiet
for signal in TERM KILL; do # a shell in the background ignores SIGINT: see below
    interrupt $signal
    [ $ended -gt 128 ] || fail "SIG$signal: ended with $ended"
    [ $signal = KILL ] || grep -q interrupted message || fail "SIG$signal: said $(cat message)"
done
ls | grep -q stopped && fail "left $(ls | grep stopped)"
set -m # with job control SIGINT reaches the command
interrupt INT
[ $ended -gt 128 ] || fail "SIGINT: ended with $ended"
grep -q interrupted message || fail "SIGINT: said $(cat message)"

finish
