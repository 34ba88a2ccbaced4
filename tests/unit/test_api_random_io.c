/* io.h under random arguments: structs to write, files that do not exist, columns that no file
 * has. What is in a file is the fuzzers' part (tests/fuzz). */
#include "test_io_support.h"

#include "test_api_random.h"

static const int64_t largest_lmax = INT64_C(1) << 30;

/* A path that cannot be read or written, and what its error must name; NULL: a good one. */
static const char *draw_path(trial *t, const char *good)
{
    static char longest[5000];
    memset(longest, 'x', sizeof longest - 1);
    const char *const bad[] = {NULL, "", "nowhere/file", ".", "/dev/null", longest};
    const char *const words[] = {"path", "path", "nowhere/file", ".", "/dev/null", "xxx"};
    int64_t which = below(t, 6);
    return spoil(t, words[which]) ? bad[which] : good;
}

/* --- Structs ---------------------------------------------------------------------------------- */

static void try_new(trial *t)
{
    void *made = MARK;
    int64_t kind = below(t, 3), size = between(t, 1, 8), lmax = below(t, 9),
            mmax = below(t, lmax + 1);
    int64_t count = between(t, 1, 7);
    static const char *const counts[] = {"nfields", "ncomp", "nspectra"};
    static const char *const targets[] = {"map", "alm", "cl"};
    if (spoil(t, counts[kind])) count = outside(t, 1, 998);
    if (kind == 0 && spoil(t, "nside")) size = outside(t, 1, 876706528);
    if (kind == 1 && spoil(t, "mmax")) mmax = outside(t, 0, lmax);
    if (kind > 0 && spoil(t, "lmax")) lmax = outside(t, 0, largest_lmax);
    void *target = spoil(t, targets[kind]) ? NULL : &made;
    armilla_status status = kind == 0   ? armilla_map_new(size, count, target)
                            : kind == 1 ? armilla_alm_file_new(lmax, mmax, count, target)
                                        : armilla_cl_file_new(lmax, count, target);
    if (!judge(t, status))
        assert_marked(t, made);
    else if (kind == 0)
        armilla_map_free(made);
    else if (kind == 1)
        armilla_alm_file_free(made);
    else
        armilla_cl_file_free(made);
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* After an error there is no file; after success there is one. */
static void finish_file(const trial *t, armilla_status status, const char *path)
{
    int worked = judge(t, status);
    if (!worked && access("good", F_OK) == 0)
        fail_msg("trial %lld: a file in spite of an error", (long long)t->number);
    if (worked && unlink(path)) fail_msg("trial %lld: no file", (long long)t->number);
}

static void spoil_map(trial *t, armilla_map *map)
{
    armilla_field *field = &map->fields[below(t, map->nfields)];
    if (spoil(t, "type")) field->type = (armilla_io_type)outside_int(t, 0, 4);
    if (spoil(t, "values")) field->values = NULL;
    if (spoil(t, "name")) memset(field->name, 'x', sizeof field->name);
    if (spoil(t, "unit")) memset(field->unit, 'x', sizeof field->unit);
    if (spoil(t, "fields")) map->fields = NULL;
    if (spoil(t, "nfields")) map->nfields = outside(t, 1, 998);
    if (spoil(t, "order")) map->order = (armilla_io_order)outside_int(t, 0, 1);
    if (spoil(t, "coordsys")) map->coordsys = (char)between(t, 'a', 'z');
    if (spoil(t, "npix")) map->npix = outside(t, map->npix, map->npix);
    if (spoil(t, "nside")) map->nside = outside(t, 1, 876706528);
}

static void try_map_write(trial *t)
{
    armilla_map *map = NULL;
    check_ok(armilla_map_new(INT64_C(1) << below(t, 3), between(t, 1, 4), &map));
    map->partial = (int)below(t, 2);
    map->order = (armilla_io_order)below(t, 2);
    map->iau = (int)below(t, 2);
    for (int64_t i = 0; i < map->nfields; i++)
        for (int64_t k = 0; k < map->npix; k++)
            map->fields[i].values[k] = below(t, 4) ? (double)k : not_finite(t);
    armilla_map copy = *map;
    armilla_field fields[4];
    memcpy(fields, map->fields, (size_t)map->nfields * sizeof *fields);
    copy.fields = fields;
    spoil_map(t, &copy);
    const char *path = draw_path(t, "good");
    const armilla_map *given = spoil(t, "map") ? NULL : &copy;
    finish_file(t, armilla_map_write(path, given, (int)below(t, 2)), path);
    armilla_map_free(map);
}

static void try_alm_write(trial *t)
{
    armilla_alm_file *alm = NULL;
    int64_t lmax = below(t, 9), mmax = below(t, lmax + 1);
    check_ok(armilla_alm_file_new(lmax, mmax, between(t, 1, 3), &alm));
    armilla_alm_file copy = *alm;
    copy.type = (armilla_io_type)below(t, 2);
    if (spoil(t, "type")) copy.type = (armilla_io_type)outside_int(t, 0, 1);
    if (spoil(t, "coordsys")) copy.coordsys = (char)between(t, 'a', 'z');
    if (spoil(t, "ncomp")) copy.ncomp = outside(t, 1, 998);
    if (spoil(t, "alm")) copy.alm = NULL;
    if (spoil(t, "mmax")) copy.mmax = outside(t, 0, lmax);
    if (spoil(t, "lmax")) copy.lmax = outside(t, 0, largest_lmax);
    const char *path = draw_path(t, "good");
    const armilla_alm_file *given = spoil(t, "alm") ? NULL : &copy;
    finish_file(t, armilla_alm_write(path, given, (int)below(t, 2)), path);
    armilla_alm_file_free(alm);
}

static void try_cl_write(trial *t)
{
    armilla_cl_file *cl = NULL;
    check_ok(armilla_cl_file_new(below(t, 9), between(t, 1, 4), &cl));
    armilla_cl_file copy = *cl;
    copy.type = (armilla_io_type)below(t, 2);
    if (spoil(t, "name")) memset(cl->names[cl->nspectra - 1], 'x', sizeof *cl->names);
    if (spoil(t, "names")) copy.names = NULL;
    if (spoil(t, "unit")) memset(copy.unit, 'x', sizeof copy.unit);
    if (spoil(t, "type")) copy.type = (armilla_io_type)outside_int(t, 0, 1);
    if (spoil(t, "nspectra")) copy.nspectra = outside(t, 1, 998);
    if (spoil(t, "cl")) copy.cl = NULL;
    if (spoil(t, "lmax")) copy.lmax = outside(t, 0, largest_lmax);
    const char *path = draw_path(t, "good");
    const armilla_cl_file *given = spoil(t, "cl") ? NULL : &copy;
    finish_file(t, armilla_cl_write(path, given, (int)below(t, 2)), path);
    armilla_cl_file_free(cl);
}

static void try_picture(trial *t)
{
    double values[12 * 4];
    armilla_picture_options options;
    armilla_picture_options_init(&options);
    int64_t nside = between(t, 1, 2);
    for (int i = 0; i < 48; i++) values[i] = below(t, 2) ? any_finite(t) : not_finite(t);
    options.width = 200;
    options.title = below(t, 2) ? "title \xc3\xa9\xff" : NULL;
    options.unit = below(t, 2) ? "" : NULL;
    options.nthreads = below(t, 3);
    if (spoil(t, "width")) options.width = outside(t, 200, 20000);
    if (spoil(t, "nthreads")) options.nthreads = outside(t, 0, INT32_MAX);
    if (spoil(t, "minimum")) options.minimum = below(t, 2) ? (double)INFINITY : -(double)INFINITY;
    if (spoil(t, "maximum")) options.maximum = below(t, 2) ? (double)INFINITY : -(double)INFINITY;
    if (spoil(t, "size"))
        options.size =
            wrong_size(t, offsetof(armilla_picture_options, unit) + sizeof(char *), sizeof options);
    if (spoil(t, "nside")) nside = outside(t, 1, 876706528);
    const double *given = spoil(t, "values") ? NULL : values;
    const char *path = draw_path(t, "good");
    finish_file(t, armilla_picture_write(path, nside, given, &options, (int)below(t, 2)), path);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void try_map_read(trial *t)
{
    armilla_map *map = MARK, **target = &map;
    int64_t fields[3] = {2, 0, 2}, nfields = between(t, 1, 3);
    const int64_t *list = below(t, 2) ? fields : NULL;
    int hdu = (int)below(t, 2);
    if (list && spoil(t, "field = ")) fields[below(t, nfields)] = outside(t, 0, 2);
    if (list && spoil(t, "nfields")) nfields = outside(t, 1, 1 << 20);
    if (spoil(t, "hdu")) hdu = outside_int(t, 0, 1);
    if (spoil(t, "map")) target = NULL;
    const char *path = draw_path(t, "map.fits");
    if (judge(t, armilla_map_read(path, hdu, list ? nfields : any_integer(t), list, target)))
        armilla_map_free(map);
    else
        assert_marked(t, map);
}

static void try_other_reads(trial *t)
{
    void *made = MARK, *target = &made;
    int64_t kind = below(t, 3);
    static const char *const targets[] = {"alm", "cl", "text"};
    static const char *const files[] = {"alm.fits", "cl.fits", "map.fits"};
    int hdu = (int)below(t, 2);
    if (spoil(t, targets[kind])) target = NULL;
    if (kind == 0 && spoil(t, "hdu")) hdu = outside_int(t, 0, 1);
    const char *path = draw_path(t, files[kind]);
    armilla_status status = kind == 0   ? armilla_alm_read(path, hdu, target)
                            : kind == 1 ? armilla_cl_read(path, target)
                                        : armilla_io_describe(path, target);
    if (!judge(t, status))
        assert_marked(t, made);
    else if (kind == 0)
        armilla_alm_file_free(made);
    else if (kind == 1)
        armilla_cl_file_free(made);
    else
        armilla_io_text_free(made);
}

/* --- Tests ------------------------------------------------------------------------------------ */

static void structs_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_new, 2000);
}

