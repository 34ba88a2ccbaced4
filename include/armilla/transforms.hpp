/* Grids and transforms in C++: to and from maps, points and lensed maps. Include
 * armilla/armilla.hpp. */
#ifndef ARMILLA_TRANSFORMS_HPP
#define ARMILLA_TRANSFORMS_HPP

#include "objects.hpp"

namespace armilla
{

/* Where the pixels are (armilla/grid.h). */
class Grid : public GridMembers<Grid>
{
  public:
    using GridMembers::GridMembers;
    static Grid healpix(int64_t nside)
    {
        return Grid(made<armilla_grid>(armilla_grid_new_healpix, nside));
    }
    static Grid healpix_weighted(int64_t nside, int64_t lmax)
    {
        return Grid(made<armilla_grid>(armilla_grid_new_healpix_weighted, nside, lmax));
    }
    static Grid gauss_legendre(int64_t nrings, int64_t nphi)
    {
        return Grid(made<armilla_grid>(armilla_grid_new_gauss_legendre, nrings, nphi));
    }
    static Grid reduced_gauss_legendre(int64_t nrings, int64_t lmax)
    {
        return Grid(made<armilla_grid>(armilla_grid_new_reduced_gauss_legendre, nrings, lmax));
    }
    static Grid equidistant(armilla_grid_kind kind, int64_t nrings, int64_t nphi)
    {
        return Grid(made<armilla_grid>(armilla_grid_new_equidistant, kind, nrings, nphi));
    }
    static Grid custom(View<const armilla_ring> rings)
    {
        return Grid(made<armilla_grid>(armilla_grid_new_custom, static_cast<int64_t>(rings.size()),
                                       rings.data()));
    }
    int64_t npix() const
    {
        return armilla_grid_npix(get());
    }
    int64_t nrings() const
    {
        return armilla_grid_nrings(get());
    }
    int64_t exact_lmax() const
    {
        return armilla_grid_exact_lmax(get());
    }
    armilla_grid_kind kind() const
    {
        return armilla_grid_get_kind(get());
    }
    armilla_ring ring(int64_t index) const
    {
        armilla_ring ring{};
        check(armilla_grid_ring(get(), index, &ring));
        return ring;
    }
};

/* --- Transforms ------------------------------------------------------------------------------- */

/* Values of one transform: complex numbers of all components of alm, and pixels of all of a map. */
struct Shape {
    int64_t alm = 0, map = 0;
};

/* Returned: the one of two functions that takes Real. */
template <class Real, class Double, class Float> auto pick(Double in_double, Float in_float)
{
    if constexpr (std::is_same_v<Real, double>)
        return in_double;
    else
        return in_float;
}

/* Arrays are contiguous here: distances between components would lead beyond the sizes that are
 * checked. */
inline int64_t transforms(const armilla_exec *exec)
{
    if (!exec) return 1;
    if (exec->ntrans < 1)
        throw Error(ARMILLA_ERROR_ARGUMENT,
                    "ntrans = " + std::to_string(exec->ntrans) + ": must be 1 or more");
    if (exec->alm_distance != 0 || exec->map_distance != 0)
        throw Error(ARMILLA_ERROR_ARGUMENT,
                    "alm_distance, map_distance = " + std::to_string(exec->alm_distance) + ", " +
                        std::to_string(exec->map_distance) + ": must be 0 in C++");
    return exec->ntrans;
}

/* A plan between alm and something real: pixels of maps, or values at points. Components lie one
 * after the other without gaps, transforms (exec->ntrans) too; for distances between them call C.
 */
template <class Members> class Plan : public Members
{
  public:
    using Members::Members;
    int64_t alm_size() const
    {
        return shape_.alm;
    } /* complex numbers of one transform */
    int64_t map_size() const
    {
        return shape_.map;
    } /* values of one transform */

  protected:
    Shape shape_;

    template <class Double, class Float, class In, class Out, class Real = real_of<Out>>
    void to_map(Double d, Float f, const In &in, Out &&out, const armilla_exec *exec) const
    {
        const int64_t n = transforms(exec);
        const View<const std::complex<Real>> alm(in);
        const View<Real> map(out);
        check(pick<Real>(d, f)(this->get(), parts(alm.expect(product(n, shape_.alm, "alm"), "alm")),
                               map.expect(product(n, shape_.map, "map"), "map"), exec));
    }
    template <class Double, class Float, class In, class Out, class Real = real_of<Out>>
    void to_alm(Double d, Float f, const In &in, Out &&out, const armilla_exec *exec) const
    {
        const int64_t n = transforms(exec);
        const View<const Real> map(in);
        const View<std::complex<Real>> alm(out);
        check(pick<Real>(d, f)(this->get(), map.expect(product(n, shape_.map, "map"), "map"),
                               parts(alm.expect(product(n, shape_.alm, "alm"), "alm")), exec));
    }
    template <class In> auto new_map(const In &, const armilla_exec *exec) const
    {
        return std::vector<real_of<In>>(
            static_cast<std::size_t>(product(transforms(exec), shape_.map, "map")));
    }
    template <class In> auto new_alm(const In &, const armilla_exec *exec) const
    {
        return std::vector<std::complex<real_of<In>>>(
            static_cast<std::size_t>(product(transforms(exec), shape_.alm, "alm")));
    }
};

/* Both plans on the pixels of a grid have these. Calls: the functions of C. Each operator has two
 * forms: from one array into another, and from an array into a new one; exec may be left out. */
template <class Calls> class RingPlan : public Plan<typename Calls::members>
{
  public:
    template <class In, class Out, class Real = real_of<Out>>
    void synthesis(const In &alm, Out &&map, const armilla_exec *exec = nullptr) const
    {
        this->to_map(Calls::synthesis, Calls::synthesis_float, alm, map, exec);
    }
    template <class In, class Out, class Real = real_of<Out>>
    void adjoint_synthesis(const In &map, Out &&alm, const armilla_exec *exec = nullptr) const
    {
        this->to_alm(Calls::adjoint_synthesis, Calls::adjoint_synthesis_float, map, alm, exec);
    }
    template <class In, class Out, class Real = real_of<Out>>
    void analysis(const In &map, Out &&alm, const armilla_exec *exec = nullptr) const
    {
        this->to_alm(Calls::analysis, Calls::analysis_float, map, alm, exec);
    }
    template <class In, class Out, class Real = real_of<Out>>
    void adjoint_analysis(const In &alm, Out &&map, const armilla_exec *exec = nullptr) const
    {
        this->to_map(Calls::adjoint_analysis, Calls::adjoint_analysis_float, alm, map, exec);
    }
    /* Returned: the reports, Calls::reports of each transform. */
    template <class In, class Out, class Real = real_of<Out>>
    std::vector<armilla_pseudo_report>
    pseudo_analysis(const In &map, Out &&alm, const armilla_pseudo_options *options = nullptr,
                    const armilla_exec *exec = nullptr) const
    {
        std::vector<armilla_pseudo_report> reports(
            static_cast<std::size_t>(transforms(exec) * Calls::reports));
        auto in_double = [&](auto plan, const double *from, double *to, auto how) {
            return Calls::pseudo_analysis(plan, from, to, options, reports.data(), how);
        };
        auto in_float = [&](auto plan, const float *from, float *to, auto how) {
            return Calls::pseudo_analysis_float(plan, from, to, options, reports.data(), how);
        };
        this->to_alm(in_double, in_float, map, alm, exec);
        return reports;
    }

    template <class In> auto synthesis(const In &alm, const armilla_exec *exec = nullptr) const
    {
        auto map = this->new_map(alm, exec);
        synthesis(alm, map, exec);
        return map;
    }
    template <class In>
    auto adjoint_synthesis(const In &map, const armilla_exec *exec = nullptr) const
    {
        auto alm = this->new_alm(map, exec);
        adjoint_synthesis(map, alm, exec);
        return alm;
    }
    template <class In> auto analysis(const In &map, const armilla_exec *exec = nullptr) const
    {
        auto alm = this->new_alm(map, exec);
        analysis(map, alm, exec);
        return alm;
    }
    template <class In>
    auto adjoint_analysis(const In &alm, const armilla_exec *exec = nullptr) const
    {
        auto map = this->new_map(alm, exec);
        adjoint_analysis(alm, map, exec);
        return map;
    }

    armilla_sht_description describe(int nthreads = 0) const
    {
        armilla_sht_description description{};
        description.size = sizeof description;
        check(Calls::describe(this->get(), nthreads, &description));
        return description;
    }

  protected:
    explicit RingPlan(typename Calls::plan *plan) : Plan<typename Calls::members>(plan)
    {
        const armilla_sht_description what = describe();
        this->shape_ = {product(what.alm_ncomp, what.alm_size, "alm"),
                        product(what.ncomp, what.npix, "map")};
    }
};

class SHT;
class IQU;

struct SHTCalls {
    using plan = armilla_sht;
    using members = SHTMembers<SHT>;
    static constexpr auto describe = armilla_sht_describe;
    static constexpr auto synthesis = armilla_sht_synthesis;
    static constexpr auto synthesis_float = armilla_sht_synthesis_float;
    static constexpr auto adjoint_synthesis = armilla_sht_adjoint_synthesis;
    static constexpr auto adjoint_synthesis_float = armilla_sht_adjoint_synthesis_float;
    static constexpr auto analysis = armilla_sht_analysis;
    static constexpr auto analysis_float = armilla_sht_analysis_float;
    static constexpr auto adjoint_analysis = armilla_sht_adjoint_analysis;
    static constexpr auto adjoint_analysis_float = armilla_sht_adjoint_analysis_float;
    static constexpr auto pseudo_analysis = armilla_sht_pseudo_analysis;
    static constexpr auto pseudo_analysis_float = armilla_sht_pseudo_analysis_float;
    static constexpr int64_t reports = 1;
};
struct IQUCalls {
    using plan = armilla_iqu;
    using members = IQUMembers<IQU>;
    static constexpr auto describe = armilla_iqu_describe;
    static constexpr auto synthesis = armilla_iqu_synthesis;
    static constexpr auto synthesis_float = armilla_iqu_synthesis_float;
    static constexpr auto adjoint_synthesis = armilla_iqu_adjoint_synthesis;
    static constexpr auto adjoint_synthesis_float = armilla_iqu_adjoint_synthesis_float;
    static constexpr auto analysis = armilla_iqu_analysis;
    static constexpr auto analysis_float = armilla_iqu_analysis_float;
    static constexpr auto adjoint_analysis = armilla_iqu_adjoint_analysis;
    static constexpr auto adjoint_analysis_float = armilla_iqu_adjoint_analysis_float;
    static constexpr auto pseudo_analysis = armilla_iqu_pseudo_analysis;
    static constexpr auto pseudo_analysis_float = armilla_iqu_pseudo_analysis_float;
    static constexpr int64_t reports = 2;
};

/* A transform of any spin and mode (armilla/sht.h). */
class SHT : public RingPlan<SHTCalls>
{
  public:
    SHT(const Grid &grid, int64_t lmax, const armilla_sht_options *options = nullptr)
        : SHT(grid, lmax, lmax, options)
    {
    }
    SHT(const Grid &grid, int64_t lmax, int64_t mmax, const armilla_sht_options *options = nullptr)
        : RingPlan(made<armilla_sht>(armilla_sht_new, grid.get(), lmax, mmax, options))
    {
    }
};

/* I, Q, U from T, E, B, and back (armilla/iqu.h). */
class IQU : public RingPlan<IQUCalls>
{
  public:
    IQU(const Grid &grid, int64_t lmax, const armilla_sht_options *options = nullptr)
        : IQU(grid, lmax, lmax, options)
    {
    }
    IQU(const Grid &grid, int64_t lmax, int64_t mmax, const armilla_sht_options *options = nullptr)
        : RingPlan(made<armilla_iqu>(armilla_iqu_new, grid.get(), lmax, mmax, options))
    {
    }
};

/* Values at directions (armilla/points.h): points holds theta, phi, theta, phi, ... */
class Points : public Plan<PointsMembers<Points>>
{
  public:
    Points(int64_t lmax, int64_t mmax, View<const double> points,
           const armilla_points_options *options = nullptr)
        : Points(made<armilla_points>(armilla_points_new, lmax, mmax, pairs(points), points.data(),
                                      options))
    {
    }
    explicit Points(armilla_points *points) : Plan(points)
    {
        armilla_points_description what{};
        what.size = sizeof what;
        check(armilla_points_describe(get(), 0, &what));
        shape_ = {product(what.alm_ncomp, what.alm_size, "alm"),
                  product(what.ncomp, what.npoints, "values")};
    }
    template <class In, class Out, class Real = real_of<Out>>
    void synthesis(const In &alm, Out &&values, const armilla_exec *exec = nullptr) const
    {
        to_map(armilla_points_synthesis, armilla_points_synthesis_float, alm, values, exec);
    }
    template <class In, class Out, class Real = real_of<Out>>
    void adjoint_synthesis(const In &values, Out &&alm, const armilla_exec *exec = nullptr) const
    {
        to_alm(armilla_points_adjoint_synthesis, armilla_points_adjoint_synthesis_float, values,
               alm, exec);
    }
    template <class In> auto synthesis(const In &alm, const armilla_exec *exec = nullptr) const
    {
        auto values = new_map(alm, exec);
        synthesis(alm, values, exec);
        return values;
    }
    template <class In>
    auto adjoint_synthesis(const In &values, const armilla_exec *exec = nullptr) const
    {
        auto alm = new_alm(values, exec);
        adjoint_synthesis(values, alm, exec);
        return alm;
    }

