/* Tells how a plan of the ring stage transforms its rings, from the choices that its calls read. */
#include "ringfft/plan.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct {
    char text[192];
} reason;

static reason because(const char *format, ...) ARMILLA_PRINTF(1, 2);

static reason because(const char *format, ...)
{
    reason why;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why.text, sizeof why.text, format, arguments);
    va_end(arguments);
    return why;
}

static void tell_lanes(const armilla_ringfft *ringfft, const armilla_teller *teller)
{
    const armilla_ring_choices *c = &ringfft->choices;
    const reason rings = because("%" PRId64 " of %" PRId64 " rings have %" PRId64
                                 " samples, %" PRId64 " apart, and a shift that lanes have; "
                                 "vectors have %d lanes",
                                 c->lane_rings, ringfft->nrings, c->longest, c->lane_stride,
                                 ringfft->kernels->lanes);
    if (c->lane_pairs == 0) {
        armilla_choice_tell(teller, "ring.lanes", rings.text, "0: rings go pair by pair");
        return;
    }
    armilla_choice_tell(teller, "ring.lanes", rings.text, "1: %" PRId64 " pairs at once",
                        c->lane_pairs);
    const reason work = because(
        "neighbouring samples are %" PRId64 " apart, and each group works on "
        "%" PRId64 " bytes",
        c->lane_stride, 8 * armilla_ring_lanes_work(&ringfft->lanes.fft, ringfft->kernels->lanes));
    armilla_choice_tell(teller, "ring.groups", work.text, "%" PRId64, c->lane_groups);
}

/* How the longest of the rings that do not go in lanes is transformed. */
static void tell_fft(const armilla_ringfft *ringfft, const armilla_teller *teller)
{
    int64_t longest = -1;
    for (int64_t i = 0; i < ringfft->nrings; i++)
        if (!(ringfft->choices.lane_pairs && ringfft->lanes.fits[i]) &&
            (longest < 0 || ringfft->rings[i].nphi > ringfft->rings[longest].nphi))
            longest = i;
    if (longest >= 0) armilla_fft_tell(ringfft->fft[longest], teller);
}

void armilla_ringfft_tell(const armilla_ringfft *ringfft, const armilla_teller *teller)
{
    static const char *const kinds[] = {"0: whole rings", "1: quarters", "2: eighths"};
    const armilla_ring_choices *c = &ringfft->choices;
    const reason longest = because("the longest rings have %" PRId64 " samples", c->longest);
    tell_lanes(ringfft, teller);
    armilla_choice_tell(teller, "ring.fours", longest.text,
                        c->fours ? "1: of a quarter of the length, by residues modulo 4"
                                 : "0: of the whole length");
    if (c->parts)
        armilla_choice_tell(teller, "ring.part_kind", longest.text, "%s", kinds[c->part_kind]);
    tell_fft(ringfft, teller);
    const reason orders = because("there are orders up to %" PRId64 ", and %s", ringfft->mmax,
                                  ringfft->roots || !c->roots ? "rings may have shifts of their own"
                                                              : "no ring has a shift of its own");
    armilla_choice_tell(teller, "ring.roots", orders.text,
                        ringfft->roots ? "1: kept" : "0: not kept");
    const reason size = because("a map has %" PRId64 " bytes", 8 * ringfft->nsamples);
    const int far = armilla_machine_stores_far(&ringfft->machine, 8 * ringfft->nsamples, 0);
    armilla_choice_tell(teller, "ring.far_stores", size.text, "%s",
                        far ? "one map goes past the caches, where lanes write whole lines"
                            : "one map goes through the caches; those of larger calls may not");
}
