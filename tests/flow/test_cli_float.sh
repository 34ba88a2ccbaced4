#!/usr/bin/env bash
# --float: results are those of double precision to some 1e-6, and not the same; files of
# coefficients hold floats; what single precision cannot reach is refused.
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

finish
