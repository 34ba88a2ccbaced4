#!/usr/bin/env bash
# --device cuda, on the emulated GPU of the build tree: its library has the name of the other one,
# so that the command finds it by another search path. Results are those of the processor; what a
# GPU does not offer is refused by name.
source "$(dirname "$0")/support.sh"

emulated="${ARMILLA_BUILD:?}/emulated"
[ -e "$emulated/libarmilla.so" ] || exit 77
export LD_LIBRARY_PATH="$emulated${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
"$armilla" info | grep -q '^GPU: CUDA emulation' || exit 77

# near FILE FILE: maps that differ by less than 1e-12 of what they reach, if at all.
near() {
    works map "$1" "$2" --calc 'abs(a - b)' --double -o error.fits --quiet --overwrite
    worst=$("$armilla" info error.fits --json | grep -o '"maximum": [0-9.e+-]*' | sed 's/.* //' |
        sort -g | tail -n 1)
    most=$("$armilla" info "$2" --json | grep -o '"maximum": [0-9.e+-]*' | sed 's/.* //' |
        sort -g | tail -n 1)
    is "$1 and $2" "$most > 0.01 && $worst < 1e-12 * $most"
}

make_cl
works simulate --cl cl.txt --nside 8 --seed 1 --double -o map.fits --quiet

# convolve, smooth: by the method pixels.
for way in "convolve map.fits --kernel gaussian:15deg" "convolve map.fits --kernel tophat:20deg" \
    "smooth map.fits --fwhm 15deg --method radial"; do
    works $way --device cuda -o gpu.fits --overwrite
    says 'method pixels, on the GPU'
    method='--method pixels'
    [ "${way%% *}" = convolve ] || method=
    works $way $method -o cpu.fits --overwrite
    near gpu.fits cpu.fits
done
convolve="convolve map.fits --kernel gaussian:15deg --device cuda"
refuses 2 '--device cuda|--stream' $convolve --stream -o out.fits
refuses 2 'method = RINGS|on a GPU' $convolve --method rings -o out.fits
refuses 2 'mode = STANDARD|on a GPU' $convolve --mode standard -o out.fits
refuses 2 '--method auto|--device cuda' \
    smooth map.fits --fwhm 15deg --method auto --device cuda -o out.fits

finish
