/* The second judge of the emulated GPU's kernels: from each launch on, what CUDA's compiler made of
 * the kernel runs on the same memory, and both results are compared. For tests in C. */
#ifndef ARMILLA_TESTS_PTX_REPLAY_JUDGE_H
#define ARMILLA_TESTS_PTX_REPLAY_JUDGE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A fault planted in the text of a file: in each kernel the `number`-th (from 1 on) text that fits
 * the regular expression `what` becomes `with`. 0: nothing is planted. */
enum { PTX_PLANT_ALL = -1 }; /* number: each text that fits */
typedef struct ptx_plant {
    const char *file; /* legendre_synthesis: the others are not judged */
    const char *what, *with;
    int number;
} ptx_plant;

/* Judges launches from now on by the folder's files, *.ptx. plant: NULL for none. Returned: files;
 * 0: there are none, and nothing is judged. Ends the process at a file that cannot be read. */
int ptx_judge_begin(const char *folder, const ptx_plant *plant);

/* No more launches. What the kernels did stays until the next beginning. */
void ptx_judge_end(void);

/* What went wrong: faults of kernels, results that differ by more than the list says. Each is
 * printed if `prints`. bounds: the list of kernels whose results differ, and by how much at most,
 * or NULL: only faults and differences above 1e-6 count, as for plants. */
int ptx_judge_problems(const char *bounds, int prints);

/* Prints the table; path: writes it there as well, or NULL. */
void ptx_judge_report(const char *path);

#ifdef __cplusplus
}
#endif
#endif
