/* Where a_lm is stored: the triangle, and general layouts; docs/mathematics.md (1.4), (1.5).
 *
 *   triangle, lmax = 3, mmax = 2:   m = 0: 0 1 2 3   m = 1:  4 5 6   m = 2:   7 8
 *                                   l =    0 1 2 3          1 2 3            2 3
 *
 * so mstart[m] = m (2 lmax + 1 - m) / 2 and stride = 1. With every mres-th order alone, order k
 * mres has mstart = k (2 lmax + 2 - (k + 1) mres) / 2. */
#include "alm/layout.h"

#include "base/memory.h"
#include "base/status.h"
#include <string.h>

/* Indices below this bound can be added and multiplied by 16 bytes without overflow. */
static const int64_t index_limit = (int64_t)1 << 58;

int64_t armilla_alm_size(int64_t lmax, int64_t mmax)
{
    if (lmax < 0 || mmax < 0 || mmax > lmax || lmax > INT64_MAX / 2 - 1) return -1;
    int64_t orders = mmax + 1;
    int64_t twice_mean = 2 * lmax - mmax + 2; /* degrees of first and last order, added */
    if (orders % 2 == 0)                      /* one of the two factors is even: halve that one */
        orders /= 2;
    else
        twice_mean /= 2;
    return orders > INT64_MAX / twice_mean ? -1 : orders * twice_mean;
}

int64_t armilla_alm_index(int64_t lmax, int64_t l, int64_t m)
{
    if (m < 0 || m > l || l > lmax || armilla_alm_size(lmax, m) < 0) return -1;
    return armilla_alm_size(lmax, m) - (lmax - l) - 1; /* counted from the end of order m */
}

/* Largest root with (root + 1) (root + 2) / 2 <= size; bisection, for a square root in double is
 * not exact for every int64_t. */
static int64_t triangle_root(int64_t size)
{
    int64_t low = 0, high = (int64_t)1 << 32;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        int64_t trial = armilla_alm_size(middle, middle);
        if (trial >= 0 && trial <= size)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t armilla_alm_lmax(int64_t size, int64_t mmax)
{
    if (size < 1) return -1;
    if (mmax < 0) {
        int64_t lmax = triangle_root(size);
        return armilla_alm_size(lmax, lmax) == size ? lmax : -1;
    }
    int64_t smallest = armilla_alm_size(mmax, mmax);
    if (smallest < 0 || smallest > size || (size - smallest) % (mmax + 1) != 0) return -1;
    return mmax + (size - smallest) / (mmax + 1);
}

/* Complex numbers of the orders 0, mres, ..., (count - 1) mres. */
static int64_t size_of_orders(int64_t lmax, int64_t count, int64_t mres)
{
    int64_t twice_mean = 2 * (lmax + 1) - (count - 1) * mres; /* degrees of first and last order */
    if (count % 2 == 0)
        count /= 2;
    else
        twice_mean /= 2;
    return count > INT64_MAX / twice_mean ? -1 : count * twice_mean;
}

int64_t armilla_alm_size_mres(int64_t lmax, int64_t mmax, int64_t mres)
{
    if (lmax < 0 || mmax < 0 || mres < 1 || mmax > lmax / mres || lmax > INT64_MAX / 2 - 1)
        return -1;
    return size_of_orders(lmax, mmax + 1, mres);
}

int64_t armilla_alm_index_mres(int64_t lmax, int64_t l, int64_t m, int64_t mres)
{
    if (mres < 1 || m < 0 || m > l || l > lmax || m % mres) return -1;
    const int64_t end = armilla_alm_size_mres(lmax, m / mres, mres);
    return end < 0 ? -1 : end - (lmax - l) - 1;
}

armilla_status armilla_alm_check_array(const char *name, const void *array)
{
    if (array) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = NULL: must be an array", name);
}

static armilla_status allocate_layout(int64_t lmax, int64_t mmax, armilla_alm_layout **layout)
{
    armilla_alm_layout *made = NULL;
    armilla_status status = armilla_allocate_zero(&made, 1, sizeof *made);
    if (!status) status = armilla_allocate(&made->mstart, mmax + 1, sizeof *made->mstart);
    if (status) {
        armilla_alm_layout_free(made);
        return status;
    }
    made->lmax = lmax, made->mmax = mmax, made->mres = 1;
    *layout = made;
    return ARMILLA_OK;
}

armilla_status armilla_alm_layout_new(int64_t lmax, int64_t mmax, armilla_alm_layout **layout)
{
    armilla_alm_layout *made = NULL;
    armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (!status) status = armilla_check_given("layout", layout);
    if (!status) status = allocate_layout(lmax, mmax, &made);
    if (status) return status;
    made->stride = 1;
    made->size = armilla_alm_size(lmax, mmax);
    for (int64_t m = 0; m <= mmax; m++) made->mstart[m] = armilla_alm_index(lmax, m, m) - m;
    *layout = made;
    return ARMILLA_OK;
}

armilla_status armilla_alm_check_mres(const char *name, int64_t lmax, int64_t mmax, int64_t mres)
{
    if (mres < 1) return armilla_fail_argument(name, mres, "must be at least 1");
    armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (status || mmax <= lmax / mres) return status;
    return armilla_fail(
        ARMILLA_ERROR_ARGUMENT,
        "%s = %lld: mmax mres must not be above lmax, with mmax = %lld, lmax = %lld", name,
        (long long)mres, (long long)mmax, (long long)lmax);
}

armilla_status armilla_alm_layout_new_mres(int64_t lmax, int64_t mmax, int64_t mres,
                                           armilla_alm_layout **layout)
{
    armilla_alm_layout *made = NULL;
    armilla_status status = armilla_alm_check_mres("mres", lmax, mmax, mres);
    if (!status) status = armilla_check_given("layout", layout);
    if (!status) status = allocate_layout(lmax, mmax * mres, &made);
    if (status) return status;
    made->stride = 1, made->mres = mres;
    made->size = armilla_alm_size_mres(lmax, mmax, mres);
    for (int64_t m = 0; m <= made->mmax; m++)
        made->mstart[m] =
            m % mres ? ARMILLA_ALM_ELSEWHERE : armilla_alm_index_mres(lmax, m, m, mres) - m;
    *layout = made;
    return ARMILLA_OK;
}

/* Looks at the two ends of one order, between which its indices lie. */
static armilla_status check_order(int64_t lmax, int64_t m, int64_t mstart, int64_t stride,
                                  int64_t *size)
{
    if (mstart < -index_limit || mstart > index_limit)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "mstart[%lld] = %lld: must be within +-2^58",
                            (long long)m, (long long)mstart);
    for (int end = 0; end < 2; end++) {
        int64_t l = end ? lmax : m;
        int64_t index = mstart + l * stride;
        if (index < 0)
            return armilla_fail(
                ARMILLA_ERROR_ARGUMENT,
                "mstart[%lld] = %lld: puts (l, m) = (%lld, %lld) at index %lld, must be at least 0",
                (long long)m, (long long)mstart, (long long)l, (long long)m, (long long)index);
        if (index >= *size) *size = index + 1;
    }
    return ARMILLA_OK;
}

