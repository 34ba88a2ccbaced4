/* Where each order begins to matter on each vector of ring pairs, and a value from which the
 * recurrence makes p there, kept by plans: calls need neither p_0, nor the steps that matter
 * nowhere, nor a range. */
#include "base/integer.h"
#include "base/memory.h"
#include "base/polar_limit.h"
#include "legendre/plan.h"

int64_t armilla_legendre_first_place(const armilla_legendre *legendre, int64_t m)
{
    return legendre->grouping.groups[legendre->grouping.least_group[m - legendre->mfirst]].first;
}

int64_t armilla_legendre_count_places(const armilla_legendre *legendre, int64_t m)
{
    const int64_t group = legendre->grouping.least_group[m - legendre->mfirst];
    if (group >= legendre->grouping.count || !armilla_legendre_is_listed(legendre, m)) return 0;
    return armilla_larger(0, legendre->starts.end - armilla_legendre_first_place(legendre, m));
}

static void fill_order(armilla_legendre *legendre, int64_t m, double *work)
{
    const int64_t index = m - legendre->mfirst, first = legendre->grouping.least_group[index];
    armilla_legendre_starts *starts = &legendre->starts;
    armilla_legendre_table table;
    armilla_kernel_order order;
    armilla_legendre_find_order(legendre, m, work, work + 8 * armilla_legendre_steps(legendre, m),
                                &table, &order);
    starts->kept[index] = 1;
    for (int64_t g = first; g < legendre->grouping.count; g++) {
        const armilla_kernel_group *group = &legendre->grouping.groups[g];
        if (group->first >= starts->end) break;
        const int64_t place = starts->place[index] + group->first;
        int32_t *step = starts->step + place / legendre->grouping.lanes;
        legendre->kernels->starts(&order, group, step, starts->value + place);
        for (int32_t i = 0; i < group->nvec; i++)
            if (step[i] < 0) starts->kept[index] = 0;
    }
    if (legendre->tables.orders)
        legendre->tables.orders[index].starts = armilla_legendre_kept_starts(legendre, m);
}

static armilla_status allocate_starts(const armilla_legendre *legendre, int64_t places,
                                      armilla_legendre_starts *starts)
{
    const int64_t orders = legendre->mmax - legendre->mfirst + 1;
    armilla_status status;
    if ((status = armilla_allocate_zero(&starts->kept, orders, 1)) ||
        (status =
             armilla_allocate(&starts->step, places / legendre->grouping.lanes, sizeof(int32_t))) ||
        (status = armilla_allocate(&starts->value, places, sizeof(double))))
        return status;
    return armilla_allocate(&starts->place, orders, sizeof(int64_t));
}

int64_t armilla_legendre_largest_order(const armilla_legendre *legendre, int64_t pair)
{
    const int64_t limit =
        armilla_polar_limit(legendre->lmax, legendre->pairs->theta[pair]) + legendre->spin;
    return armilla_smaller(limit, legendre->lmax);
}

/* Bytes of the starts of so many places, of all orders together. */
static int64_t starts_bytes(const armilla_legendre *legendre, int64_t places)
{
    const int64_t orders = legendre->mmax - legendre->mfirst + 1;
    return 8 * places + 4 * places / legendre->grouping.lanes + 9 * orders;
}

/* The place up to which groups from the poles on have their starts in so many bytes. */
static int64_t find_end(const armilla_legendre *legendre, int64_t bytes)
{
    const int64_t orders = legendre->mmax - legendre->mfirst + 1;
    int64_t end = 0, places = 0, m = 0;
    for (int64_t g = legendre->grouping.part[ARMILLA_PART_SCALAR].first_group;
         g < legendre->grouping.count; g++) {
        while (m < orders && legendre->grouping.least_group[m] <= g) m++;
        places += m * legendre->grouping.groups[g].nvec * legendre->grouping.lanes;
        if (starts_bytes(legendre, places) > bytes) break;
        end = armilla_legendre_end_of_group(legendre, g);
    }
    return end;
}

/* Makes the starts of the groups before starts->end. */
static armilla_status make_starts(armilla_legendre *legendre)
{
    armilla_legendre_starts *starts = &legendre->starts;
    int64_t places = 0;
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++)
        places += armilla_legendre_count_places(legendre, m);
    if (places == 0) return ARMILLA_OK;
    double *work;
    armilla_status status = allocate_starts(legendre, places, starts);
    if (!status)
        status = armilla_allocate(&work, armilla_legendre_order_work(legendre), sizeof(double));
    if (status) return status;
    places = 0;
    for (int64_t m = legendre->mfirst; m <= legendre->mmax; m++) {
        const int64_t count = armilla_legendre_count_places(legendre, m);
        if (count == 0) continue;
        starts->place[m - legendre->mfirst] = places - armilla_legendre_first_place(legendre, m);
        fill_order(legendre, m, work);
        places += count;
    }
    armilla_release(work);
    legendre->bytes += starts_bytes(legendre, places);
    return ARMILLA_OK;
}

armilla_status armilla_legendre_make_starts(armilla_legendre *legendre)
{
    if (legendre->choices.starts != ARMILLA_STARTS_ALL) return ARMILLA_OK;
    legendre->starts.end = armilla_legendre_end_of_group(legendre, legendre->grouping.count - 1);
    return make_starts(legendre);
}

int64_t armilla_legendre_starts_end(const armilla_legendre *legendre, int64_t bytes)
{
    return legendre->choices.starts == ARMILLA_STARTS_POLAR ? find_end(legendre, bytes) : 0;
}

armilla_status armilla_legendre_keep_starts_to(armilla_legendre *legendre, int64_t end)
{
    if (legendre->choices.starts != ARMILLA_STARTS_POLAR) return ARMILLA_OK;
    legendre->starts.end = end;
    return make_starts(legendre);
}

armilla_status armilla_legendre_keep_starts(armilla_legendre *legendre, int64_t bytes)
{
    return armilla_legendre_keep_starts_to(legendre, armilla_legendre_starts_end(legendre, bytes));
}

armilla_kernel_starts armilla_legendre_kept_starts(const armilla_legendre *legendre, int64_t m)
{
    const armilla_legendre_starts *starts = &legendre->starts;
    armilla_kernel_starts none = {0};
    if (!starts->place || !starts->kept[m - legendre->mfirst]) return none;
    const int64_t place = starts->place[m - legendre->mfirst];
    return (armilla_kernel_starts){starts->step + place / legendre->grouping.lanes,
                                   starts->value + place, starts->end};
}

void armilla_legendre_free_starts(armilla_legendre_starts *starts)
{
    armilla_release(starts->place);
    armilla_release(starts->kept);
    armilla_release(starts->step);
    armilla_release(starts->value);
}
