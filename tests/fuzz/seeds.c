/* Writes the corpus: build-fuzz/bin/fuzz_seeds tests/fuzz/corpus
 *
 * One small file for each thing that a reader treats in its own way: some from our own writers, the
 * others by hand as other programs write them. */
#include "unit/test_io_support.h"

#include <sys/stat.h>

/* Steps into a folder below the one the program was called with. */
static void enter(const char *folder)
{
    if (chdir("..") || (mkdir(folder, 0777) && access(folder, W_OK)) || chdir(folder))
        fail_msg("no folder %s", folder);
}

/* --- Maps ------------------------------------------------------------------------------------- */

static void write_map(const char *name, int64_t nfields, armilla_io_type type, int variant)
{
    armilla_map *map;
    assert_works(armilla_map_new(1, nfields, &map));
    for (int64_t f = 0; f < nfields; f++) {
        map->fields[f].type = type;
        strcpy(map->fields[f].unit, "uK");
        for (int64_t i = 0; i < map->npix; i++)
            map->fields[f].values[i] = variant && i % 3 ? ARMILLA_UNSEEN : (double)(i + f);
    }
    map->order = variant & 1 ? ARMILLA_IO_NESTED : ARMILLA_IO_RING;
    map->partial = variant >> 1;
    map->iau = variant > 2;
    map->coordsys = "GEC"[variant % 3];
    assert_works(armilla_map_write(name, map, 1));
    armilla_map_free(map);
}

static void write_on_grid(const char *name, const char *grid_name, int is_listed, int is_image)
{
    armilla_grid *named, *grid;
    armilla_map *map;
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.overwrite = 1;
    options.image = is_image;
    assert_works(armilla_grid_new_named(grid_name, &named));
    assert_works(armilla_grid_new_subset(named, 0, armilla_grid_nrings(named), 1, &grid));
    assert_works(armilla_map_new_grid(is_listed ? grid : named, 3, &map));
    map->coordsys = 'G';
    assert_works(armilla_map_write_with(name, map, &options));
    armilla_map_free(map);
    armilla_grid_free(grid);
    armilla_grid_free(named);
}

static void begin_map(int row_bytes, int rows, int columns, const char *scheme)
{
    maker_begin();
    maker_table("BINTABLE", row_bytes, rows, columns);
    maker_card("PIXTYPE = 'HEALPIX '");
    maker_card("ORDERING= 'RING    '");
    maker_card("NSIDE   =                    1");
    maker_card("INDXSCHM= '%s'", scheme);
}

/* Listed pixels: two rows, the pixel numbers of one type, perhaps unsigned. */
static void make_listed(const char *name, const char *form, int width, const char *zero)
{
    begin_map(width + 4, 2, 2, "EXPLICIT");
    maker_column(1, "PIXEL", form);
    if (zero) maker_card("TZERO1  = %s", zero);
    maker_column(2, "SIGNAL", "E");
    maker_end_header();
    for (int i = 0; i < 2; i++) {
        maker_integer(zero ? 3 - INT64_MAX / (INT64_C(1) << (64 - 8 * width)) - 1 : 3 + i, width);
        maker_float(1.5f);
    }
    maker_save(name);
}

/* Vectors in rows, TDIM, integers with a scale and a mark of missing ones, logical values. */
static void make_columns(void)
{
    begin_map(12 * (2 + 1), 1, 2, "IMPLICIT");
    maker_column(1, "SCALED", "12I");
    maker_card("TDIM1   = '(4,3)'");
    maker_card("TSCAL1  = 0.5");
    maker_card("TZERO1  = -10.0");
    maker_card("TNULL1  = -32768");
    maker_column(2, "HITS", "12L");
    maker_card("BAD_DATA= -1.0D0");
    maker_end_header();
    for (int i = 0; i < 12; i++) maker_integer(i == 5 ? -32768 : i, 2);
    maker_text("TFTFTFTFTFT");
    maker_save("scaled_vectors.fits");
    begin_map(8, 6, 1, "IMPLICIT");
    maker_column(1, "SIGNAL", "D");
    maker_card("FIRSTPIX= 3");
    maker_card("LASTPIX = 8");
    maker_end_header();
    for (int i = 0; i < 6; i++) maker_double(i);
    maker_save("range_of_pixels.fits");
}

