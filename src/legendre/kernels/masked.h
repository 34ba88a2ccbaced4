/* Steps in which some pairs of a group matter and others do not yet. Part of synthesis.c and
 * analysis.c, which define before it
 *     group_state          with y, current, previous, scale of each vector,
 *     step_data, STEP_SIZE the type of what belongs to a step, and how many of them a step has,
 *     masked_block         one block of steps of one vector, with weights 0 and 1 for its lanes. */

ARMILLA_ALWAYS_INLINE void masked_vector(const step_run *block, step_data *data, vec weight,
                                         int small, group_state *s, int i, const int nsets,
                                         const int fine)
{
    if (small == LANES_ALL)
        advance_block(block->c, block->n, &s->y[i], &s->current[i], &s->previous[i], fine);
    else
        masked_block(block->c, block->n, data, weight, s, i, nsets, fine);
}

/* Goes on from step k of a run until all pairs matter, vector by vector, for they begin to matter
 * one after the other. Returns the step reached. */
ARMILLA_ALWAYS_INLINE int64_t masked_steps(const step_run *run, const double *ceiling,
                                           step_data *data, int64_t k, group_state *s,
                                           const part_shape shape)
{
    for (; k < run->nsteps; k += ARMILLA_KERNEL_STEPS) {
        const step_run block = {run->c + k, run->n, ARMILLA_KERNEL_STEPS};
        step_data *now = data + STEP_SIZE * k;
        vec weight[GROUP_VECTORS];
        int small[GROUP_VECTORS];
        if (!group_weights(ceiling[k / ARMILLA_KERNEL_STEPS], s->current, s->previous, s->scale,
                           weight, small, shape.nvec))
            return k;
        for (int i = 0; i < shape.nfine; i++)
            masked_vector(&block, now, weight[i], small[i], s, i, shape.nsets, 1);
        for (int i = shape.nfine; i < shape.nvec; i++)
            masked_vector(&block, now, weight[i], small[i], s, i, shape.nsets, 0);
    }
    return run->nsteps;
}
