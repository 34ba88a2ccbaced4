#!/usr/bin/env bash
# armilla map: formulas, masks, resolution, order and coordinates against the same made by awk or by
# transforms; missing pixels; what is kept of a header; what is refused; memory.
source "$(dirname "$0")/support.sh"

make_cl
works simulate --cl cl.txt --nside 8 --seed 1 -o a.fits --quiet
works simulate --cl cl.txt --nside 8 --seed 2 -o b.fits --quiet
works simulate --cl cl.txt --nside 4 --seed 2 -o small.fits --quiet
npix=768
floats a.fits $npix >a.values
floats b.fits $npix >b.values

# like EXPRESSION ACCURACY: out.fits holds, pixel by pixel, awk's EXPRESSION of a and b.
like() {
    checks=$((checks + 1))
    paste a.values b.values <(floats out.fits $npix) | awk -v accuracy="$2" '
        { a = $1; b = $2; wanted = '"$1"'; error = $3 - wanted }
        error < -accuracy || error > accuracy || $3 ~ /nan|inf/ { bad = 1; exit }
        END { exit bad || NR != '$npix' }' || fail "\"$1\" is something else"
    rm out.fits
}

# --- Formulas -------------------------------------------------------------------------------------

works map a.fits b.fits --calc 'a + b' -o out.fits
says 'wrote out.fits: nside 8, RING, 1 column, 0 values missing'
like 'a + b' 1e-6
works map a.fits b.fits --calc '0.25*a - 3e-1 * b' -o out.fits --quiet
like '0.25 * a - 0.3 * b' 1e-6
works map a.fits b.fits --calc 'sqrt(a^2 + b**2) / (1 + abs(b)) - -2^-1 * pi' -o out.fits --quiet
like 'sqrt(a * a + b * b) / (1 + (b < 0 ? -b : b)) + 0.5 * 3.14159265358979' 1e-6
works map a.fits b.fits --calc 'where(a > b, a, b) - max(a, b) + (a < 0) + 2 * (min(a,b) == a)' \
    -o out.fits --quiet
like '(a < 0) + 2 * (a <= b)' 1e-7
works map a.fits b.fits --calc 'exp(log(1 + a*a)) + log10(100) + sin(b)^2 + cos(b)^2 - 2^3^2' \
    -o out.fits --quiet
like '1 + a * a + 3 - 512' 1e-4
works map a.fits b.fits a.fits --calc '(a - c) + (b != 7) * (a >= a) * (b <= b)' -o out.fits --quiet
like '1' 0
works map a.fits --calc '-a' --unit mK -o out.fits --quiet
works info out.fits
says ' mK '
like '-a' 0

# Columns: each by itself, a named one, one for all.
printf '# l TT EE BB TE in uK^2\n' >pol.txt
awk 'BEGIN { for (l = 0; l <= 24; l++) print l, 1, 0.5, 0.1, 0.2 }' >>pol.txt
works simulate --cl pol.txt --nside 8 --seed 3 --pol -o iqu.fits --quiet
works map iqu.fits --calc 'sqrt(a[1]^2 + a[U]^2)' -o p.fits --quiet
works info p.fits
says 'VALUE'
for column in I Q U; do works map iqu.fits --field $column -o $column.fits --quiet; done
works map Q.fits U.fits --calc 'sqrt(a^2 + b^2)' -o p2.fits --quiet
cmp -s <(floats p.fits $npix) <(floats p2.fits $npix) || fail "columns by name"
works map iqu.fits b.fits --calc 'a * b' -o weighted.fits --quiet
works map weighted.fits --field U -o out.fits --quiet
floats U.fits $npix >a.keep && mv a.values a.all && mv a.keep a.values
like 'a * b' 1e-6
mv a.all a.values
works info weighted.fits
says 'Q_POLARISATION|U_POLARISATION'
for pair in 'a + b:uK' '2 * a:uK' 'a / b:' 'a * b:' '-a:uK' 'max(a, b):uK'; do
    works map Q.fits U.fits --calc "${pair%:*}" -o unit.fits --quiet --overwrite
    works info unit.fits --json
    says "\"unit\": \"${pair#*:}\","
