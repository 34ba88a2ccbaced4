/* What an x86 processor can do, and who made it. Other processors have nothing of it. */
#ifndef ARMILLA_BASE_CPU_X86_H
#define ARMILLA_BASE_CPU_X86_H

/* Has the processor a feature, and does the system keep the registers that it needs? The names are
 * those of GCC's __builtin_cpu_supports: sse2, avx2, fma, avx512f, avx512dq, avx512vl. */
int armilla_x86_has(const char *feature);

/* Did AMD make it? */
int armilla_x86_is_amd(void);

#define ARMILLA_CPU_HAS(feature) armilla_x86_has(feature)

#endif
