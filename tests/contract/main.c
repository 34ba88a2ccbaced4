/* Runs all properties over the cells of some places, each as a test of its own whose name says
 * which operation, place and property it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contract/contract.h"

#include "base/progress.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TESTS = 1200, NAME = 160 };

typedef struct {
    contract_cell cell;
    const contract_property *property;
    char name[NAME];
} entry;

static entry entries[MOST_TESTS];
static struct CMUnitTest tests[MOST_TESTS];

static void run(void **state)
{
    const entry *e = *state;
    e->property->check(&e->cell);
}

static int belongs(const contract_property *p, const contract_operation *op, contract_place place)
{
    if (p->of_absent == contract_works(op, place)) return 0;
    if (p->of_delegated && !contract_is_delegated(op, place)) return 0;
    return (!p->of_gpus || contract_has_gpu(place)) && (!p->of_ranks || contract_has_ranks(place));
}

static void add(int number, const contract_property *p, const contract_operation *op,
                contract_place place)
{
    if (number == MOST_TESTS) abort();
    entry *e = &entries[number];
    *e = (entry){.cell = {op, place}, .property = p};
    snprintf(e->name, NAME, "%s (%s), %s: %s", op->name, op->variant, contract_place_names[place],
             p->name);
    tests[number] = (struct CMUnitTest){.name = e->name, .test_func = run, .initial_state = e};
}

int contract_main(const contract_place *places, int nplaces)
{
    int count = 0;
    for (int place = 0; place < nplaces; place++)
        for (int i = 0; contract_operations[i]; i++)
            for (const contract_property *p = contract_properties; p->name; p++)
                if (belongs(p, contract_operations[i], places[place]))
                    add(count++, p, contract_operations[i], places[place]);
    const char *only = getenv("CONTRACT_ONLY"); /* tests whose names have it */
    if (only) cmocka_set_test_filter(only);
    armilla_progress_set_interval(0);
    return _cmocka_run_group_tests("contract", tests, (size_t)count, NULL, NULL);
}
