/* Declares the steps of gpu_check, and how they say what they find on a GPU: rows of JSON in a
 * file, for programs, and lines on standard output, for people. Each row is one write of a whole
 * line at the end of the file, so that what was found is there whatever happens to the process
 * afterwards.
 *
 *   {"step": "times gauss", "key": "GL lmax 4095, synthesis", "value": 3.52, "unit": "ms", ...}
 *
 * Lines for people begin with a mark that run.sh understands: "= " goes into the summary, "! " is
 * something wrong and goes to its top, anything else stays in the log. */
#ifndef ARMILLA_BENCH_GPU_CHECK_H
#define ARMILLA_BENCH_GPU_CHECK_H

#include <stdio.h>

#ifdef __GNUC__
#define GPU_PRINTF(words, first) __attribute__((format(printf, words, first)))
#else
#define GPU_PRINTF(words, first)
#endif

/* How a step ends. Larger ones win. */
typedef enum gpu_outcome {
    GPU_RIGHT = 0,
    GPU_WRONG = 1,  /* a result differs from what it must be */
    GPU_FAILED = 2, /* a call failed */
    GPU_ABSENT = 3  /* what the step needs is not on this machine: nothing is wrong */
} gpu_outcome;

/* path: of the file, or NULL: no rows. Ends the process with GPU_FAILED where it cannot be opened.
 */
void gpu_report_open(const char *step, const char *path);

/* A row: its members behind "step", as JSON without the outer braces. */
void gpu_report_row(const char *format, ...) GPU_PRINTF(1, 2);

/* A number under a key, which names it in tables (docs/gpu-figures.md); `more`, if not empty, is
 * further members of the row. Prints "= key: value unit" where it is for the summary. */
typedef struct gpu_figure {
    const char *key, *unit;
    double value;
    int headline;
    const char *more;
} gpu_figure;
void gpu_report_figure(const gpu_figure *figure);

/* A line for people; mark: '=', '!' or ' '. */
void gpu_report_line(char mark, const char *format, ...) GPU_PRINTF(2, 3);

/* Something wrong: a row, and a line with '!'. */
void gpu_report_wrong(const char *format, ...) GPU_PRINTF(1, 2);

/* As gpu_report_wrong; ends the process with GPU_FAILED. */
_Noreturn void gpu_report_stop(const char *format, ...) GPU_PRINTF(1, 2);

/* GPU_WRONG where something was wrong, else GPU_RIGHT. */
gpu_outcome gpu_report_outcome(void);

/* --- Steps ----------------------------------------------------------------------------------- */

/* Each is what a process of its own runs. It reports what it finds as it finds it; where a call
 * fails it ends the process. */

/* Ceilings, by CUDA's runtime alone. */
void gpu_step_ceilings(int small);

/* A stage of the library by itself, in memory full of not-a-number, against the processor's stage.
 */
void gpu_step_scalar(int small);    /* the Legendre stage: scalar functions, every shape */
void gpu_step_spin_sums(int small); /* spin 1 to 3, as sums of scalar functions */
void gpu_step_spin(int small);      /* functions of spin s by their own recurrence */
void gpu_step_single(int small);    /* in single precision */
void gpu_step_rings(int small);     /* the ring stage */
void gpu_step_theta(int small);     /* the theta stage */
void gpu_step_points(int small);    /* what points need of the stages */
void gpu_step_lensing(int small);   /* lensed maps: plans, both operators */

/* Radial convolution against the processor's, and its times. */
void gpu_step_radial(int small);       /* pixel by pixel */
void gpu_step_radial_rings(int small); /* by Fourier coefficients of rings */

/* Transforms against the processor's; the same bits twice. */
void gpu_step_cases(int small);
void gpu_step_cases_large(int small); /* lmax 4095 */

/* Times of transforms, by stage, and the processor's. */
void gpu_step_times_gauss(int small);
void gpu_step_times_healpix(int small);
void gpu_step_times_many(int small);   /* 64 transforms in a call */
void gpu_step_times_o1280(int small);  /* 40 and 400 transforms at T1279 on O1280 */
void gpu_step_times_host(int small);   /* arrays of the host, pageable and pinned; copies */
void gpu_step_times_grids(int small);  /* odd and prime nphi, phi0 anywhere, CC, MW */
void gpu_step_times_float(int small);  /* single precision */
void gpu_step_times_huge(int small);   /* lmax 8191, 16383 */
void gpu_step_times_points(int small); /* values at points, both ways; some against exact sums */
void gpu_step_shapes(int small);       /* every shape: what src/cuda/stages/shape.c should say */

/* Prints the keys of the figures above, of whole transforms and plans; asks no GPU. */
void gpu_list_keys(void);

/* One call of each kind, for ncu. */
void gpu_step_profile_legendre(int small);
void gpu_step_profile_tensor(int small);
void gpu_step_profile_rings(int small);
void gpu_step_profile_points(int small);
void gpu_step_profile_radial(int small);

/* Tiny problems, for compute-sanitizer. */
void gpu_step_sanitize_scalar(int small);
void gpu_step_sanitize_spin(int small);
void gpu_step_sanitize_points(int small);  /* and radial convolution */
void gpu_step_sanitize_streams(int small); /* that share a plan */

/* Threads of the host that share a plan, each with a stream of its own; graphs. */
void gpu_step_threads(int small);
void gpu_step_capture(int small);

#endif
