#!/usr/bin/env bash
# Polarisation: what the commands compute from I, Q, U and T, E, B, by identities, and what they say
# to files that do not have it.
source "$(dirname "$0")/support.sh"

identical() {
    checks=$((checks + 1))
    cmp -s "$1" "$2" || fail "$1 and $2 differ"
}
# Values of field FIELD (0, 1, 2) of a map of three float columns, one per line: rows of REPEAT
# values of I, then Q, then U.
field() { # FILE FIELD NPIX REPEAT
    floats "$1" $((3 * $3)) | awk -v f="$2" -v n="$4" 'int((NR - 1) / n) % 3 == f'
}
# close A B TOLERANCE: two lists of numbers, at least 700 of them not 0.
close() {
    checks=$((checks + 1))
    paste "$1" "$2" | awk -v tolerance="$3" '
        /nan/ { bad++ } # awk takes a NaN as equal to any number
        { d = $1 - $2; if (d < 0) d = -d; if (!(d <= tolerance)) bad++; if ($1 != 0) count++ }
        END { exit !(count >= 700 && !bad) }' || fail "$1 and $2 differ by more than $3"
}
# same A B TOLERANCE: two texts of six spectra agree from l = 2, relative to sqrt(XX YY) of B.
same() {
    checks=$((checks + 1))
    paste "$1" "$2" | awk -v tolerance="$3" '
        BEGIN { split("9 10 11 9 9 10", x); split("9 10 11 10 11 11", y) }
        /^#/ || $1 < 2 { next }
        NF != 14 || /nan/ { bad++ }
        {
            for (i = 1; i <= 6; i++) {
                d = $(1 + i) - $(8 + i)
                if (d < 0) d = -d
                if (!(d <= tolerance * sqrt($(x[i]) * $(y[i])))) bad++
            }
            count++
        }
        END { exit !(count > 5 && !bad) }' || fail "$1 and $2 differ by more than $3"
}

# TT, EE, BB, TE, TB, EB up to l = 40; below l = 2 there is nonsense, which is ignored.
awk 'BEGIN {
    print "# l TT EE BB TE TB EB"
    for (l = 0; l <= 40; l++) {
        a = 1 / (l + 1) ^ 2
        if (l < 2) print l, a, -1, 7, 5, 5, 5
        else print l, a, 0.5 * a, 0.2 * a, 0.4 * a, -0.1 * a, 0.15 * a
    }
}' >six.txt
cut -d ' ' -f 1-4,5 six.txt >four.txt
cut -d ' ' -f 1-3 six.txt >two.txt
make_cl # TT alone, the same values
npix=12288
simulate="simulate --cl six.txt --nside 32 --seed 5"

# The same seed gives the same sky: with other threads, other words for it, and I without --pol.
works $simulate --pol -o map.fits --alm alm.fits
says 'map.fits|I, Q and U|nside 32|lmax 40|seed 5'
works $simulate --pol --threads 1 -o one.fits
identical map.fits one.fits
works simulate --infile six.txt --nsmax 32 --iseed 5 --simul_type 2 --outfile alias.fits
identical map.fits alias.fits
works $simulate -o scalar.fits
works $simulate --simul_type 1 -o scalar_alias.fits
identical scalar.fits scalar_alias.fits
floats scalar.fits $npix >scalar.txt
field map.fits 0 $npix 1024 >i.txt
identical i.txt scalar.txt
works info map.fits
says 'TEMPERATURE|Q_POLARISATION|U_POLARISATION'
works info alm.fits
says 'A_LM T|A_LM E|A_LM B'
awk '!/^#/ { print $1, $2, $3, $4, $5, $7, $6 }' six.txt >unnamed.txt # text: as healpy has them
works simulate --cl unnamed.txt --nside 32 --seed 5 --pol -o unnamed.fits
identical map.fits unnamed.fits
awk '{ print $1, $3, $5, $2, $4, $7, $6 }' six.txt |
    sed '1s/.*/# l EE TE TT BB EB TB/' >shuffled.txt # columns are found by name
