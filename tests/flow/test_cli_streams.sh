#!/usr/bin/env bash
# Standard streams and JSON: text to and from pipes holds the same bytes as files, nothing but the
# result is on standard output, a failure prints nothing there; every report is JSON whose numbers
# are exact.
source "$(dirname "$0")/support.sh"

make_cl
works simulate --cl cl.txt --nside 8 --seed 1 -o map.fits --quiet
works analyze map.fits --lmax 12 -o alm.fits --quiet
printf '0.5 1\n1.5 2\n' >points.txt

# same NAME: what is in got is what is in NAME.
same() {
    checks=$((checks + 1))
    cmp -s got "$1" || fail "$1 and a stream differ: $(head -c 300 got)"
}

# --- Output ---------------------------------------------------------------------------------------

works spectrum map.fits --lmax 12 -o spectrum.txt --quiet
for name in - /dev/stdout; do
    "$armilla" spectrum map.fits --lmax 12 -o $name >got 2>said ||
        fail "spectrum -o $name: $(cat said)"
    same spectrum.txt
    checks=$((checks + 1))
    grep -q "^armilla spectrum: wrote $name: C_l" said || fail "no note on stderr: $(cat said)"
done
works evaluate alm.fits --points points.txt -o values.txt --quiet
"$armilla" evaluate alm.fits --points points.txt -o - --quiet >got
same values.txt
for format in "smooth map.fits --fwhm 1deg" "analyze map.fits" "rotate alm.fits --coord G,E"; do
    refuses 2 '-o "-"|takes text|FITS|name a file' $format -o -
done
refuses 2 '-o "-"|a picture|name a file' view map.fits -o -
refuses 2 '--json|-o -|name a file' spectrum map.fits -o - --json
"$armilla" evaluate alm.fits --points points.txt -o - >/dev/full 2>said
[ $? -eq 1 ] || fail "a full standard output was not noticed"
grep -q 'standard output: No space' said || fail "full standard output: $(cat said)"
awk 'BEGIN { for (i = 0; i < 20000; i++) print 1, i / 20000 }' >many.txt
set +o pipefail # the reader closes the pipe: the writer ends by SIGPIPE, without a word
{
    "$armilla" evaluate alm.fits --points many.txt -o - --quiet 2>said
    echo $? >ended
} | head -n 1 >got
set -o pipefail
[ "$(cat ended)" = 141 ] || fail "a closed pipe: ended with $(cat ended)"
[ ! -s said ] || fail "a closed pipe: said $(cat said)"

# --- Input ----------------------------------------------------------------------------------------

mkfifo channel
for name in - /dev/stdin; do
    rm -f got
    "$armilla" simulate --cl $name --nside 8 --seed 1 -o got --quiet 2>said <cl.txt
    checks=$((checks + 1))
    cmp -s got map.fits || fail "--cl $name: $(cat said)"
    cat cl.txt | "$armilla" simulate --cl $name --nside 8 --seed 1 -o got --overwrite --quiet
    same map.fits
    cat points.txt | "$armilla" evaluate alm.fits --points $name -o - --quiet >got
    same values.txt
    cat map.fits | "$armilla" spectrum $name --lmax 12 -o - --quiet >got
    same spectrum.txt
    gzip -c map.fits | "$armilla" spectrum $name --lmax 12 -o - --quiet >got
    same spectrum.txt
    cat alm.fits | "$armilla" evaluate $name --points points.txt -o - --quiet |
        sed "1s|of $name,|of alm.fits,|" >got
    same values.txt
done
cat map.fits >channel &
"$armilla" spectrum channel --lmax 12 -o - --quiet >got
same spectrum.txt
"$armilla" spectrum <(cat map.fits) --lmax 12 -o - --quiet >got
same spectrum.txt
printf 'theta\n' | "$armilla" convolve map.fits -o got.fits --kernel table:- 2>said
grep -q 'line 1' said || fail "--kernel table:-: $(cat said)"
printf '0 1\n0.1 0.5\n0.3 0\n' >kernel.txt
works convolve map.fits -o kernel.fits --kernel table:kernel.txt --quiet
"$armilla" convolve map.fits -o got --overwrite --kernel table:- --quiet <kernel.txt
same kernel.fits

