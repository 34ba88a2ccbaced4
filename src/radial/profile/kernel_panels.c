/* Integrals over the angle, weighted by the solid angle of a ring, 2 pi sin theta dtheta: panels
 * between the kinks of a kernel, so short that a Gauss-Legendre rule of 8, 16 or 32 nodes has no
 * error left.
 *
 * On a panel of length w, n nodes integrate exp(i f theta) to about J_2n(f w / 2), which is below
 * 1e-17 for f w up to 2.3, 15 and 53 (n = 8, 16, 32). */
#include "radial/profile/kernel.h"
#include "grid/grid.h"

#include <math.h>

enum { RULES = ARMILLA_PANEL_RULES, FEWEST = 8 };
static const double phase[RULES] = {2.3, 15, 50};

void armilla_panels_make_rules(armilla_panel_rule rule[ARMILLA_PANEL_RULES])
{
    for (int r = 0; r < RULES; r++) {
        const int n = FEWEST << r;
        double theta[ARMILLA_KERNEL_BLOCK / 2], weight[ARMILLA_KERNEL_BLOCK / 2];
        armilla_gauss_legendre_half(n, theta, weight);
        for (int i = 0; i < n / 2; i++) {
            rule[r].node[i] = -cos(theta[i]);
            rule[r].node[n - 1 - i] = cos(theta[i]);
            rule[r].weight[i] = rule[r].weight[n - 1 - i] = weight[i];
        }
    }
}

void armilla_panels_start(armilla_panels *panels, const armilla_kernel *kernel, double from,
                          double to, double frequency)
{
    panels->kernel = kernel;
    panels->at = from;
    panels->to = to;
    if (kernel->form == ARMILLA_KERNEL_TOPHAT || kernel->form == ARMILLA_KERNEL_TABLE)
        panels->to = fminl(to, (long double)armilla_kernel_extent(kernel));
    /* the kernel squared falls by 1e-22 of what it is at `from` */
    if (kernel->form == ARMILLA_KERNEL_HEAT)
        panels->to =
            fminl(to, sqrtl(panels->at * panels->at + 110 * kernel->angle * kernel->angle));
    /* 4: sin theta, and a cubic of the chord */
    panels->frequency = frequency + 4;
    if (kernel->form == ARMILLA_KERNEL_TABLE)
        panels->node = armilla_kernel_table_beyond(kernel, panels->at);
}

/* The end of the smooth piece that begins at `at`. */
static long double piece_end(armilla_panels *panels)
{
    const armilla_kernel *kernel = panels->kernel;
    if (kernel->form != ARMILLA_KERNEL_TABLE) return panels->to;
    while (panels->node < kernel->count && kernel->theta[panels->node] <= panels->at)
        panels->node++;
    if (panels->node == kernel->count) return panels->to;
    return fminl(panels->to, (long double)kernel->theta[panels->node]);
}

int armilla_panels_next(armilla_panels *panels, armilla_panel *panel)
{
    if (!(panels->at < panels->to)) return 0;
    const long double from = panels->at, end = piece_end(panels);
    const long double most = (long double)(phase[RULES - 1] / panels->frequency);
    const long double to =
        end - from <= most ? end : from + (end - from) / ceill((end - from) / most);
    panels->at = to;
    int r = 0;
    while (r < RULES - 1 && (double)(to - from) * panels->frequency > phase[r]) r++;
    panel->count = FEWEST << r;
    const armilla_panel_rule *rule = &panels->kernel->rule[r];
    const long double middle = (from + to) / 2, half = (to - from) / 2;
    for (int i = 0; i < panel->count; i++) {
        const long double theta = middle + half * rule->node[i];
        panel->theta[i] = theta;
        panel->weight[i] = 2 * ARMILLA_PI * sinl(theta) * half * rule->weight[i];
    }
    armilla_kernel_evaluate(panels->kernel, panel->count, panel->theta, panel->value);
    return 1;
}
