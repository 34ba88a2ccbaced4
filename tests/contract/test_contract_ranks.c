/* The contract of all operations over ranks, which are threads. */
#include "contract/contract.h"

int main(void)
{
    const contract_place places[] = {CONTRACT_OVER_RANKS};
    return contract_main(places, 1);
}
