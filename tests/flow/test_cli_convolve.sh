#!/usr/bin/env bash
# armilla convolve, and smooth --method: sums over pixels whose results are known, holes and masks,
# kernels as text, what is refused.
source "$(dirname "$0")/support.sh"

one='\x3f\x80\x00\x00' three='\x40\x40\x00\x00' five='\x40\xa0\x00\x00'
zero='\x00\x00\x00\x00' nan='\x7f\xc0\x00\x00'
npix=768

identical() {
    checks=$((checks + 1))
    cmp -s "$1" "$2" || fail "$1 and $2 differ"
}
# close A B TOLERANCE [NPIX]: largest difference of two maps, over the largest value of the second.
close() {
    checks=$((checks + 1))
    paste <(floats "$1" "${4:-$npix}") <(floats "$2" "${4:-$npix}") |
        awk -v tolerance="$3" '
            /nan/ { bad++ } # awk takes a NaN as equal to any number
            { d = $1 - $2; if (d < 0) d = -d; v = $2 < 0 ? -$2 : $2
              if (d > largest) largest = d; if (v > scale) scale = v; count++ }
            END { exit !(count > 10 && !bad && scale > 0 && largest <= tolerance * scale) }' ||
        fail "$1 and $2 differ by more than $3"
}
# sum_of FILE: sum of the values, minimum, maximum, number of zeros, number of missing pixels.
summary() {
    floats "$1" $npix | awk '
        $1 < -1e30 { missing++; next }
        { sum += $1; if ($1 < 1e-15 && $1 > -1e-15) zeros++
          if (!seen++ || $1 < low) low = $1; if (seen == 1 || $1 > high) high = $1 }
        END { printf "%.9g %.9g %.9g %d %d\n", sum, low, high, zeros, missing }'
}

make_cl
works simulate --cl cl.txt --nside 8 --seed 1 -o map.fits --quiet
repeat $npix "$one" | with_data map.fits $npix ones.fits
{ repeat 300 "$zero"; repeat 1 "$one"; repeat 467 "$zero"; } | with_data map.fits $npix point.fits
{ repeat 384 "$one"; repeat 384 "$nan"; } | with_data map.fits $npix holes.fits
{ repeat 384 "$one"; repeat 384 "$zero"; } | with_data map.fits $npix mask.fits

# What it says; the same bits for any number of threads.
works convolve map.fits -o gauss.fits --kernel gaussian:20deg
says 'gaussian:20deg|support|arcmin|truncation error|integral|method|nside 8|0 pixels missing'
works convolve map.fits -o gauss_one.fits --kernel gaussian:20deg --threads 1
identical gauss.fits gauss_one.fits
works convolve map.fits -o quiet.fits --kernel gaussian:20deg --quiet
[ -z "$said" ] || fail "--quiet said: $said"
works info gauss.fits
says '8|RING|TEMPERATURE'

# Ring weights make the integral of the kernel more exact: a map of ones stays one.
works convolve ones.fits -o equal.fits --kernel gaussian:40deg
works convolve ones.fits -o weighted.fits --kernel gaussian:40deg --ring-weights
read -r _ low high _ _ < <(summary equal.fits)
read -r _ weighted_low weighted_high _ _ < <(summary weighted.fits)
is "ring weights" "$weighted_high - $weighted_low < 0.1 * ($high - $low)"

# A point under a kernel of finite support: zeros far away, none negative, the sum is kept.
works convolve point.fits -o spread.fits --kernel gaussian:20deg --support 40deg
says 'support 2400 arcmin'
read -r sum low high zeros missing < <(summary spread.fits)
is "sum of a beam" "($sum - 1) ^ 2 < 1e-4"
is "nothing negative but rounding" "$low >= -1e-15 * $high && $high > 0.01"
is "zeros beyond the support" "$zeros > 500 && $zeros < 700"
works convolve point.fits -o spread_far.fits --kernel gaussian:20deg --truncation-error 1e-3 \
    --method pixels