  private:
    static int64_t pairs(View<const double> points)
    {
        if (points.size() % 2 == 0) return static_cast<int64_t>(points.size() / 2);
        throw Error(ARMILLA_ERROR_ARGUMENT, "points has " + std::to_string(points.size()) +
                                                " values: must have two for each point");
    }
};

/* Maps seen through a deflection (armilla/lensing.h), in doubles. */
class Lensing : public Plan<LensingMembers<Lensing>>
{
  public:
    Lensing(const Grid &grid, const armilla_deflection &deflection, int64_t lmax, int64_t mmax,
            const armilla_points_options *options = nullptr)
        : Lensing(made<armilla_lensing>(armilla_lensing_new, grid.get(), &deflection, lmax, mmax,
                                        options),
                  grid.npix())
    {
    }
    /* The same deflection for another spin or band limit. */
    Lensing beside(int64_t lmax, int64_t mmax,
                   const armilla_points_options *options = nullptr) const
    {
        return Lensing(
            made<armilla_lensing>(armilla_lensing_new_beside, get(), lmax, mmax, options), npix_);
    }
    void alm2lenmap(View<const std::complex<double>> alm, View<double> map,
                    const armilla_exec *exec = nullptr) const
    {
        to_map(armilla_lensing_alm2lenmap, armilla_lensing_alm2lenmap, alm, map, exec);
    }
    void adjoint(View<const double> map, View<std::complex<double>> alm,
                 const armilla_exec *exec = nullptr) const
    {
        to_alm(armilla_lensing_adjoint, armilla_lensing_adjoint, map, alm, exec);
    }

  private:
    int64_t npix_; /* of a map, gaps included */

    Lensing(armilla_lensing *lensing, int64_t npix) : Plan(lensing), npix_(npix)
    {
        armilla_points_description what{};
        what.size = sizeof what;
        check(armilla_lensing_describe(get(), 0, &what));
        shape_ = {product(what.alm_ncomp, what.alm_size, "alm"), product(what.ncomp, npix, "map")};
    }
};

} // namespace armilla

#endif
