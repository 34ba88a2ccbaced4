/* Files: maps, alm and spectra in FITS; those of HEALPix as healpy and HEALPix write them, maps on
 * other grids of rings with the grid in their cards, in tables or, on equidistant rings, in images
 * (docs/site/howto/map-files.md).
 *
 * Every write goes to a temporary name in the target's directory and is renamed when it is whole
 * and on disk: a failure or a kill leaves no file, or the old one, under the asked name. A target
 * that is no regular file (a directory, a device) is refused. A name that ends in ".gz" makes a
 * file compressed by gzip; a file compressed by gzip or bzip2 is read like any other file, whatever
 * its name, by way of a temporary file in $TMPDIR (or /tmp). A name to write that ends in ".bz2",
 * ".xz", ".zst", ".Z" or ".zip" is refused, since the library does not write such files.
 *
 * Missing pixels of maps: reading sets to exactly ARMILLA_UNSEEN the pixels that the file does not
 * list, NaN, the null value of an integer column, and values within 1e-5 of ARMILLA_UNSEEN or of
 * the keyword BAD_DATA; a map that was read therefore holds no NaN (infinities stay as they are).
 * Writing takes NaN and ARMILLA_UNSEEN as missing and stores ARMILLA_UNSEEN (NaN stays NaN with
 * armilla_write_options.keep_nan), or in integer columns the null value, or in images NaN. The null
 * value is the smallest number of the type; for uint8 it is the largest number that no pixel has,
 * which is looked for where pixels are missing (255 for most maps; maps that are written in pieces,
 * or have all 256 numbers, refuse missing pixels); for bool it is the byte 0, FITS' own mark.
 * Values of alm files are read and written as they are, including NaN; reading refuses spectra with
 * a NaN. */
#ifndef ARMILLA_IO_H
#define ARMILLA_IO_H

#include "grid.h"
#include "picture.h" /* pictures: they were declared here once */
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARMILLA_UNSEEN       (-1.6375e30) /* HEALPix' mark of a missing pixel */
#define ARMILLA_IO_NAME_SIZE 72           /* longest FITS keyword value + 1, rounded up */
#define ARMILLA_IO_PRIMARY   (-1000)      /* as number of an HDU of maps: the image in HDU 0 */

typedef enum armilla_io_type { /* storage type of a column */
                               ARMILLA_IO_DOUBLE = 0,
                               ARMILLA_IO_FLOAT = 1,
                               ARMILLA_IO_INT16 = 2,
                               ARMILLA_IO_INT32 = 3,
                               ARMILLA_IO_INT64 = 4, /* exact up to 2^53; see integers below */
                               ARMILLA_IO_UINT8 = 5, /* written; read as int16 */
                               ARMILLA_IO_BOOL = 6   /* written as T and F; read as int16 */
} armilla_io_type;

typedef enum armilla_io_order { ARMILLA_IO_RING = 0, ARMILLA_IO_NESTED = 1 } armilla_io_order;

/* One column of a map file. In memory values are in RING order, before a write and after a read,
 * whatever map->order says: that is the order in the file. On other grids than HEALPix that is ring
 * after ring, in the order of the grid's rings. */
typedef struct armilla_field {
    char name[ARMILLA_IO_NAME_SIZE]; /* TTYPE, such as "TEMPERATURE"; "" when unknown */
    char unit[ARMILLA_IO_NAME_SIZE]; /* TUNIT, such as "mK"; "" when unknown */
    armilla_io_type type;            /* type in the file */
    double *values;                  /* npix values, RING, missing = ARMILLA_UNSEEN */
} armilla_field;

/* --- Keywords of the caller ------------------------------------------------------------------- */

/* A keyword for the header of a table. */
typedef struct armilla_keyword {
    const char *name;    /* "OBSERVER": letters, digits, - and _; with more than 8 of them, or with
                          * blanks, a HIERARCH card is made; COMMENT and HISTORY may repeat */
    const char *value;   /* as FITS has it: 12, 1.5E-3, T, or 'text' in quotes; "": no value; of
                          * COMMENT and HISTORY the text, without quotes */
    const char *comment; /* NULL: none, or that of the keyword before it is replaced */
} armilla_keyword;

