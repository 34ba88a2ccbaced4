/* What the checks on a GPU find: rows of JSON in a file, for programs, and lines on standard
 * output, for people. Each row is one write of a whole line at the end of the file, so that what
 * was found is there whatever happens to the process afterwards.
 *
 *   {"step": "times gauss", "key": "GL lmax 4095, synthesis", "value": 3.52, "unit": "ms", ...}
 *
 * Lines for people begin with a mark that run.sh understands: "= " goes into the summary, "! " is
 * something wrong and goes to its top, anything else stays in the log. */
#ifndef ARMILLA_BENCH_GPU_REPORT_H
#define ARMILLA_BENCH_GPU_REPORT_H

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

#endif
