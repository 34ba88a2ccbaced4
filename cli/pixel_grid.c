/* Makes the grid of a command's maps, compares grids, and names them. */
#include "pixel_grid.h"

#include "latitudes.h"
#include "message.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int pixel_grid_check(const grid_choice *choice)
{
    if (!choice->name && !choice->nside)
        return usage_error("--grid NAME is missing, or --nside N: name the grid of the map, such "
                           "as healpix:512, O160, F80, gl:96x192 or cc:181x360");
    if (choice->nside && armilla_healpix_npix(choice->nside) < 0)
        return usage_error("--grid \"healpix:%lld\": NSIDE is too large", (long long)choice->nside);
    return CLI_OK;
}

/* --- Making ----------------------------------------------------------------------------------- */

static void describe(pixel_grid *self)
{
    self->npix = armilla_grid_npix(self->grid);
    if (self->nside)
        snprintf(self->name, sizeof self->name, "healpix:%lld", (long long)self->nside);
    else if (armilla_grid_name(self->grid, self->name))
        self->name[0] = '\0';
    if (self->nside)
        snprintf(self->text, sizeof self->text, "nside %lld", (long long)self->nside);
    else if (*self->name)
        snprintf(self->text, sizeof self->text, "grid %s", self->name);
    else
        snprintf(self->text, sizeof self->text, "a grid of %lld rings",
                 (long long)armilla_grid_nrings(self->grid));
}

/* The grid of a name, in the order that files have: names of other programs may mean rows from
 * south to north. */
static armilla_status new_named(const char *name, armilla_grid **grid)
{
    armilla_grid *named;
    armilla_status status = armilla_grid_new_named(name, &named);
    if (status) return status;
    status = armilla_grid_new_laid_out(named, NULL, grid);
    armilla_grid_free(named);
    return status;
}

int pixel_grid_new(const grid_choice *choice, pixel_grid *self)
{
    pixel_grid made = {.nside = choice->nside};
    char subject[80] = "--nside";
    if (choice->name) snprintf(subject, sizeof subject, "--grid \"%.60s\"", choice->name);
    armilla_status status = ARMILLA_OK;
    int code = CLI_OK;
    if (made.nside)
        status = armilla_grid_new_healpix(made.nside, &made.grid);
    else if (latitudes_is(choice->name))
        code = latitudes_new(choice->name, &made.grid);
    else
        status = new_named(choice->name, &made.grid);
    if (status) code = library_error(status, subject);
    if (code != CLI_OK) return code;
    describe(&made);
    *self = made;
    return CLI_OK;
}

int pixel_grid_of_map(const armilla_map *map, const char *path, pixel_grid *self)
{
    pixel_grid made = {.nside = map->nside};
    armilla_status status = map->grid ? armilla_grid_new_laid_out(map->grid, NULL, &made.grid)
                                      : armilla_grid_new_healpix(made.nside, &made.grid);
    if (status) return data_error(status, path);
    describe(&made);
    *self = made;
    return CLI_OK;
}

void pixel_grid_free(pixel_grid *self)
{
    armilla_grid_free(self->grid);
    memset(self, 0, sizeof *self);
}

/* --- Where its pixels are ----------------------------------------------------------------------
 */

/* The ring of a pixel. */
static int64_t find_ring(const pixel_grid *self, int64_t pixel)
{
    int64_t low = 0, high = armilla_grid_nrings(self->grid);
    armilla_ring ring = {.offset = 0};
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        armilla_grid_ring(self->grid, middle, &ring);
        if (ring.offset <= pixel)
            low = middle;
        else
            high = middle;
    }
    return low;
}

armilla_status pixel_grid_angles(const pixel_grid *self, int64_t count, const int64_t *pixels,
                                 double *theta, double *phi)
{
    armilla_ring ring = {.nphi = 0};
    armilla_status status = ARMILLA_OK;
    int64_t number = count ? find_ring(self, pixels[0]) : 0;
    if (count) status = armilla_grid_ring(self->grid, number, &ring);
    for (int64_t i = 0; i < count && !status; i++) {
        while (pixels[i] >= ring.offset + ring.nphi && !status)
            status = armilla_grid_ring(self->grid, ++number, &ring);
        theta[i] = ring.theta;
        phi[i] = ring.phi0 + 2 * M_PI * (double)(pixels[i] - ring.offset) / (double)ring.nphi;
    }
    return status;
}

