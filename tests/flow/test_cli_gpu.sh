#!/usr/bin/env bash
# --device cuda, on the emulated GPU of the build tree: its library has the name of the other one,
# so that the command finds it by another search path. Results are those of the processor; what a
# GPU does not offer is refused by name.
source "$(dirname "$0")/support.sh"

emulated="${ARMILLA_BUILD:?}/emulated"
[ -e "$emulated/libarmilla.so" ] || exit 77
export LD_LIBRARY_PATH="$emulated${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
"$armilla" info | grep -q '^GPU: CUDA emulation' || exit 77

# near FILE FILE [ERROR]: maps that differ by less than 1e-12 of what they reach, if at all.
near() {
    works map "$1" "$2" --calc 'abs(a - b)' --double -o error.fits --quiet --overwrite
    worst=$("$armilla" info error.fits --json | grep -o '"maximum": [0-9.e+-]*' | sed 's/.* //' |
        sort -g | tail -n 1)
    most=$("$armilla" info "$2" --json | grep -o '"maximum": [0-9.e+-]*' | sed 's/.* //' |
        sort -g | tail -n 1)
    is "$1 and $2" "$most > 0.01 && $worst < ${3:-1e-12} * $most"
}

make_cl
awk 'BEGIN { print "# l TT EE BB TE"; for (l = 0; l <= 40; l++) print l, 1, .5, .1, .2 }' >teb.txt
works simulate --cl cl.txt --nside 8 --seed 1 --double -o map.fits --quiet

# convolve, smooth: maps with holes, Q and U.
works map map.fits --calc 'where(a > 0.5, 0, 1)' -o mask.fits --quiet
works simulate --cl teb.txt --nside 8 --seed 1 --pol --double --alm alm.fits -o iqu.fits --quiet
for way in "convolve map.fits --method pixels --kernel gaussian:15deg" \
    "convolve map.fits --method pixels --kernel tophat:20deg" \
    "convolve map.fits --method pixels --kernel gaussian:15deg --mask mask.fits --fill" \
    "convolve iqu.fits --method pixels --pol --kernel gaussian:15deg" \
    "convolve map.fits --method pixels --mode standard --kernel gaussian:15deg" \
    "smooth map.fits --fwhm 15deg --method radial" \
    "smooth iqu.fits --pol --fwhm 15deg --method radial"; do
    works $way --device cuda -o gpu.fits --overwrite
    says 'support|, on the GPU'
    works $way -o cpu.fits --overwrite
    case $said in *'on the GPU'*) fail "$way was on the GPU" ;; esac
    near gpu.fits cpu.fits
done
convolve="convolve map.fits --kernel gaussian:15deg --device cuda"
refuses 2 '--device cuda|--stream' $convolve --stream -o out.fits
refuses 2 '--method auto|--device cuda' \
    smooth map.fits --fwhm 15deg --method auto --device cuda -o out.fits

# evaluate: interpolated, also a few; a map is analyzed there, too.
awk 'BEGIN { for (i = 0; i < 9; i++) print i * 0.39, i }' >points.txt
for way in alm.fits "alm.fits --spin 2" "map.fits --lmax 12" "iqu.fits --spin 2 --lmax 12"; do
    works evaluate $way --points points.txt --device cuda --epsilon 1e-12 -o gpu.txt --overwrite
    says 'wrote gpu.txt: 9 directions|interpolated, epsilon 1e-12'
    works evaluate $way --points points.txt -o cpu.txt --quiet --overwrite
    checks=$((checks + 1))
    paste gpu.txt cpu.txt | awk '!/#/ {
        for (i = 3; i <= NF / 2; i++) {
            e = $i - $(i + NF / 2); if (e > 1e-9 || e < -1e-9) exit 1; count++
        } } END { exit count < 9 }' || fail "evaluate $way"
done
evaluate="evaluate alm.fits --points points.txt --device cuda -o out.txt"
refuses 2 '--device cuda|--derivatives' $evaluate --derivatives 1
refuses 2 '--device cuda|--method direct' $evaluate --method direct

# lens.
awk 'BEGIN { print "# l TT"; for (l = 0; l <= 40; l++) print l, 1e-4 / (l + 1) ^ 4 }' >phi.txt
works simulate --cl phi.txt --nside 8 --seed 2 --alm phi.fits -o phi_map.fits --quiet
for pol in '' --pol; do
    lens="lens alm.fits --phi phi.fits --grid healpix:8 --double --epsilon 1e-12 $pol"
    works $lens --device cuda -o gpu.fits --quiet --overwrite
    works $lens -o cpu.fits --quiet --overwrite
    near gpu.fits cpu.fits 1e-10
done

# Several GPUs: the same bits; what has no list is refused by name.
export ARMILLA_EMULATION_DEVICES=3
for way in "synthesize alm.fits --grid healpix:8 --pol" "analyze iqu.fits --lmax 12 --pol" \
    "convolve map.fits --method pixels --kernel gaussian:15deg" \
    "convolve map.fits --method rings --kernel gaussian:15deg" \
    "smooth map.fits --fwhm 15deg --method radial" "smooth map.fits --fwhm 15deg" \
    "evaluate alm.fits --points points.txt --spin 2" "evaluate map.fits --points points.txt" \
    "lens alm.fits --phi phi.fits --grid healpix:8 --pol"; do
    works $way --device cuda -o one.out --quiet --overwrite
    works $way --device cuda --devices 2,0,1 -o several.out --quiet --overwrite
    checks=$((checks + 1))
    cmp -s one.out several.out || fail "$way differs on several GPUs"
done
several='--device cuda -o out.fits --devices'
refuses 2 '--devices[1] = 3|the process sees 3 GPUs' \
    convolve map.fits --kernel gaussian:15deg $several 0,3
refuses 2 '--devices|--device cuda' synthesize alm.fits --grid healpix:8 --devices 0 -o out.fits
for list in 0,0 0, ,1 a -1 0-1 1234567; do
    refuses 2 "--devices \"$list\"|must be numbers of GPUs, each once, such as 0,1" \
        synthesize alm.fits --grid healpix:8 $several "$list"
done

finish
