/* Spectra through masks: the operator, its adjoint, and the adjoint in the masks. See
 * armilla/coupling.h. */
#include "base/exec.h"
#include "base/memory.h"
#include "coupling/low.h"
#include "coupling/masks.h"
#include "coupling/product.h"

#include <math.h>

enum { EE, EB, BE, BB, SPECTRA };

/* A call of either operator. */
typedef struct {
    const armilla_coupling *coupling;
    const double *in;
    double *out;
    int adjoint;
    const double *other; /* of the adjoint in the masks: what the products are with */
} call;

/* --- Spectra as vectors --------------------------------------------------------------------------
 */

/* Vectors of a transform and a pair of masks. */
static int64_t vectors_of(const armilla_coupling *c)
{
    return c->nkinds == 2 ? 2 : c->ncl;
}

static int64_t mask_of(const void *context, int64_t vector)
{
    const armilla_coupling *c = ((const call *)context)->coupling;
    return vector / vectors_of(c) % c->nmasks;
}

/* Where the spectra of a vector's transform and masks begin; of scalars, the vector's own. */
static int64_t place_of(const armilla_coupling *c, int64_t vector)
{
    const int64_t n = vectors_of(c);
    return (c->nkinds == 2 ? vector / n * SPECTRA : vector) * (c->lmax + 1);
}

/* EE + BB and EB - BE for d^l_s1,s2, and EE - BB and EB + BE for d^l_s1,-s2, of two spins. */
static double combine(const double *cl, int64_t length, int64_t part, int kind, int64_t l)
{
    const double a = cl[(part ? EB : EE) * length + l], b = cl[(part ? BE : BB) * length + l];
    return (part == 0) == (kind == 0) ? a + b : a - b;
}

static void give(const void *context, int64_t vector, int kind, double *row)
{
    const call *k = context;
    const armilla_coupling *c = k->coupling;
    const double *cl = k->in + place_of(c, vector);
    for (int64_t l = k->adjoint ? armilla_larger(c->least, c->nlow) : c->least; l <= c->lmax; l++) {
        const double value = c->nkinds == 2 ? combine(cl, c->lmax + 1, vector % 2, kind, l) : cl[l];
        row[l] = k->adjoint ? value / c->scale[l] : value * c->scale_in[l];
    }
}

static void take(const void *context, int64_t vector, int kind, const double *row)
{
    const call *k = context;
    const armilla_coupling *c = k->coupling;
    const int64_t length = c->lmax + 1, part = vector % 2;
    double *cl = k->out + place_of(c, vector);
    double *a = cl + (part ? EB : EE) * length, *b = cl + (part ? BE : BB) * length;
    for (int64_t l = 0; l < length; l++) {
        const double value = k->adjoint ? row[l] * c->scale_in[l] : row[l] / c->scale[l];
        if (c->nkinds == 1) {
            cl[l] = value;
            continue;
        }
        const double half = 0.5 * value, other = part ? -half : half;
        if (kind == 0)
            a[l] = half, b[l] = other;
        else
            a[l] += half, b[l] -= other;
    }
    if (c->nlow && k->adjoint)
        armilla_coupling_low_adjoint(c, mask_of(k, vector), k->in + place_of(c, vector), cl);
    else if (c->nlow)
        armilla_coupling_low_apply(c, mask_of(k, vector), k->in + place_of(c, vector), cl);
}

/* --- Operators ------------------------------------------------------------------------------- */

