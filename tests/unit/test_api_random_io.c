/* Checks that the functions of io.h stand random arguments: structs to write, files that do not
 * exist, columns that no file has. What is in a file is the fuzzers' part (tests/fuzz). */
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

enum { KEYWORDS = 4 };

static const armilla_keyword good_keywords[KEYWORDS] = {{"OBSERVER", "'O''Neil'", NULL},
                                                        {"a long name", "1.5E-3", "of a card"},
                                                        {"HISTORY", "made at random", NULL},
                                                        {"NOTHING", "", "has no value"}};

/* "123456...", at most 199 digits. */
static const char *long_text(int64_t count)
{
    static char text[4][200]; /* bad_keyword() wants so many at once */
    static int turn;
    char *made = text[turn = (turn + 1) % 4];
    for (int64_t i = 0; i < count; i++) made[i] = (char)('1' + i % 9);
    made[count] = '\0';
    return made;
}

/* A keyword that no header can hold, or that describes the table. */
static armilla_keyword bad_keyword(trial *t)
{
    const armilla_keyword bad[] = {{NULL, "1", NULL},
                                   {"NAME", NULL, NULL},
                                   {"", "1", NULL},
                                   {"A=B", "1", NULL},
                                   {"A\n", "1", NULL},
                                   {"\xc3\xa4", "1", NULL},
                                   {"NAME", "'\x80'", NULL},
                                   {"NAME", "1", "\t"},
                                   {"NAXIS1", "1", NULL},
                                   {"TFORM2", "'1D'", NULL},
                                   {"END", "", NULL},
                                   {long_text(61), "1", NULL},
                                   {"NAME", long_text(150), ""},
                                   {long_text(60), long_text(65), NULL}};
    return bad[below(t, sizeof bad / sizeof *bad)];
}

/* Options of writing, or NULL for the defaults. row_pixels: a number that the file may have. */
static const armilla_write_options *draw_options(trial *t, int64_t row_pixels)
{
    static armilla_write_options options;
    static armilla_keyword keywords[KEYWORDS];
    armilla_write_options_init(&options);
    memcpy(keywords, good_keywords, sizeof keywords);
    options.overwrite = (int)below(t, 2);
    options.keep_nan = (int)below(t, 2);
    options.nkeywords = below(t, KEYWORDS + 1);
    options.keywords = options.nkeywords ? keywords : NULL;
    if (below(t, 2)) options.row_pixels = row_pixels;
    if (options.nkeywords && spoil(t, "keywords["))
        keywords[below(t, options.nkeywords)] = bad_keyword(t);
    if (options.nkeywords && spoil(t, "nkeywords")) options.keywords = NULL;
    if (spoil(t, "nkeywords")) options.nkeywords = outside(t, 0, INT64_MAX);
    if (spoil(t, "row_pixels")) options.row_pixels = outside(t, 0, INT64_MAX);
    if (spoil(t, "size"))
        options.size = wrong_size(t, offsetof(armilla_write_options, integers), sizeof options);
    return !t->spoilt && below(t, 4) == 0 ? NULL : &options;
}

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
    finish_file(t,
                below(t, 3)
                    ? armilla_map_write_with(path, given, draw_options(t, below(t, 2) ? 12 : 1))
                    : armilla_map_write(path, given, (int)below(t, 2)),
                path);
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
    finish_file(t,
                below(t, 3) ? armilla_alm_write_with(path, given, draw_options(t, below(t, 99)))
                            : armilla_alm_write(path, given, (int)below(t, 2)),
                path);
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
    finish_file(t,
                below(t, 3) ? armilla_cl_write_with(path, given, draw_options(t, below(t, 99)))
                            : armilla_cl_write(path, given, (int)below(t, 2)),
                path);
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

/* Headers and tables as they stand in a file. */
static void try_raw_reads(trial *t)
{
    void *made = MARK, *target = &made;
    int wants_table = (int)below(t, 2), hdu = wants_table ? 1 : (int)below(t, 2);
    if (spoil(t, wants_table ? "table" : "text")) target = NULL;
    if (spoil(t, "hdu")) hdu = outside_int(t, 0, 1);
    const char *path = draw_path(t, below(t, 2) ? "map.fits" : "alm.fits");
    armilla_status status = wants_table ? armilla_raw_table_read(path, hdu, target)
                                        : armilla_io_header(path, hdu, target);
    if (!judge(t, status))
        assert_marked(t, made);
    else if (wants_table)
        armilla_raw_table_free(made);
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
    try_often(try_map_write, 800);
    try_often(try_alm_write, 800);
    try_often(try_cl_write, 800);
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
    try_often(try_raw_reads, 2000);
}

static void nothing_is_freed_for_null(void **state)
{
    (void)state;
    armilla_map_free(NULL);
    armilla_alm_file_free(NULL);
    armilla_cl_file_free(NULL);
    armilla_io_text_free(NULL);
    armilla_raw_table_free(NULL);
    armilla_picture_options_init(NULL);
    armilla_write_options_init(NULL);
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
