/* The subcommands, each in the file of its name. */
#ifndef ARMILLA_CLI_COMMANDS_H
#define ARMILLA_CLI_COMMANDS_H

#include "options.h"

extern const command simulate_command, analyze_command, synthesize_command, spectrum_command,
    evaluate_command, observe_command, lens_command, rotate_command, smooth_command,
    convolve_command, view_command, map_command, plot_command, info_command, regrid_command,
    convert_command;

/* All of them; NULL is behind the last. */
extern const command *const all_commands[];

#endif