works simulate --cl shuffled.txt --nside 32 --seed 5 --pol -o shuffled.fits
identical map.fits shuffled.fits

# alm -> map -> alm -> map.
works synthesize alm.fits --pol --grid healpix:32 -o back.fits
identical map.fits back.fits
works spectrum map.fits --pol --lmax 40 -o map_cl.txt
checks=$((checks + 1))
[ "$(head -n 1 map_cl.txt)" = '# l TT EE BB TE TB EB' ] || fail "header: $(head -n 1 map_cl.txt)"
works analyze map.fits --pol --lmax 40 -o again_alm.fits
says 'T, E and B|lmax 40'
works synthesize again_alm.fits --pol --grid healpix:32 -o again.fits
for f in 0 1 2; do
    field map.fits $f $npix 1024 >before.txt
    field again.fits $f $npix 1024 >after.txt
    close before.txt after.txt 1e-5
done
works analyze map.fits --pol --lmax 40 --tol 1e-8 -o lsmr_alm.fits
says 'LSMR of T: |LSMR of E and B: '
works synthesize lsmr_alm.fits --pol --grid healpix:32 -o lsmr.fits
works spectrum lsmr.fits --pol --lmax 40 -o lsmr_cl.txt
same lsmr_cl.txt map_cl.txt 1e-5
works spectrum map.fits --lmax 40 -o scalar_cl.txt
awk '/^#/ { print "# l TT"; next } { print $1, $2 }' map_cl.txt >tt.txt
identical tt.txt scalar_cl.txt

# The spectra are those asked for: the sum over l of (2 l + 1) C_l / C_l(model), sample variance
# included (1680 modes: 5 standard deviations are 0.17).
paste map_cl.txt six.txt | awk '!/^#/ && $1 >= 2 {
    w = (2 * $1 + 1) / 1677; a = $9
    for (i = 2; i <= 7; i++) s[i] += w * $i / a
} END { print s[2], s[3], s[4], s[5], s[6], s[7] }' >ratios.txt
read -r tt ee bb te tb eb <ratios.txt
is "TT" "($tt - 1) ^ 2 < 0.17 ^ 2"
is "EE" "($ee - 0.5) ^ 2 < 0.09 ^ 2"
is "BB" "($bb - 0.2) ^ 2 < 0.04 ^ 2"
is "TE" "($te - 0.4) ^ 2 < 0.1 ^ 2"
is "TB" "($tb + 0.1) ^ 2 < 0.06 ^ 2"
is "EB" "($eb - 0.15) ^ 2 < 0.05 ^ 2"

# Without power in B there is none in the map.
awk '{ $4 = /^#/ ? $4 : 0; print $1, $2, $3, $4, $5 }' four.txt >no_b.txt
works simulate --cl no_b.txt --nside 32 --seed 5 --pol -o no_b.fits
works spectrum no_b.fits --pol --lmax 40 --iter 6 -o no_b_cl.txt
some=$(awk '!/^#/ && $1 >= 2 && !($4 < 1e-10 * $3) { n++ } END { print n + 0 }' no_b_cl.txt)
is "no B" "$some == 0"

# Cross spectra: of a map and itself, and TE is T of the first map.
works spectrum map.fits map.fits --pol --lmax 40 -o cross_cl.txt
same cross_cl.txt map_cl.txt 1e-12
works spectrum map.fits no_b.fits --pol --lmax 40 -o ab.txt
works spectrum no_b.fits map.fits --pol --lmax 40 -o ba.txt
works spectrum map.fits no_b.fits --lmax 40 -o ab_tt.txt
awk '/^#/ { print "# l TT"; next } { print $1, $2 }' ab.txt >ab_tt_pol.txt
identical ab_tt.txt ab_tt_pol.txt
is "TB of two maps: B of the second" \
    "$(awk '!/^#/ && $1 >= 2 { s += $6 ^ 2 } END { print s }' ab.txt) < 1e-8 * \
     $(awk '!/^#/ && $1 >= 2 { s += $6 ^ 2 } END { print s }' ba.txt)"
