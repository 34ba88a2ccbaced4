#!/usr/bin/env bash
# What the commands compute, by identities: round trips, the window of a beam, masks whose effect is
# known, independence of threads and of other options.
source "$(dirname "$0")/support.sh"

one='\x3f\x80\x00\x00' five='\x40\xa0\x00\x00' nan='\x7f\xc0\x00\x00' infinity='\x7f\x80\x00\x00'

# same A B TOLERANCE [FROM]: two text spectra agree, relative to the second, from degree FROM.
same() {
    checks=$((checks + 1))
    paste "$1" "$2" | awk -v tolerance="$3" -v from="${4:-0}" '
        /^#/ || $1 < from { next }
        /nan/ { bad++ } # awk takes a NaN as equal to any number
        { d = $2 - $4; if (d < 0) d = -d; if (!(d <= tolerance * $4)) bad++; count++ }
        END { exit !(count > 5 && !bad) }' || fail "$1 and $2 differ by more than $3"
}
identical() {
    checks=$((checks + 1))
    cmp -s "$1" "$2" || fail "$1 and $2 differ"
}
cl() { # FILE DEGREE: a value of a text spectrum
    awk -v l="$2" '!/^#/ && $1 == l { print $2 }' "$1"
}

make_cl
simulate="simulate --cl cl.txt --nside 32"

# The same seed gives the same sky, whatever the number of threads; another seed does not.
works $simulate --seed 1 -o map.fits --alm alm.fits
says 'map.fits|nside 32|lmax 40|seed 1'
works $simulate --seed 1 --threads 1 -o one.fits
identical map.fits one.fits
works $simulate --seed 2 -o two.fits
cmp -s map.fits two.fits && fail "two seeds gave one sky"
works $simulate -o three.fits
works $simulate -o four.fits
cmp -s three.fits four.fits && fail "without --seed the sky should be a new one"
works $simulate --seed 1 --quiet -o quiet.fits
[ -z "$said" ] || fail "--quiet said: $said"
works $simulate --nlmax 40 --seed 1 -o alias.fits
identical map.fits alias.fits

# A lower lmax leaves the common modes as they are.
works $simulate --seed 1 --lmax 20 -o low.fits
works spectrum map.fits --lmax 40 -o map_cl.txt
works spectrum low.fits --lmax 20 -o low_cl.txt
head -22 map_cl.txt >map_low_cl.txt
same low_cl.txt map_low_cl.txt 1e-4

# alm -> map -> alm -> map.
works synthesize alm.fits --grid healpix:32 -o back.fits
identical map.fits back.fits
works analyze map.fits --lmax 40 --tol 1e-8 -o again_alm.fits
says 'LSMR|iterations|residual|stopped because'
works synthesize again_alm.fits --grid H32 -o again.fits
works spectrum again.fits --lmax 40 -o again_cl.txt
same again_cl.txt map_cl.txt 1e-5
works analyze map.fits --lmax 40 --iter auto -o auto_alm.fits
says 'iter auto|iterations|last digits only'
works synthesize auto_alm.fits --grid H32 -o auto.fits
works spectrum auto.fits --lmax 40 -o auto_cl.txt
same auto_cl.txt map_cl.txt 1e-5
works spectrum map.fits --lmax 40 --iter auto -o auto_cl.txt --overwrite
same auto_cl.txt map_cl.txt 1e-5
works analyze map.fits --lmax 150 --iter auto -o wild_alm.fits
says 'warning|--iter auto|do not lead to a solution|--tol'

# What is no solution, or one of many, warns; up to 3 nside - 1, the default, nothing does.
makes_warning() {
    works "${@:2}" --overwrite -o wild_alm.fits --quiet
    says "warning|$1"
}
makes_warning 'lmax 96|does not invert synthesis|3 nside - 1 = 95' analyze map.fits --lmax 96
makes_warning 'does not invert synthesis' spectrum map.fits --lmax 200 --iter 0
makes_warning 'not reached|iteration limit|100 iterations|relative residual' \
    analyze map.fits --lmax 95 --tol 1e-10
makes_warning '12288 pixels cannot determine 40401 real|one of many' \
    analyze map.fits --lmax 200 --tol 1e-3
makes_warning '127 rings cannot determine 151 real' analyze map.fits --lmax 150 --mmax 0 --tol 1e-3
for lmax in "" "--lmax 95" "--lmax 80" "--lmax 40 --tol 1e-8"; do
    works analyze map.fits $lmax -o wild_alm.fits --overwrite --quiet
    [ -z "$said" ] || fail "analyze $lmax said: $said"
