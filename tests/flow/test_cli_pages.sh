#!/usr/bin/env bash
# Completion of command lines, run in bash and, where they are installed, fish and zsh; the manual
# page, checked by groff and mandoc where they are there; both have every command and every option.
source "$(dirname "$0")/support.sh"

works completion bash
printf '%s\n' "$said" >completion.bash
source ./completion.bash || fail "bash cannot read its completion"
mkdir files
cd files || exit 1
touch map.fits 'a sky.fits' cl.txt

# completes "WORDS" WORD...: what is offered for the last of the words is, in any sequence, WORDS.
completes() {
    local wanted=$1 found
    shift
    checks=$((checks + 1))
    COMP_WORDS=(armilla "$@") COMP_CWORD=$#
    COMPREPLY=()
    _armilla
    found=$(printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"} | sort | paste -sd ' ')
    [ "$found" = "$wanted" ] || fail "armilla $*<TAB> offers $found, not $wanted"
}
completes 'simulate' sim
completes 'simulate smooth spectrum synthesize' s
completes 'simulate smooth spectrum synthesize' help s
completes '--help --man --version' --
completes '--iter --iter_order' analyze map.fits --it
completes '--mask --maskfile' spectrum --ma
completes 'a sky.fits cl.txt map.fits' smooth ''
completes 'cl.txt' simulate --cl c
completes 'map.fits' spectrum -o m
completes 'cl.txt' simulate --cl = c
completes 'a sky.fits' smooth --beam a
completes '' simulate --nside ''
completes '' simulate --nside = ''
completes 'cpu cuda' analyze --device ''
completes 'cuda' analyze --device = cu
completes 'auto direct interpolate' evaluate --method ''
completes 'pixels' convolve --method p
completes 'nested ring' map --order ''
completes 'healpix:' synthesize --grid h
completes '' synthesize --grid healpix :
completes '' synthesize --grid healpix : 5
completes 'map.fits' simulate --pol m
completes 'bash fish zsh' completion ''
completes '' nonsense ''
completes '--json' info --js
refuses 2 'bash, zsh or fish' completion
refuses 2 '"tcsh"|bash, zsh or fish' completion tcsh
"$armilla" completion bash >/dev/full 2>../message
[ $? -eq 1 ] || fail "a full standard output was not noticed"
cd ..

works completion zsh
printf '%s\n' "$said" >completion.zsh
works completion fish
printf '%s\n' "$said" >completion.fish
if command -v zsh >/dev/null; then
    checks=$((checks + 1))
    zsh -n completion.zsh || fail "zsh cannot read its completion"
fi
if command -v fish >/dev/null; then
    export HOME=$work
    fish_offers() { # WORDS LINE
        checks=$((checks + 1))
        local found
        found=$(fish --no-config -c "source completion.fish; complete -C '$2'" | cut -f 1 | sort |
            paste -sd ' ')
        [ "$found" = "$1" ] || fail "fish: $2<TAB> offers $found, not $1"
    }
    fish_offers 'simulate smooth spectrum synthesize' 'armilla s'
    fish_offers '--iter --iter_order' 'armilla analyze --it'
    fish_offers 'auto direct interpolate' 'armilla evaluate --method '
    fish_offers 'completion.bash' 'armilla simulate --cl completion.b'
fi

# The manual page.
works --man
printf '%s\n' "$said" >armilla.1
if command -v groff >/dev/null; then
    checks=$((checks + 1))
    groff -man -ww -z armilla.1 2>warnings || fail "groff ended with $?"
    [ ! -s warnings ] || fail "groff: $(head -n 3 warnings)"
fi
if command -v mandoc >/dev/null; then
    checks=$((checks + 1))
    mandoc -Tlint -Wwarning armilla.1 | grep -v 'missing date' >warnings
    [ ! -s warnings ] || fail "mandoc: $(head -n 3 warnings)"
fi
sed 's/\\-/-/g; s/\\f[BRI]//g' armilla.1 >plain
for command in $("$armilla" | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    grep -q "^.SS armilla $command$" plain || fail "no $command in the manual page"
    grep -q "complete -c armilla -f -n __fish_use_subcommand -a $command " completion.fish ||
        fail "no $command for fish"
    grep -q "^        '$command:" completion.zsh || fail "no $command for zsh"
    sed -n "/^.SS armilla $command$/,/^.S[SH] /p" plain >section
    sed -n "/^    $command)$/,/^        ;;$/p" completion.zsh >section.zsh
    for name in $("$armilla" $command --help | sed -n '/^options:/,/^example:/p' |
        grep -oE -e '(^  |also |, )--[a-z][a-z_-]*' | grep -oE -e '--.*'); do
        checks=$((checks + 1))
        grep -qE -e "(^|, )$name( |,|\$)" section || [ $name = --help ] ||
            fail "$command: no $name in the manual page"
        grep -q -e "'$name[=[]" section.zsh || [ $name = --help ] ||
            fail "$command: no $name in zsh"
        grep -q -e "_from $command' -l ${name#--} " -e '-l help' completion.fish ||
            fail "$command: no $name in fish"
    done
done
is "options of the manual page" "$checks > 200"

finish
