/* One contract over all operations at all places: what a call promises about its arrays, statuses,
 * threads and memory, whichever operation it is and wherever it runs.
 *
 *     operation   what is computed: plans, calls, the arrays on both of their sides (a row)
 *     place       where it runs: on the host, on GPUs, over ranks (a column)
 *     cell        one operation at one place, with one of its plans
 *     property    one promise, a function that runs over every cell
 *
 * A property writes a script: a plan is made and makes some runs of calls. The numbers of a run are
 * those of whole arrays in the memory of the host, in doubles; the place brings each process its
 * own numbers in arrays of its kind, which have gaps, and looks whether anything was written that
 * must not be. */
#ifndef ARMILLA_TESTS_CONTRACT_H
#define ARMILLA_TESTS_CONTRACT_H

#include "armilla/armilla.h"

/* LMAX: of all coefficients; POINTS: of operations at points, of which ranks have some each. */
enum { CONTRACT_LMAX = 7, CONTRACT_POINTS = 23, CONTRACT_RANKS = 3, CONTRACT_DEVICES = 3 };
enum { CONTRACT_TEXT = 300, CONTRACT_CALLS = 4, CONTRACT_RUNS = 6 };

/* --- Places ---------------------------------------------------------------------------------- */

typedef enum contract_place {
    CONTRACT_HOST,
    CONTRACT_GPU,
    CONTRACT_GPUS,
    CONTRACT_OVER_RANKS,
    CONTRACT_RANKS_GPUS,
    CONTRACT_PLACES
} contract_place;

extern const char *const contract_place_names[CONTRACT_PLACES];

int contract_has_gpu(contract_place place);
int contract_has_ranks(contract_place place);

/* Where one process runs: alone, or as a rank of several. */
typedef struct contract_site {
    contract_place place;
    const armilla_transport *transport; /* NULL: alone */
    armilla_grid *grid;                 /* of the operation's maps; NULL: it has none */
    armilla_distribution *distribution; /* of ranks */
    const int *devices;                 /* of several GPUs */
    int64_t ndevices;
    int delegates; /* may a GPU leave operations to the host? */
} contract_site;

/* Arrays where a place wants them: of the host, or of a GPU. Set by the programs that have GPUs. */
typedef struct contract_memory {
    void (*enter)(const contract_site *site); /* before a process makes its plan */
    void *(*put)(const void *values, int64_t bytes);
    void (*get)(void *values, const void *array, int64_t bytes);
    void (*drop)(void *array);
    void *(*capture)(void); /* begins the capture of a stream, which it returns */
    /* ends it, and launches what was captured unless the call failed; returned: has the call left
     * the capture as it should? */
    int (*launch)(void *stream, int failed);
    void (*copy_beside)(int on); /* copies of the host's arrays go beside kernels, and come late */
    int64_t (*live_bytes)(void); /* of all GPUs */
    int64_t (*fail_after)(int64_t);      /* as armilla_memory_fail_after, of allocations there */
    int64_t (*fail_call_after)(int64_t); /* and of all calls that can fail */
} contract_memory;

extern contract_memory contract_device; /* of GPUs; without functions where there are none */

/* --- Operations ------------------------------------------------------------------------------ */

typedef enum contract_kind {
    CONTRACT_ALM,         /* of a real field, triangular */
    CONTRACT_COMPLEX_ALM, /* (lmax + 1)^2 numbers */
    CONTRACT_MAP,         /* places of the grid's pixels */
    CONTRACT_VALUES       /* at points */
} contract_kind;

/* The array on one side of a call. */
typedef struct contract_side {
    contract_kind kind;
    int64_t ncomp;
    int64_t unit;     /* real numbers of an item, which distances count */
    int without_mean; /* coefficients of degree 0 must be 0 */
} contract_side;

typedef armilla_status (*contract_run_fn)(const void *plan, int is_float, const void *in, void *out,
                                          const armilla_exec *exec);

typedef enum contract_missing {
    CONTRACT_UNREAD, /* the call reads no map: exec->missing plays no part */
    CONTRACT_LOOKED, /* ERROR names missing values; PROPAGATE takes them */
    CONTRACT_NO_NAN, /* likewise, and values that are not finite are errors in any case */
    CONTRACT_REFUSES /* ERROR is UNSUPPORTED */
} contract_missing;

typedef struct contract_call {
    const char *name;
    int in, out; /* sides of the operation, 0 or 1 */
    int adjoint; /* number of the adjoint call; -1: there is none */
    contract_missing missing;
    contract_run_fn alone, ranks; /* on one process; over ranks, NULL where there is no such call */
} contract_call;

/* What plans of one operation differ by. */
typedef struct contract_choice {
    int64_t spin;
    int method, mode, normalization; /* enums of the operation's header */
} contract_choice;

/* How far results may be off, relative to the largest number; 0: the same bits. */
typedef struct contract_tolerances {
    double adjoint; /* <A x, y> and <x, A^T y>, relative to |A x| |y| */
    double several; /* several transforms in a call and one by one; of calls to side 0 */
    double device;  /* a GPU and the host */
    double floats;
} contract_tolerances;

/* What a place does with an operation. NULL: it has it; "": there is no call that could ask for it;
 * else words of the message, with status UNSUPPORTED, that refuse it when the plan is made. */
