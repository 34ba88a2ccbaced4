/* The tables of what PTX opcodes do, each filled by one file. */
#ifndef ARMILLA_TESTS_PTX_REPLAY_ACTIONS_H
#define ARMILLA_TESTS_PTX_REPLAY_ACTIONS_H

#include "machine.h"

#include <unordered_map>

namespace ptx
{
typedef std::unordered_map<std::string, action> actions;

void add_arithmetic(actions &table);  /* arithmetic.cpp */
void add_logic(actions &table);       /* logic.cpp: bits, moves, choices */
void add_conversions(actions &table); /* convert.cpp */
void add_meetings(actions &table);    /* warp_wide.cpp: shuffles, votes, products */

/* Comparisons (compare.cpp): setp.lt.and.f64 has a comparison, perhaps a connective, a type. */
bool choose_comparison(const std::vector<std::string> &words, operation &o);
/* Loads and stores (access.cpp): ld.global.nc.v2.f64; and what a warp loads as matrices. */
bool choose_access(const std::vector<std::string> &words, operation &o);
bool choose_matrices(const std::vector<std::string> &words, operation &o);

/* --- Lanes of one, two, three sources --------------------------------------------------------- */

template <typename R, typename A, R (*F)(A)>
void of_one(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]);
    slot *to = w.result(o.to[0]);
    for_lanes(lanes, [=](int l) { to[l] = to_slot<R>(F(as<A>(a[l]))); });
}

template <typename R, typename A, typename B, R (*F)(A, B)>
void of_two(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]), *b = w.value(o.from[1]);
    slot *to = w.result(o.to[0]);
    for_lanes(lanes, [=](int l) { to[l] = to_slot<R>(F(as<A>(a[l]), as<B>(b[l]))); });
}

template <typename R, typename A, typename C, R (*F)(A, A, C)>
void of_three(warp &w, const operation &o, uint32_t lanes)
{
    const slot *a = w.value(o.from[0]), *b = w.value(o.from[1]), *c = w.value(o.from[2]);
    slot *to = w.result(o.to[0]);
    for_lanes(lanes, [=](int l) { to[l] = to_slot<R>(F(as<A>(a[l]), as<A>(b[l]), as<C>(c[l]))); });
}
} // namespace ptx

#endif
