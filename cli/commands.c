/* The subcommands, in the sequence in which they are listed. */
#include "commands.h"

const command *const all_commands[] = {
    &simulate_command,
    &analyze_command,
    &synthesize_command,
    &evaluate_command,
    &observe_command,
    &lens_command,
    &spectrum_command,
    &rotate_command,
    &smooth_command,
    &convolve_command,
    &map_command,
    &convert_command,
    &regrid_command,
    &view_command,
    &plot_command,
    &info_command,
    NULL,
};
