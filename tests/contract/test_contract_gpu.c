/* The contract of all operations on one emulated GPU and on several. */
#include "contract/contract.h"
#include "contract/device.h"

int main(void)
{
    const contract_place places[] = {CONTRACT_GPU, CONTRACT_GPUS};
    contract_device_use();
    return contract_main(places, 2);
}
