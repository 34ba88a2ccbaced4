/* Fills the tables of one index from which a rotation makes the recurrences of all degrees. The
 * tables' own recurrences run in double-double arithmetic (Dekker 1971), so that every entry is
 * good to the last place however far up it is. */
#include "alm/rotation_tables.h"

#include "base/memory.h"
#include <math.h>

typedef struct {
    double high, low;
} twofold;

/* f_0 = 2 sqrt(pi) Gamma(3/4) / Gamma(1/4) = 1.19814023473559220743992249228032387822721266321566;
 * from mpmath 1.3 with 50 digits. */
static const twofold f_first = {0x1.32b95184360ccp+0, -0x1.4e60ba3213cfdp-54};

static twofold twofold_sum(double large, double small)
{
    double high = large + small;
    return (twofold){high, small - (high - large)};
}

static twofold twofold_times(twofold a, double b)
{
    double high = a.high * b;
    return twofold_sum(high, fma(a.high, b, -high) + a.low * b);
}

/* a / b */
static twofold twofold_ratio(double a, twofold b)
{
    double high = a / b.high;
    double rest = fma(-high, b.high, a) - high * b.low;
    return twofold_sum(high, rest / b.high);
}

static twofold twofold_over(twofold a, double b)
{
    double high = a.high / b;
    double rest = fma(-high, b, a.high) + a.low;
    return twofold_sum(high, rest / b);
}

static void fill_f(int64_t count, const armilla_rotation_tables *t)
{
    twofold f = f_first;
    for (int64_t k = 0; k < count; k++) {
        double centre = (double)k + 0.75;
        twofold product = twofold_times(f, centre);
        double missing = (1 - product.high) - product.low;
        t->f[k] = f.high;
        t->deviation[k] = centre * missing / product.high;
        t->root[k] = sqrt(f.high);
        t->lower[k] = sqrt(f.high * ((double)k + 0.5));
        t->upper[k] = sqrt(f.high * ((double)k + 1));
        f = twofold_ratio(2, twofold_times(f, (double)(k + 1) * (double)(2 * k + 3)));
    }
}

static void fill_w(int64_t count, const armilla_rotation_tables *t)
{
    twofold square = {1, 0};
    for (int64_t i = 0; i < count; i++) {
        t->w[i] = sqrt(square.high);
        t->w_lower[i] = sqrt(square.high * (double)(2 * i));
        t->w_upper[i] = sqrt(square.high * (double)(2 * i + 1));
        square = twofold_over(twofold_times(square, (double)(2 * i + 1)), (double)(2 * i + 2));
    }
}

armilla_status armilla_rotation_tables_new(int64_t lmax, armilla_rotation_tables *tables)
{
    int64_t count = lmax + 2;
    double *storage = NULL;
    armilla_status status = armilla_allocate(&storage, 8 * count, sizeof *storage);
    if (status) return status;
    *tables = (armilla_rotation_tables){
        .f = storage,
        .deviation = storage + count,
        .root = storage + 2 * count,
        .lower = storage + 3 * count,
        .upper = storage + 4 * count,
        .w = storage + 5 * count,
        .w_lower = storage + 6 * count,
        .w_upper = storage + 7 * count,
        .storage = storage,
    };
    fill_f(count, tables);
    fill_w(count, tables);
    return ARMILLA_OK;
}

void armilla_rotation_tables_free(armilla_rotation_tables *tables)
{
    armilla_release(tables->storage);
    tables->storage = NULL;
}
