#!/usr/bin/env bash
# armilla evaluate, observe and lens: values at pixels are those of the map, samples through beams
# are values of smoothed fields or those with sky and beam exchanged, lensed maps are values at
# directions that awk has deflected, for a dipole's potential, whose gradient is known.
source "$(dirname "$0")/support.sh"

nside=8 npix=768
# close A B TOLERANCE: two lists of numbers.
close() {
    checks=$((checks + 1))
    paste "$1" "$2" | awk -v tolerance="$3" '
        NF != 2 || /nan/ { bad++ } # awk takes a NaN as equal to any number
        { d = $1 - $2; if (d < 0) d = -d; if (!(d <= tolerance)) bad++; if ($1 != 0) count++ }
        END { exit !(count > 700 && !bad) }' || fail "$1 and $2 differ by more than $3"
}
column() { # FILE NUMBER: of the rows that are no comments
    awk -v c="$2" '!/^#/ { print $c }' "$1"
}
field() { # FILE FIELD: of I, Q, U, which alternate by rows of 256 pixels
    floats "$1" $((3 * npix)) | awk -v f="$2" 'int((NR - 1) / 256) % 3 == f'
}

# T, E and B; a potential that is a dipole, with deflections of up to 0.3 rad or so.
awk 'BEGIN { print "# l TT EE BB TE"; for (l = 0; l <= 20; l++) print l, 1, .5, .3, .2 }' >cl.txt
potential() { # NAME C_0 C_1
    printf '# l TT\n0 %s\n1 %s\n' "$2" "$3" >$1_cl.txt
    works simulate --cl $1_cl.txt --nside $nside --seed 4 -o $1_map.fits --alm $1.fits
}
potential phi 7 0.05    # the monopole deflects nothing
potential dipole 0 0.05 # the same without it
potential zero 0 0
works simulate --cl cl.txt --nside $nside --lmax 20 --seed 3 --pol -o map.fits --alm alm.fits

# Directions of the pixels, RING.
awk -v n=$nside 'BEGIN {
    pi = atan2(0, -1)
    for (i = 1; i < 4 * n; i++) {
        k = i < n ? i : i > 3 * n ? 4 * n - i : n
        z = k < n ? 1 - k * k / (3 * n * n) : 4 / 3 - 2 * i / (3 * n)
        if (i > 3 * n) z = -z
        shift = k < n || (i - n) % 2 == 0 ? 0.5 : 0
        for (j = 0; j < 4 * k; j++)
            printf "%.17g %.17g\n", atan2(sqrt(1 - z * z), z), (j + shift) * pi / (2 * k)
    }
}' >pixels.txt

# --- evaluate
works evaluate alm.fits --points pixels.txt --method interpolate -o values.txt
says '768 directions|spin 0|lmax 20|interpolated|epsilon 1e-07'
works synthesize alm.fits --grid healpix:$nside --double -o plain.fits
works synthesize alm.fits --grid healpix:$nside -o plain32.fits
floats plain32.fits $npix >plain.txt
column values.txt 3 >values.column
close plain.txt values.column 3e-6
column values.txt 1 >theta.column
column pixels.txt 1 >theta.given
close theta.given theta.column 0
awk '{ printf "%.17g,\t%.17g\n", $2 * 180 / atan2(0, -1), 90 - $1 * 180 / atan2(0, -1) }' \
    pixels.txt | sed '1i # longitude, latitude' >lonlat.txt
works evaluate alm.fits --points lonlat.txt --lonlat --epsilon 1e-10 --method interpolate \
    -o lonlat_values.txt
column lonlat_values.txt 3 >lonlat.column
close values.column lonlat.column 1e-5
works evaluate alm.fits --points pixels.txt --spin 2 -o pol.txt
works synthesize alm.fits --grid healpix:$nside --pol -o iqu.fits
for part in 1 2; do
    field iqu.fits $part >part.map
    column pol.txt $((2 + part)) >part.column
    close part.map part.column 3e-6
