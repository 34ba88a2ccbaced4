#!/usr/bin/env bash
# armilla spectrum --decouple: bands without a mask are means of C_l, a constant mask changes
# nothing, and the mean over skies is what they were made from, though the mask leaves half of the
# sky and missing pixels; files, JSON, and what is refused.
source "$(dirname "$0")/support.sh"

# close A B TOLERANCE: columns 4 on of two texts of powers, relative to those of TT, EE, BB.
close() {
    checks=$((checks + 1))
    paste "$1" "$2" | awk -v tolerance="$3" '
        /^#/ { next }
        /nan/ || NF % 2 { bad++ }
        {
            n = NF / 2
            for (i = 4; i <= n; i++) {
                d = $i - $(n + i)
                if (d < 0) d = -d
                if (!(d <= tolerance * $4)) bad++
            }
            count++
        }
        END { exit !(count >= 5 && !bad) }' || fail "$1 and $2 differ by more than $3"
}

# D_l of 2 pi, a tenth, a hundredth; TE a twentieth.
awk 'BEGIN {
    print "# l TT EE BB TE"
    for (l = 0; l < 96; l++) {
        a = l > 1 ? 1 / (l * (l + 1)) : 0
        print l, a, a / 10, a / 100, a / 20
    }
}' >cl.txt
nskies=6
for seed in $(seq $nskies); do
    works simulate --cl cl.txt --nside 32 --pol --double --seed "$seed" -o "sky$seed.fits"
done

# Without a mask: weighted means, of C_l and of D_l.
works spectrum sky1.fits --pol --lmax 64 -o plain.txt
works spectrum sky1.fits --pol --lmax 64 --decouple --bands 9 -o whole.txt
works spectrum sky1.fits --pol --lmax 64 --decouple --bands 9 --dl -o whole_dl.txt
for kind in whole whole_dl; do
    awk -v kind=$kind '
        !/^#/ && $1 >= 2 {
            band = int(($1 - 2) / 9)
            for (i = 2; i <= 7; i++)
                sum[band, i] += $i * (kind == "whole" ? 1 : $1 * ($1 + 1) / 6.283185307179586) / 9
        }
        END {
            for (b = 0; b < 7; b++) {
                printf "%d %d %g", 2 + 9 * b, 10 + 9 * b, 6 + 9 * b
                for (i = 2; i <= 7; i++) printf " %.17g", sum[b, i]
                print ""
            }
        }' plain.txt >means.txt
    grep -v '^#' $kind.txt >made.txt
    close made.txt means.txt 2e-5 # by which HEALPix integrates 1
    cut -d ' ' -f 1-3 made.txt >edges.txt
    checks=$((checks + 1))
    cut -d ' ' -f 1-3 means.txt | cmp -s - edges.txt || fail "edges of $kind"
done

# A constant mask, and bands from a file.
works map sky1.fits --calc '0 * a[0] + 0.5' --double -o half.fits
awk 'BEGIN { print "# first last"; for (b = 0; b < 7; b++) print 2 + 9 * b, 10 + 9 * b }' >bands.txt
works spectrum sky1.fits --pol --lmax 64 --mask half.fits --decouple --bands bands.txt -o half.txt
close half.txt whole.txt 1e-9

# A mask with smooth edges, and missing pixels where it is 1: the mean over skies is what went in.
works simulate --cl cl.txt --nside 32 --lmax 3 --double --seed 9 -o low.fits
works map low.fits --calc 'where(a > -0.15, 1, 0)' --double -o cut.fits
works map cut.fits --apodize 12deg --double -o mask.fits
for seed in $(seq $nskies); do
    works map "sky$seed.fits" low.fits --calc 'where(b < 0.3, a, missing(a) / 0)' --double \
        -o holes.fits --overwrite
    works spectrum holes.fits --pol --lmax 64 --mask mask.fits --decouple --bands 9 --dl \
        -o "p$seed.txt"