read -r _ _ _ far _ < <(summary spread_far.fits)
works convolve point.fits -o spread_more.fits --kernel gaussian:20deg --truncation-error 1e-6 \
    --method pixels
read -r _ _ _ more _ < <(summary spread_more.fits)
is "a smaller error needs a larger support" "$more < $far"

# Normalization: a constant stays as it is under `sum`; `none` gives the integral of the kernel.
works convolve ones.fits -o ones_sum.fits --kernel tophat:25deg --normalization sum
close ones_sum.fits ones.fits 1e-7
works convolve ones.fits -o ones_narrow.fits --kernel gaussian:1deg
says 'normalization sum|warning|narrower than a pixel'
close ones_narrow.fits ones.fits 1e-7
works smooth ones.fits -o ones_radial.fits --fwhm 1deg --method radial
close ones_radial.fits ones.fits 1e-7
works convolve ones.fits -o ones_stream.fits --kernel gaussian:1deg --stream
cmp -s ones_stream.fits ones_narrow.fits || fail "a stream differs under a narrow kernel"
awk 'BEGIN { print "# two columns: theta in deg, K in 1/sr"; print "0 2"; print "10, 2"; print "\n#"
    print "180\t2" }' >table.txt
works convolve ones.fits -o ones_table.fits --kernel table:table.txt --normalization none
says 'normalization none'
read -r sum low high _ < <(summary ones_table.fits)
is "8 pi" "($low / 25.132741228718345 - 1) ^ 2 + ($high / 25.132741228718345 - 1) ^ 2 < 1e-12"
works convolve ones.fits -o ones_auto.fits --kernel table:table.txt
says 'normalization integral'
close ones_auto.fits ones.fits 1e-6
printf '0 2\n3.141592653589793 2\n' >radians.txt
works convolve ones.fits -o ones_radians.fits --kernel table:radians.txt --normalization none
close ones_radians.fits ones_table.fits 1e-7

# Kernels by name and by their window are the same: l (l + 1) sigma^2 exp(...), 40 degrees.
awk 'BEGIN { s = 40 * atan2(0, -1) / 180 / sqrt(8 * log(2)); print "# l b_l"
    for (l = 0; l <= 60; l++) { x = l * (l + 1) * s * s; printf "%d %.17g\n", l, x * exp(-x / 2) }
}' >hat.txt
works convolve map.fits -o hat.fits --kernel mexhat:40deg
says 'normalization none'
works convolve map.fits -o hat_window.fits --kernel window:hat.txt
close hat.fits hat_window.fits 1e-5
works convolve map.fits -o needlet.fits --kernel needlet:2,2
works convolve map.fits -o standard.fits --kernel gaussian:40deg --mode standard
says 'standard mode'
works convolve map.fits -o exact.fits --kernel gaussian:40deg
close standard.fits exact.fits 1e-2
cmp -s standard.fits exact.fits && fail "--mode has no effect"