done

# --- Missing pixels -------------------------------------------------------------------------------

one='\x3f\x80\x00\x00' zero='\x00\x00\x00\x00' nan='\x7f\xc0\x00\x00' infinite='\x7f\x80\x00\x00'
unseen='\xf1\xa5\x58\x63' # the float behind -1.6375e30
{
    repeat 1 $nan
    repeat 1 $infinite
    repeat 1 $unseen
    repeat 1 $zero
    repeat 764 $one
} | with_data a.fits $npix holes.fits
missing_are() { # NUMBERS: the missing pixels of out.fits, from 1
    checks=$((checks + 1))
    local found
    found=$(floats out.fits $npix | awk '$1 < -1.6e30 { printf "%s ", NR }')
    [ "$found" = "$1" ] || fail "missing are $found, not $1"
    rm out.fits
}
works map holes.fits --calc 'a + 1' -o out.fits
says '3 values missing'
missing_are '1 2 3 '
works map holes.fits --calc '0 * a + (a > 2) * 0' -o out.fits
missing_are '1 2 3 '
works map holes.fits --calc '1 / a' -o out.fits
missing_are '1 2 3 4 '
works map holes.fits --calc 'a^0 + 1^a' -o out.fits
missing_are '1 2 3 '
works map holes.fits --calc 'where(missing(a), 5, a)' -o out.fits
missing_are ''
works map a.fits --mask holes.fits -o out.fits
says '4 values missing'
missing_are '1 2 3 4 '
works map a.fits --calc 'a / 2' -o half.fits --quiet
works map half.fits --calc 'a * a' -o weights.fits --quiet
works map a.fits --mask weights.fits -o out.fits --quiet
like 'a * (a / 2) ^ 2' 1e-6

# --- Order ----------------------------------------------------------------------------------------

works map a.fits --order nested -o nested.fits
says 'NESTED'
works info nested.fits
says 'NESTED'
# NESTED numbers 0 .. 3 of nside 8 make pixel 0 of nside 4, and the last four its pixel 191.
works map a.fits --nside 4 -o coarse.fits --quiet
works map coarse.fits --order nested -o coarse_nested.fits --quiet
floats nested.fits $npix >nested.values
awk '{ sum += $1 } NR % 4 == 0 { printf "%.9g\n", sum / 4; sum = 0 }' nested.values >means
paste means <(floats coarse_nested.fits 192) |
    awk '{ e = $1 - $2 } e > 1e-6 || e < -1e-6 { exit 1 }' || fail "--nside 4: not the means"
works map nested.fits --order ring -o back.fits --quiet
cmp -s <(floats back.fits $npix) a.values || fail "RING to NESTED and back"
for map in nested a; do # NESTED maps are as good as others
    works map $map.fits b.fits --calc 'a + b' -o out.fits --quiet
    like 'a + b' 1e-6
done
works simulate --cl cl.txt --nside 2 --seed 1 -o two.fits --quiet
works map two.fits --order nested -o two_nested.fits --quiet
ring=(13 5 4 0 15 7 6 1 17 9 8 2 19 11 10 3) # Gorski et al. 2005, figure 4
floats two.fits 48 >two.values
floats two_nested.fits 48 | head -n 16 >two.nested
for i in "${!ring[@]}"; do sed -n "$((ring[i] + 1))p" two.values; done | cmp -s - two.nested ||
    fail "--order nested: another order"

# --- Resolution -----------------------------------------------------------------------------------

