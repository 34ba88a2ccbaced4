/* Prints what calls of the library return, a line each, as hashes of all their bits. results.f90
 * makes the same calls through the module for Fortran and must print the same lines. */
#include <armilla/armilla.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LMAX = 12, NSIDE = 8, NALM = 91, NPIX = 768, NPOINTS = 5 };

static double alm[6 * NALM], back[6 * NALM], map[6 * NPIX], other[6 * NPIX];
static float alm_float[2 * NALM], map_float[NPIX];

static uint64_t mixed(uint64_t hash, uint64_t bits)
{
    return (hash << 7 | hash >> 57) ^ bits;
}

static void tell_doubles(const char *name, const double *values, int64_t count)
{
    uint64_t hash = 1, bits;
    for (int64_t i = 0; i < count; i++) {
        memcpy(&bits, values + i, sizeof bits);
        hash = mixed(hash, bits);
    }
    printf("%s %016llX\n", name, (unsigned long long)hash);
}

static void tell_floats(const char *name, const float *values, int64_t count)
{
    uint64_t hash = 1;
    uint32_t bits;
    for (int64_t i = 0; i < count; i++) {
        memcpy(&bits, values + i, sizeof bits);
        hash = mixed(hash, bits);
    }
    printf("%s %016llX\n", name, (unsigned long long)hash);
}

static void tell(const char *name, int64_t number)
{
    printf("%s %lld\n", name, (long long)number);
}

static void check(armilla_status status)
{
    if (status == ARMILLA_OK) return;
    printf("failed: %s\n", armilla_status_message());
    exit(1);
}

static void tell_grid(const char *name, armilla_grid *grid)
{
    armilla_ring ring;
    double numbers[3];
    check(armilla_grid_ring(grid, 2, &ring));
    numbers[0] = ring.theta, numbers[1] = ring.phi0, numbers[2] = ring.weight;
    printf("%s %s\n", name, armilla_grid_kind_name(armilla_grid_get_kind(grid)));
    tell("npix", armilla_grid_npix(grid));
    tell("exact", armilla_grid_exact_lmax(grid));
    tell("nphi", ring.nphi + ring.offset + ring.stride);
    tell_doubles("ring", numbers, 3);
    armilla_grid_free(grid);
}

static void grids(void)
{
    armilla_grid *grid, *laid_out;
    armilla_grid_layout layout;
    armilla_ring rings[3] = {
        {1.0, 4, 0.1, 0, 1, 0.5}, {1.5, 6, 0, 4, 1, 0.25}, {2.0, 5, 0, 10, 1, 1}};
    check(armilla_grid_new_healpix(NSIDE, &grid));
    tell_grid("healpix", grid);
    check(armilla_grid_new_healpix_weighted(NSIDE, LMAX, &grid));
    tell_grid("weighted", grid);
    check(armilla_grid_new_gauss_legendre(13, 26, &grid));
    tell_grid("gauss", grid);
    check(armilla_grid_new_reduced_gauss_legendre(13, LMAX, &grid));
    tell_grid("reduced", grid);
    for (int kind = ARMILLA_GRID_CC; kind <= ARMILLA_GRID_MWFLIP; kind++) {
        check(armilla_grid_new_equidistant((armilla_grid_kind)kind, 14, 27, &grid));
        tell_grid("equidistant", grid);
    }
    check(armilla_grid_new_custom(3, rings, &grid));
    tell_grid("custom", grid);
    check(armilla_grid_new_gauss_legendre(13, 26, &grid));
    armilla_grid_layout_init(&layout);
    layout.south_first = 1;
    layout.phi0 = 0.25;
    check(armilla_grid_new_laid_out(grid, &layout, &laid_out));
    tell_grid("laid out", laid_out);
    armilla_grid_free(grid);
}

