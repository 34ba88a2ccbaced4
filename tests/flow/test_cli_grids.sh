#!/usr/bin/env bash
# Maps on every grid of rings, by name and from a table of rings: values where the grid has its
# pixels, coefficients back to rounding, spectra, beams, formulas, means and pictures; what a grid
# cannot have is refused by its name.
#   test_cli_grids.sh [long]: on large grids (make test-grids), 10 to 25 min, 3 GB
source "$(dirname "$0")/support.sh"
grids="O16 F16 N32 gl:32x64 cc:33x64 f1:32x64 f2:63x64 dh:64x64 mw:31x63 mwss:33x64 mwflip:31x63
    rgl:32:31 healpix:16"
bare="O16 F16 cc:33x64 mw:31x63 healpix:16" # for what does not depend on the family
lmax=15 step=1 rounding=1e-12 # step: of pixels whose values are looked at
if [ "${1:-}" = long ]; then
    grids="O1280 F640 N640 gl:1024x2048 cc:1801x3600 f1:1800x3600 f2:1439x2880 dh:2048x2048
        mw:1024x2047 mwss:1025x2048 mwflip:1024x2047 rgl:1024:1023 healpix:512"
    bare="O1280 cc:1801x3600 mw:1024x2047 healpix:512"
    lmax=511 step=997 rounding=1e-11
fi
nside=$(((lmax + 1) / 2))
fwhm=$(awk "BEGIN { print 300 / $lmax }") # degrees

file_of() { # GRID
    printf '%s' "${1//:/_}"
}

awk -v n=$lmax 'BEGIN {
    print "# l TT EE BB TE"
    for (l = 0; l <= n; l++) print l, 1 / (l + 1) ^ 2, 1 / (l + 2) ^ 2, 1 / (l + 3) ^ 2, 0
}' >cl.txt
works simulate --cl cl.txt --nside $nside --lmax $lmax --seed 1 --pol --double -o first.fits \
    --alm alm.fits --quiet

# The doubles of a map's last table, and where the pixels of a grid are, from formulas of its own.
export step
cat >pixels.py <<'PY'
import itertools, math, os, struct, sys

