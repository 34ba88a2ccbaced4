/* The contract of all operations over ranks with an emulated GPU each. */
#include "contract/contract.h"
#include "contract/device.h"

int main(void)
{
    const contract_place places[] = {CONTRACT_RANKS_GPUS};
    contract_device_use();
    return contract_main(places, 1);
}
