/* Turns the gradient and tensor of a potential from one set of axes to another. */
#include "solid/jet.h"

#include <math.h>
#include <string.h>

void armilla_solid_axes(double theta, double cosine, double sine, double axes[3][3])
{
    const double c = cos(theta), s = sin(theta);
    const double local[3][3] = {
        {s * cosine, s * sine, c}, {c * cosine, c * sine, -s}, {-sine, cosine, 0}};
    memcpy(axes, local, sizeof local);
}

static void turn_vector(double axes[3][3], double v[3])
{
    const double x = v[0], y = v[1], z = v[2];
    for (int i = 0; i < 3; i++) v[i] = axes[i][0] * x + axes[i][1] * y + axes[i][2] * z;
}

/* t: rows of the tensor; A T A^T. */
static void turn_tensor(double axes[3][3], double t[3][3])
{
    for (int i = 0; i < 3; i++) turn_vector(axes, t[i]);
    for (int j = 0; j < 3; j++) {
        double column[3] = {t[0][j], t[1][j], t[2][j]};
        turn_vector(axes, column);
        for (int i = 0; i < 3; i++) t[i][j] = column[i];
    }
}

void armilla_solid_jet_turn(double axes[3][3], int back, armilla_solid_jet *jet)
{
    double rows[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) rows[i][j] = back ? axes[j][i] : axes[i][j];
    turn_vector(rows, jet->v);
    turn_tensor(rows, jet->t);
}

void armilla_solid_jet_add(const armilla_solid_jet *from, armilla_solid_jet *to)
{
    to->value += from->value;
    for (int i = 0; i < 3; i++) to->v[i] += from->v[i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) to->t[i][j] += from->t[i][j];
}

void armilla_solid_jet_add_mean(double value, double r, int interior, armilla_solid_jet *local)
{
    local->value += value;
    if (interior) return;
    const double slope = value / r, curve = slope / r;
    local->v[0] -= slope;
    local->t[0][0] += 2 * curve, local->t[1][1] -= curve, local->t[2][2] -= curve;
}

void armilla_solid_jet_components(const armilla_solid_jet *jet, double out[10])
{
    const double all[10] = {jet->value,   jet->v[0],    jet->v[1],    jet->v[2],    jet->t[0][0],
                            jet->t[0][1], jet->t[0][2], jet->t[1][1], jet->t[1][2], jet->t[2][2]};
    memcpy(out, all, sizeof all);
}
