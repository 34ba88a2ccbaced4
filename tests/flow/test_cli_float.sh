#!/usr/bin/env bash
# --float: results are those of double precision to some 1e-6, and not the same; files of
# coefficients hold floats; maps take half of the memory; what single precision cannot reach is
# refused.
source "$(dirname "$0")/support.sh"

printf '# l TT EE BB TE in uK^2\n' >cl.txt
awk 'BEGIN { for (l = 0; l <= 40; l++) print l, 1, 0.5, 0.1, 0.2 }' >>cl.txt

# near FILE FILE: maps that differ, by less than 1e-5 of what they reach.
near() {
    works map "$1" "$2" --calc 'abs(a - b)' -o error.fits --quiet --overwrite
    worst=$("$armilla" info error.fits --json | grep -o '"maximum": [0-9.e-]*' | sed 's/.* //' |
        sort -g | tail -n 1)
    is "$1 and $2" "$worst > 0 && $worst < 1e-3"
}
for pol in '' --pol; do
    works simulate --cl cl.txt --nside 16 --seed 1 $pol --double --alm alm.fits -o map.fits --quiet
    works simulate --cl cl.txt --nside 16 --seed 1 $pol --double --alm alm32.fits -o map32.fits \
        --float --quiet
    near map.fits map32.fits
    works analyze map.fits --lmax 32 $pol -o a.fits --quiet
    works analyze map.fits --lmax 32 $pol --float -o a32.fits --quiet
    is "sizes of alm files" "$(wc -c <a32.fits) < $(wc -c <a.fits)"
    works info a32.fits --json
    says '"kind": "alm"|"type": "float"'
    works synthesize a.fits --grid healpix:16 $pol --double -o s.fits --quiet
    works synthesize a32.fits --grid healpix:16 $pol --double --float -o s32.fits --quiet
    near s.fits s32.fits
    works smooth map.fits --fwhm 10deg $pol -o f.fits --quiet
    works smooth map.fits --fwhm 10deg $pol --float -o f32.fits --quiet
    near f.fits f32.fits
    works spectrum map.fits --lmax 32 $pol -o cl64.txt --quiet
    works spectrum map.fits --lmax 32 $pol --float -o cl32.txt --quiet
    checks=$((checks + 1))
    paste cl64.txt cl32.txt | awk -v n=$((${#pol} ? 7 : 2)) '!/#/ {
        for (i = 2; i <= n; i++) {
            e = $i - $(i + n); if (e > 1e-4 || e < -1e-4) exit 1
            if (e != 0) differ = 1
        } } END { exit !differ }' || fail "spectrum --float $pol"
    rm -- *.fits cl64.txt cl32.txt
done
works simulate --cl cl.txt --nside 16 --seed 1 -o map.fits --quiet
refuses 2 '--tol 1e-08|--float' analyze map.fits --tol 1e-8 --float -o out.fits
works analyze map.fits --lmax 24 --tol 1e-5 --float -o out.fits

# Files that are read or written as a whole alone, and in NESTED order, are the same map.
works map map.fits --order nested -o nested.fits
works map map.fits --calc 'where(a > 2, a, 0 / 0)' -o holes.fits
works map holes.fits --calc 'where(missing(a), 0, 1)' -o mask.fits
cat >partial.py <<'PY'
import struct
kept = [i for i in range(3072) if i % 3]
card = lambda name, value: ("%-8s= %20s" % (name, value)).ljust(80)
pad = lambda data, fill: data + fill * (-len(data) % 2880)
cards = [("XTENSION", "'BINTABLE'"), ("BITPIX", 8), ("NAXIS", 2), ("NAXIS1", 12),
         ("NAXIS2", len(kept)), ("PCOUNT", 0), ("GCOUNT", 1), ("TFIELDS", 2), ("TTYPE1", "'PIXEL'"),
         ("TFORM1", "'1J'"), ("TTYPE2", "'I'"), ("TFORM2", "'1D'"), ("PIXTYPE", "'HEALPIX'"),
         ("ORDERING", "'RING'"), ("NSIDE", 16), ("INDXSCHM", "'EXPLICIT'"), ("OBJECT", "'PARTIAL'")]
first = [("SIMPLE", "T"), ("BITPIX", 8), ("NAXIS", 0), ("EXTEND", "T")]
with open("partial.fits", "wb") as f:
    for header in (first, cards):
        text = "".join(card(*pair) for pair in header) + "END".ljust(80)
        f.write(pad(text.encode(), b" "))
    f.write(pad(b"".join(struct.pack(">id", i, i % 7) for i in kept), b"\0"))
PY
python3 partial.py
for map in nested holes partial; do
    works smooth $map.fits --fwhm 10deg -o f.fits --quiet --overwrite
    works smooth $map.fits --fwhm 10deg --float -o f32.fits --quiet --overwrite
    near f.fits f32.fits
    missing=$("$armilla" info f.fits --json | grep -o '"missing": [0-9]*')
    works info f32.fits --json
    says "$missing"
    is "sizes of maps" "$(wc -c <f32.fits) == $(wc -c <f.fits)" # of a partial map as many pixels
    is "what is missing" "$(od -A n -v -t x4 --endian=big f32.fits | grep -o f149f2c8 | wc -l) == \
        $(od -A n -v -t x4 --endian=big f.fits | grep -o f149f2c8 | wc -l)"
done
works smooth map.fits --fwhm 10deg --mask mask.fits -o f.fits --quiet --overwrite
works smooth map.fits --fwhm 10deg --mask mask.fits --float -o f32.fits --quiet --overwrite
near f.fits f32.fits
awk 'BEGIN { for (i = 0; i < 40; i++) print 88 - 4.4 * i }' >rings.txt # a grid without a name
works simulate --cl cl.txt --grid latitudes:rings.txt:64 --lmax 20 --seed 1 -o r.fits
works simulate --cl cl.txt --grid latitudes:rings.txt:64 --lmax 20 --seed 1 --float -o r32.fits
near r.fits r32.fits
works map map.fits --calc 'where(a > 2, 1e39, a)' --double -o large.fits
refuses 1 'large.fits|infinite, or too large for --float' analyze large.fits --float -o none.fits
works analyze large.fits --lmax 8 -o none.fits
refuses 1 'too large for --float' synthesize none.fits --grid healpix:4 --float -o none2.fits
works map map.fits --calc '3e38 + 0 * a' --double -o high.fits
works map map.fits --calc '2 + 0 * a' -o twice.fits
refuses 1 'map[0] = inf' analyze high.fits --mask twice.fits --iter 0 --float -o none2.fits

# The peak, of which maps are most: 25 MB of doubles a field.
cat >peak.py <<'PY'
import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
PY
peak() {
    checks=$((checks + 1))
    python3 peak.py "$armilla" "$@" --quiet --overwrite || fail "armilla $*"
}
for command in "simulate --cl cl.txt --grid cc:1025x3072 --lmax 40 --seed 1 --pol -o large.fits" \
    "analyze large.fits --pol --lmax 40 -o a.fits" \
    "smooth large.fits --pol --lmax 40 --fwhm 1deg -o f.fits"; do
    doubles=$(peak $command) floats=$(peak $command --float)
    is "peak of $command" "$floats < 0.7 * $doubles"
done

finish