/* How files are written. */
typedef struct armilla_write_options {
    size_t size;        /* set by _init */
    int overwrite;      /* 0 (default): refuse an existing file */
    int64_t row_pixels; /* of a map that is not partial: pixels per row of the table, a divisor of
                         * its pixels; 0 (default): the greatest common divisor with 1024 */
    int64_t nkeywords;
    int keep_nan; /* of maps: 1: NaN in floating columns stays; 0 (default): becomes ARMILLA_UNSEEN
                   */
    const armilla_keyword *keywords; /* into each table; they replace the library's own of the same
                                      * name */
    const int64_t *const *integers; /* of maps that are written at once: NULL (default), or for each
                                     * field NULL or its npix values as whole numbers, RING: an
                                     * ARMILLA_IO_INT64 column takes these instead of values (but
                                     * where values are missing), exact beyond 2^53, too */
    int image; /* of maps on equidistant rings that are written at once: 1: a FITS image in the
                * projection CAR; 0 (default): a table */
} armilla_write_options;

ARMILLA_API void armilla_write_options_init_sized(armilla_write_options *options, size_t size);
#define armilla_write_options_init(options)                                                        \
    armilla_write_options_init_sized(options, sizeof(armilla_write_options))

/* Finds an HDU by its name, for the calls below, which take numbers.
 * Given:    path;  name  its EXTNAME in letters of any case ("MASK"), the first one of this name,
 * or with a comma and its EXTVER ("MASK,2"); "PRIMARY"; or a whole number: 0 = primary, 1 = first
 * extension, -1 = last HDU;  needs_table  1: it must hold a table, 0: it need not. Returned: *hdu.
 * Errors:   IO, FORMAT, MEMORY, ARGUMENT: there is no such HDU (the message lists those that there
 *           are), or it holds no table.
 * Notes:    0 means "the first that holds a map" and the like to some of the calls: ask for a
 *           table, which the primary HDU never is. */
ARMILLA_API armilla_status armilla_io_find_hdu(const char *path, const char *name, int needs_table,
                                               int *hdu);

/* Reads the header of an HDU as text: its cards, in lines of at most 80 characters, without END.
 * Given:    path;  hdu  0 = primary, 1 = first extension, ...
 * Returned: *text  new; free with armilla_io_text_free.
 * Errors:   IO, FORMAT, ARGUMENT (an HDU the file does not have), MEMORY. */
ARMILLA_API armilla_status armilla_io_header(const char *path, int hdu, char **text);

/* A binary table as it stands in the file, for callers that decode it themselves. */
typedef struct armilla_raw_table {
    int64_t rows, row_bytes;
    unsigned char *bytes; /* rows * row_bytes, big endian; TFORM in the header says what they are */
    char *header;         /* as from armilla_io_header */
} armilla_raw_table;

/* Given:    path;  hdu  1 = first extension.
 * Returned: *table  new; free with armilla_raw_table_free.
 * Errors:   IO, FORMAT (also an HDU that is no table, or shorter than it says), ARGUMENT (an HDU
 *           the file does not have), MEMORY, UNSUPPORTED (a table of text). */
ARMILLA_API armilla_status armilla_raw_table_read(const char *path, int hdu,
                                                  armilla_raw_table **table);
ARMILLA_API void armilla_raw_table_free(armilla_raw_table *table);

/* --- Maps ------------------------------------------------------------------------------------- */

/* A map in memory: always of the full sky and in RING order, even where the file is partial or
 * NESTED. Its grid is that of HEALPix (nside > 0, grid = NULL), or any other grid of rings (nside =
 * 0), whose pixels follow each other ring after ring. */
typedef struct armilla_map {
    int64_t nside, npix, nfields; /* nside: HEALPix, else 0 */
    armilla_field *fields;        /* nfields of them */
    armilla_io_order order; /* of the file, not of values: found (read), to be written (write) */
    int partial; /* the file holds (read) or is to hold (write) only the observed pixels, listed in
                    a column (EXPLICIT, or one named PIXEL) */
    int iau;     /* file says POLCCONV = IAU; U was (read) or will be (write) negated */
    char coordsys;                          /* 'G', 'E', 'C', or 0 when unknown */
    char grid_name[ARMILLA_GRID_NAME_SIZE]; /* for the reader: a name that armilla_grid_new_named
                                             * takes, "O160", "healpix:64"; "": the grid has none */
    armilla_grid *grid; /* where nside = 0: the grid, which belongs to the map; else NULL */
} armilla_map;