static void transform(int64_t spin, armilla_sht_mode mode, int64_t ncomp)
{
    armilla_grid *grid;
    armilla_sht_options options;
    armilla_exec exec;
    armilla_sht *sht;
    check(armilla_grid_new_healpix(NSIDE, &grid));
    armilla_sht_options_init(&options);
    options.spin = spin;
    options.mode = mode;
    check(armilla_sht_new(grid, LMAX, LMAX, &options, &sht));
    armilla_exec_init(&exec);
    exec.nthreads = 2;
    check(armilla_sht_synthesis(sht, alm, map, &exec));
    tell_doubles("synthesis", map, ncomp * NPIX);
    check(armilla_sht_analysis(sht, map, back, &exec));
    tell_doubles("analysis", back, 2 * NALM);
    check(armilla_sht_adjoint_synthesis(sht, map, back, NULL));
    tell_doubles("adjoint synthesis", back, 2 * NALM);
    check(armilla_sht_adjoint_analysis(sht, alm, map, NULL));
    tell_doubles("adjoint analysis", map, ncomp * NPIX);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

static void take(void *data, const armilla_choice *choice)
{
    *(int *)data += 1;
    printf("choice %s\n", choice->name);
}

static void scalar_calls(void)
{
    armilla_grid *grid;
    armilla_exec exec;
    armilla_sht *sht;
    armilla_pseudo_options pseudo;
    armilla_pseudo_report reports[2];
    armilla_sht_description description = {.size = sizeof description};
    int heard = 0;
    check(armilla_grid_new_healpix(NSIDE, &grid));
    check(armilla_sht_new(grid, LMAX, LMAX, NULL, &sht));
    check(armilla_sht_synthesis_float(sht, alm_float, map_float, NULL));
    tell_floats("float", map_float, NPIX);
    check(armilla_sht_analysis_float(sht, map_float, alm_float, NULL));
    tell_floats("float", alm_float, 2 * NALM);
    armilla_exec_init(&exec);
    exec.ntrans = 2;
    check(armilla_sht_synthesis(sht, alm, map, &exec));
    tell_doubles("two", map, 2 * NPIX);
    armilla_pseudo_options_init(&pseudo);
    pseudo.tolerance = 1e-6;
    check(armilla_sht_pseudo_analysis(sht, map, back, &pseudo, reports, &exec));
    tell_doubles("pseudo", back, 4 * NALM);
    tell("iterations", reports[0].iterations + 100 * (int64_t)reports[1].stop);
    tell_doubles("residual", &reports[1].residual, 1);
    check(armilla_sht_describe(sht, 1, &description));
    printf("described %s %s\n", description.backend, description.method);
    tell("sizes", description.alm_size + description.npix + description.exact);
    check(armilla_sht_explain(sht, take, &heard));
    tell("heard", heard);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

static void polarised(void)
{
    armilla_grid *grid;
    armilla_iqu *iqu;
    check(armilla_grid_new_gauss_legendre(13, 26, &grid));
    check(armilla_iqu_new(grid, LMAX, LMAX, NULL, &iqu));
    check(armilla_iqu_synthesis(iqu, alm, map, NULL));
    tell_doubles("iqu", map, 3 * 13 * 26);
    check(armilla_iqu_analysis(iqu, map, back, NULL));
    tell_doubles("teb", back, 6 * NALM);
    armilla_iqu_free(iqu);
    armilla_grid_free(grid);
}

static void coefficients(void)
{
    static double real[2 * NALM], cl[9 * 13], general[4 * NALM];
    int64_t mstart[LMAX + 1];
    armilla_alm_layout *triangle, *layout;
    tell("size", armilla_alm_size(LMAX, 5) + 1000 * armilla_alm_index(LMAX, 7, 3));
    tell("lmax", armilla_alm_lmax(NALM, -1));
    check(armilla_alm_to_real(LMAX, LMAX, alm, real));
    tell_doubles("real", real, 2 * NALM - 13);
    for (int i = 0; i < 3; i++)
        for (int l = 0; l < 13; l++) cl[(4 * i) * 13 + l] = 1 + i + l;
    check(armilla_alm_random_correlated(LMAX, LMAX, 3, 13, cl, 7, back));
    tell_doubles("correlated", back, 6 * NALM);
    for (int m = 0; m <= LMAX; m++) mstart[m] = m * 13;
    check(armilla_alm_layout_new(LMAX, LMAX, &triangle));
    check(armilla_alm_layout_new_custom(LMAX, LMAX, mstart, 1, &layout));
    tell("layout", armilla_alm_layout_size(layout));
    check(armilla_alm_convert(triangle, alm, layout, general));
    tell_doubles("converted", general, 2 * 169);
    armilla_alm_layout_free(layout);
    armilla_alm_layout_free(triangle);
    check(armilla_spectrum_compute(LMAX, LMAX, alm, alm + 2 * NALM, cl));
    tell_doubles("spectrum", cl, 13);
    check(armilla_spectrum_gaussian_beam(0.1, 2, LMAX, cl));
    tell_doubles("beam", cl, 13);
    check(armilla_alm_multiply_window(LMAX, LMAX, 13, cl, back));
    tell_doubles("window", back, 2 * NALM);
}

static void rotations(void)
{
    armilla_rotation first, second, both;
    double matrix[9];
    check(armilla_rotation_from_euler(0.1, 0.2, 0.3, &first));
    check(armilla_rotation_from_coordinates('G', 'E', &second));
    check(armilla_rotation_compose(&first, &second, &both));
    check(armilla_rotation_matrix(&both, matrix));
    tell_doubles("matrix", matrix, 9);
    check(armilla_alm_rotate(&both, LMAX, LMAX, alm, LMAX, back, NULL));
    tell_doubles("rotated", back, 2 * NALM);
}

static void points(void)
{
    double where[2 * NPOINTS], values[6 * NPOINTS];
    armilla_points_options options;
    armilla_points *plan;
    int few;
    for (int i = 0; i < NPOINTS; i++) where[2 * i] = 0.3 + 0.5 * i, where[2 * i + 1] = i;
    armilla_points_options_init(&options);
    options.epsilon = 1e-9;
    check(armilla_points_new(LMAX, LMAX, NPOINTS, where, &options, &plan));
    check(armilla_points_synthesis(plan, alm, values, NULL));
    tell_doubles("values", values, NPOINTS);
    check(armilla_points_adjoint_synthesis(plan, values, back, NULL));
    tell_doubles("adjoint", back, 2 * NALM);
    armilla_points_free(plan);
    options.derivatives = 2;
    check(armilla_points_evaluate(LMAX, LMAX, NPOINTS, where, &options, alm, values, NULL));
    tell_doubles("derivatives", values, 6 * NPOINTS);
    check(armilla_points_few(LMAX, LMAX, NPOINTS, where, NULL, &few));
    tell("few", few);
}

static void lensed(void)
{
    armilla_grid *grid;
    armilla_deflection deflection;
    armilla_lensing *lensing;
    check(armilla_grid_new_healpix(NSIDE, &grid));
    for (int i = 0; i < 2 * NALM; i++) back[i] = 1e-3 * alm[i];
    armilla_deflection_init(&deflection);
    deflection.lmax = deflection.mmax = LMAX;
    deflection.gradient = back;
    check(armilla_lensing_new(grid, &deflection, LMAX, LMAX, NULL, &lensing));
    check(armilla_lensing_alm2lenmap(lensing, alm, map, NULL));
    tell_doubles("lensed", map, NPIX);
    check(armilla_lensing_angles(lensing, NULL, other));
    tell_doubles("gamma", other, NPIX);
    check(armilla_lensing_adjoint(lensing, map, back, NULL));
    tell_doubles("unlensed", back, 2 * NALM);
    armilla_lensing_free(lensing);
    armilla_grid_free(grid);
}

static void convolved(void)
{
    armilla_grid *grid;
    armilla_kernel *kernel;
    armilla_radial_options options;
    armilla_radial *radials[2];
    double error, support;
    int64_t bytes, device_bytes;
    check(armilla_grid_new_healpix(NSIDE, &grid));
    check(armilla_kernel_new_gaussian(0.4, &kernel));
    check(armilla_kernel_truncation_error(kernel, 1.0, 0, NULL, &error));
    check(armilla_kernel_choose_support(kernel, 1e-4, 0, NULL, &support));
    tell_doubles("error", &error, 1);
    tell_doubles("support", &support, 1);
    armilla_radial_options_init(&options);
    options.support = support;
    options.normalization = ARMILLA_RADIAL_SUM;
    check(armilla_radial_new(grid, kernel, &options, &radials[0]));
    check(armilla_radial_convolve(radials[0], map, other, NULL));
    tell_doubles("convolved", other, NPIX);
    options.support = 2 * support;
    check(armilla_radial_new(grid, kernel, &options, &radials[1]));
    check(armilla_radial_many_bytes((const armilla_radial *const *)radials, 2, NULL, &bytes,
                                    &device_bytes));
    tell("of the host", bytes > 0);
    tell("of a GPU", device_bytes);
    check(
        armilla_radial_convolve_many((const armilla_radial *const *)radials, 2, map, other, NULL));
    tell_doubles("by both", other, 2 * NPIX);
    for (int i = 0; i < 2; i++) armilla_radial_free(radials[i]);
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
}

static void pixels(void)
{
    double theta[3] = {0.1, 1.2, 3.0}, phi[3] = {0, 2, 5}, centre[3] = {1, 1, 1};
    int64_t found[3], neighbours[24], npixels, sum = 0, disc[100];
    armilla_healpix_ranges *ranges;
    check(armilla_healpix_ang_to_pixels(NSIDE, 1, 3, theta, phi, found, 1));
    check(armilla_healpix_neighbours(NSIDE, 1, 3, found, neighbours));
    for (int i = 0; i < 24; i++) sum += (i + 1) * neighbours[i];
    tell("pixels", found[0] + found[1] + found[2]);
    tell("neighbours", sum);
    check(armilla_healpix_query_disc(NSIDE, 0, centre, 0.3, 0, &ranges));
    tell("ranges", armilla_healpix_ranges_npixels(ranges));
    armilla_healpix_ranges_free(ranges);
    check(armilla_healpix_query_disc_pixels(NSIDE, 0, centre, 0.2, 0, 100, &npixels, disc));
    tell("disc", npixels + disc[npixels - 1]);
}

static void files(void)
{
    armilla_map *written, *read;
    armilla_alm_file *file;
    armilla_write_options options;
    const int64_t columns[1] = {1};
    check(armilla_map_new(NSIDE, 2, &written));
    for (int p = 0; p < NPIX; p++) written->fields[1].values[p] = map[p];
    written->fields[1].type = ARMILLA_IO_DOUBLE;
    written->coordsys = 'G';
    armilla_write_options_init(&options);
    options.overwrite = 1;
    check(armilla_map_write_with("c_map.fits", written, &options));
    check(armilla_map_read("c_map.fits", 0, 1, columns, &read));
    tell_doubles("read", read->fields[0].values, NPIX);
    printf("coordinates %c, field %s\n", read->coordsys, read->fields[0].name);
    armilla_map_free(read);
    armilla_map_free(written);
    check(armilla_alm_file_new(LMAX, LMAX, 1, &file));
    memcpy(file->alm, alm, 2 * NALM * sizeof *alm);
    check(armilla_alm_write("c_alm.fits", file, 1));
    armilla_alm_file_free(file);
    check(armilla_alm_read("c_alm.fits", 0, &file));
    tell_doubles("alm", file->alm, 2 * NALM);
    armilla_alm_file_free(file);
}

static void errors(void)
{
    armilla_grid *grid;
    armilla_exec exec = {0};
    tell("status", armilla_grid_new_healpix(0, &grid));
    printf("message %s\n", armilla_status_message());
    tell("record", armilla_status_record(ARMILLA_ERROR_TRANSPORT, "of my own"));
    printf("message %s\n", armilla_status_message());
    exec.ntrans = 1;
    check(armilla_grid_new_healpix(1, &grid));
    armilla_sht *sht;
    check(armilla_sht_new(grid, 1, 1, NULL, &sht));
    tell("size of 0", armilla_sht_synthesis(sht, alm, map, &exec));
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

int main(void)
{
    double cl[LMAX + 1];
    for (int l = 0; l <= LMAX; l++) cl[l] = 1.0 / (1 + l);
    for (int i = 0; i < 3; i++)
        check(armilla_alm_random(LMAX, LMAX, 13, cl, 5, (uint64_t)i, alm + 2 * NALM * i));
    for (int i = 0; i < 2 * NALM; i++) alm_float[i] = (float)alm[i];
    tell_doubles("random", alm, 6 * NALM);
    printf("version %s\n", armilla_version());
    grids();
    transform(0, ARMILLA_SHT_STANDARD, 1);
    for (int64_t spin = 1; spin <= 4; spin++) transform(spin, ARMILLA_SHT_STANDARD, 2);
    transform(2, ARMILLA_SHT_GRADIENT_ONLY, 2);
    transform(1, ARMILLA_SHT_DERIVATIVES, 2);
    transform(2, ARMILLA_SHT_DERIVATIVES, 2);
    scalar_calls();
    polarised();
    coefficients();
    rotations();
    points();
    lensed();
    convolved();
    pixels();
    files();
    errors();
    return 0;
}
