/* Finds the rings of a grid that mirror each other at the equator: sorted by the distance from the
 * nearer pole, they are neighbours whose colatitudes add up to pi, but for rounding. */
#include "leg/mirror.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Largest |theta + theta' - pi| of mirror images: one ulp of pi, the rounding of the colatitudes.
 */
static const double mirror_tolerance = 4.5e-16;

static int compare_places(const void *a, const void *b)
{
    const armilla_ring_place *p = a, *q = b;
    if (p->theta != q->theta) return p->theta < q->theta ? -1 : 1;
    return (p->ring > q->ring) - (p->ring < q->ring);
}

armilla_status armilla_mirror_sort(int64_t nrings, const double *theta, armilla_ring_place **places)
{
    armilla_status status = armilla_allocate(places, nrings, sizeof **places);
    if (status) return status;
    for (int64_t i = 0; i < nrings; i++) {
        double t = theta[i];
        /* pi - t with the digits of pi that the double M_PI lacks */
        double north = t <= M_PI_2 ? t : (M_PI - t) + 1.2246467991473532e-16;
        (*places)[i] = (armilla_ring_place){north > 0 ? north : 0, t, i};
    }
    qsort(*places, (size_t)nrings, sizeof **places, compare_places);
    return ARMILLA_OK;
}

int armilla_mirror_is_pair(const armilla_ring_place *places, int64_t nrings, int64_t i)
{
    const armilla_ring_place *p = &places[i], *q = p + 1;
    if (i + 1 >= nrings || (p->colatitude > M_PI_2) == (q->colatitude > M_PI_2)) return 0;
    return fabs((p->colatitude - M_PI_2) + (q->colatitude - M_PI_2)) <= mirror_tolerance;
}

int64_t armilla_mirror_take(const armilla_ring_place *places, int64_t nrings, int64_t i,
                            int64_t *north, int64_t *south, double *theta)
{
    const armilla_ring_place *p = &places[i];
    int paired = armilla_mirror_is_pair(places, nrings, i);
    *north = *south = -1;
    for (int k = 0; k <= paired; k++) *(p[k].colatitude <= M_PI_2 ? north : south) = p[k].ring;
    *theta = paired && p->colatitude > M_PI_2 ? p[1].theta : p->theta;
    return 1 + paired;
}