done
checks=$((checks + 1))
cat p[0-9].txt | awk -v n=$nskies '
    /^#/ { next }
    $1 >= 20 { for (i = 4; i <= 9; i++) mean[i] += $i * 6.283185307179586; count++ }
    END {
        split("0 0 0 1 0.1 0.01 0.05 0 0", want)
        split("0 0 0 0.05 0.005 0.0013 0.01 0.01 0.002", by)
        for (i = 4; i <= 9; i++) {
            d = mean[i] / count - want[i]
            if (d < 0) d = -d
            if (!(d <= by[i])) bad = bad " " i ":" mean[i] / count
        }
        if (count != 5 * n) bad = bad " count:" count
        if (bad) print bad
        exit bad != ""
    }' || fail "means over skies"

# Errors of a whole sky are known: those of its degrees, each (C C + C C) / (2 l + 1).
works spectrum sky1.fits --pol --lmax 64 --decouple --bands 9 --errors --covariance cov.txt \
    --cl cl.txt -o errors.txt
checks=$((checks + 1))
grep -v '^#' errors.txt | awk '
    {
        for (i = 1; i <= 6; i++) sum[i] = 0
        for (l = $1; l <= $2; l++) {
            a = 1 / (l * (l + 1))
            t = a; e = a / 10; b = a / 100; x = a / 20
            sum[1] += 2 * t * t / (2 * l + 1); sum[2] += 2 * e * e / (2 * l + 1)
            sum[3] += 2 * b * b / (2 * l + 1); sum[4] += (t * e + x * x) / (2 * l + 1)
            sum[5] += t * b / (2 * l + 1); sum[6] += e * b / (2 * l + 1)
        }
        for (i = 1; i <= 6; i++) {
            d = $(9 + i) / (sqrt(sum[i]) / 9) - 1
            if (d < 0) d = -d
            if (!(d < 1e-4)) bad++
        }
        if (NF != 15) bad++
        count++
    }
    END { exit !(count == 7 && !bad) }' || fail "errors of a whole sky"

# The matrix is symmetric, and has the squares of the errors on its diagonal.
checks=$((checks + 1))
grep -v '^#' cov.txt >cov.rows
grep -v '^#' errors.txt | awk '
    { for (i = 1; i <= 6; i++) error[i, NR] = $(9 + i) }
    END {
        while ((getline <"cov.rows") > 0) {
            n++
            if (NF != 42) bad++
            for (j = 1; j <= NF; j++) c[n, j] = $j
        }
        for (i = 1; i <= n; i++) {
            e = error[int((i - 1) / 7) + 1, (i - 1) % 7 + 1]
            d = c[i, i] / (e * e) - 1
            if (d < -1e-12 || d > 1e-12) bad++
            for (j = 1; j <= n; j++) if (c[i, j] != c[j, i]) bad++
        }
        exit !(n == 42 && !bad)
    }' || fail "cov.txt"
case $(grep '^#' cov.txt) in *TT_1*TT_7*EB_7*) ;; *) fail "names of cov.txt" ;; esac

# A constant mask changes no error; from the map's own spectra they are larger by its scatter.
works spectrum sky1.fits --pol --lmax 64 --mask half.fits --decouple --bands bands.txt --errors \
    --cl cl.txt -o half_errors.txt
checks=$((checks + 1))
paste errors.txt half_errors.txt | awk '
    /^#/ { next }
    {
        for (i = 10; i <= 15; i++) {
            d = $i / $(15 + i) - 1
            if (!(d < 1e-8 && d > -1e-8)) bad++
        }
        count++
    }
    END { exit !(count == 7 && !bad) }' || fail "errors of a constant mask"
works spectrum sky1.fits --pol --lmax 64 --decouple --bands 9 --errors -o own.txt
checks=$((checks + 1))
paste errors.txt own.txt | awk '
    /^#/ { next }
    $1 >= 20 {
        for (i = 10; i <= 15; i++) {
            d = $i / $(15 + i) - 1
            if (!(d < 0.3 && d > -0.3)) bad++
        }
        count++
    }
    END { exit !(count == 5 && !bad) }' || fail "errors from the map"