works map coarse.fits --nside 8 -o fine.fits --quiet
works map fine.fits --nside 4 -o out.fits --quiet
cmp -s <(floats out.fits 192) <(floats coarse.fits 192) || fail "--nside 8 and back"
rm out.fits
works map coarse.fits --nside 8 --power -2 -o out.fits --quiet
paste <(floats out.fits $npix) <(floats fine.fits $npix) |
    awk '{ e = 4 * $1 - $2 } e > 1e-6 || e < -1e-6 { exit 1 }' || fail "--power -2"
rm out.fits
works map holes.fits --nside 4 -o out.fits
says ' 0 values missing'
rm out.fits
works map holes.fits --nside 4 --pessimistic -o out.fits
says '3 values missing'
rm out.fits
works map a.fits --nside 8 -o out.fits --quiet
like 'a' 0

# --- Coordinates ----------------------------------------------------------------------------------

turned_quarter 8 a.values >turned
works map a.fits --euler 90deg,0deg,0deg -o out.fits --quiet
mv a.values a.all && cp turned a.values
like 'a' 1e-6
mv a.all a.values
# A smooth sky: interpolation and coefficients agree, for Q and U, too, next to the poles as well.
head -n 8 pol.txt >smooth.txt
works simulate --cl smooth.txt --nside 64 --seed 3 --pol -o sky.fits --alm sky.alm.fits --quiet
works rotate sky.alm.fits --coord G,C -o c.alm.fits --quiet
works synthesize c.alm.fits --pol --grid healpix:64 -o c.fits --quiet
works map sky.fits --coord G,C -o turned.fits --quiet
works map c.fits turned.fits --calc 'abs(a - b)' -o error.fits --quiet
works info error.fits --json
worst=$(grep -o '"maximum": [0-9.e-]*' <<<"$said" | sed 's/.* //' | sort -g | tail -n 1)
is "the largest error of a turned map" "$worst < 0.02 && $worst > 0"
works info turned.fits
says 'equatorial'
refuses 2 '--coord "G,E"|system C' map turned.fits --coord G,E -o out.fits
refuses 2 '--coord|Q_POLARISATION|turn together' map sky.fits --field Q --coord G,E -o out.fits
works map holes.fits --coord G,E -o out.fits

# Maps of two systems have no pixel in common, here and where other commands take two.
works map turned.fits --calc 'a > 0' -o mask_c.fits --quiet
works map turned.fits --coord C,G -o g.fits --quiet
refuses 2 '"turned.fits"|system C|"g.fits"' map g.fits turned.fits --calc 'a + b' -o no.fits
refuses 2 '--mask "mask_c.fits"|system C|"g.fits"' map g.fits --mask mask_c.fits -o no.fits
refuses 2 '--mask "mask_c.fits"|system C' analyze g.fits --mask mask_c.fits -o no.fits
refuses 2 '--mask "mask_c.fits"|system C' convolve g.fits --mask mask_c.fits --stream \
    --kernel gaussian:30deg -o no.fits
refuses 2 '"turned.fits"|system C' spectrum g.fits turned.fits -o no.fits
refuses 2 '--coord "C,G"|system G' view g.fits --coord C,G -o no.png
found=$(floats out.fits $npix | grep -c -- '-1.637')
is "missing pixels of a turned map" "$found >= 3 && $found < 40"
rm out.fits

# --- Masks ----------------------------------------------------------------------------------------

works map a.fits --calc 'a > -0.3' -o mask.fits --quiet
floats mask.fits $npix >mask.values
works map mask.fits --fsky
zeros=$(grep -c '^ *0' mask.values)
is "--fsky" "$zeros > 10 && $zeros < 700"
says "fsky $(awk "BEGIN { printf \"%.17g\", 1 - $zeros / $npix }" | cut -c 1-12)"
works map weights.fits --fsky --json
floats weights.fits $npix | awk '{ w1 += $1 / 768; w2 += $1 ^ 2 / 768; w4 += $1 ^ 4 / 768 }
    END { print w1, w2, w4 }' >moments