# Holes and masks: the mean of what is there; they stay missing, or are filled.
works convolve holes.fits -o holes_out.fits --kernel gaussian:20deg
says '384 of 768 pixels are missing|weighted mean|384 pixels missing'
read -r sum low high _ missing < <(summary holes_out.fits)
is "the mean of ones" "$missing == 384 && ($low - 1) ^ 2 < 1e-12 && ($high - 1) ^ 2 < 1e-12"
works convolve ones.fits -o mask_out.fits --kernel gaussian:20deg --mask mask.fits
says 'missing or masked'
identical mask_out.fits holes_out.fits
{ repeat 384 "$one"; repeat 384 "$five"; } | with_data map.fits $npix halves.fits
{ repeat 384 "$three"; repeat 384 "$one"; } | with_data map.fits $npix weights.fits
works convolve halves.fits -o halves_out.fits --kernel tophat:180deg --mask weights.fits
read -r sum low high _ missing < <(summary halves_out.fits)
is "weights 3 and 1 of 1 and 5" "$missing == 0 && ($low - 2) ^ 2 + ($high - 2) ^ 2 < 1e-12"
works convolve holes.fits -o filled.fits --kernel gaussian:20deg --fill
read -r sum low high _ filled < <(summary filled.fits)
is "filled near the edge" "$filled > 50 && $filled < 384 && ($high - 1) ^ 2 < 1e-12"
works convolve holes.fits -o filled_less.fits --kernel gaussian:20deg --fill --least 0.3
read -r _ _ _ _ less < <(summary filled_less.fits)
is "--least" "$less > $filled && $less < 384"
works convolve holes.fits -o hat_holes.fits --kernel mexhat:40deg
says 'count as 0|not normalized'
works convolve mask.fits -o hat_zeros.fits --kernel mexhat:40deg
paste <(floats hat_holes.fits $npix) <(floats hat_zeros.fits $npix) |
    awk 'NR <= 384 && $1 != $2 { bad++ } END { exit bad > 0 }' ||
    fail "holes under a Mexican hat are not zeros"
refuses 2 '--fill|normalized' convolve holes.fits -o out.fits --kernel mexhat:40deg --fill

# A kernel that is narrower than a pixel: a warning with both widths.
works convolve map.fits -o narrow.fits --kernel gaussian:2deg --quiet
says 'warning|120 arcmin|440 arcmin|narrower than a pixel'

# smooth --method: the same beam both ways, on a map of few degrees; auto says which it took.
works simulate --cl cl.txt --nside 32 --lmax 20 --seed 1 -o fine.fits --quiet
works smooth fine.fits -o harmonic.fits --fwhm 15deg
works smooth fine.fits -o harmonic_too.fits --fwhm 15deg --method harmonic
identical harmonic.fits harmonic_too.fits
works smooth fine.fits -o radial.fits --fwhm 15deg --method radial
says 'support|method|wrote radial.fits: nside 32, beam 15deg'
works smooth fine.fits -o zero.fits --fwhm 15deg --iter 0
close radial.fits zero.fits 1e-6 12288
close radial.fits harmonic.fits 5e-3 12288
works smooth fine.fits -o auto.fits --fwhm 15deg --method auto
says 'by the model|s of one core'
checks=$((checks + 1))
cmp -s auto.fits harmonic.fits || cmp -s auto.fits radial.fits || fail "auto is neither way"
works smooth fine.fits -o auto_narrow.fits --fwhm 1deg --method auto
says 'method harmonic; not radial|sampled'
works smooth fine.fits -o auto_lmax.fits --fwhm 15deg --method auto --lmax 30
says 'method harmonic; not radial: --lmax'
works smooth holes.fits -o holes_radial.fits --fwhm 20deg --method radial
read -r _ low _ _ missing < <(summary holes_radial.fits)
is "holes count as 0, and stay" "$missing == 384 && $low < 0.9 && $low > 0.3"
works smooth mask.fits -o zeros_radial.fits --fwhm 20deg --method radial
paste <(floats holes_radial.fits $npix) <(floats zeros_radial.fits $npix) |
    awk 'NR <= 384 && $1 != $2 { bad++ } END { exit bad > 0 }' ||
    fail "smooth --method radial: holes are not zeros"
works smooth fine.fits -o threads.fits --fwhm 15deg --method radial --threads 1
identical threads.fits radial.fits

# smooth --ring-weights: radial as convolve has it; harmonic with the same quadrature.
works convolve fine.fits -o convolve_weighted.fits --kernel gaussian:15deg --ring-weights
works smooth fine.fits -o radial_weighted.fits --fwhm 15deg --method radial --ring-weights
identical radial_weighted.fits convolve_weighted.fits
! cmp -s radial_weighted.fits radial.fits || fail "smooth --method radial: no ring weights"
works smooth fine.fits -o zero_weighted.fits --fwhm 15deg --iter 0 --ring-weights
! cmp -s zero_weighted.fits zero.fits || fail "smooth: no ring weights"
close zero_weighted.fits radial_weighted.fits 1e-6 12288
works smooth fine.fits -o auto_weighted.fits --fwhm 15deg --method auto --iter 0 --ring-weights
cmp -s auto_weighted.fits zero_weighted.fits || cmp -s auto_weighted.fits radial_weighted.fits ||
    fail "auto with ring weights is neither way"