done
echo '# nothing' >none.txt
works evaluate alm.fits --points none.txt -o none_values.txt
says '0 directions'
works evaluate alm.fits --points pixels.txt --method interpolate --threads 1 --quiet -o again.txt
[ -z "$said" ] || fail "--quiet said: $said"
cmp -s values.txt again.txt || fail "the number of threads changed the values"

# The same directly, which few directions are by themselves.
works evaluate alm.fits --points pixels.txt --method direct -o direct.txt
says '768 directions|direct sums'
column direct.txt 3 >direct.column
close lonlat.column direct.column 1e-8
head -40 pixels.txt >some.txt
works evaluate alm.fits --points some.txt -o some_values.txt
says '40 directions|direct sums'
column some_values.txt 3 >some.column
head -40 direct.column | cmp -s - some.column || fail "fewer directions, other values"
# Derivatives: of a field along theta and phi, as differences, and the first again.
awk -v OFMT=%.17g '!/^#/ && $1 > 0.3 && $1 < 2.8 { h = 1e-5
    print $1, $2; print $1 + h, $2; print $1 - h, $2; print $1, $2 + h; print $1, $2 - h }' \
    pixels.txt >near.txt
for spin in 0 2; do
    works evaluate alm.fits --points near.txt --spin $spin --derivatives 1 --overwrite \
        -o near_values.txt
    awk -v spin=$spin -v OFMT=%.9g '!/^#/ { theta[n % 5] = $1; q[n % 5] = $3; u[n % 5] = $4
        if (n % 5 == 0) for (i = 3; i <= 8; i++) at[i] = $i
        if (++n % 5) next
        h = 2e-5; s = sin(theta[0]); cot = cos(theta[0]) / s
        if (spin == 0) { print (q[1] - q[2]) / h, at[4]; print (q[3] - q[4]) / h / s, at[5]; next }
        print (q[1] - q[2]) / h, at[5]; print (u[1] - u[2]) / h, at[6]
        print (q[3] - q[4]) / h / s - spin * cot * at[4], at[7]
        print (u[3] - u[4]) / h / s + spin * cot * at[3], at[8] }' near_values.txt >slopes.txt
    column slopes.txt 1 >slopes.differences
    column slopes.txt 2 >slopes.column
    close slopes.differences slopes.column 1e-4
done
works evaluate alm.fits --points some.txt --derivatives 2 -o second.txt
[ "$(awk '!/^#/ { print NF; exit }' second.txt)" = 8 ] || fail "second.txt: not 2 + 6 columns"

# A map, between its pixels: the field of its coefficients.
works synthesize alm.fits --grid healpix:16 --double --pol -o fine.fits
head -40 pixels.txt | sed '/^#/d' >some.txt
works evaluate fine.fits --points pixels.txt --lmax 20 --tol 1e-10 -o of_map.txt
says 'LSMR|iterations' # which analyze says
says '768 directions|spin 0|lmax 20'
column of_map.txt 3 >of_map.column
close direct.column of_map.column 1e-7
works evaluate fine.fits --points pixels.txt --lmax 20 --tol 1e-10 --spin 2 --method direct \
    --overwrite -o of_map.txt
works evaluate alm.fits --points pixels.txt --spin 2 --method direct -o of_alm.txt
for part in 3 4; do
    column of_map.txt $part >of_map.column
    column of_alm.txt $part >of_alm.column
    close of_alm.column of_map.column 1e-7
done

# --- observe: through a circle samples are values of what simulate smooths.
awk '{ printf "%s %.17g\n", $0, NR * 0.7 }' pixels.txt >scan.txt
works simulate --cl cl.txt --nside $nside --lmax 20 --seed 3 --pol --fwhm 5deg -o smooth.fits \
    --alm smooth_alm.fits