done
works analyze map.fits --lmax 40 --ring-weights -o weighted_alm.fits
works synthesize weighted_alm.fits --nsmax 32 -o weighted.fits
works spectrum weighted.fits --lmax 40 -o weighted_cl.txt
same weighted_cl.txt map_cl.txt 1e-5
works analyze map.fits --lmax 40 --mmax 0 -o zonal_alm.fits
works info zonal_alm.fits
works synthesize alm.fits --grid healpix:32 --lmax 20 -o cut.fits
works spectrum cut.fits --lmax 20 -o cut_cl.txt
same cut_cl.txt low_cl.txt 1e-5

# Smoothing multiplies C_l by b_l^2: at once, while simulating, and from a file of b_l.
awk 'BEGIN { pi = atan2(0, -1); s = 5 * pi / 180 / sqrt(8 * log(2))
    print "# l b_l"; for (l = 0; l <= 60; l++) printf "%d %.17g\n", l, exp(-l * (l + 1) * s * s / 2)
}' >beam.txt
paste beam.txt map_cl.txt |
    awk '!/^#/ && NF == 4 { printf "%d %.17g\n", $1, $2 * $2 * $4 }' >want.txt
sed -i '1i # l TT' want.txt
works smooth map.fits --fwhm 5deg --lmax 40 -o smooth.fits
works spectrum smooth.fits --lmax 40 -o smooth_cl.txt
same smooth_cl.txt want.txt 1e-4
works smooth map.fits --fwhm_arcmin 300 --nlmax 40 --iter_order 3 -o alias_smooth.fits
identical smooth.fits alias_smooth.fits
works smooth map.fits --beam beam.txt --lmax 40 -o beam.fits
works spectrum beam.fits --lmax 40 -o beam_cl.txt
same beam_cl.txt want.txt 1e-4
works $simulate --seed 1 --fwhm 5deg -o smooth_sky.fits
works spectrum smooth_sky.fits --lmax 40 -o smooth_sky_cl.txt
same smooth_sky_cl.txt want.txt 1e-4
works synthesize alm.fits --grid healpix:32 --fwhm 5deg -o smooth_back.fits
identical smooth_back.fits smooth_sky.fits

# Spectra: text and FITS, auto and cross.
works spectrum map.fits map.fits --lmax 40 -o cross_cl.txt
same cross_cl.txt map_cl.txt 1e-12
works spectrum map.fits --lmax 40 -o map_cl.fits
works simulate --cl map_cl.fits --spectrum TT --nside 8 --seed 1 -o from_fits.fits
works spectrum map.fits --lmax 40 --remove-monopole -o no_mono_cl.txt
is "monopole" "$(cl no_mono_cl.txt 0) < 1e-6 * $(cl map_cl.txt 0)"
same no_mono_cl.txt map_cl.txt 1e-3 2
works spectrum map.fits --lmax 40 --remove-dipole -o no_dipole_cl.txt
is "monopole" "$(cl no_dipole_cl.txt 0) < 1e-6 * $(cl map_cl.txt 0)"
is "dipole" "$(cl no_dipole_cl.txt 1) < 1e-6 * $(cl map_cl.txt 1)"

# A mask: 1 in the north, 0 in the south; maps that are constant in each half.
works simulate --cl cl.txt --nside 8 --seed 1 -o small.fits --quiet
{ repeat 384 "$one"; repeat 384 '\x00\x00\x00\x00'; } | with_data small.fits 768 mask.fits
repeat 768 "$one" | with_data small.fits 768 ones.fits
{ repeat 384 "$one"; repeat 384 "$five"; } | with_data small.fits 768 halves.fits
{ repeat 384 "$one"; repeat 384 "$nan"; } | with_data small.fits 768 holes.fits
works spectrum ones.fits --iter 0 -o ones_cl.txt
is "C_0 of 1 is 4 pi" "($(cl ones_cl.txt 0) / 12.566370614359172 - 1) ^ 2 < 1e-20"
works spectrum ones.fits --iter 0 --mask mask.fits -o half_cl.txt
says '384 of 768'
is "half the sky: a_00 is halved" "($(cl half_cl.txt 0) / 3.141592653589793 - 1) ^ 2 < 1e-20"
works spectrum holes.fits --iter 0 -o holes_cl.txt
same holes_cl.txt half_cl.txt 1e-12
works spectrum halves.fits --maskfile mask.fits --remove-monopole -o zero_cl.txt
for l in 0 1 2 23; do is "masked pixels in the monopole" "$(cl zero_cl.txt $l) < 1e-24"; done
works spectrum holes.fits --remove-dipole -o zero_dipole_cl.txt
for l in 0 1 2 23; do is "missing pixels in the dipole" "$(cl zero_dipole_cl.txt $l) < 1e-24"; done