works spectrum map.fits --pol --lmax 40 -o six.fits
works simulate --cl six.fits --nside 8 --seed 5 --pol -o from_fits.fits
works simulate --cl map_cl.txt --nside 8 --seed 5 --pol -o from_text.fits
identical from_fits.fits from_text.fits

# Beams: b_l of spin 0 for T, of spin 2 for E and B; the same for all out of a file of one column.
awk 'BEGIN { pi = atan2(0, -1); s = 5 * pi / 180 / sqrt(8 * log(2))
    print "# l b_l"; for (l = 0; l <= 60; l++) printf "%d %.17g\n", l, exp(-l * (l + 1) * s * s / 2)
}' >beam.txt
factor=$(awk 'BEGIN { s = 5 * atan2(0, -1) / 180; printf "%.17g", exp(s * s / (4 * log(2))) }')
awk '/^#/ { print "# l T E B"; next }
    { printf "%d %.17g %.17g %.17g\n", $1, $2, ($1 < 2 ? 0 : $2 * f), ($1 < 2 ? 0 : $2 * f) }
    ' f="$factor" beam.txt >beams.txt
product() { # COLUMN_OF_E: map_cl.txt times the windows of beams.txt
    paste beams.txt map_cl.txt | awk -v e="$1" '
        /^#/ { print "# l TT EE BB TE TB EB"; next }
        NF == 11 {
            t = $2; p = $e
            printf "%d %.17g %.17g %.17g %.17g %.17g %.17g\n", $1, t * t * $6, p * p * $7, \
                p * p * $8, t * p * $9, t * p * $10, p * p * $11
        }'
}
product 3 >want.txt
product 2 >want_one.txt
works smooth map.fits --pol --fwhm 5deg --lmax 40 -o smooth.fits
says 'I, Q and U|beam 5deg'
works spectrum smooth.fits --pol --lmax 40 -o smooth_cl.txt
same smooth_cl.txt want.txt 1e-5
works smooth map.fits --pol --beam beams.txt --lmax 40 -o beams.fits
works spectrum beams.fits --pol --lmax 40 -o beams_cl.txt
same beams_cl.txt want.txt 1e-5
works smooth map.fits --pol --beam beam.txt --lmax 40 -o beam.fits
works spectrum beam.fits --pol --lmax 40 -o beam_cl.txt
same beam_cl.txt want_one.txt 1e-5
works $simulate --pol --fwhm 5deg -o smooth_sky.fits
works synthesize alm.fits --pol --fwhm 5deg --grid healpix:32 -o smooth_back.fits
identical smooth_sky.fits smooth_back.fits
works spectrum smooth_sky.fits --pol --lmax 40 -o smooth_sky_cl.txt
same smooth_sky_cl.txt want.txt 1e-5

# Rotations: a quarter turn about z moves I, Q and U of every ring by a quarter of its pixels; a
# half turn about x reverses rings and pixels, and Q and U stay as they are.
nside=8 small=768
works simulate --cl six.txt --nside 8 --lmax 16 --seed 3 --pol -o small.fits --alm small_alm.fits
works rotate small_alm.fits --euler 90deg,0deg,0deg -o quarter_alm.fits
says '3 components'
works rotate small_alm.fits --euler 0deg,180deg,180deg -o half_alm.fits
works rotate small_alm.fits --euler 10deg,20deg,30deg -o there_alm.fits
works rotate there_alm.fits --euler=-30deg,-20deg,-10deg -o here_alm.fits
for turn in quarter half there here; do
    works synthesize ${turn}_alm.fits --pol --grid healpix:8 -o $turn.fits