works evaluate smooth_alm.fits --points pixels.txt --method direct -o smooth_t.txt
works evaluate smooth_alm.fits --points pixels.txt --spin 2 --method direct -o smooth_p.txt
observe() { # NAME ARGUMENT...: NAME.txt and NAME.column
    works observe "${@:2}" --overwrite -o $1.txt
    column $1.txt 4 >$1.column
}
column smooth_t.txt 3 >smooth_t.column
observe round alm.fits --points scan.txt --fwhm 5deg --intensity --epsilon 1e-10
says '768 pointings|lmax 20|mmax 20|kmax 0|T,|epsilon 1e-10'
close smooth_t.column round.column 1e-8
# Q and U along 30 degrees.
paste -d' ' <(grep -v '^#' smooth_t.txt) <(grep -v '^#' smooth_p.txt) scan.txt |
    awk '{ a = 2 * ($10 + atan2(1, sqrt(3)))
           printf "%.17g\n", $3 + cos(a) * $6 + sin(a) * $7 }' >polarised.column
observe round alm.fits --points scan.txt --fwhm 5deg --polarisation 30deg --epsilon 1e-10
says 'kmax 2|T, E and B'
close polarised.column round.column 1e-8
for part in 1 2 3; do
    column round.txt $part >round.given
    column scan.txt $part >scan.given
    close scan.given round.given 0
done
observe low alm.fits --points scan.txt --fwhm 5deg --polarisation 30deg --epsilon 1e-4 \
    --threads 1
close round.column low.column 1e-3

# An ellipse: its angle and that of the pointing add up; half a turn changes nothing.
awk '{ printf "%s, %s %.17g\n", $1, $2, $3 + 0.5 }' scan.txt >turned_scan.txt
awk '{ printf "%.17g %.17g %.17g\n", $1, $2, $3 + atan2(0, -1) }' scan.txt >half_scan.txt
observe plain_ellipse alm.fits --points turned_scan.txt --fwhm 5deg --fwhm-max 9deg --intensity
says 'kmax 10'
observe ellipse alm.fits --points scan.txt --fwhm 5deg --fwhm-max 9deg --intensity --psi 0.5rad
close plain_ellipse.column ellipse.column 1e-6
observe half alm.fits --points half_scan.txt --fwhm 5deg --fwhm-max 9deg --intensity --psi 0.5rad
close half.column ellipse.column 1e-6
# An angle may have either sign and be beyond half a turn.
observe far alm.fits --points scan.txt --fwhm 5deg --fwhm-max 9deg --intensity --psi -12.06637061rad
close far.column ellipse.column 1e-6
observe far alm.fits --points scan.txt --fwhm 5deg --polarisation -330deg --epsilon 1e-10
close far.column round.column 1e-8
# Orders that are left out without being asked for are below epsilon; others are told.
observe all alm.fits --points scan.txt --fwhm 5deg --fwhm-max 9deg --kmax 20 --polarisation 30deg \
    --epsilon 1e-10
observe some alm.fits --points scan.txt --fwhm 5deg --fwhm-max 9deg --polarisation 30deg
says 'kmax 12|T, E and B'
close some.column all.column 1e-6
observe some alm.fits --points scan.txt --fwhm 5deg --fwhm-max 9deg --kmax 20 --intensity
case $said in *'leaves out'*) fail "--kmax 20 left out orders: $said" ;; esac
observe some alm.fits --points scan.txt --fwhm 5deg --fwhm-max 9deg --kmax 2 --intensity
says '--kmax 2: leaves out order 4|kmax 2'
observe quarter alm.fits --points scan.txt --fwhm 5deg --fwhm-max 9deg --intensity --psi 90.5deg
paste quarter.column ellipse.column |
    awk '{ d = $1 - $2; s += d * d; t += $1 * $1 } END { exit !(s > 1e-3 * t) }' ||
    fail "the direction of the ellipse did not matter"
awk '{ printf "%.17g %.17g %.17g\n", $2 * 180 / atan2(0, -1), 90 - $1 * 180 / atan2(0, -1),
       $3 * 180 / atan2(0, -1) }' scan.txt >lonlat_scan.txt