/* Reads a map: a table of a HEALPix map, of a map whose cards name its grid or whose table RINGS
 * lists its rings, or an image of the whole sky in the projection CAR whose reference point is on
 * the equator. The rows of an image become rings from north to south, its columns pixels eastward
 * from the smallest longitude, and its planes fields, which are named as HEALPix names columns.
 * A card PLANE<n>, or EXTNAME of a plane alone, names it otherwise.
 * Given:    path;  hdu  1 = first extension, or 0 for the first table that holds a map (if there is
 *           none, the first image), or ARMILLA_IO_PRIMARY;
 *           nfields, fields: column numbers from 0 (the PIXEL column of a partial map does not
 *           count), or planes; fields = NULL: all of them.
 * Returned: *map  new; free with armilla_map_free.
 * Errors:   IO, FORMAT (also for a requested column that holds text, bits or lists, or not as many
 *           numbers as the map has pixels; such columns do no harm where they are not requested;
 *           cards that contradict each other; an image of a part of the sky, rotated, or in
 *           another projection; an integer beyond 2^53 that no double is),
 *           ARGUMENT (a column the file does not have), MEMORY, UNSUPPORTED.
 * Notes:    a column named PIXEL may be of a real type, if it holds whole numbers that the type
 *           represents exactly. */
ARMILLA_API armilla_status armilla_map_read(const char *path, int hdu, int64_t nfields,
                                            const int64_t *fields, armilla_map **map);

/* The same in short: all fields of the first map of the file, as armilla_map_read(path, 0, 0, NULL,
 * map) reads them. */
ARMILLA_API armilla_status armilla_map_load(const char *path, armilla_map **map);

/* Makes a map of zeros in RING order, with fields of type float that are named as HEALPix names 1,
 * 2, 3 or 6 columns. */
ARMILLA_API armilla_status armilla_map_new(int64_t nside, int64_t nfields, armilla_map **map);

/* The same on any grid of rings. HEALPix in RING order, with ring weights or without, makes the map
 * that armilla_map_new makes.
 * Given:    grid  whose pixels follow each other ring after ring (copied; what the layout adds to
 *           the longitudes stays);  nfields  1 to 998.
 * Returned: *map  new, of zeros; free with armilla_map_free.
 * Errors:   ARGUMENT: grid is laid out otherwise (armilla_grid_new_laid_out with the defaults
 *           makes the grid that is meant), in NESTED order or with gaps;  MEMORY. */
ARMILLA_API armilla_status armilla_map_new_grid(const armilla_grid *grid, int64_t nfields,
                                                armilla_map **map);
ARMILLA_API void armilla_map_free(armilla_map *map);

/* Writes a map, from values in RING order, into a table in the order map->order (NESTED: nside a
 * power of two). The grid is map->grid, or HEALPix of nside; map->grid_name is not looked at. Grids
 * without a name get a second table, RINGS, which lists their rings. For a partial map it lists the
 * pixels that some field has, as 32-bit numbers, or as 64-bit numbers where npix - 1 does not fit
 * (nside > 13377).
 * Given:    path;  map;  overwrite  0: refuse an existing file.
 * Errors:   IO, ARGUMENT (also a value that does not fit the type of its field), MEMORY. */
ARMILLA_API armilla_status armilla_map_write(const char *path, const armilla_map *map,
                                             int overwrite);

/* The same with options; NULL: the defaults.
 * Errors:   ARGUMENT (also a keyword that FITS cannot hold, or that describes the table or, on
 *           other grids than HEALPix, says where the pixels are; for an image a grid without
 *           equidistant rings, coordsys = 0, a partial map, fields of several units, or of types
 *           that are not all double or all float), ...
 * Notes:    the rows of an image go from south to north, and longitudes fall along them; each field
 *           is a plane, and of three fields I, Q, U the third axis is STOKES. */