python3 -c '
import json, sys
d, m = json.loads(sys.argv[1]), [float(x) for x in open("moments").read().split()]
assert d["fsky"] == 1 and d["missing"] == 0 and d["npix"] == 768, d
assert all(abs(d[k] - x) < 1e-5 * x for k, x in zip(("w1", "w2", "w4"), m)), (d, m)' "$said" ||
    fail "--fsky --json: $said"
# The tapers, by all distances.
for taper in c1 c2; do
    works map mask.fits --apodize 20deg --taper $taper -o taper.fits --quiet --overwrite
    checks=$((checks + 1))
    paste mask.values <(floats taper.fits $npix) | awk -v taper=$taper -v n=8 '
        { mask[NR - 1] = $1; found[NR - 1] = $2 }
        END {
            pi = atan2(0, -1); p = 0
            for (r = 1; r < 4 * n; r++) {
                m = r < n ? r : r > 3 * n ? 4 * n - r : n
                h = r < n ? 1 - r * r / (3 * n * n) : r > 3 * n ? m * m / (3 * n * n) - 1 : \
                    4 / 3 - 2 * r / (3 * n)
                for (i = 0; i < 4 * m; i++) {
                    phi = pi / 2 / m * (i + (r < n || r > 3 * n || (r - n) % 2 == 0 ? 0.5 : 0))
                    x[p] = sqrt(1 - h * h) * cos(phi); y[p] = sqrt(1 - h * h) * sin(phi); z[p++] = h
                }
            }
            for (i = 0; i < p; i++) {
                best = -1
                for (k = 0; k < p; k++) {
                    c = x[i] * x[k] + y[i] * y[k] + z[i] * z[k]
                    if (mask[k] == 0 && c > best) best = c
                }
                u = best > 1 ? 0 : sqrt((1 - best) / (1 - cos(pi / 9)))
                t = u >= 1 ? 1 : taper == "c1" ? u - sin(2 * pi * u) / (2 * pi) : \
                    (1 - cos(pi * u)) / 2
                e = mask[i] * t - found[i]
                if (e > 1e-6 || e < -1e-6) { print i, mask[i], t, found[i]; exit 1 }
            }
        }' || fail "--apodize --taper $taper"
done
works map mask.fits --calc '1 + 0 * a' -o full.fits --quiet
works map full.fits --apodize 5deg -o out.fits
says 'no edge'
cmp -s <(floats out.fits $npix) <(floats full.fits $npix) || fail "--apodize without an edge"
rm out.fits

# --- Headers --------------------------------------------------------------------------------------

cp a.fits cards.fits
edit_header cards.fits "CREATOR = 'Armilla" "TELESCOP= 'Planck "
works map cards.fits b.fits --calc 'a - b' -o out.fits --quiet
works map a.fits --calc "a$(printf ' + 0%.0s' {1..40})" -o long.fits --quiet
grep -aq "TELESCOP= 'Planck" out.fits || fail "a card of the map is lost"
grep -aq 'HISTORY armilla map --calc a - b' out.fits || fail "no line of HISTORY"
grep -ac "NSIDE   =" out.fits | grep -qx 1 || fail "NSIDE is there twice"
like 'a - b' 1e-6
works simulate --cl cl.txt --nside 8 --seed 1 -o wide.fits --double --quiet
works map wide.fits --calc 'a * 1e40' -o out.fits --quiet # which no float holds
rm out.fits
works map a.fits --calc a -o out.fits --double --quiet
works info out.fits
says 'double'
rm out.fits
works map iqu.fits --calc a -o out.fits.gz --quiet
rm out.fits.gz
cat a.fits | "$armilla" map - b.fits --calc 'a + b' -o out.fits --quiet || fail "a map by a pipe"
like 'a + b' 1e-6

# --- What is refused ------------------------------------------------------------------------------