/* No keyword but the sizes; a table of text, bits and a list before it; an image first of all. */
static void make_several(void)
{
    maker_begin();
    maker_card("XTENSION= 'IMAGE   '");
    maker_card("BITPIX  = -32");
    maker_card("NAXIS   = 2");
    maker_card("NAXIS1  = 2");
    maker_card("NAXIS2  = 1");
    maker_card("PCOUNT  = 0");
    maker_card("GCOUNT  = 1");
    maker_end_header();
    maker_float(1);
    maker_pad(0);
    maker_table("BINTABLE", 4 + 2 + 8 + 16, 1, 4);
    maker_column(1, "NAME", "4A");
    maker_column(2, "FLAGS", "11X");
    maker_column(3, "LIST", "1PE(0)");
    maker_column(4, "WAVE", "1M");
    maker_end_header();
    maker_text("text");
    maker_pad(0);
    maker_table("BINTABLE", 4, 12, 1);
    maker_column(1, "I_STOKES", "1E");
    maker_card("EXTNAME = 'it''s a map'");
    maker_card("CONTINUE  'and more&'");
    maker_end_header();
    for (int i = 0; i < 12; i++) maker_float((float)i);
    maker_save("third_table.fits");
}

static void make_maps(void)
{
    enter("map");
    write_map("ring.fits", 1, ARMILLA_IO_FLOAT, 0);
    write_map("nested.fits", 3, ARMILLA_IO_DOUBLE, 1);
    write_map("partial.fits", 2, ARMILLA_IO_FLOAT, 2);
    write_map("partial_nested_iau.fits", 3, ARMILLA_IO_DOUBLE, 3);
    write_map("int16.fits", 1, ARMILLA_IO_INT16, 0);
    write_map("uint8.fits", 1, ARMILLA_IO_UINT8, 0);
    write_map("packed.fits.gz", 1, ARMILLA_IO_FLOAT, 2);
    write_map("int32.fits", 1, ARMILLA_IO_INT32, 0);
    write_on_grid("octahedral.fits", "O2", 0, 0);
    write_on_grid("listed_rings.fits", "cc:3x4", 1, 0);
    write_on_grid("image.fits", "cc:3x4", 0, 1);
    write_map("int64.fits", 1, ARMILLA_IO_INT64, 0);
    make_listed("pixel_byte.fits", "1B", 1, NULL);
    make_listed("pixel_short.fits", "1I", 2, NULL);
    make_listed("pixel_int.fits", "1J", 4, NULL);
    make_listed("pixel_long.fits", "1K", 8, NULL);
    make_listed("pixel_unsigned.fits", "1J", 4, "2147483648");
    make_listed("pixel_unsigned_long.fits", "1K", 8, "9223372036854775808");
    make_columns();
    make_several();
}

/* --- Coefficients ----------------------------------------------------------------------------- */

static void write_alm(const char *name, int64_t ncomp, armilla_io_type type)
{
    armilla_alm_file *alm;
    assert_works(armilla_alm_file_new(3, 2, ncomp, &alm));
    for (int64_t i = 0; i < 2 * ncomp * armilla_alm_size(3, 2); i++) alm->alm[i] = (double)i;
    alm->type = type;
    alm->coordsys = 'G';
    assert_works(armilla_alm_write(name, alm, 1));
    armilla_alm_file_free(alm);
}