static void writers_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_map_write, 500);
    try_often(try_alm_write, 500);
    try_often(try_cl_write, 500);
    try_often(try_picture, 100);
    assert_int_equal(count_entries(), 0);
}

static void readers_name_a_wrong_argument(void **state)
{
    (void)state;
    armilla_map *map = NULL;
    armilla_alm_file *alm = NULL;
    armilla_cl_file *cl = NULL;
    check_ok(armilla_map_new(2, 3, &map));
    check_ok(armilla_alm_file_new(4, 3, 1, &alm));
    check_ok(armilla_cl_file_new(4, 3, &cl));
    check_ok(armilla_map_write("map.fits", map, 0));
    check_ok(armilla_alm_write("alm.fits", alm, 0));
    check_ok(armilla_cl_write("cl.fits", cl, 0));
    armilla_map_free(map);
    armilla_alm_file_free(alm);
    armilla_cl_file_free(cl);
    try_often(try_map_read, 2000);
    try_often(try_other_reads, 2000);
}

static void nothing_is_freed_for_null(void **state)
{
    (void)state;
    armilla_map_free(NULL);
    armilla_alm_file_free(NULL);
    armilla_cl_file_free(NULL);
    armilla_io_text_free(NULL);
    armilla_picture_options_init(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(structs_name_a_wrong_argument),
        IN_DIRECTORY(writers_name_a_wrong_argument),
        IN_DIRECTORY(readers_name_a_wrong_argument),
        cmocka_unit_test(nothing_is_freed_for_null),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) print_message("last trial %lld\n", (long long)last_trial);
    return failed;
}