static armilla_status check_custom(int64_t lmax, int64_t mmax, const int64_t *mstart,
                                   int64_t stride, int64_t *size)
{
    armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (!status) status = armilla_alm_check_array("mstart", mstart);
    if (status) return status;
    if (stride == 0) return armilla_fail_argument("stride", stride, "must not be 0");
    int64_t limit = index_limit / (lmax + 1);
    if (stride > limit || stride < -limit)
        return armilla_fail_argument("stride", stride, "too large for this lmax");
    *size = 0;
    for (int64_t m = 0; m <= mmax; m++) {
        status = check_order(lmax, m, mstart[m], stride, size);
        if (status) return status;
    }
    return ARMILLA_OK;
}

armilla_status armilla_alm_layout_new_custom(int64_t lmax, int64_t mmax, const int64_t *mstart,
                                             int64_t stride, armilla_alm_layout **layout)
{
    int64_t size = 0;
    armilla_alm_layout *made = NULL;
    armilla_status status = check_custom(lmax, mmax, mstart, stride, &size);
    if (!status) status = armilla_check_given("layout", layout);
    if (!status) status = allocate_layout(lmax, mmax, &made);
    if (status) return status;
    made->stride = stride;
    made->size = size;
    memcpy(made->mstart, mstart, (size_t)(mmax + 1) * sizeof *mstart);
    *layout = made;
    return ARMILLA_OK;
}

armilla_status armilla_alm_layout_copy(const armilla_alm_layout *layout, armilla_alm_layout **copy)
{
    armilla_alm_layout *made = NULL;
    const armilla_status status = allocate_layout(layout->lmax, layout->mmax, &made);
    if (status) return status;
    made->mres = layout->mres, made->stride = layout->stride, made->size = layout->size;
    memcpy(made->mstart, layout->mstart, (size_t)(layout->mmax + 1) * sizeof *made->mstart);
    *copy = made;
    return ARMILLA_OK;
}

void armilla_alm_layout_free(armilla_alm_layout *layout)
{
    if (!layout) return;
    armilla_release(layout->mstart);
    armilla_release(layout);
}

int64_t armilla_alm_layout_lmax(const armilla_alm_layout *layout)
{
    return layout ? layout->lmax : -1;
}

int64_t armilla_alm_layout_mmax(const armilla_alm_layout *layout)
{
    return layout ? layout->mmax / layout->mres : -1;
}

int64_t armilla_alm_layout_mres(const armilla_alm_layout *layout)
{
    return layout ? layout->mres : -1;
}

int64_t armilla_alm_layout_size(const armilla_alm_layout *layout)
{
    return layout ? layout->size : -1;
}

int64_t armilla_alm_layout_index(const armilla_alm_layout *layout, int64_t l, int64_t m)
{
    if (!layout || m < 0 || m > layout->mmax || l < m || l > layout->lmax) return -1;
    if (!armilla_alm_layout_has(layout, m)) return -1;
    return layout->mstart[m] + l * layout->stride;
}

int armilla_alm_layout_has_rows(const armilla_alm_layout *layout)
{
    if (layout->stride != 1) return 0;
    for (int64_t m = 0, next = layout->mres; next <= layout->mmax; m = next, next += layout->mres)
        if (layout->mstart[next] + next <= layout->mstart[m] + layout->lmax) return 0;
    return 1;
}
