/* The contract of all operations on the host; and the page of what runs where, which is that of the
 * contract's tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contract/contract.h"

#include <stdio.h>
#include <string.h>

enum { TABLE = 4000, PAGE = 40000 };

/* docs/places.md has the table, and the number of cells that work. */
static void the_page_is_that_of_the_tables(void **state)
{
    static char table[TABLE], page[PAGE], sentence[80];
    (void)state;
    const int works = contract_table(table, sizeof table);
    snprintf(sentence, sizeof sentence, "%d of the 75 cells work", works);
    FILE *file = fopen(ARMILLA_SOURCE "/docs/places.md", "r");
    assert_non_null(file);
    page[fread(page, 1, PAGE - 1, file)] = 0;
    fclose(file);
    if (!strstr(page, table) || !strstr(page, sentence))
        fail_msg("docs/places.md must say: %s\n%s", sentence, table);
}

int main(void)
{
    const contract_place places[] = {CONTRACT_HOST};
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_page_is_that_of_the_tables)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return contract_main(places, 1) + failed;
}