ARMILLA_API armilla_status armilla_map_write_with(const char *path, const armilla_map *map,
                                                  const armilla_write_options *options);

/* --- Maps in pieces --------------------------------------------------------------------------- */

/* A map file from which ranges of pixels are read, for maps larger than memory. The file must be
 * IMPLICIT and of the full sky. Any number of threads may read from it at once. */
typedef struct armilla_map_input armilla_map_input;

/* Given:    path, hdu  as in armilla_map_read. A file compressed by gzip is decompressed on disk.
 * Returned: *input  new; free with armilla_map_input_free.
 * Errors:   IO, FORMAT, ARGUMENT, MEMORY; UNSUPPORTED: the file is partial, or holds a part of the
 *           sky, or an image: armilla_map_read and armilla_map_write turn it into one that can be
 *           opened. */
ARMILLA_API armilla_status armilla_map_input_open(const char *path, int hdu,
                                                  armilla_map_input **input);
ARMILLA_API void armilla_map_input_free(armilla_map_input *input);

/* Tells what the file holds, as armilla_map_read of all its columns would, but with values = NULL
 * in every field. The result belongs to input; it is NULL if input is NULL. */
ARMILLA_API const armilla_map *armilla_map_input_map(const armilla_map_input *input);

/* Returned: values  pixels first .. first + count - 1 of a field, in RING order, bit by bit as
 *           armilla_map_read has them (missing ones are ARMILLA_UNSEEN).
 * Errors:   ARGUMENT, FORMAT (no column of numbers), IO, MEMORY; values are then undefined.
 * Notes:    besides values it takes 1 MiB and one row of the table, and less for few pixels. Ranges
 *           of some 10^5 pixels of a RING file are read at full speed. From a NESTED file it reads
 *           the squares of 32 by 32 pixels that meet the rings of the range, which is 63 rings more
 *           than the range has, so that ranges should consist of many rings. */
ARMILLA_API armilla_status armilla_map_input_read(const armilla_map_input *input, int64_t field,
                                                  int64_t first, int64_t count, double *values);

/* A map file that is written in ranges of pixels, field by field or in any order. When it is
 * finished it is byte by byte what armilla_map_write_with makes of the whole map; before, nothing
 * appears under its name, and after a kill the old file, if any, is there. One thread at a time. */
typedef struct armilla_map_output armilla_map_output;

/* Begins a file, reserves the room for all of it on the disk, and writes its header.
 * Given:    path;  map  as for armilla_map_write_with (copied; values are not looked at), neither
 *           partial nor NESTED;  options or NULL for the defaults.
 * Returned: *output  new; free with armilla_map_output_free.
 * Errors:   ARGUMENT, IO (also a disk without the room), MEMORY; UNSUPPORTED: a grid without a
 *           name, or an image, which armilla_map_write_with writes. */
ARMILLA_API armilla_status armilla_map_output_new(const char *path, const armilla_map *map,
                                                  const armilla_write_options *options,
                                                  armilla_map_output **output);

/* Writes pixels first .. first + count - 1 of a field, in any order; later values replace earlier
 * ones. Pixels that are never written have bytes of 0.
 * Errors:   ARGUMENT (also a value that does not fit the type of its field), IO, MEMORY: some of
 *           the range is then written.
 * Notes:    memory as for armilla_map_input_read. */
ARMILLA_API armilla_status armilla_map_output_write(armilla_map_output *output, int64_t field,
                                                    int64_t first, int64_t count,
                                                    const double *values);

/* Forces the file to disk and gives it its name. Only _free may follow.
 * Errors:   IO, MEMORY, ARGUMENT (finished before); nothing is then left. */
ARMILLA_API armilla_status armilla_map_output_finish(armilla_map_output *output);

/* The name that the file has until it is finished, for a program that may end without _free and
 * removes it then. It belongs to output. NULL after _finish. */
ARMILLA_API const char *armilla_map_output_temporary(const armilla_map_output *output);

/* Frees output, and removes a file that is not finished. */
ARMILLA_API void armilla_map_output_free(armilla_map_output *output);

