/* Makes the beam of armilla observe. A file's coefficients take the layout of the sky's degrees and
 * of the orders that are wanted; what is left out, or is not there, is said in notes. */
#include "observe_beam.h"

#include "message.h"
#include "number.h"

#include <armilla/armilla.h>
#include <math.h>
#include <stdlib.h>

enum { FIRST_KMAX = 8 }; /* tried for an ellipse */

beam_options beam_options_defaults(void)
{
    return (beam_options){.fwhm = -1, .fwhm_max = -1, .kmax = -1}; /* nothing given */
}

/* Any angle, of either sign. */
static int take_angle(const char *name, const char *text, double *radians)
{
    const char *wrong = text ? number_angle(text, radians) : NULL;
    return wrong ? usage_error("%s \"%s\": %s", name, text, wrong) : CLI_OK;
}

int beam_options_check(beam_options *o)
{
    int code = take_angle("--psi", o->psi_text, &o->psi);
    if (code == CLI_OK) code = take_angle("--polarisation", o->polariser_text, &o->polariser);
    if (code != CLI_OK) return code;
    if (o->fwhm < 0 && !o->path)
        return usage_error(
            "the beam is missing: --beam FILE, or --fwhm ANGLE, such as --fwhm 1deg");
    if (o->fwhm >= 0 && o->path) return usage_error("--fwhm and --beam: give only one of them");
    if (o->path && (o->fwhm_max >= 0 || o->psi_text || o->polariser_text))
        return usage_error("%s: applies only to a Gaussian; omit it with --beam FILE",
                           o->fwhm_max >= 0 ? "--fwhm-max"
                           : o->psi_text    ? "--psi"
                                            : "--polarisation");
    if (o->intensity && o->polariser_text)
        return usage_error("--polarisation and --intensity: give only one of them");
    if (o->fwhm_max >= 0 && o->fwhm_max < o->fwhm)
        return usage_error("--fwhm-max: must not be less than --fwhm");
    return CLI_OK;
}

/* --- Files ------------------------------------------------------------------------------------ */

/* One component of a file, cut or filled up. */
static armilla_status fit_component(const armilla_alm_file *file, int64_t component, int64_t lmax,
                                    const observed_beam *beam)
{
    armilla_alm_layout *from = NULL, *to = NULL;
    armilla_status status = armilla_alm_layout_new(file->lmax, file->mmax, &from);
    if (!status) status = armilla_alm_layout_new(lmax, beam->kmax, &to);
    if (!status)
        status = armilla_alm_convert(
            from, file->alm + 2 * component * armilla_alm_size(file->lmax, file->mmax), to,
            beam->blm + 2 * component * armilla_alm_size(lmax, beam->kmax));
    armilla_alm_layout_free(from);
    armilla_alm_layout_free(to);
    return status;
}

static int check_file(const beam_options *options, const armilla_alm_file *file, int64_t lmax)
{
    if (file->ncomp != 1 && file->ncomp != 3)
        return work_error("--beam \"%s\": has %lld tables of coefficients; T, or T, E and B, are "
                          "needed",
                          options->path, (long long)file->ncomp);
    if (options->kmax > file->mmax)
        return usage_error("--kmax %lld: \"%s\" has orders up to %lld", (long long)options->kmax,
                           options->path, (long long)file->mmax);
    if (options->kmax > lmax)
        return usage_error("--kmax %lld: must not exceed lmax = %lld of the sky",
                           (long long)options->kmax, (long long)lmax);
    return CLI_OK;
}

static void note_fit(const beam_options *options, const armilla_alm_file *file, int64_t lmax,
                     int64_t ncomp)
{
    if (file->lmax > lmax)
        note("--beam \"%s\": degrees beyond lmax = %lld of the sky are left out", options->path,
             (long long)lmax);
    if (file->lmax < lmax)
        note("--beam \"%s\": ends at l = %lld; the sky beyond that is not seen", options->path,
             (long long)file->lmax);
    if (file->ncomp != ncomp && !options->intensity)
        note("--beam \"%s\": the %s no E and B; only T is seen", options->path,
             ncomp < file->ncomp ? "sky has" : "beam has");
}

static int fit(const beam_options *options, const armilla_alm_file *file, int64_t lmax,
               int64_t ncomp, observed_beam *beam)
{
    armilla_status status = ARMILLA_OK;
    const int code = check_file(options, file, lmax);
    if (code != CLI_OK) return code;
    beam->kmax = options->kmax >= 0 ? options->kmax : file->mmax < lmax ? file->mmax : lmax;
    beam->ncomp = ncomp < file->ncomp ? ncomp : file->ncomp;
    beam->blm =
        malloc((size_t)(beam->ncomp * armilla_alm_size(lmax, beam->kmax)) * 2 * sizeof *beam->blm);
    if (!beam->blm) return memory_error();
    note_fit(options, file, lmax, ncomp);
    for (int64_t i = 0; i < beam->ncomp && !status; i++)
        status = fit_component(file, i, lmax, beam);
    return status ? data_error(status, options->path) : CLI_OK;
}

