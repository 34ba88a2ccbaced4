#!/usr/bin/env bash
# Wrong command lines: every message names the argument and its value, the exit code is 2, and
# nothing is written.
source "$(dirname "$0")/support.sh"

make_cl
echo "text" >map.fits
: >empty.fits
mkdir folder
ln -s nowhere link.fits
ln -s /dev/null null.fits

# Commands and options.
refuses 2 '"smoth"|did you mean smooth' smoth
refuses 2 '"xyzzy"|armilla help' xyzzy
refuses 2 '"--device"|armilla COMMAND --device' --device cuda smooth map.fits -o out.fits
refuses 2 '"bench"|unknown' bench alm.fits
refuses 2 '--fwmh;|--fwhm?' smooth map.fits --fwmh 1deg -o out.fits
refuses 2 '--nsid;|--nside?' simulate --nsid 8
refuses 2 '-x|--help' smooth map.fits -x
refuses 2 '-output|--output' smooth map.fits -output out.fits
refuses 2 '--lmax|twice' smooth map.fits --lmax 8 --lmax=9
refuses 2 '--lmax|--nlmax|same' smooth map.fits --lmax 8 --nlmax 9
refuses 2 '--lmax|value' smooth map.fits --lmax
refuses 2 '--lmax|value' smooth map.fits --lmax --quiet
refuses 2 '--lmax|empty' smooth map.fits --lmax=
refuses 2 '--lmax|empty' smooth map.fits --lmax ''
refuses 2 '--quiet|no value' smooth map.fits --quiet=yes
refuses 2 '"more"|unexpected' smooth map.fits more -o out.fits --fwhm 1deg
refuses 2 'MAP|missing' smooth -o out.fits --fwhm 1deg
refuses 2 '--simul_type "3"|not in this version' smooth map.fits --simul_type 3 -o out.fits
refuses 2 '--pol|--simul_type 1' smooth map.fits --simul_type 1 --pol -o out.fits
long=$(printf 'x%.0s' $(seq 5000))
refuses 2 '--lmax "xxx|xxx...xxx|whole number' smooth map.fits --lmax "$long"
refuses 2 '"smxxx|xxx...xxx|armilla help' "sm$long"
[ ${#said} -lt 700 ] || fail "a long argument is printed whole"
refuses 2 'empty' smooth '' -o out.fits --fwhm 1deg
for command in simulate analyze synthesize spectrum smooth; do
    refuses 2 'missing' $command --pol
    refuses 2 '--simul_type "7"|at most 6' $command --simul_type 7
    refuses 2 '--pol|--polarisation|same' $command --pol --polarisation
done

# Numbers.
for bad in abc 8x 8.5 0x8 ' 8' 1e3 --; do
    refuses 2 "--lmax \"$bad\"|whole number" smooth map.fits "--lmax=$bad"
done
refuses 2 '--nside "0"|at least 1' simulate --cl cl.txt --nside 0 -o out.fits
refuses 2 '--nside "-8"|at least 1' simulate --cl cl.txt --nside -8 -o out.fits
refuses 2 '--nside "99999999999999999999"|too large' simulate --nside 99999999999999999999
refuses 2 '--nside "999999999999"|at most' simulate --nside 999999999999
refuses 2 '--lmax "-1"|at least 0' analyze map.fits --lmax -1 -o out.fits
refuses 2 '--mmax "9"|lmax = 8' analyze map.fits --lmax 8 --mmax 9 -o out.fits
refuses 2 '--iter "-1"' analyze map.fits --iter -1
refuses 2 '--threads "-1"' analyze map.fits --threads -1
refuses 2 '--threads "-1"' view map.fits --threads -1
refuses 2 '--device "gpu"|cpu or cuda' analyze map.fits --device gpu -o out.fits
refuses 2 '--device' regrid map.nc out.nc --grid O16 --device cuda
refuses 2 '--float|lens|double precision' \
    lens alm.fits --phi phi.fits --grid healpix:8 --float -o out.fits
refuses 2 '--method radial|--float' smooth map.fits --fwhm 1deg --method radial --float -o out.fits
if "$ARMILLA" info | grep -q '^GPU: none'; then
    refuses 2 'no GPU can be used' simulate --cl cl.txt --nside 8 --device cuda -o out.fits
fi
refuses 2 '--iter|--tol' analyze map.fits --iter 3 --tol 1e-8
refuses 2 '--iter|--tol' analyze map.fits --iter auto --tol 1e-8
refuses 2 '--iter "many"|whole number, or auto' analyze map.fits --iter many
refuses 2 '--iter "1001"|at most 1000' analyze map.fits --iter 1001
refuses 2 '--method radial|--iter' \
    smooth map.fits --fwhm 1deg --method radial --iter auto -o out.fits
refuses 2 '--grid "Q16"|nearest' regrid map.nc out.nc --grid Q16
refuses 2 '--from "Q16"|nearest' regrid map.nc out.nc --grid O16 --from Q16
refuses 2 '--grid "O32x"|nearest' spectrum map.nc --grid O32x -o out.txt
refuses 2 '"lost.nc"|no such file' regrid lost.nc out.nc --grid O16
refuses 2 'plan "Q16"|nearest' info --plan Q16
refuses 1 'healpix:300000|this machine has' info --plan healpix:300000
refuses 2 '--ring-weights|--tol' analyze map.fits --ring-weights --tol 1e-8
for bad in 0 1 -1e-8 nan inf 1e-8x; do
    refuses 2 "--tol \"$bad\"" analyze map.fits --tol "$bad"
done
refuses 2 '--seed "-1"' simulate --seed -1
refuses 2 '--seed "18446744073709551616"|too large' simulate --seed 18446744073709551616
refuses 2 '--range "3,1"|rise' view map.fits --range 3,1
refuses 2 '--range "3"|A,B' view map.fits --range 3
refuses 2 '--range "1,nan"' view map.fits --range 1,nan
refuses 2 '--width "10"|at least' view map.fits --width 10
refuses 2 '--grid "healpix:0"|at least 1' synthesize map.fits --grid healpix:0 -o out.fits
refuses 2 '--grid "healpix:x"|healpix takes NSIDE' synthesize map.fits --grid healpix:x -o out.fits
refuses 2 '--grid "gl:8"|NRINGSxNPHI' synthesize map.fits --grid gl:8 -o out.fits
refuses 2 '--grid "H8n"|HEALPix|RING' synthesize map.fits --grid H8n -o out.fits
refuses 2 '--grid "healpx:8"|nearest is written healpix:512' \
    synthesize map.fits --grid healpx:8 -o out.fits
refuses 2 '--plan "N321"|N320' info --plan N321
refuses 2 '--plan "1280"|O1280' info --plan 1280

# Angles.
refuses 2 '--fwhm "10"|no unit|10deg|10arcmin' smooth map.fits -o out.fits --fwhm 10
refuses 2 '--fwhm "1.5"|no unit|1.5arcmin' simulate --cl cl.txt --nside 8 -o out.fits --fwhm=1.5
refuses 2 '--fwhm "10degrees"|unknown unit|arcmin' smooth map.fits --fwhm 10degrees
refuses 2 '--fwhm "-1deg"|negative' smooth map.fits --fwhm -1deg
refuses 2 '--fwhm "181deg"|180deg' smooth map.fits --fwhm 181deg
refuses 2 '--fwhm "1e999deg"|too large' smooth map.fits --fwhm 1e999deg
for bad in nan nandeg inf infdeg deg 1,5deg 0x1deg; do
    refuses 2 "--fwhm \"$bad\"" smooth map.fits --fwhm "$bad"
done
refuses 2 '--fwhm_arcmin "10deg"|arc minutes' smooth map.fits --fwhm_arcmin 10deg
for right in 1deg 1° 60arcmin "60'" 60′ 3600arcsec '3600"' 3600″; do
    refuses 1 'map.fits' smooth map.fits -o out.fits --fwhm "$right" # which is text, no map
done

# Commands by the names that others have for them.
refuses 2 '"anafast"|armilla spectrum' anafast map.fits
refuses 2 '"map2alm"|armilla analyze' map2alm map.fits
refuses 2 '"ud_grade"|map --nside' ud_grade map.fits

# What is missing or contradictory.
refuses 2 '--cl|missing' simulate --nside 8 -o out.fits
refuses 2 '--nside|missing' simulate --cl cl.txt -o out.fits
refuses 2 '--grid|missing' synthesize map.fits -o out.fits
refuses 2 '--fwhm|--beam' smooth map.fits -o out.fits
refuses 2 '--fwhm|--beam|one' smooth map.fits --fwhm 1deg --beam cl.txt -o out.fits
refuses 2 '-o FILE|missing' smooth map.fits --fwhm 1deg
# Pictures: each option of a view that contradicts another, or has no such value.
refuses 2 '--projection "aitoff"|mollweide|polar' view map.fits --projection aitoff -o out.png
refuses 2 '--rot "1"|LON,LAT' view map.fits --rot 1 -o out.png
refuses 2 '--rot "1,91"|-90 to 90' view map.fits --rot 1,91 -o out.png
refuses 2 '--rot "1,2,3,4"|PSI' view map.fits --rot 1,2,3,4 -o out.png
refuses 2 '--rot "1,x"|degrees' view map.fits --rot 1,x -o out.png
refuses 2 '--coord "G"|FROM,TO' view map.fits --coord G -o out.png
refuses 2 '--cmap "jet"|viridis' view map.fits --cmap jet -o out.png
refuses 2 '--flip "up"|astro or geo' view map.fits --flip up -o out.png
refuses 2 '--fov|whole sky' view map.fits --fov 10deg -o out.png
refuses 2 '--fov|170deg|gnomonic' view map.fits --fov 175deg --projection gnomonic -o out.png
refuses 2 '--half-sky|orthographic' view map.fits --half-sky -o out.png
refuses 2 '--log|--symlog|one' view map.fits --log --symlog -o out.png
refuses 2 '--symlog|--hist|one' view map.fits --symlog --hist -o out.png
refuses 2 '--range|positive|--log' view map.fits --log --range -1,1 -o out.png
refuses 2 '--threshold|--symlog' view map.fits --threshold 1 -o out.png
refuses 2 '--threshold|positive' view map.fits --symlog --threshold 0 -o out.png
refuses 2 'CL|missing' plot -o out.png
refuses 2 '--range|positive|--log' plot cl.txt --log --range -1,1 -o out.png
refuses 2 '--lrange|1|--log-l' plot cl.txt --log-l --lrange 0,9 -o out.png
refuses 2 '--labels|2 names|1 curve' plot cl.txt --labels a,b -o out.png

# Inputs.
refuses 2 '"none.fits"|no such file' smooth none.fits --fwhm 1deg -o out.fits
refuses 2 '"folder"|directory' smooth folder --fwhm 1deg -o out.fits
refuses 2 '"empty.fits"|empty' smooth empty.fits --fwhm 1deg -o out.fits
refuses 2 '"/dev/zero"|regular' smooth /dev/zero --fwhm 1deg -o out.fits
refuses 2 '--mask "none.fits"|no such file' smooth map.fits --mask none.fits --fwhm 1deg -o out.fits
refuses 2 '--cl "none.txt"|no such file' simulate --cl none.txt --nside 8 -o out.fits
refuses 2 '"none.fits"|no such file' info none.fits

# Outputs: checked before any work, that is, before the input turns out to be no map.
smooth="smooth map.fits --fwhm 1deg"
refuses 2 '-o "cl.txt"|exists|--overwrite' $smooth -o cl.txt
refuses 2 '-o "none/out.fits"|mkdir -p none' $smooth -o none/out.fits
refuses 2 '-o "none/"|none' $smooth -o none/
refuses 2 '-o "folder"|directory|folder/' $smooth -o folder --overwrite
refuses 2 '-o "folder/"|directory' $smooth -o folder/ --overwrite
refuses 2 '-o "map.fits"|input' $smooth -o map.fits --overwrite
refuses 2 '-o "folder/../map.fits"|input' $smooth -o folder/../map.fits --overwrite
refuses 2 '-o "link.fits"|nowhere' $smooth -o link.fits
refuses 2 '-o "null.fits"|regular' $smooth -o null.fits --overwrite
refuses 2 '-o "/dev/null"|regular' $smooth -o /dev/null --overwrite
refuses 2 '-o "/dev/full"|regular' $smooth -o /dev/full --overwrite
refuses 2 '-o "-"|name a file' $smooth -o -
refuses 2 '-o "!cl.txt"|-o cl.txt --overwrite' $smooth -o '!cl.txt'
refuses 2 '-o "out.jpg"|.png' view map.fits -o out.jpg

# A name that belongs to another format than the result has.
for bad in c.json c.csv c.CSV c.png c.npy c.h5 c.pdf c.txt.gz c.dat.gz c.fits.bz2 c.json.gz; do
    refuses 2 "-o \"$bad\"|the result is FITS or text, not|.fits, .fits.gz or .txt" \
        spectrum map.fits -o $bad
done
for bad in m.txt m.dat m.csv m.txt.gz m.fits.xz; do
    refuses 2 "-o \"$bad\"|the result is FITS, not" smooth map.fits --fwhm 1deg -o $bad
done
for bad in m.json m.png; do
    for line in "smooth map.fits --fwhm 1deg" "analyze map.fits" "rotate map.fits --coord G,E" \
        "convolve map.fits --kernel gaussian:1deg" "synthesize map.fits --grid healpix:8" \
        "simulate --cl cl.txt --nside 8" "lens map.fits --phi map.fits --grid healpix:8"; do
        refuses 2 "-o \"$bad\"|the result is FITS, not" $line -o $bad
    done
    refuses 2 "--alm \"$bad\"|the result is FITS, not" \
        simulate --cl cl.txt --nside 8 -o out.fits --alm $bad
done
for bad in v.fits v.csv v.png v.txt.gz v.gz; do
    refuses 2 "-o \"$bad\"|the result is text, not|.txt" evaluate map.fits --points cl.txt -o $bad
done
for bad in p.jpg p.pdf p.fits p p.png.gz; do
    refuses 2 "-o \"$bad\"|the result is a PNG or SVG picture, not|.png" view map.fits -o $bad
done

refuses 2 '-o|--alm|out.fits' simulate --cl cl.txt --nside 8 -o out.fits --alm ./out.fits
[ -c /dev/null ] && [ -c /dev/full ] || fail "a device was replaced"
if [ "$(id -u)" -ne 0 ]; then # root may write everywhere
    chmod a-w folder
    refuses 2 '-o "folder/out.fits"|cannot write' $smooth -o folder/out.fits
fi

# Help and version.
works
says 'simulate|smooth|info'
works help
says 'simulate|smooth|info|example'
works --version
says 'armilla '
for command in simulate analyze synthesize evaluate observe lens spectrum rotate smooth convolve \
    map convert regrid view plot info; do
    works $command --help
    says "usage: armilla $command|example:"
    works help $command
    says "usage: armilla $command"
    checks=$((checks + 1))
    ! grep -E '.{101}' <<<"$said" || fail "$command --help has a line of more than 100 columns"
done
works info
says 'instruction sets|threads|GPU|MPI: none in this command|libarmilla_mpi'

# Every option that a command takes is in its --help, and the other way round.
names=$(sed -n 's/.*{"\([a-zA-Z_-]*\)", *OPTION_.*/\1/p; s/^ *{"\([a-z-]*\)", *\\*$/\1/p' \
    "$ARMILLA_SOURCE"/cli/*.c | sort -u)
[ "$(wc -w <<<"$names")" -gt 50 ] || fail "found only the options $names"
for command in simulate analyze synthesize evaluate observe lens spectrum rotate smooth convolve \
    map view plot info; do
    listed=" $("$armilla" $command --help | sed -n '/^options:/,/^example:/p' |
        grep -oE -e '(^| |,)--?[a-z][a-z_-]*' | tr -d ' ,' | tr '\n' ' ')"
    for name in $names; do
        checks=$((checks + 1))
        dashes=-- # of one letter: -o
        [ ${#name} -gt 1 ] || dashes=-
        case $("$armilla" $command $dashes$name= 2>&1) in
        *"has an empty value"* | *"takes no value"*) takes=1 ;;
        *"unknown option"*) takes=0 ;;
        *) fail "$command $dashes$name= says something else" ;;
        esac
        lists=0
        case $listed in *" $dashes$name "*) lists=1 ;; esac
        case $name in device | float) # where these are refused they are not listed
            [ $lists = 1 ] || lists=$takes ;;
        esac
        [ $takes = $lists ] || fail "$command $dashes$name: taken $takes, in --help $lists"
    done
done

# The number of threads: ARMILLA_NUM_THREADS, then OMP_NUM_THREADS, then what the process may use.
for command in simulate analyze synthesize evaluate observe lens spectrum rotate smooth convolve \
    map view info; do
    works $command --help
    says '--threads N|default|ARMILLA_NUM_THREADS, OMP_NUM_THREADS, or all'
done
threads_with() {
    checks=$((checks + 1))
    local wanted=$1 found
    shift
    found=$(env -u OMP_NUM_THREADS -u ARMILLA_NUM_THREADS "$@" "$armilla" info |
        sed -n 's/^threads: //p')
    [ "$found" = "$wanted" ] || fail "threads with $*: $found, not $wanted"
}
all=$(env -u OMP_NUM_THREADS -u ARMILLA_NUM_THREADS "$armilla" info | sed -n 's/^threads: //p')
threads_with 7 OMP_NUM_THREADS=7
threads_with 3 OMP_NUM_THREADS=3,2
threads_with 5 OMP_NUM_THREADS=7 ARMILLA_NUM_THREADS=5
threads_with 1024 ARMILLA_NUM_THREADS=5000
for word in 0 -2 many "" 3x; do
    threads_with "$all" OMP_NUM_THREADS="$word" ARMILLA_NUM_THREADS="$word"
done
"$armilla" info >/dev/full 2>message
[ $? -eq 1 ] || fail "a full standard output was not noticed"

finish
