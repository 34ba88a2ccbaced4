/* armilla regrid: labelled arrays on another grid, by their coefficients. */
#include "commands.h"
#include "labelled.h"
#include "message.h"

typedef struct arguments {
    common base;
    labelled_arguments labelled;
} arguments;

#define AT(field) offsetof(arguments, labelled.field)

static const option table[] = {
    {"grid", OPTION_GRID_NAME, AT(grid), "NAME",
     "the new grid: F320, O1280, H512 (HEALPix in RING order), H512n (NESTED)", 0, 0},
    {"from", OPTION_GRID_NAME, AT(from), "NAME", "the grid of FILE, where its labels do not tell",
     0, 0},
    {"var", OPTION_TEXT, AT(var), "NAMES", "variables, such as ua,va; default: all on the grid", 0,
     0},
    {"lmax", OPTION_INTEGER, AT(lmax), "L", "cut to degrees up to L; default: what both grids hold",
     0, MAX_DEGREE},
    {"iter", OPTION_STEPS, AT(iterations), "N|auto",
     "steps of Jacobi; default: auto, as many as are of use", 0, 1000},
    {"missing", OPTION_TEXT, AT(missing), "error|propagate|zero|fit",
     "what is done about missing values; default: error", 0, 0},
    {"threads", OPTION_INTEGER, offsetof(arguments, base.threads), "N",
     "work on N fields at once; 0 (default): as many as there are processors", 0, 4096},
    {.name = NULL},
};

static void defaults(void *self)
{
    arguments *a = self;
    a->labelled.lmax = a->labelled.iterations = -1;
}

static int check(void *self)
{
    arguments *a = self;
    if (a->base.json) return usage_error("--json: regrid has no report; leave it away");
    if (a->base.nfiles > 1 && a->base.output)
        return usage_error("\"%s\" and -o \"%s\": two outputs; give only one of them",
                           a->base.files[1], a->base.output);
    if (a->base.nfiles > 1) a->base.output = a->base.files[1];
    if (!a->base.output) return usage_error("the output is missing: -o FILE");
    if (!a->labelled.grid) return usage_error("the new grid is missing: --grid NAME, as in F320");
    if (!labelled_is(a->base.files[0]))
        return usage_error("\"%s\": the name must end in .nc, .zarr or .grib; maps in FITS have "
                           "armilla analyze and armilla synthesize --grid",
                           a->base.files[0]);
    return labelled_check(&a->labelled);
}

static int work(void *self)
{
    const arguments *a = self;
    return labelled_run("regrid", &a->base, a->base.output, &a->labelled);
}

const command regrid_command = {
    .name = "regrid",
    .summary = "fields of NetCDF, Zarr or GRIB on another grid",
    .usage = "regrid FILE OUT --grid NAME [options]",
    .text =
        "Transforms each field of FILE (.nc, .zarr, .grib) to coefficients and to the new grid,\n"
        "and writes OUT (.nc or .zarr) with other dimensions, attributes and coordinates as they\n"
        "were. The grid of FILE follows from its coordinates of latitude and longitude, or from\n"
        "its HEALPix grid mapping. The Python package does this: it must be installed, with\n"
        "xarray (" LABELLED_INSTALL ").\n"
        "Fields are read, transformed and written one by one, on each thread. They are analysed\n"
        "with all degrees that the grid of FILE holds; what the new grid cannot hold is cut then.",
    .example = "armilla regrid forecast.nc forecast.zarr --grid H512n",
    .min_files = 1,
    .max_files = 2,
    .file_missing = "the FILE is missing",
    .tables = {table, output_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};