# A message has the name that was given; nothing is left in TMPDIR.
scratch=$(mktemp -d)
export TMPDIR=$scratch
refuses 1 '--cl "-"|is empty' simulate --cl - --nside 8 -o out.fits </dev/null
refuses 2 '"-"|read once' spectrum - - -o out.fits <map.fits
refuses 1 '-:|FITS' spectrum - -o out.txt <cl.txt
case $said in *fd/* | *"$scratch"*) fail "the name of the copy: $said" ;; esac
refuses 2 '--mask "/dev/zero"|regular' spectrum map.fits --mask /dev/zero -o out.txt
refuses 2 '-o "cl.txt"|exists' spectrum - -o cl.txt <map.fits # before anything is read
rmdir "$scratch" || fail "left $(ls "$scratch")"
TMPDIR=$PWD/none refuses 1 'cannot be copied into TMPDIR' spectrum - -o out.txt <map.fits
unset TMPDIR

# --- JSON -----------------------------------------------------------------------------------------

# json EXPRESSION ARGUMENT...: standard output is one JSON object d, of which Python's EXPRESSION is
# true.
json() {
    local expression=$1
    shift
    checks=$((checks + 1))
    "$armilla" "$@" --json >got 2>said || fail "armilla $* --json: $(cat said)"
    python3 -c '
import json, sys
def refuse(word): raise ValueError(word)
with open("got", encoding="utf-8") as file: d = json.load(file, parse_constant=refuse)
missing = [name for name in d if name not in sys.argv[2]]
sys.exit(f"--help has no {missing}" if missing
         else 0 if eval("(" + sys.argv[1] + ")") else str(d)[:2000])' "$expression" \
        "$("$armilla" "$1" --help | sed -n '/^--json writes/,/^example/p')" ||
        fail "armilla $*: $expression"
}
lines='[x.split() for x in open("spectrum.txt") if x[0] != "#"]'
json "d['spectra']['TT'] == [float(x[1]) for x in $lines] and d['lmax'] == 12 and d['nside'] == 8
    and d['output'] is None and d['inputs'] == ['map.fits'] and d['missing'] == [0]" \
    spectrum map.fits --lmax 12
json "d['output'] == 'other.txt' and len(d['spectra']['TT']) == 13" \
    spectrum map.fits --lmax 12 -o other.txt
cmp -s other.txt spectrum.txt || fail "--json changed the file"
json "d['seed'] == 18446744073709551615 and d['fwhm'] == 0.125 and d['alm'] == 'a.fits'
    and d['command'] == 'simulate' and d['fields'] == 1" simulate --cl cl.txt --nside 8 \
    --seed 18446744073709551615 --fwhm 0.125rad --alm a.fits -o s.fits
json "d['lsmr'][0]['iterations'] > 0 and d['lsmr'][0]['stop'] and d['components'] == 1
    and d['lmax'] == 8" analyze map.fits --lmax 8 --tol 1e-3 -o tol.fits
json "d['steps'][0]['iterations'] > 3 and d['steps'][0]['change'] < 1e-12
    and 'last digits' in d['steps'][0]['stop'] and 'lsmr' not in d" \
    analyze map.fits --lmax 8 --iter auto -o auto.fits
json "(d['directions'], d['values'], d['epsilon']) == (2, 3, 0)" \
    evaluate alm.fits --points points.txt --derivatives 1 -o v.txt
json "(d['nside'], d['lmax'], d['mmax']) == (4, 12, 12)" \
    synthesize alm.fits --grid healpix:4 -o again.fits
json "(d['components'], d['lmax']) == (1, 12)" rotate alm.fits --coord G,E -o turned.fits
json "d['fwhm'] == 0.5 and d['beam'] is None and d['missing'] == [0]" \
    smooth map.fits --fwhm 0.5rad -o smooth.fits
json "d['kernel'] == 'gaussian:0.5rad' and d['mode'] == 'exact'" \
    convolve map.fits --kernel gaussian:0.5rad -o c.fits
json "d['nside'] == 4 and d['deflection'] > 0" lens alm.fits --phi alm.fits --any-deflection \
    --grid healpix:4 -o lensed.fits
json "d['output'] == 'p.png'" view map.fits --width 200 -o p.png

# A name that JSON must escape, and one that is no UTF-8.
odd=$'a "b"\\c\td\x01\u00fc.fits'
cp map.fits "$odd"
json "d['inputs'] == ['a \"b\"\\\\c\\td\\x01\\u00fc.fits']" spectrum "$odd" --lmax 8
cp map.fits $'n\xff\xc0\xafo.fits'
json "d['inputs'] == ['n\\ufffd\\ufffd\\ufffdo.fits']" spectrum $'n\xff\xc0\xafo.fits' --lmax 8

# info: of files, of plans, of the machine.
json "[f['path'] for f in d['files']] == ['map.fits', 'alm.fits']
    and d['files'][0]['problem'] is None
    and d['files'][0]['hdus'][1]['kind'] == 'map' and d['files'][0]['hdus'][1]['nside'] == 8
    and d['files'][0]['hdus'][1]['ordering'] == 'RING'
    and d['files'][1]['hdus'][1]['kind'] == 'alm' and d['files'][1]['hdus'][1]['lmax'] == 12" \
    info map.fits alm.fits
floats map.fits 768 | sort -g | sed -n '1p;$p' >ends
json "[float('%.6g' % d['files'][0]['hdus'][1]['columns'][0][x]) for x in ('minimum', 'maximum')]
    == [float('%.6g' % float(x)) for x in open('ends')]
    and d['files'][0]['hdus'][1]['columns'][0]['type'] == 'float'" info map.fits
works spectrum map.fits -o cl.fits --quiet
json "(d['files'][0]['hdus'][1]['kind'], d['files'][0]['hdus'][1]['lmax']) == ('cl', 23)" \
    info cl.fits
json "d['nside'] == 64 and d['lmax'] == 128 and d['map_bytes'] == 8 * 49152
    and d['choices'][0]['why'] and d['grid'] == 'healpix:64' and d['exact'] == -1" \
    info --plan healpix:64
json "d['grid'] == 'O32' and d['npix'] == 5248 and d['nrings'] == 64 and d['exact'] == 1
    and 31 <= d['lmax'] <= 33 and 'nside' not in d" info --plan O32
json "d['npix'] == 6114 and d['exact'] == 0" info --plan N32 --lmax 63
json "d['npix'] == 32 * 63 and d['lmax'] == 30 and d['exact'] == 1" info --plan cc:32x63
json "d['threads'] > 0 and d['instruction_set'] in d['instruction_sets']" info
"$armilla" info map.fits none.fits alm.fits >got 2>said
[ $? -eq 2 ] || fail "info of a file that is not there"
grep -q '"none.fits": there is no such file' said || fail "info none.fits: $(cat said)"
[ "$(grep -c 'FITS file' got)" -eq 2 ] || fail "info of three files: $(cat got)"
head -c $(($(wc -c <map.fits) / 2)) map.fits >half.fits
"$armilla" info half.fits map.fits --json >got 2>said
[ $? -eq 1 ] || fail "info half.fits --json did not fail"
python3 -c '
import json
first, second = json.load(open("got"))["files"]
assert "truncated" in first["problem"] and second["problem"] is None' ||
    fail "info half.fits --json: $(cat got)"
cat map.fits | "$armilla" info - >got
grep -q '^-: FITS file' got || fail "info -: $(head -n 1 got)"

# A failure prints no report.
"$armilla" spectrum half.fits --json >got 2>said
[ $? -eq 1 ] && [ ! -s got ] || fail "a failed command printed $(cat got)"

finish