armilla_status pixel_grid_vectors(const pixel_grid *self, int64_t count, const int64_t *pixels,
                                  double *vectors, int nthreads)
{
    if (self->nside)
        return armilla_healpix_pixels_to_vec(self->nside, 0, count, pixels, 0, vectors, nthreads);
    enum { BLOCK = 1024 };
    double theta[BLOCK], phi[BLOCK];
    armilla_status status = ARMILLA_OK;
    for (int64_t first = 0; first < count && !status; first += BLOCK) {
        const int64_t left = count - first, n = left < BLOCK ? left : BLOCK;
        status = pixel_grid_angles(self, n, pixels + first, theta, phi);
        for (int64_t i = 0; i < n && !status; i++) {
            double *v = vectors + 3 * (first + i);
            v[0] = sin(theta[i]) * cos(phi[i]), v[1] = sin(theta[i]) * sin(phi[i]);
            v[2] = cos(theta[i]);
        }
    }
    return status;
}

/* --- What it is ------------------------------------------------------------------------------- */

/* But for what the cards of an image round. */
static int is_same_ring(const armilla_ring *a, const armilla_ring *b)
{
    return fabs(a->theta - b->theta) <= 1e-9 && a->nphi == b->nphi &&
           fabs(a->phi0 - b->phi0) <= 1e-9 && a->offset == b->offset && a->stride == b->stride;
}

int pixel_grid_is_same(const pixel_grid *a, const pixel_grid *b)
{
    const int64_t nrings = armilla_grid_nrings(a->grid);
    armilla_ring one = {.nphi = 0}, two = {.nphi = 0};
    if (a->nside || b->nside) return a->nside == b->nside;
    if (*a->name && *b->name) return !strcmp(a->name, b->name);
    if (a->npix != b->npix || nrings != armilla_grid_nrings(b->grid)) return 0;
    for (int64_t r = 0; r < nrings; r++) {
        if (armilla_grid_ring(a->grid, r, &one) || armilla_grid_ring(b->grid, r, &two)) return 0;
        if (!is_same_ring(&one, &two)) return 0;
    }
    return 1;
}

int64_t pixel_grid_usual_lmax(const armilla_grid *grid)
{
    const int64_t exact = armilla_grid_exact_lmax_for(grid, -1);
    return exact >= 0 ? exact : (armilla_grid_nrings(grid) + 1) / 2; /* 4 nside - 1 rings */
}

int64_t pixel_grid_lmax(const pixel_grid *self)
{
    return self->nside ? 3 * self->nside - 1 : pixel_grid_usual_lmax(self->grid);
}

int pixel_grid_is_exact(const pixel_grid *self, int64_t lmax, int64_t mmax)
{
    return !self->nside && armilla_grid_exact_lmax_for(self->grid, mmax) >= lmax;
}

int pixel_grid_needs_healpix(const pixel_grid *self, const char *what, const char *instead)
{
    if (self->nside) return CLI_OK;
    return usage_error("%s: is for HEALPix only, but the map is on %s%s%s", what, self->text,
                       instead ? "; " : "", instead ? instead : "");
}

int pixel_grid_has_weights(const pixel_grid *self)
{
    armilla_ring ring = {.weight = 0};
    for (int64_t r = 0; r < armilla_grid_nrings(self->grid) && ring.weight == 0; r++)
        if (armilla_grid_ring(self->grid, r, &ring)) break;
    return ring.weight != 0;
}

int pixel_grid_needs_weights(const pixel_grid *self, const char *what)
{
    if (pixel_grid_has_weights(self)) return CLI_OK;
    return usage_error("%s: needs the areas of pixels, but the map is on %s without weights", what,
                       self->text);
}

int pixel_grid_weigh(const pixel_grid *self, int ring_weights, armilla_grid **weighted)
{
    const int64_t nside = self->nside;
    *weighted = NULL;
    if (!ring_weights) return CLI_OK;
    const int code =
        pixel_grid_needs_healpix(self, "--ring-weights", "this grid has weights of its own");
    if (code != CLI_OK) return code;
    armilla_status status = armilla_grid_new_healpix_weighted(nside, 2 * nside, weighted);
    return status ? library_error(status, NULL) : CLI_OK;
}

void pixel_grid_report(const pixel_grid *self)
{
    if (self->nside) report_integer("nside", self->nside);
    report_text("grid", *self->name ? self->name : NULL);
}
