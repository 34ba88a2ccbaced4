/* armilla map --coord and --euler: a map in other coordinates, by bilinear interpolation between
 * the four pixels around each new pixel.
 *
 * With R the rotation and n' a new pixel, the value is that of n = R^-1 n'. Q and U refer to the
 * axes e_theta (to the south) and e_phi (to the east) of their own pixel p. There the axis R
 * e_theta(p) makes an angle psi with e_theta(n'), and so
 *     (Q + iU)' = (Q + iU) exp(2 i psi),
 * pixel by pixel, before the four are added: near a pole their axes differ. */
#include "map_work.h"
#include "message.h"
#include "pixel_four.h"
#include "rotation.h"
#include "sky.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3 };

/* Two columns at most that turn together, and room for a piece. */
typedef struct turner {
    map_work *work;
    double matrix[AXES * AXES]; /* R, row by row */
    int64_t ncolumns;           /* 1; or 2: Q and U */
    double *columns[2];         /* all pixels */
    double *results[2];
    double *vectors, *places; /* of the new pixels; places: theta, then phi, for Q and U */
    double *theta, *phi, *weights;
    double *axes; /* theta and phi of the four, for Q and U */
    int64_t *pixels;
} turner;

static void free_turner(turner *self)
{
    for (int i = 0; i < 2; i++) free(self->columns[i]), free(self->results[i]);
    free(self->vectors);
    free(self->places);
    free(self->theta);
    free(self->phi);
    free(self->weights);
    free(self->axes);
    free(self->pixels);
}

static double *room(int64_t count)
{
    return malloc((size_t)count * sizeof(double));
}

static int make_room(turner *self, int64_t piece)
{
    self->vectors = room(AXES * piece), self->places = room(2 * piece);
    self->theta = room(piece), self->phi = room(piece);
    self->weights = room(FOUR * piece), self->axes = room(2 * FOUR * piece);
    self->results[0] = room(piece), self->results[1] = room(piece);
    self->pixels = malloc((size_t)(FOUR * piece) * sizeof *self->pixels);
    const int is_there = self->vectors && self->places && self->theta && self->phi &&
                         self->weights && self->axes && self->results[0] && self->results[1] &&
                         self->pixels;
    return is_there ? CLI_OK : memory_error();
}

/* Where the pixels first ... of the result were before, and the four pixels around. */
static armilla_status find_pixels(turner *self, int64_t first, int64_t count)
{
    const pixel_grid *on = &self->work->on;
    const int nthreads = (int)self->work->a->base.threads, is_pair = self->ncolumns == 2;
    const double *m = self->matrix;
    for (int64_t i = 0; i < count; i++) self->pixels[i] = first + i;
    armilla_status status = pixel_grid_vectors(on, count, self->pixels, self->vectors, nthreads);
    if (!status && is_pair)
        status = pixel_grid_angles(on, count, self->pixels, self->places, self->places + count);
    for (int64_t i = 0; i < count && !status; i++) {
        const double *v = self->vectors + AXES * i;
        const double x = m[0] * v[0] + m[3] * v[1] + m[6] * v[2];
        const double y = m[1] * v[0] + m[4] * v[1] + m[7] * v[2];
        const double z = m[2] * v[0] + m[5] * v[1] + m[8] * v[2];
        self->theta[i] = atan2(hypot(x, y), z);
        self->phi[i] = atan2(y, x);
    }
    if (status) return status;
    return pixel_four_find(on, count, self->theta, self->phi, self->pixels, self->weights,
                           is_pair ? self->axes : NULL, nthreads);
}

/* Without a column of its own, a missing pixel makes a missing value, unless its weight is 0. */
static double add_four(const turner *self, int64_t i, int64_t count)
{
    double sum = 0;
    for (int64_t k = i; k < FOUR * count; k += count) {
        if (self->weights[k] == 0) continue;
        sum += self->weights[k] * self->columns[0][self->pixels[k]];
    }
    return sum;
}

/* cos and sin of 2 psi, for pixel p at theta, phi, and the new pixel i, which may be a pole. */
static void find_angle(const turner *self, double theta, double phi, int64_t i, int64_t count,
                       double *turn)
{
    const double *m = self->matrix, own_theta = self->places[i], own_phi = self->places[count + i];
    const double south[AXES] = {cos(theta) * cos(phi), cos(theta) * sin(phi), -sin(theta)};
    const double east[AXES] = {-sin(own_phi), cos(own_phi), 0};
    const double down[AXES] = {cos(own_theta) * east[1], -cos(own_theta) * east[0],
                               -sin(own_theta)};
    double c = 0, s = 0;
    for (int k = 0; k < AXES; k++) {
        const double axis =
            m[AXES * k] * south[0] + m[AXES * k + 1] * south[1] + m[AXES * k + 2] * south[2];
        c += axis * down[k], s += axis * east[k];
    }
    const double square = c * c + s * s;
    turn[0] = (c * c - s * s) / square, turn[1] = 2 * c * s / square;
}

