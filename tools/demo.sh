#!/usr/bin/env bash
# Shows what the command can do: a simulated CMB sky, the same sky smoothed, pictures of both and of
# their spectra, and a check that smoothing multiplied the power spectrum by the beam's window
# squared.
#   tools/demo.sh BINARY OUTDIR
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: tools/demo.sh BINARY OUTDIR" >&2
    exit 2
fi
armilla=$1
out=$2
cl=$(cd "$(dirname "$0")/.." && pwd)/data/lcdm_planck2018_cl.txt
nside=512
lmax=1024
fwhm_arcmin=30

mkdir -p "$out"
say() { printf '\n%s\n' "$*"; }
run() {
    local word shown='  $ armilla'
    for word in "$@"; do
        case $word in *\'*) word="\"$word\"" ;; *[!A-Za-z0-9_./,:=+-]*) word="'$word'" ;; esac
        shown+=" $word"
    done
    printf '%s\n' "$shown"
    "$armilla" "$@" --overwrite --quiet
}

say "1. A Gaussian CMB sky (data/lcdm_planck2018_cl.txt), and the same sky seen by a 30' beam"
run simulate --cl "$cl" --nside $nside --lmax $lmax --seed 1 -o "$out/sky.fits"
run smooth "$out/sky.fits" --fwhm ${fwhm_arcmin}arcmin --lmax $lmax -o "$out/smooth.fits"

say "2. Their power spectra"
run spectrum "$out/sky.fits" --lmax $lmax -o "$out/sky_cl.txt"
run spectrum "$out/smooth.fits" --lmax $lmax -o "$out/smooth_cl.txt"

say "3. Pictures"
run view "$out/sky.fits" -o "$out/sky.png" --range -300,300 --cmap planck \
    --title "A simulated sky: the cosmic microwave background"
run view "$out/smooth.fits" -o "$out/smooth.png" --range -300,300 --cmap planck \
    --title "The same sky, seen by a beam of $fwhm_arcmin arcmin"
run view "$out/smooth.fits" -o "$out/globes.png" --projection orthographic --rot 30,30 --graticule \
    --cmap magma --title "Both sides of the smoothed sky"
run plot "$out/sky_cl.txt" "$out/smooth_cl.txt" --theory "$cl" --lrange 2,$lmax \
    --labels "this sky,smoothed to $fwhm_arcmin',theory" -o "$out/spectra.png" \
    --title "Power spectra of the two skies, and the theory they follow"

say "4. Smoothing multiplies C_l by b_l^2, b_l the window of the beam"
paste "$out/sky_cl.txt" "$out/smooth_cl.txt" | awk -v fwhm=$fwhm_arcmin '
    /^#/ { next }
    BEGIN {
        pi = atan2(0, -1)
        sigma = fwhm / 60 * pi / 180 / sqrt(8 * log(2))
        printf "  %6s %14s %14s %14s %14s %12s\n", "l", "C_l sky", "C_l smooth", "ratio", "b_l^2",
               "deviation"
    }
    $1 < 2 { next }
    {
        window = exp(-$1 * ($1 + 1) * sigma * sigma)
        if (window < 1e-6) { exit }
        ratio = $4 / $2
        deviation = ratio / window - 1
        size = deviation < 0 ? -deviation : deviation
        if (size > largest) { largest = size; where = $1 }
        sum += deviation * deviation
        last = $1
        count++
        if ($1 == 2 || $1 % 200 == 0 || $1 == 1000)
            printf "  %6d %14.6e %14.6e %14.6e %14.6e %12.1e\n", $1, $2, $4, ratio, window,
                   deviation
    }
    END {
        printf "  deviation = ratio / b_l^2 - 1 for l = 2 to %d, where b_l^2 > 1e-6:\n", last
        printf "  rms %.1e, largest %.1e at l = %d\n", sqrt(sum / count), largest, where
    }'
cat <<'EOF'
  Both spectra are of one sky, so there is no cosmic variance. What is left comes from HEALPix'
  quadrature, which is not exact and converges by iteration (three times here; --iter 6 makes it
  ten times smaller), and from maps stored in 32 bits.
EOF

say "Made in $out:"
for file in sky.fits smooth.fits sky_cl.txt smooth_cl.txt sky.png smooth.png globes.png \
    spectra.png; do
    printf '  %-14s %9d bytes\n' "$file" "$(wc -c <"$out/$file")"
done
echo "Look at $out/sky.png, $out/smooth.png, $out/globes.png and $out/spectra.png."