# Polarisation: Q and U together, rotated along; single columns are refused by name unless they are
# asked for as scalars.
printf '# l TT EE BB TE\n' >pol.txt
awk 'BEGIN { for (l = 0; l <= 16; l++) print l, 1, 1, 0, 0 }' >>pol.txt
works simulate --cl pol.txt --pol --nside 8 --seed 1 -o pol.fits --quiet
works convolve pol.fits -o temperature.fits --kernel gaussian:20deg
refuses 2 'Q_POLARISATION|--pol|--scalar' convolve pol.fits --field Q -o out.fits \
    --kernel gaussian:20deg
refuses 2 'U_POLARISATION|--pol|--scalar' convolve pol.fits --field 2 -o out.fits \
    --kernel gaussian:20deg
works convolve pol.fits --field Q --scalar -o scalar.fits --kernel gaussian:20deg
refuses 2 '--pol|--scalar|one' convolve pol.fits --pol --scalar -o out.fits --kernel gaussian:20deg
refuses 2 '--pol|streamed' convolve pol.fits --pol --stream -o out.fits --kernel gaussian:20deg
# Both methods with one support: the same numbers, up to the rounding of float.
for method in pixels rings; do
    works convolve pol.fits --pol --method $method --support 100deg -o iqu_$method.fits \
        --kernel gaussian:20deg
    says "method $method, of Q and U $method"
    for field in Q U; do
        works convolve iqu_$method.fits --field $field --scalar -o $method$field.fits \
            --kernel gaussian:5deg --quiet
    done
done
close pixelsQ.fits ringsQ.fits 1e-6
close pixelsU.fits ringsU.fits 1e-6
works convolve pol.fits --pol --mode standard -o iqu_standard.fits --kernel gaussian:20deg
says 'I, Q and U|standard mode'
works convolve pol.fits --pol -o iqu.fits --kernel gaussian:20deg
says 'wrote iqu.fits: I, Q and U, nside 8|0 pixels missing'
works info iqu.fits
says 'TEMPERATURE|Q_POLARISATION|U_POLARISATION'
works convolve iqu.fits -o first.fits --kernel gaussian:1deg --quiet
works convolve temperature.fits -o second.fits --kernel gaussian:1deg --quiet
identical first.fits second.fits # I is what it is without --pol
works smooth pol.fits --pol -o pol_radial.fits --fwhm 20deg --method radial
says 'I, Q and U'
identical pol_radial.fits iqu.fits
works simulate --cl pol.txt --pol --nside 32 --lmax 16 --seed 1 -o pol_fine.fits --quiet
works smooth pol_fine.fits --pol -o pol_sum.fits --fwhm 15deg --method radial
works smooth pol_fine.fits --pol -o pol_zero.fits --fwhm 15deg --iter 0
for field in 0 Q U; do
    for way in sum zero; do
        works convolve pol_$way.fits --field $field --scalar -o $way$field.fits \
            --kernel gaussian:5deg --quiet
    done
    close sum$field.fits zero$field.fits 1e-6 12288
done
works smooth pol_fine.fits --pol -o pol_auto.fits --fwhm 15deg --method auto
says 'by the model|s of one core'

# Holes in Q alone are holes of U too, and the mean is of what is there.
works convolve pol.fits --pol -o iqu_masked.fits --kernel gaussian:20deg --mask mask.fits
says '384 of 768 pixels are missing or masked|384 pixels missing'
works convolve pol.fits --pol --fill -o iqu_filled.fits --kernel gaussian:20deg --mask mask.fits
says 'weighted mean'
refuses 2 '--method radial|Gaussian' smooth pol.fits --pol -o out.fits --beam hat.txt \
    --method radial