done
for f in 0 1 2; do
    field small.fits $f $small 256 >field.txt
    turned_quarter $nside field.txt >quarter.txt
    turned_half $nside field.txt >half.txt
    for turn in quarter half; do
        field $turn.fits $f $small 256 >turned.txt
        close turned.txt $turn.txt 1e-5
    done
    field here.fits $f $small 256 >here.txt
    close here.txt field.txt 1e-5
done
cmp -s there.fits small.fits && fail "the rotation did nothing"

# The data of a map, four numbers from 0 to 255 per value, through an awk program: n is the number
# of the value, f its field.
edit_data() { # FILE PROGRAM NEW
    local size padded count=$((3 * small))
    size=$(wc -c <"$1")
    padded=$(((count * 4 + 2879) / 2880 * 2880))
    tail -c $padded "$1" | head -c $((count * 4)) | od -An -v -w4 -tu1 |
        awk '{ n = NR - 1; f = int(n / 256) % 3 } '"$2"'
            { printf "\\%03o\\%03o\\%03o\\%03o", $1, $2, $3, $4 }' >data.txt
    printf '%b' "$(sed 's/\\/\\0/g' data.txt)" | with_data "$1" $count "$3"
}

# POLCCONV: the same map in IAU's sign of U gives the same results.
edit_data small.fits 'f == 2 { $1 = ($1 + 128) % 256 }' iau.fits
cmp -s iau.fits small.fits && fail "edit_data did nothing"
edit_header iau.fits "POLCCONV= 'COSMO   '" "POLCCONV= 'IAU     '"
works info iau.fits
says 'IAU'
for map in small iau; do
    works spectrum $map.fits --pol --lmax 16 -o ${map}_cl.txt
    works smooth $map.fits --pol --lmax 16 --fwhm 5deg -o ${map}_smooth.fits
    works analyze $map.fits --pol --lmax 16 -o ${map}_again.fits
done
identical iau_cl.txt small_cl.txt
identical iau_smooth.fits small_smooth.fits
identical iau_again.fits small_again.fits

# Missing pixels: one without Q or U has no polarisation, but it may have I.
edit_data small.fits 'n == 256 || n == 513 { $1 = 127; $2 = 192 } n == 2 { $1 = 127; $2 = 192 }
    ' holes.fits
works smooth holes.fits --pol --lmax 16 --fwhm 5deg -o holes_smooth.fits
says '1 (I), 2 (Q, U) pixels missing'
for f in 0 1 2; do
    field holes_smooth.fits $f $small 256 |
        awk '$1 < -1.637e30 { printf "%d ", NR - 1 }' >missing_$f.txt
done
checks=$((checks + 1))
[ "$(cat missing_0.txt)/$(cat missing_1.txt)/$(cat missing_2.txt)" = '2 /0 1 /0 1 ' ] ||
    fail "missing: $(cat missing_0.txt)/$(cat missing_1.txt)/$(cat missing_2.txt)"

# A mask leaves its pixels out of all three: as if they were missing in all three. The monopole is
# that of I alone.
edit_data small.fits 'int(n / 256) < 3 { $1 = 127; $2 = 192 }' third.fits
edit_data small.fits '
    f == 0 { $1 = n < 256 ? 0 : 63; $2 = n < 256 ? 0 : 128; $3 = $4 = 0 }' mask.fits
for method in --remove-monopole '--regression 1'; do
    works spectrum small.fits --pol --lmax 16 $method --mask mask.fits --overwrite -o masked_cl.txt
    says '256 of 768'
    works spectrum third.fits --pol --lmax 16 $method --overwrite -o third_cl.txt
    says '256 of 768'
    identical masked_cl.txt third_cl.txt