static void add_four_turned(const turner *self, int64_t i, int64_t count, double *qu)
{
    qu[0] = qu[1] = 0;
    for (int64_t k = i; k < FOUR * count; k += count) {
        double turn[2];
        if (self->weights[k] == 0) continue;
        find_angle(self, self->axes[k], self->axes[FOUR * count + k], i, count, turn);
        const double q = self->columns[0][self->pixels[k]], u = self->columns[1][self->pixels[k]];
        qu[0] += self->weights[k] * (q * turn[0] - u * turn[1]);
        qu[1] += self->weights[k] * (q * turn[1] + u * turn[0]);
    }
}

static int turn_piece(turner *self, int64_t k, int64_t first, int64_t count)
{
    armilla_status status = find_pixels(self, first, count);
    if (status) return data_error(status, NULL);
    for (int64_t i = 0; i < count; i++) {
        double qu[2];
        if (self->ncolumns == 1) {
            self->results[0][i] = add_four(self, i, count);
            continue;
        }
        add_four_turned(self, i, count, qu);
        self->results[0][i] = qu[0], self->results[1][i] = qu[1];
    }
    int code = CLI_OK;
    for (int64_t c = 0; c < self->ncolumns && code == CLI_OK; c++) {
        code = target_write(&self->work->target, k + c, first, count, self->results[c]);
        if (code == CLI_OK) code = map_step(self->work);
    }
    return code;
}

/* Turns column k of the result, or k and k + 1, which are Q and U. */
static int turn_columns(turner *self, int64_t k)
{
    map_work *work = self->work;
    const int64_t npix = work->target.map.npix;
    int code = CLI_OK;
    for (int64_t c = 0; c < self->ncolumns && code == CLI_OK; c++) {
        self->columns[c] = map_read_all(work, &work->sources[0], map_column(work, k + c));
        if (!self->columns[c]) code = CLI_FAILED;
    }
    for (int64_t first = 0; first < npix && code == CLI_OK; first += work->piece) {
        const int64_t left = npix - first;
        code = turn_piece(self, k, first, left < work->piece ? left : work->piece);
    }
    for (int c = 0; c < 2; c++) {
        free(self->columns[c]);
        self->columns[c] = NULL;
    }
    return code;
}

/* Does this column of the result have that letter, Q or U? */
static int is_letter(const map_work *work, int64_t k, const char *letter)
{
    if (k < 0 || k >= map_ncolumns(work)) return 0;
    return sky_name_means(letter, work->sources[0].map->fields[map_column(work, k)].name);
}

/* QQ, QU_COV and the like: covariances of polarisation, which turn as no scalar does. */
static int is_covariance(const char *name)
{
    const char *letters = "IiTtQqUu", *polarised = "QqUu";
    if (!name[0] || !name[1] || !strchr(letters, name[0]) || !strchr(letters, name[1])) return 0;
    const int is_word = isalnum((unsigned char)name[2]);
    return !is_word && (strchr(polarised, name[0]) || strchr(polarised, name[1]));
}

static int check_pairs(const map_work *work)
{
    for (int64_t k = 0; k < map_ncolumns(work); k++) {
        const char *name = work->sources[0].map->fields[map_column(work, k)].name;
        if (is_covariance(name))
            return usage_error("%s: column %lld of \"%s\" is %s: covariances of Q and U are not "
                               "rotated; name one column with --field",
                               work->a->coord ? "--coord" : "--euler",
                               (long long)map_column(work, k), work->sources[0].path, name);
        const int is_q = is_letter(work, k, "Q"), is_u = is_letter(work, k, "U");
        if ((!is_q && !is_u) || (is_q && is_letter(work, k + 1, "U")) ||
            (is_u && is_letter(work, k - 1, "Q")))
            continue;
        return usage_error("%s: column %lld of \"%s\" is %s: Q and U turn together; give a map "
                           "with both, U right after Q, and no --field",
                           work->a->coord ? "--coord" : "--euler", (long long)map_column(work, k),
                           work->sources[0].path,
                           work->sources[0].map->fields[map_column(work, k)].name);
    }
    return CLI_OK;
}

int map_turn(map_work *self)
{
    turner turn = {.work = self};
    const armilla_map *map = self->sources[0].map;
    int code = rotation_check_file(self->a->coord, self->sources[0].path, map->coordsys);
    if (code == CLI_OK) code = check_pairs(self);
    if (code == CLI_OK && !self->on.nside)
        code = pixel_four_check(&self->on, self->a->coord ? "--coord" : "--euler");
    if (code != CLI_OK) return code;
    armilla_status status = armilla_rotation_matrix(&self->a->rotation, turn.matrix);
    if (status) return library_error(status, NULL);
    code = map_begin(self, map->nside, self->a->coord ? self->a->coord[2] : map->coordsys);
    if (code == CLI_OK) code = make_room(&turn, self->piece);
    for (int64_t k = 0; k < map_ncolumns(self) && code == CLI_OK; k += turn.ncolumns) {
        turn.ncolumns = is_letter(self, k, "Q") ? 2 : 1;
        code = turn_columns(&turn, k);
    }
    free_turner(&turn);
    return code;
}