# Missing pixels stay missing, and do not spread.
works smooth holes.fits --fwhm 5deg -o holes_smooth.fits
says '384 pixels missing'
floats holes_smooth.fits 768 >holes.txt
is "UNSEEN pixels" "$(tail -384 holes.txt | awk '$1 < -1.637e30' | wc -l) == 384"
is "valid pixels" "$(head -384 holes.txt | awk '$1 > -1 && $1 < 2' | wc -l) == 384"
works smooth ones.fits --fwhm 5deg --mask mask.fits -o masked_smooth.fits
identical masked_smooth.fits holes_smooth.fits
repeat 768 "$nan" | with_data small.fits 768 nothing.fits
refuses 1 'nothing.fits|no valid pixel' smooth nothing.fits --fwhm 5deg -o out.fits
{ repeat 767 "$one"; repeat 1 "$infinity"; } | with_data small.fits 768 infinite.fits
refuses 1 'infinite.fits|infinite' smooth infinite.fits --fwhm 5deg -o out.fits

# Pictures and descriptions.
works view map.fits -o map.png --range -3,3 --title "A map" --width 400
[ "$(head -c 8 map.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || fail "map.png is no PNG"
works view map.fits -o greek.png --title 'ΔT Ω µK² ℓ ≤ 10⁻³' --width 400
case $said in *warning*) fail "Greek: $said" ;; esac
works view map.fits -o hat.png --title 'a 月 and a 天' --width 400
says 'warning|title|? in place of 月 天'
works view holes.fits -o holes.png --width 400
for projection in orthographic gnomonic equirectangular polar; do
    works view map.fits -o $projection.png --projection $projection --rot 30,-40,10 --graticule \
        --cmap planck --symlog --coord G,C --width 300
    identical=$(cmp -s $projection.png map.png && echo same)
    [ -z "$identical" ] || fail "$projection.png is map.png"
done
works view map.fits -o map.svg --hist --graticule --width 300
grep -q '</svg>' map.svg || fail "map.svg is no SVG"
works spectrum map.fits -o plotted.txt --lmax 8
works plot plotted.txt plotted.txt --theory plotted.txt --log --labels 'a,b,theory' -o plot.svg
[ "$(grep -c '<path stroke="#1f5aaa"' plot.svg)" -ge 2 ] || fail "plot.svg has no first curve"
works plot plotted.txt --spectra 0 --plain --lrange 2,6 -o plot.png --width 300
works info map.fits
says '32|RING|TEMPERATURE'
works info holes.fits
says '384'

# Above 2.5 nside HEALPix' iterations do not converge: one line says so, where they are used and
# --lmax asks for it; the default says it in --help.
notes() { # NUMBER ARGUMENT...: so many lines about it
    local number=$1
    shift
    works "$@" --overwrite
    checks=$((checks + 1))
    [ "$(grep -c 'iterations' <<<"$said")" -eq "$number" ] || fail "$*: $said"
}
works simulate --cl cl.txt --nside 16 --seed 1 -o sixteen.fits
notes 0 analyze sixteen.fits --lmax 40 -o out.fits
notes 1 analyze sixteen.fits --lmax 41 -o out.fits
notes 0 analyze sixteen.fits -o out.fits
notes 1 analyze sixteen.fits --lmax 64 --iter 2 -o out.fits
notes 0 analyze sixteen.fits --iter 0 -o out.fits
notes 0 analyze sixteen.fits --quiet -o out.fits
notes 0 spectrum sixteen.fits sixteen.fits -o out.fits
notes 1 spectrum sixteen.fits sixteen.fits --lmax 47 -o out.fits
notes 0 spectrum sixteen.fits --lmax 40 -o out.fits
notes 0 smooth sixteen.fits --fwhm 1deg -o out.fits
notes 1 smooth sixteen.fits --fwhm 1deg --lmax 47 -o out.fits
notes 0 smooth sixteen.fits --fwhm 1deg --lmax 47 --quiet -o out.fits
for command in analyze spectrum smooth; do
    works $command --help
    says 'iterations converge'
done
works analyze sixteen.fits --lmax 47 --tol 1e-8 --overwrite -o out.fits
case $said in *converges*) fail "LSMR: $said" ;; esac

# A spectrum's unit follows it from file to file: text, map, text, FITS.
printf '# unit: uK^2\n# l TT EE\n2 1 0\n3 1 0\n' >units.txt
works simulate --cl units.txt --nside 4 --seed 1 -o units.fits
works info units.fits
says 'float  uK '
works smooth units.fits --fwhm 1deg -o units_smooth.fits
works spectrum units_smooth.fits -o units_cl.txt
checks=$((checks + 1))
[ "$(head -n 1 units_cl.txt)" = '# l TT in uK^2' ] || fail "header: $(head -n 1 units_cl.txt)"
works simulate --cl units_cl.txt --spectrum TT --nside 4 --seed 1 -o units_again.fits
works info units_again.fits
says 'float  uK '

finish
