/* The places of the contract: how a process begins there, and how a script is made by one process,
 * or by ranks that are threads. */
#include "contract/contract.h"

#include "oracle/checks.h"
#include "ranks/thread_transport.h"
#include <stdlib.h>

const char *const contract_place_names[CONTRACT_PLACES] = {"host", "one GPU", "several GPUs",
                                                           "ranks", "ranks with GPUs"};

contract_memory contract_device;

int contract_has_gpu(contract_place place)
{
    return place == CONTRACT_GPU || place == CONTRACT_GPUS || place == CONTRACT_RANKS_GPUS;
}

int contract_has_ranks(contract_place place)
{
    return place == CONTRACT_OVER_RANKS || place == CONTRACT_RANKS_GPUS;
}

int contract_ncalls(const contract_operation *op)
{
    int n = 0;
    while (n < CONTRACT_CALLS && op->calls[n].name) n++;
    return n;
}

int contract_works(const contract_operation *op, contract_place place)
{
    return !op->refused[place];
}

int contract_is_delegated(const contract_operation *op, contract_place place)
{
    return contract_works(op, place) && op->delegated[place];
}

int contract_takes_device_arrays(const contract_operation *op, contract_place place)
{
    return (place == CONTRACT_GPU || place == CONTRACT_RANKS_GPUS) && !op->host_arrays;
}

int contract_leaves_outputs(const contract_operation *op, contract_place place)
{
    if (place == CONTRACT_GPUS) return contract_is_delegated(op, place);
    return !(place == CONTRACT_RANKS_GPUS && op->ranks_write_in_parts);
}

/* --- Options --------------------------------------------------------------------------------- */

armilla_sht_options contract_sht_options(const contract_site *site)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.device = contract_has_gpu(site->place) ? ARMILLA_CUDA : ARMILLA_CPU;
    options.devices = site->devices, options.ndevices = site->ndevices;
    options.delegate = site->delegates;
    return options;
}

armilla_solid_options contract_solid_options(const contract_site *site)
{
    armilla_solid_options options;
    armilla_solid_options_init(&options);
    options.derivatives = 1;
    options.device = contract_has_gpu(site->place) ? ARMILLA_CUDA : ARMILLA_CPU;
    options.devices = site->devices, options.ndevices = site->ndevices;
    options.delegate = site->delegates;
    return options;
}

armilla_points_options contract_points_options(const contract_site *site)
{
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.epsilon = 1e-4, options.nthreads = 1;
    options.delegate = site->delegates;
    options.device = contract_has_gpu(site->place) ? ARMILLA_CUDA : ARMILLA_CPU;
    options.devices = site->devices, options.ndevices = site->ndevices;
    return options;
}

armilla_radial_options contract_radial_options(const contract_site *site)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.support = 1.2;
    options.delegate = site->delegates;
    options.device = contract_has_gpu(site->place) ? ARMILLA_CUDA : ARMILLA_CPU;
    options.devices = site->devices, options.ndevices = site->ndevices;
    return options;
}

/* --- Processes ------------------------------------------------------------------------------- */

/* Ranks have coefficients also where the operation has no maps. */
static armilla_grid *grid_of(const contract_operation *op)
{
    return op->grid ? op->grid() : healpix_grid(2);
}

static int live(const armilla_transport *transport, void *context)
{
    static const int devices[CONTRACT_DEVICES] = {1, 2, 0};
    contract_script *script = context;
    contract_site site = {
        .place = script->place, .transport = transport, .delegates = !script->strict};
    site.grid = grid_of(script->op);
    if (script->place == CONTRACT_GPUS) site.devices = devices, site.ndevices = CONTRACT_DEVICES;
    if (transport)
        check_ok(armilla_distribution_new(site.grid, CONTRACT_LMAX, CONTRACT_LMAX,
                                          transport->nranks, NULL, &site.distribution));
    if (contract_has_gpu(site.place)) contract_device.enter(&site);
    contract_perform_at(&site, script);
    armilla_distribution_free(site.distribution);
    armilla_grid_free(site.grid);
    return 0;
}

static void make_room(contract_script *script)
{
    armilla_grid *grid = grid_of(script->op);
    for (int i = 0; i < script->count; i++) {
        contract_run *run = &script->runs[i];
        const contract_side *out = &script->op->sides[script->op->calls[run->call].out];
        run->out = checked_calloc(run->ntrans * out->ncomp * contract_size(out, grid), 8);
    }
    armilla_grid_free(grid);
}

void contract_perform(contract_script *script)
{
    const ranks_threads_options ranks = {
        .nranks = CONTRACT_RANKS, .fails_at = script->loses, .calls = &script->calls};
    make_room(script);
    if (!contract_has_ranks(script->place))
        live(NULL, script);
    else if (ranks_run_threads(&ranks, live, script))
        script->runs[0].damage = "ranks have left messages, or misused their transport";
}