typedef struct contract_operation {
    const char *name;    /* of the row; rows with several plans are neighbours */
    const char *variant; /* of the plan */
    contract_side sides[2];
    armilla_grid *(*grid)(void); /* NULL: no maps */
    armilla_status (*make)(const contract_site *site, const contract_choice *choice, void **plan);
    contract_choice choice;
    void (*release)(const contract_site *site, void *plan);
    contract_call calls[CONTRACT_CALLS]; /* up to the first without a name */
    const char *refused[CONTRACT_PLACES];
    /* GPUs: the host runs it for them; words that refuse it unless that is allowed. NULL: it runs
     * there. */
    const char *delegated[CONTRACT_PLACES];
    contract_tolerances tolerances;
    int has_floats;
    int host_arrays;          /* GPUs: arrays must be the host's */
    int waits;                /* GPUs: calls wait, so that no stream with them is captured */
    int one_by_one;           /* a call takes one transform */
    int stops;                /* iterates: a call may end before its progress does */
    int ranks_write_in_parts; /* with GPUs: an error may come after some components are written */
} contract_operation;

extern const contract_operation *const contract_operations[]; /* up to NULL */

/* Writes the table of what runs where, for docs/places.md. Returned: how many cells work. */
int contract_table(char *text, size_t room);

int contract_ncalls(const contract_operation *op);
int contract_works(const contract_operation *op, contract_place place);

/* Does the host run it in the place of GPUs? */
int contract_is_delegated(const contract_operation *op, contract_place place);

/* Several GPUs share arrays of the host. */
int contract_takes_device_arrays(const contract_operation *op, contract_place place);

/* Are outputs untouched after an error? Several GPUs promise nothing. */
int contract_leaves_outputs(const contract_operation *op, contract_place place);

/* Options of plans at a site. */
armilla_sht_options contract_sht_options(const contract_site *site);
armilla_solid_options contract_solid_options(const contract_site *site);
armilla_points_options contract_points_options(const contract_site *site);
armilla_radial_options contract_radial_options(const contract_site *site);

/* --- Sides ----------------------------------------------------------------------------------- */

/* Which numbers a process has: own[i] is the place of number whole[i], in real numbers of a
 * component. */
typedef struct contract_numbers {
    int64_t count, *own, *whole;
    int64_t size; /* of the process' own component, real numbers */
} contract_numbers;

/* Real numbers of a component of the whole. */
int64_t contract_size(const contract_side *side, const armilla_grid *grid);

/* In sides.c; frees nothing on failure, which ends the process. */
contract_numbers contract_numbers_of(const contract_side *side, const contract_site *site);
void contract_numbers_free(contract_numbers *numbers);

/* Takes the process' own numbers out of a whole component. */
void contract_take(const contract_numbers *numbers, const double *whole, double *own);

/* Random numbers of a whole array [ntrans][ncomp][size], all of which are floats. */
double *contract_random(const contract_operation *op, int side, int64_t ntrans, uint64_t seed);

/* The inner product that adjoints are meant in; of one transform. */
double contract_dot(const contract_operation *op, int side, const double *a, const double *b);

/* Points [CONTRACT_POINTS][2 or 3]: theta, phi, distance. Where a rank's points begin. */
void contract_points(int64_t dimensions, double *points);
int64_t contract_first_point(int64_t rank, int64_t nranks);

/* --- Scripts --------------------------------------------------------------------------------- */

typedef struct contract_run {
    /* given */
    int call, is_float, nthreads;
    int64_t ntrans, gap; /* gap: items between components */
    armilla_missing missing;
    const double *in; /* whole, [ntrans][ncomp][size] */
    int on_host;      /* GPUs: arrays are the host's */
    int captured;     /* GPUs: on a stream that is captured */
    int watched;      /* there is a progress function */
    int stop;         /* of the last rank's progress: the report that cancels; 0: none */
    int optional;     /* not made where the run before has not failed */
    /* returned */
    double *out; /* whole, calloc()ed by the script; the caller frees it */
    armilla_status status;
    char message[CONTRACT_TEXT];
    const char *damage; /* NULL, or what a process has found wrong */
    int reports, ends;  /* of progress: how many of the last rank, and with 1 of all ranks */
    int made;           /* was it made? */
} contract_run;

typedef struct contract_script {
    /* given */
    const contract_operation *op;
    contract_place place;
    int count;
    contract_run runs[CONTRACT_RUNS];
    int64_t (*fail_after)(int64_t); /* NULL, or: armed with `failing` while the plan is made and */
    int64_t failing;                /* the first run is, with -1 afterwards */
    int64_t
        loses;  /* ranks: the call of the last rank's transport that fails, as all later ones do; */
                /* 0: none */
    int breaks; /* GPUs fail in the midst of a call: outputs may then hold anything */
    int strict; /* GPUs must not leave anything to the host */
    /* returned */
    int64_t calls;         /* ranks: of the last rank's transport */
    int64_t asked;         /* allocations until then */
    armilla_status status; /* of the plan: no runs where it is not OK */
    char message[CONTRACT_TEXT];
} contract_script;

/* Makes a script at its place. */
void contract_perform(contract_script *script);

/* One process' part of it; in runs.c. */
void contract_perform_at(const contract_site *site, contract_script *script);

/* Blocks that armilla_allocate has given and armilla_release has not taken. */
int64_t contract_blocks(void);

/* --- Properties ------------------------------------------------------------------------------ */

typedef struct contract_cell {
    const contract_operation *op;
    contract_place place;
} contract_cell;

typedef struct contract_property {
    const char *name;
    void (*check)(const contract_cell *cell);
    int of_gpus;      /* only of places with GPUs */
    int of_ranks;     /* only of places with ranks */
    int of_absent;    /* of cells that do not exist, and no others */
    int of_delegated; /* only of cells that the host runs for GPUs */
} contract_property;

extern const contract_property contract_properties[]; /* up to NULL name */

/* Runs all properties over all operations at the places, as cmocka's tests. */
int contract_main(const contract_place *places, int nplaces);

#endif