done
works spectrum small.fits --pol --lmax 16 --mask mask.fits -o with_cl.txt
awk '!/^#/ { print $1, $3, $4, $7 }' with_cl.txt >with.txt
awk '!/^#/ { print $1, $3, $4, $7 }' masked_cl.txt >without.txt
identical with.txt without.txt
cmp -s with_cl.txt masked_cl.txt && fail "the monopole of I was not removed"

# One column of several, by number and by name.
works view small.fits --field 2 --width 300 -o two.png
works view small.fits --field U --width 300 -o u.png
says 'field 2 (U_POLARISATION)'
identical two.png u.png
works view small.fits --field temperature --width 300 -o t.png
works spectrum small.fits --field Q_POLARISATION --lmax 16 -o q.txt
checks=$((checks + 1))
[ "$(head -n 1 q.txt)" = '# l Q_POLARISATION' ] || fail "header: $(head -n 1 q.txt)"
refuses 2 '--field "V"|small.fits|TEMPERATURE, Q_POLARISATION, U_POLARISATION|0 to 2' \
    view small.fits --field V -o no.png
refuses 2 '--field "-1"' view small.fits --field=-1 -o no.png
refuses 2 '--field "3"|small.fits|TEMPERATURE, Q_POLARISATION|0 to 2' \
    spectrum small.fits --field 3 -o no.txt

# Files that have no polarisation, and spectra that no sky has.
works simulate --cl cl.txt --nside 8 --seed 1 -o lonely.fits --alm lonely_alm.fits
for command in "smooth --fwhm 1deg" analyze spectrum; do
    refuses 2 '--pol|lonely.fits|I, Q and U|numbers 0 to 0|without --pol' \
        $command lonely.fits --pol -o no.fits
done
refuses 2 '--pol|small.fits|from --field 1|numbers 0 to 2' \
    analyze small.fits --pol --field 1 -o no.fits
refuses 2 '--pol|lonely_alm.fits|1 table|T, E and B|without --pol' \
    synthesize lonely_alm.fits --pol --grid healpix:8 -o no.fits
refuses 1 'six.txt' synthesize six.txt --pol --grid healpix:8 -o no.fits
simulate="--nside 8 --seed 1 --pol -o no.fits"
refuses 2 '--pol|cl.txt|EE is missing|TT, EE, BB and TE' simulate --cl cl.txt $simulate
refuses 2 '--pol|two.txt|TT, EE|BB is missing' simulate --cl two.txt $simulate
refuses 2 '--spectrum "EE"|--pol' simulate --cl six.txt --spectrum EE $simulate
wrong() { # PROGRAM WORDS: six.txt changed by awk is refused
    awk "$1 { print }" six.txt >wrong.txt
    refuses 1 "wrong.txt|$2" simulate --cl wrong.txt $simulate
}
wrong '$1 == 9 { $5 = 0.8 * $2 }' 'TE[9] = 0.008|sqrt(TT EE) = 0.00707|TT, EE, BB, TE'
wrong '$1 == 9 { $6 = -0.5 * $2 }' 'TB[9] = -0.005|sqrt(TT BB)'
wrong '$1 == 9 { $7 = 0.4 * $2 }' 'EB[9] = 0.004|sqrt(EE BB)'
wrong '$1 == 9 { $6 = 0.4 * $2; $7 = -0.2 * $2 }' 'l = 9|no fields have these spectra'
wrong '$1 == 9 { $3 = -$3 }' 'EE[9] = -0.005|at least 0'
wrong '$1 == 9 { $2 = 0 }' 'TE[9]'
refuses 2 '--pol|l = 2|lmax is 1' simulate --cl six.txt --lmax 1 $simulate
refuses 2 '--pol|l = 2|lmax is 1' analyze small.fits --pol --lmax 1 -o no.fits
refuses 2 '--simul_type "3"|derivatives' simulate --cl six.txt --simul_type 3 --nside 8 -o no.fits
refuses 2 '--pol|--simul_type 1' simulate --cl six.txt --simul_type 1 $simulate

finish
