/* One call of the iterative analysis, in steps, so that a call for several fields can check and
 * solve all of them before it writes anything. */
#ifndef ARMILLA_SHT_PSEUDO_JOB_H
#define ARMILLA_SHT_PSEUDO_JOB_H

#include "armilla/sht.h"
#include "base/progress.h"
#include "sht/pseudo_arrays.h"

typedef armilla_status (*armilla_pseudo_operator)(const void *plan, const double *in, double *out,
                                                  const armilla_exec *exec);

/* A plan, of whatever kind, and what it transforms. */
typedef struct armilla_pseudo_field {
    const void *plan;
    armilla_pseudo_operator synthesis, adjoint; /* Y and Y^T */
    armilla_pseudo_operator analysis;           /* Y^T W; NULL: no weights are known, no Jacobi */
    const armilla_grid *grid;                   /* as in armilla_pseudo_arrays */
    const armilla_alm_layout *layout;
    int is_exact;             /* does the analysis invert the synthesis? */
    int has_factors;          /* of DERIVATIVES: analysis does not divide by them; no Jacobi */
    int64_t spin;             /* of any sign */
    int64_t nmap, nalm, npix; /* components of a map and of alm; values of a map's component */
    const char *map_name, *pixel_name;
    const armilla_pseudo_ranks *ranks; /* NULL: there is one */
} armilla_pseudo_field;

/* UNSUPPORTED if the host cannot read an array, which iterations must; NULL has nothing to read.
 * on_device: is the plan? */
armilla_status armilla_pseudo_check_host(int on_device, const char *map_name, const void *map,
                                         const void *alm);

/* The field of a plan for ring grids. In pseudo_analysis.c. */
armilla_pseudo_field armilla_sht_pseudo_field(const armilla_sht *sht);

typedef struct armilla_pseudo_job {
    armilla_pseudo_field field;
    armilla_pseudo_options options;
    armilla_pseudo_arrays arrays;
    armilla_exec inner; /* how the operators run */
    armilla_relay *relay;
    int64_t nmap, nalm, nreal; /* of all components, in doubles */
    double *map, *alm;         /* by component: [npix], [layout size] complex */
    double *image;             /* a map; of LSMR only with weights */
    double *correction;        /* Jacobi and AUTO only */
    double *real;              /* LSMR: the solution, by component; AUTO: room */
    double *factors;           /* roots of the weights for LSMR, weights for Jacobi; or NULL */
    armilla_vector_space maps, component, reals, coefficients; /* maps, one of their components,
                                                                   alm in real numbers, alm */
    double scale;        /* the problem solved is that of map / scale */
    double begin, share; /* the present transform's part of the progress */
    double step;         /* the part of `share` that one transform of Jacobi is worth */
} armilla_pseudo_job;

/* Given:    field;  options as the caller gave them, or NULL;  exec  checked, distances not 0;
 *           relay  to be started before the job solves.
 * Returned: *job, whose caller then sets the arrays (armilla_pseudo_set_arrays), and arrays.first
 *           and the periods where these hold more components than the plan has.
 * Errors:   ARGUMENT. */
armilla_status armilla_pseudo_job_init(armilla_pseudo_job *job, const armilla_pseudo_field *field,
                                       const armilla_pseudo_options *options,
                                       const armilla_exec *exec, armilla_relay *relay);

/* All steps below for all transforms. reports: of each, or NULL. Errors: ARGUMENT, MEMORY,
 * CANCELLED. */
armilla_status armilla_pseudo_job_run(armilla_pseudo_job *job, int64_t ntrans,
                                      armilla_pseudo_report *reports);

/* Errors: ARGUMENT where the values of the caller's arrays cannot be worked with. */
armilla_status armilla_pseudo_job_check(const armilla_pseudo_job *job, int64_t ntrans);

/* How the vectors of a job are cut. In pseudo_spaces.c. Errors: MEMORY. */
armilla_status armilla_pseudo_make_spaces(armilla_pseudo_job *job);

/* After the check. Errors: MEMORY; release the job then, too. */
armilla_status armilla_pseudo_job_allocate(armilla_pseudo_job *job);
void armilla_pseudo_job_release(armilla_pseudo_job *job);

/* Keeps only what armilla_pseudo_job_store needs. */
void armilla_pseudo_job_release_work(armilla_pseudo_job *job);

/* Solves one transform, of progress begin .. begin + share of the call.
 * Returned: *report, unless NULL. Errors: MEMORY, CANCELLED. */
armilla_status armilla_pseudo_job_solve(armilla_pseudo_job *job, int64_t transform, double begin,
                                        double share, armilla_pseudo_report *report);

/* Writes what was solved last to the caller's alm. */
void armilla_pseudo_job_store(const armilla_pseudo_job *job, int64_t transform);

#endif