static int of_file(const beam_options *options, int64_t lmax, int64_t ncomp, observed_beam *beam)
{
    armilla_alm_file *file;
    const armilla_status status = armilla_alm_read(options->path, 0, &file);
    if (status) return data_error(status, options->path);
    const int code = fit(options, file, lmax, ncomp, beam);
    armilla_alm_file_free(file);
    return code;
}

/* --- Ellipses --------------------------------------------------------------------------------- */

/* Makes it up to the order kmax, in the place of what *beam has. */
static int make_ellipse(const beam_options *options, int64_t lmax, int64_t kmax,
                        observed_beam *beam)
{
    const double fwhm_max = options->fwhm_max >= 0 ? options->fwhm_max : options->fwhm;
    const size_t size = (size_t)(beam->ncomp * armilla_alm_size(lmax, kmax)) * 2;
    armilla_status status;
    free(beam->blm);
    beam->blm = malloc(size * sizeof *beam->blm), beam->kmax = kmax;
    if (!beam->blm) return memory_error();
    if (beam->ncomp == 1)
        status =
            armilla_beam_elliptical(options->fwhm, fwhm_max, options->psi, lmax, kmax, beam->blm);
    else
        status = armilla_beam_elliptical_polarised(options->fwhm, fwhm_max, options->psi,
                                                   options->polariser, 0, lmax, kmax, beam->blm);
    return status ? library_error(status, "--fwhm") : CLI_OK;
}

/* Norm over l of b_lk of one component. */
static double order_norm(const observed_beam *beam, int64_t lmax, int64_t component, int64_t k)
{
    const double *blm = beam->blm + 2 * component * armilla_alm_size(lmax, beam->kmax);
    double sum = 0;
    for (int64_t l = k; l <= lmax; l++) {
        const double *b = blm + 2 * armilla_alm_index(lmax, l, k);
        sum += b[0] * b[0] + b[1] * b[1];
    }
    return sqrt(sum);
}

/* The largest norm of a component's order k beside that of T's order 0: for a sky whose powers at
 * all l are equal, the rms of the samples of this order beside those of order 0. */
static double order_part(const observed_beam *beam, int64_t lmax, int64_t k)
{
    double largest = 0;
    for (int64_t i = 0; i < beam->ncomp; i++) largest = fmax(largest, order_norm(beam, lmax, i, k));
    return largest / order_norm(beam, lmax, 0, 0);
}

/* Orders fall off with k: the first ones are made until the last of them is below epsilon, and the
 * beam is then made again without those that are. */
static int find_orders(const beam_options *options, int64_t lmax, double epsilon,
                       observed_beam *beam)
{
    int64_t made = lmax < FIRST_KMAX ? lmax : FIRST_KMAX;
    int code = make_ellipse(options, lmax, made, beam);
    while (code == CLI_OK && made < lmax && order_part(beam, lmax, made - made % 2) >= epsilon) {
        made = 2 * made < lmax ? 2 * made : lmax;
        code = make_ellipse(options, lmax, made, beam);
    }
    if (code != CLI_OK) return code;
    int64_t k = made - made % 2;
    while (k > 0 && order_part(beam, lmax, k) < epsilon) k -= 2;
    return make_ellipse(options, lmax, k, beam);
}

/* The wanted orders, after a note if the next even one should not be left out. */
static int take_orders(const beam_options *options, int64_t lmax, double epsilon,
                       observed_beam *beam)
{
    const int64_t kmax = options->kmax, next = kmax + 2 - kmax % 2;
    if (kmax > lmax)
        return usage_error("--kmax %lld: must not exceed lmax = %lld of the sky", (long long)kmax,
                           (long long)lmax);
    if (next <= lmax) {
        const int code = make_ellipse(options, lmax, next, beam);
        if (code != CLI_OK) return code;
        const double part = order_part(beam, lmax, next);
        if (part >= epsilon)
            note("--kmax %lld: leaves out order %lld of the ellipse, whose norm is %.2g times that "
                 "of order 0; epsilon is %g",
                 (long long)kmax, (long long)next, part, epsilon);
    }
    return make_ellipse(options, lmax, kmax, beam);
}

static int of_ellipse(const beam_options *options, int64_t lmax, int64_t ncomp, double epsilon,
                      observed_beam *beam)
{
    if (ncomp == 1 && options->polariser_text)
        return usage_error("--polarisation: the sky has no E and B");
    beam->ncomp = ncomp;
    return (options->kmax >= 0 ? take_orders : find_orders)(options, lmax, epsilon, beam);
}

int observed_beam_make(const beam_options *options, int64_t lmax, int64_t ncomp, double epsilon,
                       observed_beam *beam)
{
    *beam = (observed_beam){.blm = NULL};
    return options->path ? of_file(options, lmax, ncomp, beam)
                         : of_ellipse(options, lmax, ncomp, epsilon, beam);
}

void observed_beam_free(observed_beam *beam)
{
    free(beam->blm);
    *beam = (observed_beam){.blm = NULL};
}