def gauss(n):
    nodes = []
    for i in range((n + 1) // 2):
        x = math.cos(math.pi * (i + 0.75) / (n + 0.5))
        for _ in range(6):
            p, q = 1.0, x
            for k in range(2, n + 1):
                p, q = q, ((2 * k - 1) * x * q - (k - 1) * p) / k
            x -= q * (x * x - 1) / (n * (x * q - p))
        nodes.append(math.acos(x))
    return nodes + [math.pi - node for node in reversed(nodes[:n // 2])]

def rings(name):
    if name[0] in "OF":
        n = int(name[1:])
        count = lambda i: 20 + 4 * min(i, 2 * n - 1 - i) if name[0] == "O" else 4 * n
        return [(t, count(i)) for i, t in enumerate(gauss(2 * n))]
    kind, sizes = name.split(":")
    n, nphi = map(int, sizes.split("x"))
    if kind == "gl":
        return [(t, nphi) for t in gauss(n)]
    step = {"cc": lambda i: i / (n - 1), "f1": lambda i: (i + 0.5) / n,
            "f2": lambda i: (i + 1) / (n + 1), "dh": lambda i: i / n,
            "mw": lambda i: (2 * i + 1) / (2 * n - 1), "mwss": lambda i: i / (n - 1),
            "mwflip": lambda i: 2 * i / (2 * n - 1)}[kind]
    return [(math.pi * step(i), nphi) for i in range(n)]

def values(path, count):
    data = open(path, "rb").read()
    size = 8 * count
    start = len(data) - (size + 2879) // 2880 * 2880
    return struct.unpack(">%dd" % count, data[start:start + size])

def points(name):  # every step-th pixel
    places = ((t, 2 * math.pi * j / n) for t, n in rings(name) for j in range(n))
    return itertools.islice(places, 0, None, int(os.environ["step"]))

if sys.argv[1] == "points":  # GRID FACTOR: moved by the gradient of FACTOR cos(theta)
    for theta, phi in points(sys.argv[2]):
        print(repr(theta - float(sys.argv[3]) * math.sin(theta)), repr(phi))
else:  # GRID MAP TEXT COLUMN
    grid, path, text, column = sys.argv[2:]
    expected = [float(row.split()[int(column)]) for row in open(text) if row[0] != "#"]
    found = values(path, sum(n for _, n in rings(grid)))[::int(os.environ["step"])]
    assert len(found) == len(expected) > 500
    print(max(abs(a - b) for a, b in zip(found, expected)))
PY

# Rings of one's own, without a name: those of O16, moved, with fewer pixels, and with a map of cos
# theta.
cat >rings.py <<'PY'
import struct, sys
exec(open("pixels.py").read().split("if sys.argv")[0])

def cards(*pairs):
    text = "".join(("%-8s= %20s" % (n, v)).ljust(80) for n, v in pairs) + "END".ljust(80)
    return text.ljust((len(text) + 2879) // 2880 * 2880).encode()

def table(rows, width, *pairs):
    return cards(("XTENSION", "'BINTABLE'"), ("BITPIX", 8), ("NAXIS", 2), ("NAXIS1", width),
                 ("NAXIS2", len(rows)), ("PCOUNT", 0), ("GCOUNT", 1), *pairs) + pad(b"".join(rows))

def pad(data):
    return data + bytes(-len(data) % 2880)

own = [(t + 1e-3, n - 1) for t, n in rings("O16")]
npix = sum(n for _, n in own)
with open("own.fits", "wb") as f:
    f.write(cards(("SIMPLE", "T"), ("BITPIX", 8), ("NAXIS", 0), ("EXTEND", "T")))
    f.write(table([struct.pack(">d", math.cos(t)) for t, n in own for _ in range(n)], 8,
                  ("TFIELDS", 1), ("TTYPE1", "'HEIGHT'"), ("TFORM1", "'1D'"),
                  ("PIXTYPE", "'RING GRID'"), ("NRINGS", len(own)), ("NPIX", npix),
                  ("INDXSCHM", "'IMPLICIT'")))
    f.write(table([struct.pack(">dqdd", t, n, 0.0, 4 * math.pi / npix) for t, n in own], 32,
                  ("TFIELDS", 4), ("TTYPE1", "'THETA'"), ("TFORM1", "'1D'"), ("TTYPE2", "'NPHI'"),
                  ("TFORM2", "'1K'"), ("TTYPE3", "'PHI0'"), ("TFORM3", "'1D'"),
                  ("TTYPE4", "'WEIGHT'"), ("TFORM4", "'1D'"), ("EXTNAME", "'RINGS'")))
PY
# An image of the whole sky, rows from south to north, is a map on cc:33x64: cos theta again.
cat >image.py <<'PY'
exec(open("rings.py").read().split("own =")[0])
heights = [math.sin(math.radians(-90 + 180 / 32 * row)) for row in range(33)]
with open("image.fits", "wb") as f:
    f.write(cards(("SIMPLE", "T"), ("BITPIX", -64), ("NAXIS", 2), ("NAXIS1", 64), ("NAXIS2", 33),
                  ("CTYPE1", "'GLON-CAR'"), ("CRPIX1", 32.5), ("CRVAL1", 0.0),
                  ("CDELT1", -360 / 64), ("CUNIT1", "'deg'"), ("CTYPE2", "'GLAT-CAR'"),
                  ("CRPIX2", 17.0), ("CRVAL2", 0.0), ("CDELT2", 180 / 32), ("CUNIT2", "'deg'")))
    f.write(pad(b"".join(struct.pack(">64d", *[h] * 64) for h in heights)))
PY
python3 image.py

# worst_of FILE FILE: the largest difference of two maps of one column.
worst_of() {
    works map "$1" "$2" --calc 'abs(a - b)' --double -o difference.fits --overwrite --quiet
    worst=$("$armilla" info difference.fits --json | grep -o '"maximum": [0-9.e-]*' |
        sed 's/.* //' | sort -g | tail -n 1)
}

# --- Every grid -----------------------------------------------------------------------------------

works spectrum first.fits --lmax $lmax --iter 30 -o expected.txt --quiet
for grid in $grids; do
    g=$(file_of $grid)
    works synthesize alm.fits --grid $grid --double -o $g.fits
    case $grid in healpix:*) says "nside ${grid#*:}" ;; *) says "grid " ;; esac
    case $grid in
    N* | rgl* | healpix*) ;; # tables, or pixels that other tests look at
    *)
        python3 pixels.py points $grid 0 >points.txt
        works evaluate alm.fits --points points.txt --method direct -o values.txt --overwrite \
            --quiet
        is "values on $grid" "$(python3 pixels.py compare $grid $g.fits values.txt 2) < $rounding"
        ;;
    esac
    # coefficients, and their spectrum: exact without steps, which only HEALPix needs
    exact=
    [ $grid = ${grid#healpix} ] || exact="--iter 20"
    works analyze $g.fits --lmax $lmax $exact -o a.fits --overwrite --quiet
    works synthesize a.fits --grid $grid --double -o again.fits --overwrite --quiet
    worst_of $g.fits again.fits
    is "back on $grid" "$worst < 1e-12"
    works spectrum $g.fits --lmax $lmax $exact -o c.txt --overwrite --quiet
    checks=$((checks + 1))
    [ "$(grep -vc '#' c.txt)" = $((lmax + 1)) ] || fail "spectrum of $grid has other degrees"
    paste expected.txt c.txt |
        awk '!/#/ { e = $2 / $4 - 1; if (e > 1e-11 || e < -1e-11) exit 1 }' ||
        fail "spectrum of $grid"
done

# A beam multiplies C_l by the square of its window. The mean of the square of a map, which is a
# formula, is the sum of (2 l + 1) C_l / (4 pi): quadrature integrates it. A constant has the same
# picture on any grid.
mean=$(awk '!/#/ { sum += (2 * $1 + 1) * $2 }
    END { printf "%.17g", sum / 16 / atan2(1, 1) }' expected.txt)
first=$(file_of ${bare%% *})
for grid in $bare; do
    g=$(file_of $grid)
    exact=
    [ $grid = ${grid#healpix} ] || exact="--iter 6"
    works smooth $g.fits --fwhm ${fwhm}deg --lmax $lmax $exact -o smooth.fits --overwrite --quiet
    works spectrum smooth.fits --lmax $lmax $exact -o c.txt --overwrite --quiet
    checks=$((checks + 1))
    paste expected.txt c.txt | awk -v fwhm=$fwhm '!/#/ {
        sigma = fwhm * atan2(1, 1) / 45 / sqrt(8 * log(2))
        e = $2 * exp(-$1 * ($1 + 1) * sigma ^ 2) / $4 - 1; if (e > 1e-8 || e < -1e-8) exit 1
        }' || fail "smooth on $grid"
    works map $g.fits --calc 'a * a' -o square.fits --double --overwrite
    case $grid in healpix:*) says "nside ${grid#*:}" ;; *) says "grid $grid" ;; esac
    works map square.fits --fsky
    bound=$rounding
    [ $grid = ${grid#healpix} ] || bound=1e-3
    is "mean square on $grid" "sqrt(($(sed -n 's/^w1 //p' <<<"$said") / $mean - 1) ^ 2) < $bound"
    works map $g.fits --calc 'a * 0 + 1' -o one.fits --overwrite --quiet
    works view one.fits -o $g.png --width 300 --range 0,2
    says "one.fits"
    checks=$((checks + 1))
    cmp -s "$first.png" $g.png || fail "the picture of 1 on $grid is another one"
    works map one.fits --calc 'where(a > 0, 1, 0)' --field 0 -o mask.fits --overwrite --quiet
    works spectrum $g.fits --lmax $lmax $exact --mask mask.fits -o m.txt --overwrite --quiet
    works spectrum $g.fits --lmax $lmax $exact -o c.txt --overwrite --quiet
    checks=$((checks + 1))
    cmp -s c.txt m.txt || fail "a mask of 1 changes the spectrum on $grid"
done
checks=$((checks + 1)) # a sky looks otherwise
works view "$first.fits" -o sky.png --width 300 --quiet
cmp -s sky.png "$first.png" && fail "the picture of a sky is that of 1"

# --- Lensed, observed, decoupled ------------------------------------------------------------------

# A potential that is cos theta moves points along their meridian, so that Q and U do not turn.
# Beams see the sky of a map's coefficients.
moves=0.015
works map image.fits --calc "$moves * a" --double -o cosine_map.fits --quiet
works analyze cosine_map.fits --lmax 3 -o cosine.fits --quiet
works analyze image.fits --lmax 1 -o z.fits --quiet
awk 'BEGIN { for (i = 0; i < 50; i++) print 3.1 * i / 50, 2.4 * i, 0.7 * i }' >scan.txt
beam="--points scan.txt --fwhm ${fwhm}deg --fwhm-max $(awk "BEGIN { print 2 * $fwhm }")deg"
works observe alm.fits $beam --epsilon 1e-12 -o expected_scan.txt --quiet
works spectrum first.fits --pol --lmax $lmax --iter 30 -o expected_pol.txt --quiet
band_means() { # of 3 degrees, from l = 2 on, to lmax - 3
    awk -v last=$((lmax - 3)) '!/#/ && $1 > 1 {
        for (i = 2; i <= 7; i++) sum[i] += $i / 3
        if ($1 % 3 != 1 || $1 > last) next
        printf "%d %d %d", $1 - 2, $1, $1 - 1
        for (i = 2; i <= 7; i++) { printf " %.17g", sum[i]; sum[i] = 0 }
        print ""
    }' "$1"
}
worst_power() { # TEXT TEXT: relative to TT, EE and BB
    grep -v '^#' "$2" | paste "$1" - | awk '{
        if (NF != 18 || $1 != $10 || $2 != $11) exit bad = 1
        for (i = 4; i <= 9; i++) {
            e = ($i - $(i + 9)) / $(i < 7 ? i : 4)
            if (e < 0) e = -e
            if (e > worst) worst = e
        } } END { print (bad || !NR ? "nan" : worst + 0) }'
}
band_means expected_pol.txt >expected_means.txt
reference=
for grid in $grids; do
    g=$(file_of $grid) exact= bound=1e-10
    [ $grid = ${grid#healpix} ] || exact="--iter 20" bound=1e-3 # by which HEALPix integrates 1
    case $grid in
    N* | rgl* | healpix*) ;;
    *)
        python3 pixels.py points $grid $moves >points.txt
        works evaluate alm.fits --points points.txt --method direct -o values.txt --overwrite \
            --quiet
        works evaluate alm.fits --points points.txt --method direct --spin 2 -o pair.txt \
            --overwrite --quiet
        works lens alm.fits --phi cosine.fits --grid $grid --pol --epsilon 1e-12 --double \
            -o moved.fits --overwrite
        says "grid "
        for k in 0 1 2; do
            works map moved.fits --field $k --double -o column.fits --overwrite --quiet
            [ $k = 0 ] && from="values.txt 2" || from="pair.txt $((k + 1))"
            is "lensed field $k on $grid" \
                "$(python3 pixels.py compare $grid column.fits $from) < 1e-10"
        done
        ;;
    esac
    works synthesize alm.fits --grid $grid --pol --double -o pol.fits --overwrite --quiet
    works observe pol.fits --lmax $lmax $exact $beam --epsilon 1e-12 -o seen.txt --overwrite --quiet
    is "samples of $grid" "$(paste expected_scan.txt seen.txt | awk '!/#/ {
        e = $4 - $8; if (e < 0) e = -e; if (e > worst) worst = e
        } END { print (NR > 50 ? worst + 0 : "nan") }') < 1e-10"
    # A mask that is constant changes no power; one that is not gives the same on all grids.
    works map pol.fits --calc '0.5 + 0 * a' --field 0 --double -o mask.fits --overwrite --quiet
    works spectrum pol.fits --pol --lmax $((lmax - 3)) $exact --mask mask.fits --decouple \
        --bands 3 -o powers.txt --overwrite --quiet
    is "powers on $grid" "$(worst_power expected_means.txt powers.txt) < $bound"
    [ -z "$exact" ] || continue
    works synthesize z.fits --grid $grid --double -o z_map.fits --overwrite --quiet
    works map z_map.fits --calc '0.6 + 0.4 * a' --double -o mask.fits --overwrite --quiet
    works spectrum pol.fits --pol --lmax $((lmax - 3)) --mask mask.fits --decouple --bands 3 \
        -o powers.txt --overwrite --quiet
    [ -n "$reference" ] || grep -v '^#' powers.txt >reference.txt
    reference=${reference:-$grid}
    is "powers without a mask on $grid" "$(worst_power reference.txt powers.txt) < 1e-9"
done
[ "${1:-}" != long ] || finish

# --- What else makes and reads maps ---------------------------------------------------------------

works simulate --cl cl.txt --grid O16 --lmax $lmax --seed 1 --pol --double -o iqu.fits --quiet
works synthesize alm.fits --grid O16 --pol --double -o iqu_again.fits --quiet
worst_of iqu.fits iqu_again.fits
is "simulate --grid" "$worst == 0"
works analyze iqu.fits --pol --lmax $lmax -o a.fits --overwrite --quiet
works synthesize a.fits --grid O16 --pol --double -o iqu_again.fits --overwrite --quiet
worst_of iqu.fits iqu_again.fits
is "I, Q and U of O16" "$worst < 1e-12"
works simulate --cl cl.txt --grid o16 --seed 1 --json -o default.fits # as much as the grid holds
says '"grid": "O16"|"lmax": 15'
works analyze O16.fits --json -o default_alm.fits
says '"grid": "O16"|"lmax": 18|"mmax": 18'
case $said in *nside*) fail "nside of O16: $said" ;; esac
works info O16.fits --json
says '"grid": "O16"|"npix": 1600'
works map healpix_16.fits --order nested --json -o nested.fits
says '"nside": 16|"grid": "healpix:16"'
works synthesize alm.fits --grid H16 --double -o h16.fits --quiet # the same file by any name
works synthesize alm.fits --nside 16 --double -o n16.fits --quiet
works synthesize alm.fits --grid r64x32 --double -o cdo.fits --quiet # south first there
works synthesize alm.fits --grid TCo15 --double -o truncated.fits --quiet
checks=$((checks + 4))
cmp -s cdo.fits f1_32x64.fits || fail "--grid r64x32"
cmp -s truncated.fits O16.fits || fail "--grid TCo15"
cmp -s h16.fits healpix_16.fits || fail "--grid H16"
cmp -s n16.fits healpix_16.fits || fail "--nside 16"
printf '1 2\n2 5\n' >two.txt
works evaluate alm.fits --points two.txt -o of_alm.txt --quiet
works evaluate F16.fits --lmax $lmax --points two.txt -o of_map.txt --quiet
checks=$((checks + 1))
paste of_alm.txt of_map.txt | awk '!/#/ { e = $3 - $6; if (e > 1e-12 || e < -1e-12) exit 1 }' ||
    fail "evaluate of a map of F16"
awk 'BEGIN { print "# l TT"; for (l = 0; l <= 15; l++) print l, 0 }' >zero_cl.txt
works simulate --cl zero_cl.txt --nside 8 --seed 1 -o zero.fits --alm phi.fits --quiet
works lens alm.fits --phi phi.fits --grid cc:33x64 --epsilon 1e-12 --double -o lensed.fits
says "grid cc:33x64"
worst_of lensed.fits cc_33x64.fits
is "lens without a deflection" "$worst < 1e-10"
works convolve F16.fits --kernel gaussian:20deg --method pixels -o radial.fits
says "grid F16"
works convolve F16.fits --kernel gaussian:20deg --stream -o stream.fits --quiet
checks=$((checks + 1))
cmp -s radial.fits stream.fits || fail "convolve --stream of F16"
works smooth F16.fits --fwhm 20deg --lmax 15 -o harmonic.fits --quiet
worst_of radial.fits harmonic.fits
is "convolve on F16" "$worst < 3e-3"
works spectrum F16.fits --lmax 12 --remove-dipole -o low.txt --quiet
is "monopole and dipole" "$(awk '$1 == 0 || $1 == 1 { s += $2 } END { print s }' low.txt) < 1e-25"
works analyze N32.fits --lmax 63 --iter 0 -o linear.fits
says 'lmax 63|grid N32 is exact up to lmax 46'
works analyze N32.fits --lmax 64 --iter 1 -o linear.fits --overwrite
says 'lmax 64|warning|64 rings of grid N32|lmax 63'
works analyze N32.fits --lmax 60 --json -o linear.fits --overwrite # by default, steps where of use
says '"steps": [{"iterations": |one more would change last digits'
works analyze F16.fits --lmax 15 --float -o floats.fits --quiet

# A mask's taper, by distances of all pairs of pixels: zeros are all around, and at a pole.
cat >taper.py <<'PY'
exec(open("pixels.py").read().split("if sys.argv")[0])
grid, mask, found, angle = sys.argv[1:]
places = [(math.sin(t) * math.cos(p), math.sin(t) * math.sin(p), math.cos(t))
          for t, p in points(grid)]
old, new = values(mask, len(places)), values(found, len(places))
zeros = [v for v, m in zip(places, old) if m == 0]
longest = 2 * math.sin(math.radians(float(angle)) / 2)
worst = kept = 0
for v, a, b in zip(places, old, new):
    x = min(math.dist(v, z) for z in zeros) / longest
    worst = max(worst, abs(b - a * (1 if x >= 1 else x - math.sin(2 * math.pi * x) / 2 / math.pi)))
    kept += 0 < x < 1
assert 100 < kept < len(places) / 2
print(worst)
PY
works simulate --cl cl.txt --nside 8 --lmax 3 --seed 7 -o low_map.fits --alm low.fits --quiet
for grid in O16 cc:33x64; do
    works synthesize low.fits --grid $grid --double -o low_map.fits --overwrite --quiet
    works map low_map.fits --calc 'where(a > 0, 0.7, 0)' --double -o mask.fits --overwrite --quiet
    works map mask.fits --apodize 15deg --double -o taper.fits --overwrite
    says "grid $grid"
    is "taper on $grid" "$(python3 taper.py $grid mask.fits taper.fits 15) < 1e-12"
done

# Turns by interpolation, of I, Q and U and over the poles, against those of coefficients: on rings
# half as far apart the error is a quarter.
angles=30deg,50deg,70deg
awk 'BEGIN { print "# l TT EE BB TE"; for (l = 0; l <= 4; l++) print l, 1, 1, 1, 0.3 }' \
    >smooth_cl.txt
works simulate --cl smooth_cl.txt --nside 8 --lmax 4 --pol --seed 2 -o low_map.fits --alm low.fits \
    --overwrite --quiet
works rotate low.fits --euler $angles -o turned.fits --quiet
for pair in O16,O32 cc:33x64,cc:65x128 f2:31x64,f2:63x128 mw:32x63,mw:64x127; do
    before=0.4
    for grid in ${pair/,/ }; do
        works synthesize low.fits --pol --grid $grid --double -o low_map.fits --overwrite --quiet
        works synthesize turned.fits --pol --grid $grid --double -o exact.fits --overwrite --quiet
        works map low_map.fits --euler $angles --double -o turned_map.fits --overwrite
        says "grid $grid"
        worst_of turned_map.fits exact.fits
        is "turn on $grid" "$worst < 0.36 * $before"
        before=$worst
    done
done
works map low_map.fits --calc '1 + 0 * a' --double -o one.fits --overwrite --quiet
works map one.fits --euler $angles --field 0 --double -o turned_map.fits --overwrite
works map turned_map.fits one.fits --calc 'abs(a[0] - b[0])' --double -o zero_map.fits --quiet
works info zero_map.fits --json
is "weights of a turn" "$(grep -o '"maximum": [0-9.e-]*' <<<"$said" | sed 's/.* //') < 1e-14"

# --- A table of rings -----------------------------------------------------------------------------

python3 rings.py
works analyze own.fits --lmax 4 --iter 2 -o height.fits
says 'a grid of 32 rings has no exact quadrature'
works analyze own.fits --lmax 4 --tol 1e-12 -o height.fits --overwrite
says 'a grid of 32 rings'
printf '1 2\n' >one.txt
works evaluate height.fits --points one.txt -o height.txt --quiet
is "cos theta" "sqrt(($(awk '!/#/ { print $3 }' height.txt) - cos(1)) ^ 2) < 1e-10"
works map own.fits --calc '2 * a' --json -o twice.fits
says '"grid": null'
works smooth twice.fits --fwhm 1deg --lmax 4 --iter 2 -o own_smooth.fits --quiet
works map twice.fits own.fits own_smooth.fits --calc 'a - 2 * b + 0 * c' --double \
    -o nothing.fits --quiet
works info nothing.fits --json
says '"minimum": 0,|"maximum": 0,'

# The image.
works info image.fits --json
says '"kind": "map", "grid": '
works map image.fits --calc '2 * a' --double -o table.fits # a table, without cards of an image
checks=$((checks + 1))
grep -aq CRPIX1 table.fits && fail "cards of an image in a table"
works analyze table.fits --lmax 3 -o height.fits --overwrite --quiet
works evaluate height.fits --points one.txt -o height.txt --overwrite --quiet
is "2 cos theta" "sqrt(($(awk '!/#/ { print $3 }' height.txt) - 2 * cos(1)) ^ 2) < 1e-12"

# Latitudes of a text file: those of a family are the family, others have no weights, and a_lm are
# fitted to maps on them. A file from south to north makes the same map.
python3 pixels.py points cc:33x64 0 |
    awk '!seen[$1]++ { printf "%.15g\n", 90 - $1 * 45 / atan2(1, 1) }' >cc.txt
works synthesize alm.fits --grid latitudes:cc.txt:64 --double -o family.fits
says 'grid cc:33x64'
checks=$((checks + 1))
cmp -s family.fits cc_33x64.fits || fail "latitudes of cc:33x64"
awk '{ print "# north first"; print $1 * 0.99 + 0.1 }' cc.txt >north.txt
tac north.txt >south.txt
works synthesize alm.fits --grid latitudes:north.txt:40 --double -o north.fits
says 'a grid of 33 rings'
works synthesize alm.fits --grid latitudes:south.txt:40 --double -o south.fits --quiet
checks=$((checks + 1))
cmp -s north.fits south.fits || fail "latitudes from south to north"
works analyze north.fits --lmax $lmax --json -o a.fits --overwrite
says '"grid": null|"lsmr": '
works synthesize a.fits --grid latitudes:north.txt:40 --double -o again.fits --overwrite --quiet
worst_of north.fits again.fits
is "back on latitudes" "$worst < 1e-8"
works smooth north.fits --fwhm ${fwhm}deg --lmax $lmax -o fitted.fits --quiet
works synthesize alm.fits --grid latitudes:north.txt:40 --fwhm ${fwhm}deg --double -o beam.fits \
    --quiet
worst_of fitted.fits beam.fits
is "smooth on latitudes" "$worst < 1e-6"
refuses 2 'weights' convolve north.fits --kernel gaussian:20deg -o out.fits
refuses 2 '--fsky|a grid of 33 rings without weights' map north.fits --fsky
refuses 2 '--remove-dipole|33 rings without weights' spectrum north.fits --remove-dipole -o out.txt
refuses 2 '--grid "latitudes:cc.txt"|NPHI' synthesize alm.fits --grid latitudes:cc.txt -o out.fits
refuses 2 '--grid "latitudes:cc.txt:0"|NPHI' synthesize alm.fits --grid latitudes:cc.txt:0 \
    -o out.fits
refuses 1 'none.txt' synthesize alm.fits --grid latitudes:none.txt:8 -o out.fits
printf '80\n91\n' >wrong.txt
refuses 1 'wrong.txt|line 2|-90 to 90' synthesize alm.fits --grid latitudes:wrong.txt:8 -o out.fits
printf '80\n70\n75\n' >wrong.txt
refuses 1 'wrong.txt|latitude 3, 75|rise' synthesize alm.fits --grid latitudes:wrong.txt:8 \
    -o out.fits
printf '80 3\n' >wrong.txt
refuses 1 'wrong.txt|line 1|one number, a latitude' synthesize alm.fits \
    --grid latitudes:wrong.txt:8 -o out.fits

# --- What is refused ------------------------------------------------------------------------------

refuses 2 '--grid "Q16"|nearest' synthesize alm.fits --grid Q16 -o out.fits
refuses 2 '--grid "cc:1x8"' synthesize alm.fits --grid cc:1x8 -o out.fits
refuses 2 '--grid "H16n"|HEALPix|--order nested' synthesize alm.fits --grid H16n -o out.fits
refuses 2 '--grid and --nside mean the same' synthesize alm.fits --grid O16 --nside 8 -o out.fits
refuses 2 '--grid|--nside|missing' simulate --cl cl.txt -o out.fits
refuses 2 '"O16.fits" has grid O16|"F16.fits" has grid F16' map O16.fits F16.fits --calc 'a + b' \
    -o out.fits
refuses 2 '"O16.fits" has grid O16|"own.fits" has a grid of 32 rings' spectrum O16.fits own.fits \
    -o out.txt
refuses 2 '--mask "healpix_16.fits": has nside 16|"O16.fits" has grid O16' smooth O16.fits \
    --fwhm 1deg --mask healpix_16.fits -o out.fits
refuses 2 '--nside: is for HEALPix|grid O16|synthesize --grid' map O16.fits --nside 8 -o out.fits
seq 60 -3 -60 >middle.txt
works synthesize alm.fits --grid latitudes:middle.txt:40 -o middle.fits --quiet
refuses 2 '--euler: the rings of a grid of 41 rings leave out a pole' map middle.fits \
    --euler 1deg,0deg,0deg -o out.fits
{ seq 88 -4 20 && seq -20 -4 -88; } >zone.txt
works synthesize alm.fits --grid latitudes:zone.txt:40 -o zone.fits --quiet
refuses 2 '--euler: the rings of a grid of 36 rings leave out a zone' map zone.fits \
    --euler 1deg,0deg,0deg -o out.fits
{ seq 60 -3 21 && seq -21 -3 -60; } >zone.txt
works synthesize alm.fits --grid latitudes:zone.txt:40 -o caps.fits --quiet
refuses 2 '--euler: the rings of a grid of 28 rings leave out a pole' map caps.fits \
    --euler 1deg,0deg,0deg -o out.fits
refuses 2 '--order nested: is for HEALPix|grid O16' map O16.fits --order nested -o out.fits
refuses 2 '--ring-weights: is for HEALPix|grid O16' analyze O16.fits --ring-weights -o out.fits
refuses 2 '--ring-weights: is for HEALPix|grid O16' smooth O16.fits --fwhm 20deg --method radial \
    --ring-weights -o out.fits
cp O16.fits unknown.fits
edit_header unknown.fits "'O16     '" "'Q16     '"
refuses 1 'unknown.fits|Q16' analyze unknown.fits -o out.fits
cp O16.fits other.fits
edit_header other.fits "'O16     '" "'O12     '"
refuses 1 'other.fits' analyze other.fits -o out.fits

finish