observe lonlat alm.fits --points lonlat_scan.txt --lonlat --fwhm 5deg --fwhm-max 9deg \
    --intensity --psi 0.5rad
close lonlat.column ellipse.column 1e-6

# Files: sky and beam exchanged see the same by the inverse rotation. One of them is shorter.
awk 'BEGIN { print "# l TT"; for (l = 0; l <= 20; l++) print l, 1 / (l + 1) }' >beam_cl.txt
works simulate --cl beam_cl.txt --nside $nside --lmax 20 --seed 8 -o beam_map.fits \
    --alm beam.fits
works simulate --cl cl.txt --nside $nside --lmax 20 --seed 5 -o scalar_map.fits \
    --alm scalar.fits
works simulate --cl beam_cl.txt --nside $nside --lmax 12 --seed 9 -o short_map.fits \
    --alm short.fits
awk '{ pi = atan2(0, -1); printf "%.17g %.17g %.17g\n", $1, pi - $3, pi - $2 }' \
    scan.txt >inverse.txt
observe there scalar.fits --points scan.txt --beam beam.fits --epsilon 1e-10
says 'kmax 20|T,'
observe back beam.fits --points inverse.txt --beam scalar.fits --epsilon 1e-10
close there.column back.column 1e-7
observe there scalar.fits --points scan.txt --beam short.fits --epsilon 1e-10
says 'short.fits|ends at l = 12|kmax 12'
observe back short.fits --points inverse.txt --beam scalar.fits --epsilon 1e-10
says 'scalar.fits|beyond lmax = 12|kmax 12'
close there.column back.column 1e-7
observe few scalar.fits --points scan.txt --beam short.fits --kmax 3
says 'kmax 3'
observe of_t scalar.fits --points scan.txt --beam alm.fits
says 'sky has no E and B|T,'
observe of_t alm.fits --points scan.txt --beam alm.fits --intensity
case $said in *'E and B'*) fail "with --intensity: $said" ;; esac
says 'T,'
observe of_t alm.fits --points scan.txt --beam scalar.fits
says 'beam has no E and B|T,'
observe of_teb alm.fits --points scan.txt --beam alm.fits
says 'kmax 20|T, E and B'

# A map, which has Q and U; nobody looks; the report.
works synthesize alm.fits --grid healpix:16 --double --pol -o observed.fits
observe of_map observed.fits --lmax 20 --tol 1e-10 --points scan.txt --fwhm 5deg \
    --polarisation 30deg --epsilon 1e-10
says 'LSMR|T, E and B'
close polarised.column of_map.column 1e-6
observe of_map observed.fits --lmax 20 --tol 1e-10 --points scan.txt --fwhm 5deg --intensity
close smooth_t.column of_map.column 1e-6
observe nobody alm.fits --points none.txt --fwhm 5deg
says '0 pointings'
works observe alm.fits --points scan.txt --fwhm 5deg -o told.txt --json --quiet
says '"pointings": 768|"lmax": 20|"mmax": 20|"kmax": 2|"components": 3|"epsilon": 9.9999'

