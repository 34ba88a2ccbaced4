/* Maps at another nside: means of the pixels that a coarser pixel consists of, or values repeated;
 * docs/mathematics.md (12.9). Each side of a pixel is cut into `ratio` parts; the pixels of a face
 * are taken in NESTED order, so that neighbours stay in the cache whatever the order of the map.
 */
#include "grid/healpix_blocks.h"

#include "base/integer.h"

typedef struct change {
    armilla_scheme fine, coarse;
    const armilla_healpix_map *from, *to;
    int64_t ratio;
    int pessimistic;
    double factor;
} change;

static inline double value_at(const armilla_healpix_map *map, int64_t pixel)
{
    return map->is_float ? (double)((const float *)map->values)[pixel]
                         : ((const double *)map->values)[pixel];
}

static inline void set_value(const armilla_healpix_map *map, int64_t pixel, double value)
{
    if (map->is_float)
        ((float *)map->values)[pixel] = (float)value;
    else
        ((double *)map->values)[pixel] = value;
}

/* Within a relative 1e-5, as files in float round it. */
static inline int is_missing(double value)
{
    return fabs(value - ARMILLA_HEALPIX_MISSING) <= 1e-5 * -ARMILLA_HEALPIX_MISSING;
}

/* What a mean is made of. */
typedef struct tally {
    double sum; /* of values that are not missing; NaN where one is not finite */
    int64_t good;
} tally;

static inline void count_value(tally *to, double value)
{
    if (is_missing(value)) return;
    int finite = isfinite(value);
    to->sum += finite ? value : NAN;
    to->good += finite;
}

static double mean_of(const change *all, tally of)
{
    int64_t most = all->ratio * all->ratio;
    if (of.good == 0 || (all->pessimistic && of.good < most)) return ARMILLA_HEALPIX_MISSING;
    return of.sum / (double)of.good * all->factor;
}

/* place: a coarse pixel, NESTED. The fine pixels in it are one run of NESTED numbers. */
static tally count_pixels(const change *all, int64_t place)
{
    int64_t size = all->ratio * all->ratio;
    tally made = {0, 0};
    if (all->from->nested) {
        for (int64_t i = 0; i < size; i++)
            count_value(&made, value_at(all->from, place * size + i));
        return made;
    }
    armilla_face_position corner = armilla_nest_to_face(&all->coarse, place), at = corner;
    for (int64_t y = 0; y < all->ratio; y++)
        for (int64_t x = 0; x < all->ratio; x++) {
            at.x = corner.x * all->ratio + x;
            at.y = corner.y * all->ratio + y;
            count_value(&made, value_at(all->from, armilla_face_to_ring(&all->fine, &at)));
        }
    return made;
}

static int64_t number_of_place(const armilla_scheme *scheme, int64_t place)
{
    if (scheme->nested) return place;
    armilla_face_position at = armilla_nest_to_face(scheme, place);
    return armilla_face_to_ring(scheme, &at);
}

static void make_coarser(const void *context, int64_t first, int64_t end)
{
    const change *all = context;
    for (int64_t place = first; place < end; place++)
        set_value(all->to, number_of_place(&all->coarse, place),
                  mean_of(all, count_pixels(all, place)));
}

static void make_finer(const void *context, int64_t first, int64_t end)
{
    const change *all = context;
    int64_t size = all->ratio * all->ratio;
    for (int64_t place = first; place < end; place++) {
        double value = value_at(all->from, number_of_place(&all->coarse, place));
        if (all->factor != 1)
            value = is_missing(value) ? ARMILLA_HEALPIX_MISSING : value * all->factor;
        for (int64_t i = 0; i < size; i++)
            set_value(all->to, number_of_place(&all->fine, place * size + i), value);
    }
}

static armilla_status check_map(const char *name, const armilla_healpix_map *map,
                                armilla_scheme *scheme)
{
    if (!map || !map->values)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = NULL: must be a map with values", name);
    if (map->nside < 1 || map->nside > (int64_t)1 << 29 || (map->nside & (map->nside - 1)) != 0)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "%s->nside = %lld: must be a power of two up to 2^29", name,
                            (long long)map->nside);
    armilla_status status = armilla_scheme_make(map->nside, 1, scheme);
    scheme->nested = map->nested != 0;
    return status;
}

armilla_status armilla_healpix_change_nside(const armilla_healpix_map *from,
                                            const armilla_healpix_map *to, int pessimistic,
                                            double power, int nthreads)
{
    change all = {.from = from, .to = to, .pessimistic = pessimistic};
    armilla_scheme in, out;
    armilla_status status = check_map("from", from, &in);
    if (!status) status = check_map("to", to, &out);
    if (!status) status = armilla_check_arrays(nthreads, "", 0, 0, NULL, NULL);
    if (status) return status;
    if (!isfinite(power))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "power = %g: must be finite", power);
    int finer = out.nside >= in.nside;
    all.fine = finer ? out : in;
    all.coarse = finer ? in : out;
    all.ratio = all.fine.nside / all.coarse.nside;
    all.factor = pow((double)out.nside / (double)in.nside, power);
    int64_t block = armilla_larger(1, 4 * ARMILLA_BLOCK / all.ratio / all.ratio);
    armilla_blocks_run(nthreads, all.coarse.npix, block, finer ? make_finer : make_coarser, &all);
    return ARMILLA_OK;
}