/* --- Coefficients ----------------------------------------------------------------------------- */

/* Coefficients of ncomp fields (T; or T, E, B), triangular layout, component after component. */
typedef struct armilla_alm_file {
    int64_t lmax, mmax, ncomp;
    armilla_io_type type; /* ARMILLA_IO_DOUBLE or ARMILLA_IO_FLOAT */
    double *alm;          /* ncomp * armilla_alm_size(lmax, mmax) complex numbers */
    char coordsys;        /* 'G', 'E', 'C' or 0 */
} armilla_alm_file;

/* Reads coefficients. Rows may be in any order; omitted rows are 0.
 * Given:    path;  hdu  0 = all alm tables of the file, else this one.
 * Returned: *alm  new; free with armilla_alm_file_free.
 * Errors:   IO, FORMAT, ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_alm_read(const char *path, int hdu, armilla_alm_file **alm);
ARMILLA_API armilla_status armilla_alm_file_new(int64_t lmax, int64_t mmax, int64_t ncomp,
                                                armilla_alm_file **alm);
ARMILLA_API void armilla_alm_file_free(armilla_alm_file *alm);
ARMILLA_API armilla_status armilla_alm_write(const char *path, const armilla_alm_file *alm,
                                             int overwrite);

/* The same with options; NULL: the defaults. What is said of maps there has no effect. */
ARMILLA_API armilla_status armilla_alm_write_with(const char *path, const armilla_alm_file *alm,
                                                  const armilla_write_options *options);

/* --- Coefficients in pieces ------------------------------------------------------------------- */

/* A file of coefficients from which some orders are read, for programs that hold only some of
 * them. No file is open between calls. Any number of threads may read at once. */
typedef struct armilla_alm_input armilla_alm_input;

/* Walks through the file to see what it holds.
 * Given:    path, hdu  as in armilla_alm_read.
 * Returned: *input  new; free with armilla_alm_input_free.
 * Errors:   IO, FORMAT, ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_alm_input_open(const char *path, int hdu,
                                                  armilla_alm_input **input);
ARMILLA_API void armilla_alm_input_free(armilla_alm_input *input);

/* Tells what the file holds, as armilla_alm_read would, but with alm = NULL. The result belongs to
 * input; it is NULL if input is NULL. */
ARMILLA_API const armilla_alm_file *armilla_alm_input_alm(const armilla_alm_input *input);

/* Walks through one table, whose rows may be in any order, and takes what is wanted.
 * Given:    component  from 0;  lmax  up to the file's: higher degrees are left out;
 *           orders  norders of them, each once, up to the file's mmax and lmax; NULL: 0, 1, ...
 * Returned: alm  the rows l = m .. lmax of the orders, one after the other in the sequence of
 *           orders; for the orders 0, 1, ... that is the triangular layout. Rows that the file
 *           omits are 0.
 * Errors:   ARGUMENT, FORMAT, IO, MEMORY; alm is then undefined.
 * Notes:    besides alm it takes some 2 MiB, and 8 bytes for each order of the file. */
ARMILLA_API armilla_status armilla_alm_input_read(const armilla_alm_input *input, int64_t component,
                                                  int64_t lmax, int64_t norders,
                                                  const int64_t *orders, double *alm);

/* A file of coefficients that is written in ranges of degrees. When it is finished it is byte by
 * byte what armilla_alm_write_with makes of all coefficients; before, nothing appears under its
 * name, and after a kill the old file, if any, is there. One thread at a time. */
typedef struct armilla_alm_output armilla_alm_output;

/* Begins a file, reserves the room for all of it on the disk, and writes its headers.
 * Given:    path;  alm  says what the file will hold; its alm is not looked at;  options or NULL.
 * Returned: *output  new; free with armilla_alm_output_free.
 * Errors:   ARGUMENT, IO (also a disk without the room), MEMORY. */
ARMILLA_API armilla_status armilla_alm_output_new(const char *path, const armilla_alm_file *alm,
                                                  const armilla_write_options *options,
                                                  armilla_alm_output **output);