# --- lens: the gradient of A . n is A - (A . n) n; A from three values of the potential.
printf '%s\n' '1.5707963267948966 0' '1.5707963267948966 1.5707963267948966' '0 0' >axes.txt
works evaluate dipole.fits --points axes.txt --epsilon 1e-12 -o axes_values.txt
deflected=$(column axes_values.txt 3 | tr '\n' ' ')
# theta', phi' and gamma of each pixel.
awk -v dipole="$deflected" 'BEGIN { split(dipole, A, " ") } {
    ct = cos($1); st = sin($1); cp = cos($2); sp = sin($2)
    split(st * cp " " st * sp " " ct, n, " ")
    at = ct * cp * A[1] + ct * sp * A[2] - st * A[3]
    ap = -sp * A[1] + cp * A[2]
    a = sqrt(at * at + ap * ap)
    nx = st * cp; ny = st * sp; nz = ct
    dx = (at * ct * cp - ap * sp) / a; dy = (at * ct * sp + ap * cp) / a; dz = -at * st / a
    x = cos(a) * nx + sin(a) * dx; y = cos(a) * ny + sin(a) * dy; z = cos(a) * nz + sin(a) * dz
    ex = cos(a) * dx - sin(a) * nx; ey = cos(a) * dy - sin(a) * ny; ez = cos(a) * dz - sin(a) * nz
    theta = atan2(sqrt(x * x + y * y), z); phi = atan2(y, x)
    et = cos(theta) * (cos(phi) * ex + sin(phi) * ey) - sin(theta) * ez
    ep = -sin(phi) * ex + cos(phi) * ey
    printf "%.17g %.17g %.17g\n", theta, phi, atan2(ap, at) - atan2(ep, et)
}' pixels.txt >moved.txt
cut -d' ' -f1,2 moved.txt >moved_points.txt
works evaluate alm.fits --points moved_points.txt --epsilon 1e-10 -o moved_values.txt
column moved_values.txt 3 >moved.column
# The deflections, 5 degrees, are meant to be seen.
works lens alm.fits --phi phi.fits --grid healpix:$nside -o lensed.fits --any-deflection
says 'nside 8|lmax 20|rms|arcmin|epsilon 1e-07'
floats lensed.fits $npix >lensed.txt
close lensed.txt moved.column 1e-5
paste lensed.txt plain.txt |
    awk '{ d = $1 - $2; s += d * d; t += $1 * $1 } END { exit !(s > 0.1 * t) }' ||
    fail "lensing changed little"

# Polarisation: values at the same directions, turned by 2 gamma.
works evaluate alm.fits --points moved_points.txt --spin 2 --epsilon 1e-10 -o moved_pol.txt
works lens alm.fits --phi phi.fits --grid healpix:$nside --pol -o lensed_iqu.fits --any-deflection
says 'I, Q and U'
field lensed_iqu.fits 0 >part.map
close part.map lensed.txt 0
paste -d' ' <(grep -v '^#' moved_pol.txt) moved.txt |
    awk '{ c = cos(2 * $7); s = sin(2 * $7)
           printf "%.9g %.9g\n", c * $3 - s * $4, s * $3 + c * $4 }' \
        >turned.txt
for part in 1 2; do
    field lensed_iqu.fits $part >part.map
    column turned.txt $part >part.column
    close part.map part.column 1e-5
done

# No potential, no lensing; more accuracy, more digits; threads do not matter.
works lens alm.fits --phi zero.fits --grid healpix:$nside --epsilon 1e-12 --double -o same.fits
says 'rms 0 arcmin'
works lens alm.fits --phi zero.fits --grid healpix:$nside --epsilon 1e-12 -o same32.fits
floats same32.fits $npix >same.txt
close same.txt plain.txt 1e-6
[ "$(wc -c <same.fits)" -gt "$(wc -c <same32.fits)" ] || fail "--double did nothing"
works lens alm.fits --phi phi.fits --nside $nside --threads 1 --quiet -o one.fits --any-deflection
[ -z "$said" ] || fail "--quiet said: $said"
cmp -s one.fits lensed.fits || fail "the number of threads changed the map"

# --- Wrong command lines and files
refuses 2 'ALM|missing' evaluate --points pixels.txt -o out.txt
refuses 2 '--points FILE is missing' evaluate alm.fits -o out.txt
refuses 2 '-o' evaluate alm.fits --points pixels.txt
refuses 2 'nothing.txt' evaluate alm.fits --points nothing.txt -o out.txt
refuses 2 'values.txt|exists' evaluate alm.fits --points pixels.txt -o values.txt
refuses 2 '--epsilon "0.5"|1e-13 to 0.1' evaluate alm.fits --points pixels.txt -o out.txt \
    --epsilon 0.5