# Kernels at offsets. Without an offset they are the kernel; a sum of two is one; a point reaches
# nothing beyond the supports, and its weights add up; psi turns the beam.
printf '# comment\n\n0deg 0deg 0.75 gaussian:20deg\n0rad 1rad 0.25 gaussian:20deg # more\n' >two.txt
refuses 1 'two.txt|line 4|two angles, a weight and a kernel' convolve map.fits -o out.fits \
    --asymmetric two.txt
printf '# comment\n\n0deg 0deg 0.75 gaussian:20deg\n0rad 1rad 0.25 gaussian:20deg\n' >two.txt
works convolve map.fits -o two.fits --asymmetric two.txt
says 'two.txt|support|truncation error|auto|pixels|nside 8'
close two.fits gauss.fits 1e-5
printf '30deg 0deg 0.8 gaussian:20deg\n40deg 180deg -0.2 tophat:20deg\n' >lobes.txt
works convolve point.fits -o lobes.fits --asymmetric lobes.txt --normalization none
read -r _ low high zeros _ < <(summary lobes.fits)
is "lobes of both signs and zeros" "$low < -0.001 && $high > 0.01 && $zeros > 300"
printf '30deg -90deg 0.8 gaussian:20deg\n40deg 90deg -0.2 tophat:20deg\n' >turned.txt
works convolve point.fits -o turned.fits --asymmetric turned.txt --normalization none --psi 90deg
close turned.fits lobes.fits 1e-6
works convolve holes.fits -o holes_seen.fits --asymmetric two.txt --json
says '"kernel": "two.txt"|"missing": [384]'
says 'they count as 0, as sums of kernels at offsets may be negative'
works convolve holes.fits -o holes_sum.fits --asymmetric two.txt --normalization sum
says 'they count as 0, as sums of kernels at offsets may be negative'
refuses 2 '--asymmetric|negative|no mean to fill with' convolve holes.fits -o out.fits \
    --asymmetric two.txt --normalization sum --fill
refuses 2 '--asymmetric|counts as 0|--least' convolve holes.fits -o out.fits --asymmetric two.txt \
    --least 0.1
asymmetric="convolve map.fits -o out.fits --asymmetric two.txt"
refuses 2 '--kernel and --asymmetric' $asymmetric --kernel gaussian:9deg
refuses 2 '--asymmetric|--pol' $asymmetric --pol
refuses 2 '--asymmetric|--stream' $asymmetric --stream
refuses 2 '--asymmetric|--mode' $asymmetric --mode standard
refuses 2 '--asymmetric|--method' $asymmetric --method rings
refuses 2 '--psi "1"|no unit' $asymmetric --psi 1
refuses 2 '--psi|--asymmetric' convolve map.fits -o out.fits --kernel gaussian:9deg --psi 1deg
refuses 2 '"none.txt"|no such file' convolve map.fits -o out.fits --asymmetric none.txt
offsets() { # TEXT WORDS: a table of this text is refused
    printf "$1" >bad.txt
    refuses 1 "bad.txt|$2" convolve map.fits -o out.fits --asymmetric bad.txt
}
offsets '# nothing\n' 'no kernel'
offsets '1deg 2deg 3\n' 'line 1|two angles, a weight and a kernel'
offsets '1deg 2 3 gaussian:9deg\n' 'line 1|no unit'
offsets '1deg 2deg 3 gaussian:9deg\n181deg 2deg 3 gaussian:9deg\n' 'line 2|180deg'
offsets '1deg 2deg x gaussian:9deg\n' 'line 1|must be a number'
offsets '1deg 2deg 3 box:9deg\n' 'line 1|unknown kernel'

