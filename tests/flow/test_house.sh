#!/usr/bin/env bash
# The rules of tools/check.sh hold for the tree, and each kind of violation is found when one is
# planted in a copy. Formatting is left to `make test`, which begins with it.
set -euo pipefail
cd "$(dirname "$0")/../.."
source_tree=${ARMILLA_SOURCE:-$PWD}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

python3 "$source_tree/tools/check_source.py" --root "$source_tree" ||
    fail "the tree itself breaks the rules"

copy=$work/tree
mkdir "$copy"
for name in .clang-format src include cli bench tests tools cmake docs python examples languages \
    data packaging README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff LICENSE; do
    if [ -e "$source_tree/$name" ]; then cp -R "$source_tree/$name" "$copy/"; fi
done
python3 "$copy/tools/check_source.py" --root "$copy" || fail "the untouched copy breaks the rules"

# planted RULE FILE: standard input is appended to FILE of the copy; the rule must name that file.
planted() {
    local rule=$1 file=$copy/$2 saved=$work/saved existed=0
    if [ -e "$file" ]; then
        cp "$file" "$saved"
        existed=1
    fi
    mkdir -p "$(dirname "$file")"
    cat >>"$file"
    if "$copy/tools/check.sh" "$rule" >"$work/out" 2>&1; then
        fail "rule $rule does not see what was planted in $2"
    fi
    grep -q "^$2:[0-9]*: .*\[$rule\]" "$work/out" || fail "rule $rule does not name $2"
    if [ $existed = 1 ]; then cp "$saved" "$file"; else rm "$file"; fi
}

planted includes src/base/team.c <<<'#include "grid/rings.h"'
planted includes src/grid/planted.c <<<'#include "sht/plan.h"'
planted includes src/legendre/planted.c <<<'#include "fft/fft.h"'
planted includes src/legendre/planted.c <<<'#include <fftw3.h>'
planted includes src/ringfft/planted.c <<<'#include "grid/healpix.h"'
planted includes src/sht/planted.c <<<'#include <fftw3.h>'
planted includes src/sht/planted.c <<<'#include <immintrin.h>'
planted includes src/grid/planted.c <<<'#include <fitsio.h>'
planted includes src/sht/planted.c <<<'#include "picture/scale.h"'
planted includes src/sht/planted.c <<<'#include "armilla/io.h"'
planted includes src/newcomer/planted.c <<<'#include "alm/layout.h"'
planted includes src/radial/mixing/planted.c <<<'#include "radial/plan.h"'
planted includes src/radial/pixels/planted.c <<<'#include "radial/mixing/mixing.h"'
planted includes src/radial/profile/planted.c <<<'#include "radial/mixing/mixing.h"'
planted includes cli/planted.c <<<'#include "base/memory.h"'
planted includes cli/planted.c <<<'#include "../src/base/memory.h"'
planted includes tests/flow/planted.c <<<'#include "alm/layout.h"'
planted includes include/armilla/planted.h <<<'#include "base/memory.h"'
planted sizes src/base/planted.c < <(for i in $(seq 501); do echo "int x$i;"; done)
planted sizes src/cuda/kernels/planted.cu < <(for i in $(seq 501); do echo "int x$i;"; done)
planted sizes tests/cuda_emulation/planted.cpp < <(for i in $(seq 501); do echo "int x$i;"; done)
planted sizes python/planted.py < <(for i in $(seq 501); do echo "x$i = 1"; done)
planted includes src/cuda/kernels/planted.cu <<<'#include "sht/plan.h"'
planted includes src/sht/planted.c <<<'#include <cuda_runtime.h>'
planted calls src/cuda/kernels/planted.cu <<<'    printf("here");'
planted sizes cli/planted.c < <(
    printf 'int f(void)\n{\n'
    for i in $(seq 61); do echo "    g($i);"; done
    echo '}'
)
planted parameters src/base/planted.c < <(
    printf 'void NAME(f)(int a, int b, int c, int d,\n    int e, int (*f)(int, int), int g, '
    printf 'int h, int i)\n{\n}\n'
)
planted parameters src/cuda/kernels/planted.cu < <(
    printf 'template <int N> void f(s<N, 2> a, int b, int c, int d, int e, int f, int g, '
    printf 'int h, int i)\n{\n}\n'
)
planted columns src/base/planted.c <<<"/* $(printf '%098d' 0) */"
planted columns src/base/planted.c < <(printf 'int\tx;\n')
planted openings src/base/planted.c <<<'/* See planted.h. */'
planted openings tests/unit/planted.c <<<'#include <math.h>'
planted nouns src/base/planted.c <<<'/* Of the plan. */'
planted dead src/base/planted.c < <(printf '#if 0\nint x;\n#endif\n')
planted dead tests/unit/planted.c <<<'/* TODO */'
planted api include/armilla/planted.h < <(printf '\nARMILLA_API int armilla_planted(void);\n')
planted api include/armilla/planted.h <<<' * longer than a line. Errors:   ARGUMENT. */'
planted calls src/sht/planted.c <<<'    double *p = malloc(8);'
planted calls src/sht/planted.c <<<'    fprintf(stderr, "hello");'
planted calls src/sht/planted.c <<<'    abort();'
planted calls src/sht/planted.c <<<'int f(void) __attribute__((pure));'
planted calls src/sht/planted.c <<<'#if defined(__linux__)'
planted oracles tests/oracle/planted.c <<<'#include "oracle/checks.h"'
planted oracles tests/oracle/radial_oracle.h <<<'#include "armilla/armilla.h"'
planted oracles tests/oracle/turned_oracle.c <<<'int x = armilla_kernel_values(k);'
planted choices src/sht/planted.c <<<'    armilla_choice_tell(teller, "sht.luck", why, "1");'
planted choices docs/ways.md <<<'| sht: luck (`sht.luck`) | always | 9 % | `test_sht` |'
planted choices docs/ways.md <<<'| sht: speed | always |  | `test_sht` |'
planted folders docs/architecture.md <<<'    fft       alm'
planted raises python/armilla/planted.py <<<'raise ValueError(f"word = {word!r}: must be short")'
planted links docs/planted.md <<<'[a page](nowhere.md)'
planted links README.md <<<'[a heading](docs/testing.md#what-nobody-wrote)'
planted links src/sht/planted.c <<<'/* docs/nowhere.md */'
planted links src/sht/planted.c <<<'/* docs/mathematics.md (2.1), (2.99) */'
planted paths docs/planted.md < <(echo "see /""home/somebody/notes")

# Looks like a violation, is none.
cat >"$copy/src/sht/planted.c" <<'END'
/* never malloc( or printf( here */
const char *text = "fprintf(stderr, abort())";
int n = snprintf(text, 1, "x") + plan->free(1);
void f(s<N, 2> a, int (*b)(int, int), int c, int d, int e, int f, int g, int h)
{
}
END
"$copy/tools/check.sh" calls includes dead columns parameters || fail "false alarm"

if "$copy/tools/check.sh" nonsense 2>/dev/null; then fail "an unknown rule is accepted"; fi
echo "house rules: every planted violation was found"
