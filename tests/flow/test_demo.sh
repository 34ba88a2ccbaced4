#!/usr/bin/env bash
# tools/demo.sh: makes what it promises, a second time too, and the deviation it prints is small.
source "$(dirname "$0")/support.sh"

demo=${ARMILLA_SOURCE:?set ARMILLA_SOURCE to the source tree}/tools/demo.sh
echo "mine" >mine.txt
mkdir out && cp mine.txt out/
rounds="first second"
if grep -q '^ARMILLA_SANITIZE:[A-Z]*=.' "${ARMILLA_BUILD:?}/CMakeCache.txt"; then
    rounds=first # minutes each
fi
for round in $rounds; do
    said=$(bash "$demo" "$armilla" out 2>&1)
    code=$?
    [ $code -eq 0 ] || fail "the $round demo ended with $code: $said"
done
for file in sky.fits smooth.fits sky.png smooth.png globes.png spectra.png sky_cl.txt \
    smooth_cl.txt; do
    says "$file"
    [ -s out/$file ] || fail "no $file"
done
[ "$(ls out | wc -l)" -eq 9 ] || fail "the demo left other files: $(ls out)"
[ "$(cat out/mine.txt)" = mine ] || fail "the demo touched a file that is not its own"
rms=$(printf '%s\n' "$said" | sed -n 's/.*rms \([^,]*\), largest.*/\1/p')
is "rms deviation of the ratio from b_l^2" "$rms + 0 > 0 && $rms < 1e-3"

finish
