#!/usr/bin/env bash
# The command against HEALPix 3.11 (Fortran): WMAP 7 year W band, nside 32, smoothed with 10
# degrees, and its power spectra outside the mask, temperature alone and with polarisation. The
# Fortran files are not ours to distribute.
data=${ARMILLA_SOURCE:-.}/../shared/data
name=wmap_band_iqumap_r9_7yr_W_v4_udgraded32
if [ ! -e "$data/$name.fits" ]; then
    echo "skipped: no $name.fits in $data"
    exit 77
fi
data=$(realpath "$data")
source "$(dirname "$0")/support.sh"
npix=12288

# Smoothing. The reference's rows hold 1024 values of T, then Q, then U.
works smooth "$data/$name.fits" --fwhm 10deg --lmax 64 --iter 3 -o smooth.fits
floats smooth.fits $npix >ours.txt
floats "$data/${name}_smoothed10deg_fortran.fits" $((3 * npix)) |
    awk 'int((NR - 1) / 1024) % 3 == 0' >fortran.txt
difference=$(paste ours.txt fortran.txt | awk '
    { d += ($1 - $2) ^ 2; s += $2 ^ 2; n++ }
    END { print n == '$npix' ? sqrt(d / s) : "wrong" }')
echo "smoothing: rms difference / rms = $difference"
is "smoothing as in Fortran" "$difference + 0 > 0 && $difference <= 2e-7"

# Power spectrum, TT. The reference is an ASCII table of 95 characters per row.
works spectrum "$data/$name.fits" --lmax 64 --iter 3 --remove-monopole -o cl.txt \
    --mask "$data/wmap_temperature_analysis_mask_r9_7yr_v4_udgraded32.fits"
says '4686 of 12288'
tail -c 8640 "$data/cl_${name}_IQU_lmax64_rmmono_3iter.fits" | head -c $((65 * 95)) | fold -w 95 |
    awk '{ print NR - 1, $1 }' >fortran_cl.txt
grep -v '^#' cl.txt | paste - fortran_cl.txt >both.txt
largest=$(awk '$1 >= 2 { d = $2 / $4 - 1; if (d < 0) d = -d; if (d > m) m = d; n++ }
    END { print n == 63 ? m : "wrong" }' both.txt)
rms=$(awk '$1 >= 2 { d += ($2 / $4 - 1) ^ 2; n++ } END { print sqrt(d / n) }' both.txt)
echo "C_l: relative difference rms $rms, largest $largest (the reference has 8 digits)"
is "spectrum as in Fortran" "$rms + 0 > 0 && $rms <= 2e-7"
is "spectrum as in Fortran" "$largest <= 4e-7"

# With polarisation: I, Q and U.
works smooth "$data/$name.fits" --pol --fwhm 10deg --lmax 64 --iter 3 -o smooth_pol.fits
floats smooth_pol.fits $((3 * npix)) >ours.txt
floats "$data/${name}_smoothed10deg_fortran.fits" $((3 * npix)) >fortran.txt
for f in 0 1 2; do
    difference=$(paste ours.txt fortran.txt | awk -v f=$f '
        int((NR - 1) / 1024) % 3 == f { d += ($1 - $2) ^ 2; s += $2 ^ 2; n++ }
        END { print n == '$npix' ? sqrt(d / s) : "wrong" }')
    echo "smoothing, field $f: rms difference / rms = $difference"
    is "field $f smoothed as in Fortran" "$difference + 0 > 0 && $difference <= 2e-7"
done

# TT, EE, BB, TE, TB, EB: rms of the difference over the rms of the spectrum, l >= 2.
works spectrum "$data/$name.fits" --pol --lmax 64 --iter 3 --remove-monopole -o cl_pol.txt \
    --mask "$data/wmap_temperature_analysis_mask_r9_7yr_v4_udgraded32.fits"
says '4686 of 12288'
tail -c 8640 "$data/cl_${name}_IQU_lmax64_rmmono_3iter.fits" | head -c $((65 * 95)) | fold -w 95 |
    awk '{ print NR - 1, $0 }' >fortran_cl.txt
grep -v '^#' cl_pol.txt | paste - fortran_cl.txt >both.txt
spectrum=1
for which in TT EE BB TE TB EB; do
    difference=$(awk -v i=$spectrum '
        $1 >= 2 { d += ($(1 + i) - $(8 + i)) ^ 2; s += $(8 + i) ^ 2; n += NF == 14 }
        END { print n == 63 ? sqrt(d / s) : "wrong" }' both.txt)
    echo "C_l $which: rms difference / rms = $difference"
    is "$which as in Fortran" "$difference + 0 > 0 && $difference <= 2e-7"
    spectrum=$((spectrum + 1))
done

finish
