#!/usr/bin/env bash
# armilla rotate: quarter turns are shifts of pixels, turns there and back are nothing, files of one
# and of three components, COORDSYS, and wrong command lines.
source "$(dirname "$0")/support.sh"

make_cl
nside=8 npix=768
works simulate --cl cl.txt --nside $nside --lmax 16 --seed 3 -o map.fits --alm alm.fits
synthesize() { # ALM: its map as numbers in ALM.txt
    works synthesize "$1" --grid healpix:$nside --overwrite -o map_of.fits
    floats map_of.fits $npix >"$1.txt"
}
# close A B TOLERANCE: two lists of numbers.
close() {
    checks=$((checks + 1))
    paste "$1" "$2" | awk -v tolerance="$3" '
        /nan/ { bad++ } # awk takes a NaN as equal to any number
        { d = $1 - $2; if (d < 0) d = -d; if (!(d <= tolerance)) bad++; if ($1 != 0) count++ }
        END { exit !(count > 700 && !bad) }' || fail "$1 and $2 differ by more than $3"
}
header() { # FILE: its header cards, one per line
    fold -w 80 "$1" | LC_ALL=C grep -a "^[A-Z0-9_-]* *="
}
synthesize alm.fits

# A quarter turn about z.
turned_quarter $nside alm.fits.txt >quarter.txt
works rotate alm.fits --euler 90deg,0deg,0deg -o quarter.fits
says 'rotated|1 component|lmax 16|mmax 16'
synthesize quarter.fits
close quarter.fits.txt quarter.txt 1e-5
works rotate alm.fits --euler 30deg,0rad,3600arcmin -o same.fits
synthesize same.fits
close same.fits.txt quarter.txt 1e-5

# A half turn about y and one about z are one about x.
works rotate alm.fits --euler 0deg,180deg,180deg -o half.fits
synthesize half.fits
turned_half $nside alm.fits.txt >reverse.txt
close half.fits.txt reverse.txt 1e-5

# There and back.
works rotate alm.fits --euler=-10deg,0.3rad,40arcmin -o there.fits
synthesize there.fits
paste there.fits.txt alm.fits.txt | awk '$1 != $2 { n++ } END { exit !(n > 700) }' ||
    fail "the rotation did nothing"
works rotate there.fits --euler=-40arcmin,-0.3rad,10deg -o back.fits
synthesize back.fits
close back.fits.txt alm.fits.txt 1e-5
works rotate alm.fits --euler=-10deg,0.3rad,40arcmin --threads 1 --quiet -o one.fits
[ -z "$said" ] || fail "--quiet said: $said"
cmp -s one.fits there.fits || fail "the number of threads changed the result"

# Coordinate systems: three steps around, and COORDSYS.
works rotate alm.fits --coord G,E -o ecliptic.fits
says 'from G to E'
header ecliptic.fits | grep -q "^COORDSYS= 'E " || fail "no COORDSYS = 'E'"
works rotate ecliptic.fits --coord E,C -o equatorial.fits
works rotate equatorial.fits --coord C,G -o galactic.fits
header galactic.fits | grep -q "^COORDSYS= 'G " || fail "no COORDSYS = 'G'"
synthesize galactic.fits
close galactic.fits.txt alm.fits.txt 1e-5
works rotate galactic.fits --euler 0deg,1deg,0deg -o kept.fits
header kept.fits | grep -q "^COORDSYS= 'G " || fail "--euler lost COORDSYS"
refuses 2 '--coord "E,C"|galactic.fits|system G|COORDSYS' \
    rotate galactic.fits --coord E,C -o no.fits

# T, E and B: each component as it would be alone.
cat alm.fits <(tail -c +2881 there.fits) <(tail -c +2881 quarter.fits) >three.fits
works rotate three.fits --euler 10deg,20deg,30deg -o three_rotated.fits
says '3 components'
for file in alm there quarter; do
    works rotate $file.fits --euler 10deg,20deg,30deg -o ${file}_rotated.fits
done
size=$(wc -c <there_rotated.fits)
checks=$((checks + 1))
[ "$(wc -c <three_rotated.fits)" -eq $((3 * size - 2 * 2880)) ] ||
    fail "three components: wrong size"
works synthesize three_rotated.fits --grid healpix:$nside --overwrite -o map_of.fits
floats map_of.fits $npix >three.txt
synthesize alm_rotated.fits
close three.txt alm_rotated.fits.txt 1e-6

# Fewer orders than degrees: the result has them all.
works analyze map.fits --lmax 16 --mmax 2 -o low.fits
works rotate low.fits --euler 0deg,90deg,0deg -o low_rotated.fits
says 'lmax 16, mmax 16'
# orders that the file does not have are 0 before the turn, here about z by nothing
works rotate low.fits --euler 0deg,0deg,0deg -o low_same.fits
synthesize low.fits
synthesize low_same.fits
close low_same.fits.txt low.fits.txt 1e-5

# Wrong command lines.
refuses 2 'ALM|missing' rotate -o out.fits --coord G,E
refuses 2 'rotation|missing|--coord|--euler' rotate alm.fits -o out.fits
refuses 2 'only one' rotate alm.fits -o out.fits --coord G,E --euler 1deg,2deg,3deg
for bad in G GE G,X g,e G,E,C 'G, E' ,; do
    refuses 2 "--coord \"$bad\"|FROM,TO" rotate alm.fits -o out.fits --coord "$bad"
done
for bad in 1deg 1deg,2deg 1deg,2deg,3deg,4deg; do
    refuses 2 "--euler \"$bad\"|three angles" rotate alm.fits -o out.fits --euler "$bad"
done
refuses 2 '--euler|"2"|no unit|2deg' rotate alm.fits -o out.fits --euler 1deg,2,3deg
refuses 2 '--euler|"x"|angle' rotate alm.fits -o out.fits --euler 1deg,2deg,x
refuses 2 '--euler|""|angle' rotate alm.fits -o out.fits --euler 1deg,,3deg
refuses 2 'half.fits|exists' rotate alm.fits -o half.fits --coord G,E
refuses 2 '-o' rotate alm.fits --coord G,E
refuses 2 'nothing.fits' rotate nothing.fits --coord G,E -o out.fits
refuses 1 'cl.txt' rotate cl.txt --coord G,E -o out.fits
works rotate --help
says 'G,E|--euler|COORDSYS'

finish