# Refused before any work, in the words of the command line.
convolve="convolve map.fits -o out.fits"
refuses 2 '--kernel|missing' $convolve
refuses 2 '"box:1deg"|unknown kernel|gaussian:FWHM|window:FILE' $convolve --kernel box:1deg
refuses 2 '"gaussian"|colon|gaussian:FWHM' $convolve --kernel gaussian
refuses 2 '"gaussian:1"|no unit|1deg' $convolve --kernel gaussian:1
refuses 2 '"gaussian:1furlong"|unknown unit' $convolve --kernel gaussian:1furlong
refuses 2 '"gaussian:0deg"|fwhm = 0' $convolve --kernel gaussian:0deg
refuses 2 '"tophat:-3deg"|radius' $convolve --kernel tophat:-3deg
refuses 2 '"needlet:2"|BASE,SCALE' $convolve --kernel needlet:2
refuses 2 '"needlet:x,2"|BASE must be a number' $convolve --kernel needlet:x,2
refuses 2 '"needlet:2,x"|SCALE must be a whole number' $convolve --kernel needlet:2,x
refuses 2 '"needlet:1,2"|base = 1' $convolve --kernel needlet:1,2
refuses 2 '--kernel|"none.txt"|no such file' $convolve --kernel table:none.txt
refuses 2 '--support "0"|unit' $convolve --kernel gaussian:9deg --support 0
refuses 2 '--support|above 0' $convolve --kernel gaussian:9deg --support 0deg
refuses 2 '--support "181deg"|180deg' $convolve --kernel gaussian:9deg --support 181deg
refuses 2 '--truncation-error "1"|below 1' $convolve --kernel gaussian:9deg --truncation-error 1
refuses 2 '--support|--truncation-error|one' $convolve --kernel gaussian:9deg --support 9deg \
    --truncation-error 1e-3
refuses 2 '--mode "fast"|exact|standard' $convolve --kernel gaussian:9deg --mode fast
refuses 2 '--normalization "unit"|integral|sum' $convolve --kernel gaussian:9deg \
    --normalization unit
refuses 2 'normalization|integral' $convolve --kernel mexhat:20deg --support 180deg \
    --normalization integral
refuses 2 '-o "map.fits"|input' convolve map.fits -o map.fits --overwrite --kernel gaussian:9deg
refuses 2 '--method "fast"|harmonic|radial|auto' smooth map.fits -o out.fits --fwhm 9deg \
    --method fast
refuses 2 '--method radial|--lmax' smooth map.fits -o out.fits --fwhm 9deg --method radial --lmax 9
refuses 2 '--method radial|--iter' smooth map.fits -o out.fits --fwhm 9deg --method radial --iter 1
refuses 2 '--method radial|Gaussian' smooth map.fits -o out.fits --beam hat.txt --method radial

# Files of kernels that are not what they should be.
table() { # TEXT WORDS: a table of this text is refused
    printf "$1" >bad.txt
    refuses 1 "bad.txt|$2" $convolve --kernel table:bad.txt
}
table '0 1\n1 2 3\n' 'line 2|two numbers'
table '0 1\n1\n' 'line 2|two numbers'
table '0 1\n0x1 2\n' 'line 2|must be a number'
table '0 1\n1 nan\n' 'line 2|must be a number'
table '0 1\n1 1e999\n' 'line 2|too large'
table '# theta in furlong\n0 1\n1 2\n' 'line 1|unknown unit'
table '0 1\n1 2\000\n' 'line 2|zero byte'
table '0 1\n' '1 rows|two or more'
table '# nothing\n' '0 rows'
table '1 1\n0 2\n' 'theta[1]'
table '0 1\n4 2\n' 'theta[1]'
printf '# l b_l\n0 1\n1 nonsense\n' >bad.txt
refuses 1 'bad.txt' $convolve --kernel window:bad.txt
awk 'BEGIN { for (l = 0; l <= 12; l++) print l, 1 }' >step.txt
works convolve map.fits -o step.fits --kernel window:step.txt
says 'warning|step.txt|l = 12|rings'

finish