armilla_status armilla_coupling_check_spectra(const char *name, int64_t count, int64_t lmax,
                                              const double *cl)
{
    const int64_t length = lmax + 1;
    const armilla_status status = armilla_check_given(name, cl);
    for (int64_t i = 0; i < count * length && !status; i++)
        if (!isfinite(cl[i]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "%s: spectrum %lld at l = %lld is %g: must be finite", name,
                                (long long)(i / length), (long long)(i % length), cl[i]);
    return status;
}

armilla_status armilla_coupling_check(const armilla_coupling *coupling, const armilla_exec *exec,
                                      armilla_exec *resolved)
{
    armilla_status status = armilla_check_given("coupling", coupling);
    if (!status) status = armilla_exec_take(exec, resolved);
    return status ? status : armilla_exec_check_memory(resolved, 0);
}

static armilla_status check_spectra(const armilla_coupling *c, const char *name, const double *cl,
                                    const armilla_exec *exec)
{
    return armilla_coupling_check_spectra(name, exec->ntrans * c->nmasks * c->ncl, c->lmax, cl);
}

static armilla_status operate(const call *k, const char *in, const char *out,
                              const armilla_exec *exec)
{
    armilla_exec resolved;
    armilla_status status = armilla_coupling_check(k->coupling, exec, &resolved);
    if (!status) status = check_spectra(k->coupling, in, k->in, &resolved);
    if (!status) status = armilla_check_given(out, k->out);
    if (status) return status;
    const armilla_coupling_vectors vectors = {.count = resolved.ntrans * k->coupling->nmasks *
                                                       vectors_of(k->coupling),
                                              .mask = mask_of,
                                              .give = give,
                                              .take = take,
                                              .context = k};
    return armilla_coupling_product(k->coupling, &vectors, &resolved);
}

armilla_status armilla_coupling_apply(const armilla_coupling *coupling, const double *cl,
                                      double *coupled, const armilla_exec *exec)
{
    const call k = {.coupling = coupling, .in = cl, .out = coupled};
    return operate(&k, "cl", "coupled", exec);
}

armilla_status armilla_coupling_adjoint(const armilla_coupling *coupling, const double *coupled,
                                        double *cl, const armilla_exec *exec)
{
    const call k = {.coupling = coupling, .in = coupled, .out = cl, .adjoint = 1};
    return operate(&k, "coupled", "cl", exec);
}

/* --- The adjoint in the masks ------------------------------------------------------------------
 */

/* Vector 2 i is what goes in, 2 i + 1 what its product is weighed with. */
static int64_t mask_of_pair(const void *context, int64_t vector)
{
    return mask_of(context, vector / 2);
}

static void give_pair(const void *context, int64_t vector, int kind, double *row)
{
    const call *k = context;
    call one = *k;
    if (vector % 2) one.in = k->other, one.adjoint = 1;
    give(&one, vector / 2, kind, row);
    if (vector % 2 && k->coupling->nkinds == 2)
        for (int64_t l = 0; l <= k->coupling->lmax; l++) row[l] *= 0.5;
}

armilla_status armilla_coupling_mask_adjoint(const armilla_coupling *coupling, const double *cl,
                                             const double *g, double *masks,
                                             const armilla_exec *exec)
{
    const call k = {.coupling = coupling, .in = cl, .other = g};
    armilla_exec resolved;
    double *meetings;
    armilla_status status = armilla_coupling_check(coupling, exec, &resolved);
    if (!status) status = check_spectra(coupling, "cl", cl, &resolved);
    if (!status) status = check_spectra(coupling, "g", g, &resolved);
    if (!status) status = armilla_check_given("masks", masks);
    if (status || (status = armilla_allocate_zero(
                       &meetings, 2 * coupling->nmasks * coupling->pairs.count, sizeof *meetings)))
        return status;
    const armilla_coupling_vectors vectors = {.count = 2 * resolved.ntrans * coupling->nmasks *
                                                       vectors_of(coupling),
                                              .mask = mask_of_pair,
                                              .give = give_pair,
                                              .context = &k};
    status = armilla_coupling_meet(coupling, &vectors, &resolved, meetings);
    if (!status) status = armilla_coupling_collect(coupling, meetings, masks);
    for (int64_t i = 0; i < vectors.count / 2 && coupling->nlow && !status; i++) {
        const int64_t at = place_of(coupling, i), mask = mask_of(&k, i);
        status = armilla_coupling_low_mask_adjoint(coupling, cl + at, g + at,
                                                   masks + mask * (coupling->lmask + 1));
    }
    armilla_release(meetings);
    return status;
}
