/* Asks an x86 processor by its instruction CPUID what it can do. GCC and Clang have builtins for
 * that, but they need a part of the compiler's own library which some distributions of Clang lack
 * (ziglang 0.17 answers no to everything). The processor is asked once, since the instruction takes
 * tens of microseconds in a virtual machine.
 * Reference: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID; volume
 * 1, 14.3 and 15.2: which bits of XCR0 say that the system keeps the registers of AVX and AVX-512.
 */
#include "base/cpu_x86.h"

#include "base/compiler.h"

#if defined(ARMILLA_CPU_X86)

#include <cpuid.h>
#include <stdatomic.h>
#include <string.h>

enum { SSE2 = 1, AVX2 = 2, FMA = 4, AVX512F = 8, AVX512DQ = 16, AVX512VL = 32, AMD = 64 };
enum { ASKED = 128 };
enum { KEEPS_AVX = 0x6, KEEPS_AVX512 = 0xe6 };

/* What the system keeps; 0 where it does not say. */
static unsigned kept_registers(unsigned features)
{
    unsigned low = 0, high = 0;
    if (features & bit_OSXSAVE) ARMILLA_XGETBV(low, high);
    (void)high;
    return low;
}

static int has_all(unsigned value, unsigned bits)
{
    return (value & bits) == bits;
}

static unsigned ask(void)
{
    unsigned a, b, c, d, found = ASKED;
    if (!__get_cpuid(0, &a, &b, &c, &d)) return found;
    if (b == signature_AMD_ebx && c == signature_AMD_ecx && d == signature_AMD_edx) found |= AMD;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return found;
    const unsigned kept = kept_registers(c);
    if (d & bit_SSE2) found |= SSE2;
    if (has_all(kept, KEEPS_AVX) && (c & bit_FMA)) found |= FMA;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return found;
    if (has_all(kept, KEEPS_AVX) && (b & bit_AVX2)) found |= AVX2;
    if (!has_all(kept, KEEPS_AVX512)) return found;
    if (b & bit_AVX512F) found |= AVX512F;
    if (b & bit_AVX512DQ) found |= AVX512DQ;
    if (b & bit_AVX512VL) found |= AVX512VL;
    return found;
}

static unsigned features(void)
{
    static _Atomic unsigned known;
    unsigned found = atomic_load_explicit(&known, memory_order_relaxed);
    if (found) return found;
    found = ask();
    atomic_store_explicit(&known, found, memory_order_relaxed);
    return found;
}

int armilla_x86_has(const char *feature)
{
    static const struct {
        const char *name;
        unsigned bit;
    } known[] = {{"sse2", SSE2},       {"avx2", AVX2},         {"fma", FMA},
                 {"avx512f", AVX512F}, {"avx512dq", AVX512DQ}, {"avx512vl", AVX512VL}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(feature, known[i].name)) return (features() & known[i].bit) != 0;
    return 0;
}

int armilla_x86_is_amd(void)
{
    return (features() & AMD) != 0;
}

#else

int armilla_x86_has(const char *feature)
{
    (void)feature;
    return 0;
}

int armilla_x86_is_amd(void)
{
    return 0;
}

#endif