static void make_alms(void)
{
    enter("alm");
    write_alm("float.fits", 1, ARMILLA_IO_FLOAT);
    write_alm("three_tables.fits", 3, ARMILLA_IO_DOUBLE);
    maker_begin(); /* with errors, 64-bit index, more promised than listed */
    maker_table("BINTABLE", 8 + 4 * 8, 2, 5);
    maker_column(1, "", "1K");
    maker_card("TUNIT1  = 'l*l+l+m+1'");
    for (int i = 2; i < 6; i++) maker_column(i, "", "1D");
    maker_card("MAX-LPOL= 9");
    maker_card("MAX-MPOL= 9");
    maker_end_header();
    for (int i = 0; i < 2; i++) {
        maker_integer(i ? 7 : 1, 8);
        for (int k = 0; k < 4; k++) maker_double(k);
    }
    maker_save("with_errors.fits");
    maker_begin(); /* vectors, unsigned 16-bit index */
    maker_table("BINTABLE", 3 * (2 + 4 + 4), 1, 3);
    maker_column(1, "index", "3I");
    maker_card("TZERO1  = 32768");
    maker_column(2, "real", "3E");
    maker_column(3, "imag", "3E");
    maker_end_header();
    for (int i = 0; i < 3; i++) maker_integer((i ? i + 2 : 1) - 32768, 2);
    for (int i = 0; i < 6; i++) maker_float((float)i);
    maker_save("vectors.fits");
}

/* --- Spectra ---------------------------------------------------------------------------------- */

static void write_cl(const char *name, int64_t nspectra, armilla_io_type type)
{
    armilla_cl_file *cl;
    assert_works(armilla_cl_file_new(4, nspectra, &cl));
    for (int64_t i = 0; i < 5 * nspectra; i++) cl->cl[i] = (double)i;
    strcpy(cl->unit, "uK^2");
    cl->type = type;
    assert_works(armilla_cl_write(name, cl, 1));
    armilla_cl_file_free(cl);
}

static void make_cl_fits(void)
{
    enter("cl_fits");
    write_cl("one.fits", 1, ARMILLA_IO_DOUBLE);
    write_cl("six.fits", 6, ARMILLA_IO_FLOAT);
    maker_begin();
    maker_table("TABLE", 26, 3, 2);
    maker_card("TBCOL1  = 1");
    maker_column(1, "ELL", "I4");
    maker_card("TBCOL2  = 6");
    maker_column(2, "D_ELL", "E15.7");
    maker_card("TNULL2  = '-'");
    maker_end_header();
    maker_text("   2   0.1000000E+01      ");
    maker_text("   3   0.1000000D-01      ");
    maker_text("   4   1.5+300            ");
    maker_save("ascii.fits");
    maker_begin();
    maker_table("BINTABLE", 3 * (2 + 4), 2, 2);
    maker_column(1, "ell", "3I");
    maker_column(2, "TT", "3J");
    maker_card("TSCAL2  = 1.0E-3");
    maker_end_header();
    for (int row = 0; row < 2; row++) {
        for (int i = 0; i < 3; i++) maker_integer(2 + 3 * row + i, 2);
        for (int i = 0; i < 3; i++) maker_integer(1000 * i, 4);
    }
    maker_save("vectors.fits");
}

static void make_cl_text(void)
{
    enter("cl_text");
    put_text("plain.txt", "0 1\n1 2.5e-3\n2 .5D0\n3 1+2\n");
    put_text("camb.txt", "#    L    TT             EE             BB             TE\n"
                         "     2  1.0179E+03  3.0E-02  1.8E-06  2.6E+00\n"
                         "     3  9.6E+02  3.9E-02  3.6E-06  2.9E+00\n");
    put_text("dl.txt", "# unit: uK^2\n# l D_l^TT D_l^EE\n# l(l+1)C_l/2\xcf\x80\n30,1,2\r\n31,3,4");
    put_text("unit.txt", "\xef\xbb\xbf## ell TT EE BB TE EB TB in uK^2\n0 1 2 3 4 5 6 # end\n");
    put_text("high.txt", "1000000\t1\n1000001\t1\n");
}

int main(int argc, char **argv)
{
    /* `enter` goes up first: to begin with, from any folder inside the corpus. */
    if (argc != 2 || chdir(argv[1]) || (mkdir("map", 0777) && access("map", W_OK)) || chdir("map"))
        return fprintf(stderr, "usage: fuzz_seeds FOLDER\n"), 2;
    make_maps();
    make_alms();
    make_cl_fits();
    make_cl_text();
    return 0;
}