refuses 2 'alm.fits|holds coefficients|--lmax|for maps' evaluate alm.fits --points pixels.txt \
    -o out.txt --lmax 10
refuses 2 '--spin 1|fine.fits|is a map' evaluate fine.fits --points pixels.txt -o out.txt --spin 1
refuses 2 '--method "fast"|auto, direct or interpolate' evaluate alm.fits --points pixels.txt \
    -o out.txt --method fast
refuses 2 '--derivatives 2|--spin 2' evaluate alm.fits --points pixels.txt -o out.txt \
    --derivatives 2 --spin 2
refuses 2 '--derivatives 1|interpolate' evaluate alm.fits --points pixels.txt -o out.txt \
    --derivatives 1 --method interpolate
refuses 2 '--epsilon|1e-14' evaluate alm.fits --points pixels.txt -o out.txt --epsilon 1e-14
refuses 2 '--spin "-1"|at least 0' evaluate alm.fits --points pixels.txt -o out.txt --spin=-1
refuses 2 '--spin 21|lmax = 20' evaluate alm.fits --points pixels.txt -o out.txt --spin 21
refuses 2 '--spin 2|phi.fits|one table|E and B' evaluate phi.fits --points pixels.txt -o out.txt \
    --spin 2
refuses 1 'pixels.txt' evaluate pixels.txt --points pixels.txt -o out.txt
bad_points() { # WORDS ROW [OPTION]
    printf '# c\n1 2\n%s\n' "$2" >bad.txt
    refuses 1 "bad.txt|line 3|$1" evaluate alm.fits --points bad.txt -o out.txt ${3:-}
}
bad_points 'two numbers, theta and phi' '1'
bad_points 'two numbers, longitude and latitude' '1 2 3' --lonlat
bad_points 'theta must be 0 to pi' '3.2 0'
bad_points 'theta must be 0 to pi' '-1e-9 0'
bad_points 'latitude must be -90 to 90' '0 90.1' --lonlat
bad_points 'number' '1 nan'
bad_points 'number' 'x 1'

observe="observe alm.fits --points scan.txt -o out.txt"
refuses 2 'ALM|missing' observe --points scan.txt --fwhm 5deg -o out.txt
refuses 2 '--points FILE is missing' observe alm.fits --fwhm 5deg -o out.txt
refuses 2 'beam is missing|--beam FILE|--fwhm' $observe
refuses 2 'beam is missing|--fwhm' $observe --fwhm-max 5deg
refuses 2 '--fwhm and --beam' $observe --fwhm 5deg --beam beam.fits
refuses 2 '--fwhm-max|not be less than --fwhm' $observe --fwhm 5deg --fwhm-max 4deg
refuses 2 '--psi|Gaussian' $observe --beam beam.fits --psi 1deg
refuses 2 '--fwhm-max|Gaussian' $observe --beam beam.fits --fwhm-max 1deg
refuses 2 '--polarisation|Gaussian' $observe --beam beam.fits --polarization 1deg
refuses 2 '--psi "1"|no unit' $observe --fwhm 5deg --psi 1
refuses 2 '--polarisation "x"|angle' $observe --fwhm 5deg --polarisation x
refuses 2 '--polarisation and --intensity' $observe --fwhm 5deg --polarisation 1deg --intensity
refuses 2 '--polarisation|no E and B' observe phi.fits --points scan.txt -o out.txt --fwhm 5deg \
    --polarisation 1deg
refuses 2 '--kmax 13|short.fits|up to 12' $observe --beam short.fits --kmax 13
refuses 2 '--kmax 21|lmax = 20' $observe --fwhm 5deg --kmax 21
refuses 2 '--kmax 13|lmax = 12' observe short.fits --points scan.txt -o out.txt --beam beam.fits \
    --kmax 13
