/* A program of the oracles alone: it links only while no oracle calls the library. */
#include <stdint.h>

#include "oracle/lambda_oracle.h"

int main(void)
{
    double value;
    oracle_lambda_row(0, 0, 1, &value);
    return !(value > 0);
}
