/* Steps in which some pairs of a group matter and others do not yet. Part of synthesis.c and
 * analysis.c, which define before it
 *     group_state          with y, current, previous, scale of each vector,
 *     step_data, STEP_SIZE the type of what belongs to a step, and how many of them a step has,
 *     masked_block         one block of steps of one vector, with weights 0 and 1 for its lanes. */

ARMILLA_ALWAYS_INLINE void masked_vector(const double *c, int64_t n, step_data *data, vec weight,
                                         int small, group_state *s, int i, const int nsets,
                                         const int fine)
{
    if (small == LANES_ALL)
        advance_block(c, n, &s->y[i], &s->current[i], &s->previous[i], fine);
    else
        masked_block(c, n, data, weight, s, i, nsets, fine);
}

/* Goes on until all pairs matter, vector by vector, for they begin to matter one after the other.
 * Returns the step reached. */
ARMILLA_ALWAYS_INLINE int64_t masked_steps(const double *c, int64_t n, const double *ceiling,
                                           step_data *data, int64_t k, int64_t nsteps,
                                           group_state *s, const int nsets, const int nvec,
                                           const int nfine)
{
    for (; k < nsteps; k += ARMILLA_KERNEL_STEPS) {
        step_data *now = data + STEP_SIZE * k;
        vec weight[GROUP_VECTORS];
        int small[GROUP_VECTORS];
        if (!group_weights(ceiling[k / ARMILLA_KERNEL_STEPS], s->current, s->previous, s->scale,
                           weight, small, nvec))
            return k;
        for (int i = 0; i < nfine; i++)
            masked_vector(c + k, n, now, weight[i], small[i], s, i, nsets, 1);
        for (int i = nfine; i < nvec; i++)
            masked_vector(c + k, n, now, weight[i], small[i], s, i, nsets, 0);
    }
    return nsteps;
}
