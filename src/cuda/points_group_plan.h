/* Inside of values at points on several GPUs, for the files that make and run them. */
#ifndef ARMILLA_CUDA_POINTS_GROUP_PLAN_H
#define ARMILLA_CUDA_POINTS_GROUP_PLAN_H

#include "base/workspace.h"
#include "cuda/points_group.h"
#include "cuda/stages/points_stages.h"

typedef struct armilla_cuda_points_member {
    int device;
    armilla_cuda_points_stages *stages;
    void *stream;                   /* NULL with a list of one */
    int64_t first_strip, end_strip; /* the own ones, neighbours */
} armilla_cuda_points_member;

struct armilla_cuda_points_group {
    armilla_cuda_object object;
    int is_one; /* was the list one of one GPU? Then the streams are the callers' */
    int64_t count;
    armilla_cuda_points_member *members; /* that have strips */
    armilla_workspace_store *workspace;  /* of the host: legs, and values of members */
};

/* A member's points: those of its bands, then those of the bands beside, which its strips get
 * something of when values are spread; each in the sequence of the caller's. */
typedef struct armilla_cuda_points_part {
    armilla_cuda_points *points;
    int64_t nown, count;
    uint32_t
        *number;   /* [count] among the caller's; NULL with a list of one: they are the caller's */
    double *gamma; /* [count], in device memory; NULL: values do not turn */
} armilla_cuda_points_part;

struct armilla_cuda_points_shares {
    armilla_cuda_object object;
    const armilla_cuda_points_group *group;
    int64_t count;
    armilla_cuda_points_turn turn;
    armilla_cuda_points_part *parts; /* of the members */
};

/* See the table of points_group.h. */
armilla_status armilla_cuda_points_shares_new(const armilla_cuda_points_group *group,
                                              const armilla_cuda_points_problem *problem,
                                              int64_t count, const double *points, int on_device,
                                              armilla_cuda_points_shares **shares);
armilla_status armilla_cuda_points_shares_turn(armilla_cuda_points_shares *shares,
                                               const armilla_cuda_points_turn *turn);
armilla_status armilla_cuda_points_shares_run(const armilla_cuda_points_shares *shares,
                                              const armilla_cuda_points_call *call);

#endif
