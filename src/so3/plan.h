/* Inside of a plan for functions on the rotation group: docs/mathematics.md 16.
 *
 *     alm --mix two triangles--> rows of spin n --sht--> Q, U of plane n     for each n = 0 .. nmax
 *     planes --one Fourier transform over gamma for each pixel--> samples
 *
 * Synthesis puts the planes where samples will be: there are 2 nmax + 1 of them, and as many
 * samples of a pixel or more. Analysis, whose samples are only read, takes some planes at a time.
 */
#ifndef ARMILLA_SO3_PLAN_H
#define ARMILLA_SO3_PLAN_H

#include "armilla/so3.h"
#include "fft/fft.h"
#include "sht/plan.h"

struct armilla_so3 {
    armilla_sht **of; /* [nmax + 1]: transforms of the spins 0 .. kept - 1, then NULL */
    int64_t kept;     /* 1 or more */
    int64_t nmax, ngamma;
    int64_t at_a_time;     /* planes n that an analysis holds */
    double *scale[2];      /* [lmax + 1] of both mixes, without weights and with weights */
    armilla_fft_set *ffts; /* of length ngamma */
    armilla_workspace_store *workspace;
    armilla_isa isa;
};

/* Maps of a plane: Q, or Q and U. */
static inline int64_t armilla_so3_maps_before(int64_t n)
{
    return n ? 2 * n - 1 : 0;
}

/* The transform of spin n: the plan's, or one that is made for the caller, who gives it back.
 * Errors: MEMORY. */
armilla_status armilla_so3_take_spin(const armilla_so3 *plan, int64_t n, armilla_sht **sht);
void armilla_so3_give_spin(const armilla_so3 *plan, int64_t n, armilla_sht *sht);

/* Bytes of workspace of a call, but for that of its transforms. */
int64_t armilla_so3_workspace_bytes(const armilla_so3 *plan, int nthreads);

#endif