works spectrum sky1.fits sky1.fits --pol --lmax 64 --decouple --bands 9 --errors -o own2.txt
close own2.txt own.txt 1e-12
works spectrum sky1.fits --lmax 64 --decouple --bands 9 --covariance cov.fits -o powers_tt.fits
works info cov.fits
case $said in *TT_1*TT_7*) ;; *) fail "cov.fits: $said" ;; esac

# Two maps; FITS; JSON.
works spectrum sky1.fits sky1.fits --pol --lmax 64 --decouple --bands 9 -o cross.txt
close cross.txt whole.txt 1e-12
works spectrum sky1.fits --lmax 64 --decouple --bands 9 -o powers.fits
works info powers.fits
case $said in *L_FIRST*L_LAST*L_MEAN*) ;; *) fail "powers.fits: $said" ;; esac
checks=$((checks + 1))
"$armilla" spectrum sky1.fits --lmax 64 --decouple --bands 9 --errors --json | python3 -c '
import json, sys
made = json.load(sys.stdin)
assert made["bands"]["L_FIRST"] == list(range(2, 65, 9)) and "spectra" not in made
assert list(made["powers"]) == ["TT"] and len(made["powers"]["TT"]) == 7
assert list(made["errors"]) == ["TT"] and min(made["errors"]["TT"]) > 0' || fail "--json"

echo "2 3.5" >bad.txt
echo "7 4" >turned.txt
printf '2 5\n60 70\n' >far.txt
refuses 2 "--bands|--decouple" spectrum sky1.fits --bands 9 -o x.txt
refuses 2 "--dl|--decouple" spectrum sky1.fits --dl -o x.txt
for option in --errors "--covariance cov2.txt" "--cl cl.txt"; do
    refuses 2 "${option%% *}|--decouple" spectrum sky1.fits $option -o x.txt
done
refuses 2 "--cl|--errors" spectrum sky1.fits --decouple --bands 9 --cl cl.txt -o x.txt
refuses 2 "--cl|one map" spectrum sky1.fits sky2.fits --decouple --bands 9 --errors --cl cl.txt \
    -o x.txt
refuses 2 "--cl|nowhere.txt" spectrum sky1.fits --decouple --bands 9 --errors --cl nowhere.txt \
    -o x.txt
refuses 2 "--covariance|cov.txt" spectrum sky1.fits --decouple --bands 9 --covariance cov.txt \
    -o x.txt
head -n 40 cl.txt >short.txt
refuses 1 "short.txt|l = 38|lmax = 64" spectrum sky1.fits --lmax 64 --decouple --bands 9 --errors \
    --cl short.txt -o x.txt
refuses 2 "--decouple|--bands" spectrum sky1.fits --decouple -o x.txt
refuses 2 "--bands 0" spectrum sky1.fits --decouple --bands 0 -o x.txt
refuses 2 "--bands 2.5|whole" spectrum sky1.fits --decouple --bands 2.5 -o x.txt
refuses 2 "--bands|nowhere.txt" spectrum sky1.fits --decouple --bands nowhere.txt -o x.txt
refuses 1 "bad.txt|degrees" spectrum sky1.fits --decouple --bands bad.txt -o x.txt
refuses 1 "turned.txt|first degree" spectrum sky1.fits --decouple --bands turned.txt -o x.txt
refuses 1 "far.txt|band 2|70|lmax = 64" spectrum sky1.fits --decouple --lmax 64 --bands far.txt \
    -o x.txt
refuses 1 "--bands 90" spectrum sky1.fits --decouple --lmax 64 --bands 90 -o x.txt
works map sky1.fits --calc '0 * a[0]' --double -o nothing.fits
refuses 1 "nothing.fits|no pixel" spectrum sky1.fits --mask nothing.fits --decouple --bands 9 \
    -o x.txt
finish
