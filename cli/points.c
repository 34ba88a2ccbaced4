/* Fills in the library's options of plans and of calls for the commands that work at arbitrary
 * directions, evaluate and lens, and checks their --epsilon. */
#include "points.h"

#include "message.h"
#include "progress.h"

int points_check_epsilon(double epsilon)
{
    if (epsilon >= 1e-13 && epsilon <= 0.1) return CLI_OK;
    return usage_error("--epsilon \"%g\": must be 1e-13 to 0.1", epsilon);
}

armilla_points_options points_options(int64_t spin, double epsilon, const common *base)
{
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.spin = spin;
    options.epsilon = epsilon;
    options.device = (armilla_device)base->device;
    options.devices = device_numbers(&base->devices), options.ndevices = base->devices.count;
    return options;
}

armilla_exec points_exec(int64_t threads)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = (int)threads;
    exec.progress = progress_report;
    return exec;
}
