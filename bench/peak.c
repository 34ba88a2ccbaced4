/* Runs multiply-adds in registers as fast as one core can, compiled once per instruction set:
 * bench_kernels holds the library's kernels against that. Ten independent chains hide the latency
 * of a multiply-add (4 cycles, two units per cycle: 8 at least) and stay in registers. PEAK_NAME,
 * PEAK_WIDTH (doubles in a vector) and the compiler's flags come from CMake. */
#if defined(__GNUC__) && PEAK_WIDTH > 1
typedef double vector __attribute__((vector_size(PEAK_WIDTH * sizeof(double))));
enum { WIDTH = PEAK_WIDTH };
#define FIRST(v) ((v)[0])
#else
typedef double vector;
enum { WIDTH = 1 };
#define FIRST(v) (v)
#endif

enum { CHAINS = 10 };

/* Runs `rounds` rounds of independent multiply-adds. Returned: floating point operations done;
 * *sink receives a number that depends on all of them. */
double PEAK_NAME(long rounds, double *sink);

double PEAK_NAME(long rounds, double *sink)
{
    const vector zero = {0}, c = zero + 0.999, d = zero + 1e-3;
    vector a0 = d, a1 = d + d, a2 = a1 + d, a3 = a2 + d, a4 = a3 + d;
    vector a5 = a4 + d, a6 = a5 + d, a7 = a6 + d, a8 = a7 + d, a9 = a8 + d;
    for (long k = 0; k < rounds; k++) {
        a0 = a0 * c + d, a1 = a1 * c + d, a2 = a2 * c + d, a3 = a3 * c + d, a4 = a4 * c + d;
        a5 = a5 * c + d, a6 = a6 * c + d, a7 = a7 * c + d, a8 = a8 * c + d, a9 = a9 * c + d;
    }
    *sink = FIRST(a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9);
    return 2.0 * CHAINS * WIDTH * (double)rounds;
}