refuses 2 'what to do is missing' map a.fits -o out.fits
refuses 2 'one thing' map a.fits --nside 4 --mask b.fits -o out.fits
refuses 2 '--mask takes one map|b.fits' map a.fits b.fits --mask b.fits -o out.fits
refuses 2 '-o "b.fits"|input' map a.fits b.fits --calc 'a + b' -o b.fits --overwrite
refuses 2 'nside 8|nside 4' map a.fits small.fits --calc 'a + b' -o out.fits
refuses 2 '--mask "small.fits"|nside 4' map a.fits --mask small.fits -o out.fits
refuses 2 '--nside "12"|power of two' map a.fits --nside 12 -o out.fits
refuses 2 '--pessimistic|--nside' map a.fits --calc a --pessimistic -o out.fits
refuses 2 '--power "x"|number' map a.fits --nside 4 --power x -o out.fits
refuses 2 '--power|--nside' map a.fits --calc a --power 2 -o out.fits
refuses 2 '--taper "c3"|c1 or c2' map a.fits --apodize 1deg --taper c3 -o out.fits
refuses 2 '--taper|--apodize' map a.fits --calc a --taper c1 -o out.fits
refuses 2 '--apodize|above 0' map a.fits --apodize 0deg -o out.fits
refuses 1 '"a.fits"|negative' map a.fits --apodize 1deg -o out.fits
refuses 1 '"a.fits"|negative' map a.fits --fsky
refuses 1 '--mask "a.fits"|negative' map b.fits --mask a.fits -o out.fits
refuses 2 '--fsky|-o' map a.fits --fsky -o out.fits
refuses 2 '--fsky|--order' map a.fits --fsky --order ring
refuses 2 '--order "RINGS"|ring or nested' map a.fits --order RINGS -o out.fits
refuses 2 '--field "7"|1 columns' map a.fits --field 7 -o out.fits
refuses 2 '--coord "G,X"' map a.fits --coord G,X -o out.fits
refuses 2 '--euler "1,2,3"|no unit' map a.fits --euler 1,2,3 -o out.fits
refuses 2 '-o FILE|missing' map a.fits --nside 4
refuses 1 'out.fits|does not fit' map a.fits --calc '1e39 + 0 * a' -o out.fits
refuses 2 '--calc "a +"|at its end' map a.fits --calc 'a +' -o out.fits
refuses 2 '--calc "Q"|no such column' map a.fits --calc 'a[Q]' -o out.fits
for bad in 'a +' '(a' 'a)' 'a b' 'b' 'x + 1' 'foo(a)' 'sqrt a' 'max(a)' '1..2' 'a[' 'a[]' '' '* a' \
    'a = b' '1e999' '2 ** ' "$(printf '(%.0s' {1..300})a" "$(printf -- '-%.0s' {1..300})a"; do
    refuses 2 '--calc' map a.fits --calc "$bad" -o out.fits
done
refuses 1 'cl.txt' map cl.txt --calc a -o out.fits

# --- Memory ---------------------------------------------------------------------------------------

# Maps of nside 1024 take 100 MB as doubles; the process takes half of one.
if [ "$(head -c 2 "$armilla")" != '#!' ] && # under an emulator, or with sanitizers, others count
    ! grep -qs '^ARMILLA_SANITIZE:[A-Z]*=.' "${ARMILLA_BUILD:-.}/CMakeCache.txt"; then
    works simulate --cl cl.txt --nside 1024 --lmax 8 --seed 1 -o large.fits --quiet
    cat >peak.py <<'END'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
END
    peak=$(python3 peak.py "$armilla" map large.fits large.fits --calc 'a + b' -o sum.fits --quiet)
    is "memory of --calc, MB" "$peak < 50"
    peak=$(python3 peak.py "$armilla" map large.fits --nside 256 -o coarse.fits --quiet --overwrite)
    is "memory of --nside, MB" "$peak < 60"
fi

finish
