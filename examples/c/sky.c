/* A sky, seen through a beam: random coefficients with a given spectrum become a HEALPix map, a
 * Gaussian beam of five degrees smooths it, and what is left is analysed and written as FITS.
 *
 *     cc sky.c $(pkg-config --cflags --libs armilla) -lm -o sky && ./sky sky.fits
 *
 * The programs of examples/cpp, examples/fortran and examples/julia print the same numbers. */
#include <armilla/armilla.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NSIDE = 64, LMAX = 128 };

/* Ends the program with the library's message where a call has failed. */
static void check(armilla_status status)
{
    if (status == ARMILLA_OK) return;
    fprintf(stderr, "%s: %s\n", armilla_status_name(status), armilla_status_message());
    exit(1);
}

static double *allocate(int64_t size)
{
    double *memory = malloc((size_t)size * sizeof *memory);
    if (memory == NULL) exit(1);
    return memory;
}

static double rms(const double *map, int64_t npix)
{
    double sum = 0;
    for (int64_t p = 0; p < npix; p++) sum += map[p] * map[p];
    return sqrt(sum / (double)npix);
}

static void write_map(const char *path, const double *values, int64_t npix)
{
    armilla_map *map;
    armilla_write_options options;
    check(armilla_map_new(NSIDE, 1, &map));
    for (int64_t p = 0; p < npix; p++) map->fields[0].values[p] = values[p];
    armilla_write_options_init(&options);
    options.overwrite = 1;
    check(armilla_map_write_with(path, map, &options));
    armilla_map_free(map);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "sky.fits";
    armilla_grid *grid;
    armilla_sht *sht;
    check(armilla_grid_new_healpix(NSIDE, &grid));
    check(armilla_sht_new(grid, LMAX, LMAX, NULL, &sht));
    const int64_t npix = armilla_grid_npix(grid), size = armilla_alm_size(LMAX, LMAX);
    double *alm = allocate(2 * size), *map = allocate(npix); /* complex: re, im, re, im, ... */

    double cl[LMAX + 1] = {0}, beam[LMAX + 1], found[LMAX + 1];
    for (int l = 2; l <= LMAX; l++) cl[l] = 1.0 / (l * (l + 1.0));
    check(armilla_alm_random(LMAX, LMAX, LMAX + 1, cl, /* seed */ 1, /* field */ 0, alm));
    check(armilla_sht_synthesis(sht, alm, map, NULL)); /* NULL: all threads, one transform */
    printf("%lld pixels, rms %.6f\n", (long long)npix, rms(map, npix));

    check(armilla_spectrum_gaussian_beam(5 * acos(-1.0) / 180, 0, LMAX, beam));
    check(armilla_alm_multiply_window(LMAX, LMAX, LMAX + 1, beam, alm));
    check(armilla_sht_synthesis(sht, alm, map, NULL));
    printf("through the beam, rms %.6f\n", rms(map, npix));

    check(armilla_sht_pseudo_analysis(sht, map, alm, NULL, NULL, NULL)); /* HEALPix: by iteration */
    check(armilla_spectrum_compute(LMAX, LMAX, alm, alm, found));
    for (int l = 2; l <= 32; l *= 2)
        printf("l = %2d: C_l = %.6e, of the sky %.6e\n", l, found[l], cl[l] * beam[l] * beam[l]);
    write_map(path, map, npix);

    free(map);
    free(alm);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    return 0;
}
