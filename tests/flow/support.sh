# For the tests of the command: source this file. Needs ARMILLA, the binary to be tested; makes an
# empty working directory, goes there and removes it at the end.
set -uo pipefail

: "${ARMILLA:?set ARMILLA to the armilla binary}"
armilla=$(realpath "$ARMILLA")
work=$(mktemp -d)
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
checks=0

fail() {
    failures=$((failures + 1))
    printf 'FAIL: %s\n' "$*"
}

# Ends the test: its exit status.
finish() {
    printf '%d checks, %d failures\n' "$checks" "$failures"
    [ "$failures" -eq 0 ] || exit 1
    exit 0
}

# turned_quarter NSIDE VALUES: the values of a map, one per line in RING order, after a quarter turn
# about z: every ring moved by a quarter of its pixels, to the east.
turned_quarter() {
    awk -v nside="$1" '
        { value[NR - 1] = $1 }
        END {
            for (ring = 1; ring < 4 * nside; ring++) {
                n = ring < nside ? ring : ring > 3 * nside ? 4 * nside - ring : nside
                for (i = 0; i < 4 * n; i++) print value[first + (i + 3 * n) % (4 * n)]
                first += 4 * n
            }
        }' "$2"
}

# turned_half NSIDE VALUES: after a half turn about x: rings in reverse order, and pixels too. On
# every other equatorial ring pixel 0 lies at longitude 0 and stays the first.
turned_half() {
    awk -v nside="$1" '
        { value[NR - 1] = $1 }
        END {
            for (ring = 1; ring < 4 * nside; ring++) {
                n = ring < nside ? ring : ring > 3 * nside ? 4 * nside - ring : nside
                first += 4 * n
                shift = ring > nside && ring < 3 * nside && (ring - nside) % 2
                for (i = 0; i < 4 * n; i++)
                    print value[NR - first + (shift ? (4 * n - i) % (4 * n) : 4 * n - 1 - i)]
            }
        }' "$2"
}

# works ARGUMENT...: the command must succeed. Its words are in $said.
works() {
    checks=$((checks + 1))
    said=$("$armilla" "$@" 2>&1)
    local code=$?
    [ $code -eq 0 ] || fail "armilla $* ended with $code: $said"
    return $code
}

# refuses CODE WORDS ARGUMENT...: the command must end with CODE and one line that holds each of
# WORDS (separated by "|"), and must leave the directory as it was.
refuses() {
    local code=$1 words=$2 before after ended line
    shift 2
    line="armilla $*"
    checks=$((checks + 1))
    before=$(ls -lAR --time-style=full-iso)
    said=$("$armilla" "$@" 2>&1)
    ended=$?
    after=$(ls -lAR --time-style=full-iso)
    [ $ended -eq "$code" ] || fail "$line ended with $ended instead of $code: $said"
    [ "$(printf '%s\n' "$said" | wc -l)" -eq 1 ] || fail "$line said more than a line: $said"
    case $said in armilla*:*) ;; *) fail "$line: message without its name: $said" ;; esac
    [ "$before" = "$after" ] || fail "$line changed the directory"
    local IFS='|' word
    for word in $words; do
        case $said in *"$word"*) ;; *) fail "$line: no \"$word\" in: $said" ;; esac
    done
}

# says WORDS: the last output must hold each of WORDS.
says() {
    local IFS='|' word
    checks=$((checks + 1))
    for word in $1; do
        case $said in *"$word"*) ;; *) fail "no \"$word\" in: $said" ;; esac
    done
}

# is TEXT EXPRESSION: awk's EXPRESSION of numbers must be true. What is not a number would be a
# variable of that name, which is 0.
is() {
    checks=$((checks + 1))
    case $2 in *nan* | *inf*) fail "$1: $2" ;; esac
    awk "BEGIN { exit !($2) }" || fail "$1: $2"
}

# A small power spectrum, C_l = 1 / (l + 1)^2 up to l = 40.
make_cl() {
    awk 'BEGIN { print "# l TT"; for (l = 0; l <= 40; l++) print l, 1 / (l + 1) ^ 2 }' >cl.txt
}

# edit_header FILE FROM TO: replaces text of the same length in a FITS header.
edit_header() {
    [ ${#2} -eq ${#3} ] || fail "edit_header: \"$2\" and \"$3\" differ in length"
    LC_ALL=C sed -i "s/$2/$3/" "$1"
}

# Floats of a FITS map file, one per line: those of the last table, of COUNT 4-byte numbers.
floats() { # FILE COUNT
    local size padded
    size=$(wc -c <"$1")
    padded=$((($2 * 4 + 2879) / 2880 * 2880))
    od -An -v -w4 -tf4 --endian=big -j $((size - padded)) -N $(($2 * 4)) "$1"
}

# Makes a map of 4-byte floats from another of the same size and the big-endian bytes on stdin.
with_data() { # LIKE COUNT NEW
    local size padded
    size=$(wc -c <"$1")
    padded=$((($2 * 4 + 2879) / 2880 * 2880))
    { head -c $((size - padded)) "$1"; cat; head -c $((padded - $2 * 4)) /dev/zero; } >"$3"
}

# COUNT times the big-endian bytes of one float, such as repeat 3 '\x3f\x80\x00\x00' (1.0).
repeat() {
    local i
    for ((i = 0; i < $1; i++)); do printf "$2"; done
}