refuses 2 '--epsilon "0.5"' $observe --fwhm 5deg --epsilon 0.5
refuses 2 '--fwhm|unit' $observe --fwhm 5
refuses 2 '--beam|nothing.fits' $observe --beam nothing.fits
refuses 1 'map.fits|no coefficients' $observe --beam map.fits
refuses 2 'told.txt|exists' observe alm.fits --points scan.txt --fwhm 5deg -o told.txt
refuses 2 'holds coefficients|--lmax' $observe --fwhm 5deg --lmax 10
refuses 1 'pixels.txt|line 1|three numbers, theta, phi and psi' observe alm.fits --fwhm 5deg \
    --points pixels.txt -o out.txt
refuses 1 'scan.txt|line 1|two numbers, theta and phi' evaluate alm.fits --points scan.txt \
    -o out.txt
for row in '1 2' '1 2 3 4' '4 2 3' '1 2 x' '1 2 nan'; do
    printf '# c\n1 2 3\n%s\n' "$row" >bad.txt
    refuses 1 'bad.txt|line 3' observe alm.fits --points bad.txt --fwhm 5deg -o out.txt
done
echo '1 91 2' >bad.txt
refuses 1 'bad.txt|line 1|latitude must be' observe alm.fits --points bad.txt --fwhm 5deg \
    --lonlat -o out.txt

refuses 2 'ALM|missing' lens --phi phi.fits --grid healpix:8 -o out.fits
refuses 2 '--phi FILE is missing' lens alm.fits --grid healpix:8 -o out.fits
refuses 2 '--grid NAME is missing' lens alm.fits --phi phi.fits -o out.fits
refuses 2 '-o' lens alm.fits --phi phi.fits --grid healpix:8
refuses 2 '--phi|nothing.fits' lens alm.fits --phi nothing.fits --grid healpix:8 -o out.fits
refuses 2 'lensed.fits|exists' lens alm.fits --phi phi.fits --grid healpix:8 -o lensed.fits
refuses 2 '--epsilon "0.2"' lens alm.fits --phi phi.fits --grid healpix:8 -o out.fits --epsilon 0.2
refuses 2 '--pol|phi.fits|1 table' lens phi.fits --phi phi.fits --grid healpix:8 --pol -o out.fits
refuses 1 'cl.txt' lens cl.txt --phi phi.fits --grid healpix:8 -o out.fits
refuses 1 'cl.txt' lens alm.fits --phi cl.txt --grid healpix:8 -o out.fits
works rotate alm.fits --coord G,E -o ecliptic.fits
works rotate phi.fits --coord E,G -o galactic.fits
refuses 2 '--phi|galactic.fits|system G|COORDSYS|in E' \
    lens ecliptic.fits --phi galactic.fits --grid healpix:8 -o out.fits
awk 'BEGIN { print "# l TT"; print 0, 1 }' >monopole_cl.txt
works simulate --cl monopole_cl.txt --nside $nside --lmax 0 -o flat.fits --alm monopole.fits
refuses 2 '--phi|monopole.fits|deflects nothing' \
    lens alm.fits --phi monopole.fits --grid healpix:8 -o out.fits
refuses 2 '--pol|monopole.fits' lens monopole.fits --phi phi.fits --grid healpix:8 --pol -o out.fits
# A temperature in uK, taken for a potential.
awk 'BEGIN { print "# l TT"; for (l = 0; l <= 20; l++) print l, 1e4 }' >strong_cl.txt
works simulate --cl strong_cl.txt --nside 8 --seed 3 -o flat.fits --alm strong.fits --overwrite
refuses 2 '--phi "strong.fits"|arcmin (rms)|--any-deflection' \
    lens alm.fits --phi strong.fits --grid healpix:8 -o out.fits
works lens alm.fits --phi strong.fits --grid healpix:8 -o strong_map.fits --any-deflection
says 'by deflections of rms'
for command in lens evaluate observe; do
    works $command --help
    says '--epsilon|ALM'
done

finish
