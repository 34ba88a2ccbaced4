#!/usr/bin/env bash
# armilla convert: tables to images in plate carree and back, to the same pixels; what cannot be
# said in a format is refused, and nothing is written then.
source "$(dirname "$0")/support.sh"

make_cl
works simulate --cl cl.txt --grid cc:13x24 --lmax 8 --seed 1 --double -o cc.fits --quiet
works simulate --cl cl.txt --grid O8 --lmax 8 --seed 1 -o O8.fits --quiet
works convert cc.fits image.fits --image --coordsys G --json
says '"grid": "cc:13x24"|"format": "image"'
works info image.fits
says 'image in CAR|coordinates galactic'
works convert image.fits -o back.fits
says 'a table of 1 field, grid cc:13x24'
works map cc.fits back.fits --calc 'abs(a - b)' --double -o difference.fits --quiet
works info difference.fits
is 'the same pixels' "$(printf '%s\n' "$said" | awk '/TEMPERATURE/ { print $3 + $4 }') == 0"
works convert O8.fits wide.fits --double
works info wide.fits
says 'grid O8|double'
works convert back.fits again.fits --coordsys G # the system that it has

# The card PLANE1 of an image does not name the plane of another one.
edit_header back.fits "TTYPE1  = 'TEMPERATURE'" "TTYPE1  = 'DEPTH      '"
works convert back.fits depth.fits --image
works convert depth.fits deep.fits
works info deep.fits
says 'DEPTH'

refuses 2 '--image|equidistant|O8' convert O8.fits out.fits --image --coordsys G
refuses 2 '--image|--coordsys' convert cc.fits out.fits --image
refuses 2 '--coordsys "X"|G, E or C' convert cc.fits out.fits --coordsys X
refuses 2 '--coordsys "C"|is in G|--coord' convert image.fits out.fits --coordsys C
refuses 2 'output is missing' convert cc.fits
refuses 2 'two outputs' convert cc.fits out.fits -o other.fits
refuses 2 'exists' convert cc.fits back.fits
refuses 2 '--var|NetCDF' convert cc.fits out.fits --var t
refuses 2 '--hdu|FITS' convert cc.nc out.fits --hdu 1
refuses 2 '--image|FITS' convert cc.fits out.nc --image
refuses 1 'cl.txt' convert cl.txt out.fits
finish