/* Writes degrees first .. last of a component, in any sequence of ranges; later values replace
 * earlier ones. Rows that are never written consist of bytes of 0, the index included.
 * Given:    alm  order by order, m = 0, 1, ... up to the lesser of mmax and last; each order has
 *           its degrees from first to last, so that for all degrees this is the triangular layout.
 * Errors:   ARGUMENT (also a value that does not fit into float), IO, MEMORY: some of the range is
 *           then written. */
ARMILLA_API armilla_status armilla_alm_output_write(armilla_alm_output *output, int64_t component,
                                                    int64_t first, int64_t last, const double *alm);

/* Forces the file to disk and gives it its name. Only _free may follow.
 * Errors:   IO, MEMORY, ARGUMENT (finished before); nothing is then left. */
ARMILLA_API armilla_status armilla_alm_output_finish(armilla_alm_output *output);

/* As armilla_map_output_temporary. */
ARMILLA_API const char *armilla_alm_output_temporary(const armilla_alm_output *output);

/* Frees output, and removes a file that is not finished. */
ARMILLA_API void armilla_alm_output_free(armilla_alm_output *output);

/* --- Spectra ---------------------------------------------------------------------------------- */

/* Power spectra, spectrum after spectrum; cl[i * (lmax + 1) + l], unit^2. */
typedef struct armilla_cl_file {
    int64_t lmax, nspectra;
    char (*names)[ARMILLA_IO_NAME_SIZE]; /* "TEMPERATURE", "GRADIENT", ... or "TT", ... */
    char unit[ARMILLA_IO_NAME_SIZE];
    armilla_io_type type;
    double *cl;
} armilla_cl_file;

/* Reads a FITS table or a text table. Text: columns l, TT, ... separated by blanks or commas, '#'
 * comments; l must rise by one from its first value, degrees below are 0. A header comment
 * "l TT EE" names the columns; "l TT EE in uK^2", or a comment "unit: uK^2", tells the unit, too.
 * A header comment that names D_l or Dl, or l(l+1)C_l/2pi, marks columns of
 * D_l = l (l + 1) C_l / 2 pi, which are converted to C_l (C_0 = 0). Either table may begin at any l
 * up to 10^6, but may not have more than 1024 degrees for each of its rows where these make more
 * than 2^24 numbers.
 * Errors:   IO, FORMAT, MEMORY. */
ARMILLA_API armilla_status armilla_cl_read(const char *path, armilla_cl_file **cl);

/* The same of one HDU.
 * Given:    path;  hdu  1 = first extension, or 0 for the first table that holds spectra, and for
 *           text.
 * Errors:   IO, FORMAT, MEMORY, ARGUMENT: there is no such HDU. */
ARMILLA_API armilla_status armilla_cl_read_hdu(const char *path, int hdu, armilla_cl_file **cl);
ARMILLA_API armilla_status armilla_cl_file_new(int64_t lmax, int64_t nspectra,
                                               armilla_cl_file **cl);
ARMILLA_API void armilla_cl_file_free(armilla_cl_file *cl);
ARMILLA_API armilla_status armilla_cl_write(const char *path, const armilla_cl_file *cl,
                                            int overwrite);

/* The same with options; NULL: the defaults. What is said of maps there has no effect. */
ARMILLA_API armilla_status armilla_cl_write_with(const char *path, const armilla_cl_file *cl,
                                                 const armilla_write_options *options);

/* --- For people ------------------------------------------------------------------------------- */

/* Tells what a FITS file holds, table after table, as text for people: kind (map, alm, cl), nside,
 * ordering, columns with type, unit, minimum, maximum, number of missing pixels. The text is
 * allocated: free with armilla_io_text_free. */
ARMILLA_API armilla_status armilla_io_describe(const char *path, char **text);
ARMILLA_API void armilla_io_text_free(char *text);

/* Checks that a FITS file is whole, judged by its headers: the header and the data of each HDU must
 * lie within it, and its tables must be readable. Where armilla_io_describe says in its text what
 * is wrong and goes on, this call returns an error.
 * Given:    path.
 * Errors:   FORMAT (truncated or damaged), IO, MEMORY. */
ARMILLA_API armilla_status armilla_io_verify(const char *path);

#ifdef __cplusplus
}
#endif
#endif
