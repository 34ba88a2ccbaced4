/* Every object of C as a class: methods for the functions that take it first, under their names
 * without the object's ("armilla_beams_convolve" is Beams::convolve), and static members for those
 * that make it ("armilla_beams_new" is Beams::create, "armilla_grid_new_named" Grid::named).
 * Functions with and without "_float" are one name. Arrays are pointers here, whose sizes and
 * meaning the headers of C say; objects are handed over themselves (structs by their address),
 * texts as std::string or const char *. What the headers of C say must outlive an object must do
 * so here, such as the Distribution of a plan over ranks. Include armilla/armilla.hpp. Written by
 * languages/generate.py from the headers of C: do not edit it. */
#ifndef ARMILLA_OBJECTS_HPP
#define ARMILLA_OBJECTS_HPP

#include "base.hpp"

/* clang-format off */
namespace armilla
{

/* An object as an argument: one of the classes below, a pointer of C, or nullptr. */
template <class T> class Ref
{
  public:
    Ref(std::nullptr_t) : object_(nullptr) {}
    Ref(T *object) : object_(object) {}
    template <class Object, class = std::enable_if_t<std::is_convertible_v<
                                decltype(std::declval<const Object &>().get()), T *>>>
    Ref(const Object &object) : object_(object.get()) {}
    operator T *() const noexcept { return object_; }

  private:
    T *object_;
};

/* A text as an argument. */
class Text
{
  public:
    Text(std::nullptr_t) : text_(nullptr) {}
    Text(const char *text) : text_(text) {}
    Text(const std::string &text) : text_(text.c_str()) {}
    operator const char *() const noexcept { return text_; }

  private:
    const char *text_;
};

/* Structs of C with their defaults: change fields, and hand over the address. */
using GridLayout = Options<armilla_grid_layout, armilla_grid_layout_init_sized>;
using SHTOptions = Options<armilla_sht_options, armilla_sht_options_init_sized>;
using Exec = Options<armilla_exec, armilla_exec_init_sized>;
using PseudoOptions = Options<armilla_pseudo_options, armilla_pseudo_options_init_sized>;
using RadialOptions = Options<armilla_radial_options, armilla_radial_options_init_sized>;
using RadialStream = Options<armilla_radial_stream, armilla_radial_stream_init_sized>;
using PointsOptions = Options<armilla_points_options, armilla_points_options_init_sized>;
using InterpolationOptions = Options<armilla_interpolation_options,
            armilla_interpolation_options_init_sized>;
using BeamsOptions = Options<armilla_beams_options, armilla_beams_options_init_sized>;
using CouplingOptions = Options<armilla_coupling_options, armilla_coupling_options_init_sized>;
using Bands = Options<armilla_bands, armilla_bands_init_sized>;
using CovarianceProblem = Options<armilla_covariance_problem,
            armilla_covariance_problem_init_sized>;
using GaussianProblem = Options<armilla_gaussian_problem, armilla_gaussian_problem_init_sized>;
using Correlation = Options<armilla_correlation, armilla_correlation_init_sized>;
using DistributionOptions = Options<armilla_distribution_options,
            armilla_distribution_options_init_sized>;
using DistributedOptions = Options<armilla_distributed_options,
            armilla_distributed_options_init_sized>;
using Deflection = Options<armilla_deflection, armilla_deflection_init_sized>;
using DistributedDeflection = Options<armilla_distributed_deflection,
            armilla_distributed_deflection_init_sized>;
using RedistributionOptions = Options<armilla_redistribution_options,
            armilla_redistribution_options_init_sized>;
using PictureOptions = Options<armilla_picture_options, armilla_picture_options_init_sized>;
using PlotOptions = Options<armilla_plot_options, armilla_plot_options_init_sized>;
using WriteOptions = Options<armilla_write_options, armilla_write_options_init_sized>;
using LegProblem = Options<armilla_leg_problem, armilla_leg_problem_init_sized>;
using LegRings = Options<armilla_leg_rings, armilla_leg_rings_init_sized>;
using SO3Options = Options<armilla_so3_options, armilla_so3_options_init_sized>;
using SolidOptions = Options<armilla_solid_options, armilla_solid_options_init_sized>;
using VectorOptions = Options<armilla_vector_options, armilla_vector_options_init_sized>;

template <class Self> class AlmLayoutMembers : public Owner<armilla_alm_layout,
            armilla_alm_layout_free>
{
  public:
    using Owner<armilla_alm_layout, armilla_alm_layout_free>::Owner;
    static Self create(int64_t lmax, int64_t mmax)
    { return Self(made<armilla_alm_layout>(armilla_alm_layout_new, lmax, mmax)); }
    static Self custom(int64_t lmax, int64_t mmax, const int64_t *mstart, int64_t stride)
    { return Self(made<armilla_alm_layout>(armilla_alm_layout_new_custom, lmax, mmax, mstart,
            stride)); }
    static Self mres(int64_t lmax, int64_t mmax, int64_t mres)
    { return Self(made<armilla_alm_layout>(armilla_alm_layout_new_mres, lmax, mmax, mres)); }
    int64_t lmax() const
    { return armilla_alm_layout_lmax(this->get()); }
    int64_t mmax() const
    { return armilla_alm_layout_mmax(this->get()); }
    int64_t mres() const
    { return armilla_alm_layout_mres(this->get()); }
    int64_t size() const
    { return armilla_alm_layout_size(this->get()); }
    int64_t index(int64_t l, int64_t m) const
    { return armilla_alm_layout_index(this->get(), l, m); }
    void convert(const double *alm_source, Ref<const armilla_alm_layout> target,
            double *alm_target) const
    { check(armilla_alm_convert(this->get(), alm_source,
            static_cast<const armilla_alm_layout *>(target), alm_target)); }
};
class AlmLayout : public AlmLayoutMembers<AlmLayout>
{
  public:
    using AlmLayoutMembers::AlmLayoutMembers;
};

template <class Self> class HealpixRangesMembers : public Owner<armilla_healpix_ranges,
            armilla_healpix_ranges_free>
{
  public:
    using Owner<armilla_healpix_ranges, armilla_healpix_ranges_free>::Owner;
    static Self query_disc(int64_t nside, int nested, const double *centre, double radius,
            int64_t fact)
    { return Self(made<armilla_healpix_ranges>(armilla_healpix_query_disc, nside, nested, centre,
            radius, fact)); }
    static Self query_polygon(int64_t nside, int nested, int64_t nvertices,
            const double *vertices, int64_t fact)
    { return Self(made<armilla_healpix_ranges>(armilla_healpix_query_polygon, nside, nested,
            nvertices, vertices, fact)); }
    static Self query_strip(int64_t nside, int nested, double theta1, double theta2, int inclusive)
    { return Self(made<armilla_healpix_ranges>(armilla_healpix_query_strip, nside, nested,
            theta1, theta2, inclusive)); }
    int64_t count() const
    { return armilla_healpix_ranges_count(this->get()); }
    int64_t npixels() const
    { return armilla_healpix_ranges_npixels(this->get()); }
    void take(int64_t *runs) const
    { check(armilla_healpix_ranges_get(this->get(), runs)); }
    void pixels(int64_t *pixels) const
    { check(armilla_healpix_ranges_pixels(this->get(), pixels)); }
};
class HealpixRanges : public HealpixRangesMembers<HealpixRanges>
{
  public:
    using HealpixRangesMembers::HealpixRangesMembers;
};

template <class Self> class GridMembers : public Owner<armilla_grid, armilla_grid_free>
{
  public:
    using Owner<armilla_grid, armilla_grid_free>::Owner;
    static Self healpix(int64_t nside)
    { return Self(made<armilla_grid>(armilla_grid_new_healpix, nside)); }
    static Self healpix_weighted(int64_t nside, int64_t lmax)
    { return Self(made<armilla_grid>(armilla_grid_new_healpix_weighted, nside, lmax)); }
    static Self gauss_legendre(int64_t nrings, int64_t nphi)
    { return Self(made<armilla_grid>(armilla_grid_new_gauss_legendre, nrings, nphi)); }
    static Self reduced_gauss_legendre(int64_t nrings, int64_t lmax)
    { return Self(made<armilla_grid>(armilla_grid_new_reduced_gauss_legendre, nrings, lmax)); }
    static Self reduced(int64_t nrings, const int64_t *nphi)
    { return Self(made<armilla_grid>(armilla_grid_new_reduced, nrings, nphi)); }
    static Self octahedral(int64_t n)
    { return Self(made<armilla_grid>(armilla_grid_new_octahedral, n)); }
    static Self classic(int64_t n)
    { return Self(made<armilla_grid>(armilla_grid_new_classic, n)); }
    static Self equidistant(armilla_grid_kind kind, int64_t nrings, int64_t nphi)
    { return Self(made<armilla_grid>(armilla_grid_new_equidistant, kind, nrings, nphi)); }
    static Self custom(int64_t nrings, const armilla_ring *rings)
    { return Self(made<armilla_grid>(armilla_grid_new_custom, nrings, rings)); }
    static Self named(Text name)
    { return Self(made<armilla_grid>(armilla_grid_new_named, static_cast<const char *>(name))); }
    static void read_name(Text name, armilla_grid_sizes *sizes)
    { check(armilla_grid_read_name(static_cast<const char *>(name), sizes)); }
    static void layout_init_sized(armilla_grid_layout *layout, size_t size)
    { armilla_grid_layout_init_sized(layout, size); }
    static const char * kind_name(armilla_grid_kind kind)
    { return armilla_grid_kind_name(kind); }
    Self subset(int64_t first, int64_t count, int compact) const
    { return Self(made<armilla_grid>(armilla_grid_new_subset, this->get(), first, count,
            compact)); }
    void name(char *name) const
    { check(armilla_grid_name(this->get(), name)); }
    Self laid_out(const armilla_grid_layout *layout) const
    { return Self(made<armilla_grid>(armilla_grid_new_laid_out, this->get(), layout)); }
    void get_layout(armilla_grid_layout *layout) const
    { check(armilla_grid_get_layout(this->get(), layout)); }
    armilla_grid_kind get_kind() const
    { return armilla_grid_get_kind(this->get()); }
    int64_t npix() const
    { return armilla_grid_npix(this->get()); }
    int64_t nrings() const
    { return armilla_grid_nrings(this->get()); }
    void ring(int64_t index, armilla_ring *ring) const
    { check(armilla_grid_ring(this->get(), index, ring)); }
    void pixels_at(int64_t n, const double *theta, const double *phi, int64_t *pixels) const
    { check(armilla_grid_pixels_at(this->get(), n, theta, phi, pixels)); }
    int64_t exact_lmax() const
    { return armilla_grid_exact_lmax(this->get()); }
    int64_t exact_lmax_for(int64_t mmax) const
    { return armilla_grid_exact_lmax_for(this->get(), mmax); }
    void ectrans_limits(int64_t lmax, int64_t *limits) const
    { check(armilla_grid_ectrans_limits(this->get(), lmax, limits)); }
    armilla_grid_kind lost_rule(int64_t lmax, int64_t mmax) const
    { return armilla_grid_lost_rule(this->get(), lmax, mmax); }
};

template <class Self> class KernelMembers : public Owner<armilla_kernel, armilla_kernel_free>
{
  public:
    using Owner<armilla_kernel, armilla_kernel_free>::Owner;
    static Self gaussian(double fwhm)
    { return Self(made<armilla_kernel>(armilla_kernel_new_gaussian, fwhm)); }
    static Self tophat(double radius)
    { return Self(made<armilla_kernel>(armilla_kernel_new_tophat, radius)); }
    static Self mexican_hat(double fwhm)
    { return Self(made<armilla_kernel>(armilla_kernel_new_mexican_hat, fwhm)); }
    static Self needlet(double base, int64_t scale)
    { return Self(made<armilla_kernel>(armilla_kernel_new_needlet, base, scale)); }
    static Self window(int64_t lmax, const double *window)
    { return Self(made<armilla_kernel>(armilla_kernel_new_window, lmax, window)); }
    static Self table(int64_t count, const double *theta, const double *values)
    { return Self(made<armilla_kernel>(armilla_kernel_new_table, count, theta, values)); }
    void values(int64_t count, const double *theta, double *values) const
    { check(armilla_kernel_values(this->get(), count, theta, values)); }
    void window(double support, int64_t lmax, double *window) const
    { check(armilla_kernel_window(this->get(), support, lmax, window)); }
    void truncation_error(double support, int64_t lmax, const double *cl, double *error) const
    { check(armilla_kernel_truncation_error(this->get(), support, lmax, cl, error)); }
    void choose_support(double error, int64_t lmax, const double *cl, double *support) const
    { check(armilla_kernel_choose_support(this->get(), error, lmax, cl, support)); }
};

template <class Self> class SHTMembers : public Owner<armilla_sht, armilla_sht_free>
{
  public:
    using Owner<armilla_sht, armilla_sht_free>::Owner;
    static void options_init_sized(armilla_sht_options *options, size_t size)
    { armilla_sht_options_init_sized(options, size); }
    void synthesis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_sht_synthesis(this->get(), alm, map, exec)); }
    void adjoint_synthesis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_sht_adjoint_synthesis(this->get(), map, alm, exec)); }
    void analysis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_sht_analysis(this->get(), map, alm, exec)); }
    void adjoint_analysis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_sht_adjoint_analysis(this->get(), alm, map, exec)); }
    void synthesis(const float *alm, float *map, const armilla_exec *exec = nullptr) const
    { check(armilla_sht_synthesis_float(this->get(), alm, map, exec)); }
    void adjoint_synthesis(const float *map, float *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_sht_adjoint_synthesis_float(this->get(), map, alm, exec)); }
    void analysis(const float *map, float *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_sht_analysis_float(this->get(), map, alm, exec)); }
    void adjoint_analysis(const float *alm, float *map, const armilla_exec *exec = nullptr) const
    { check(armilla_sht_adjoint_analysis_float(this->get(), alm, map, exec)); }
    void pseudo_analysis(const double *map, double *alm, const armilla_pseudo_options *options,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr) const
    { check(armilla_sht_pseudo_analysis(this->get(), map, alm, options, reports, exec)); }
    void pseudo_analysis(const float *map, float *alm, const armilla_pseudo_options *options,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr) const
    { check(armilla_sht_pseudo_analysis_float(this->get(), map, alm, options, reports, exec)); }
    armilla_sht_description describe(int nthreads = 0) const
    { armilla_sht_description told{}; told.size = sizeof told;
            check(armilla_sht_describe(this->get(), nthreads, &told)); return told; }
    armilla_sht_description describe_many(int nthreads, int64_t ntrans) const
    { armilla_sht_description told{}; told.size = sizeof told;
            check(armilla_sht_describe_many(this->get(), nthreads, ntrans, &told)); return told; }
    void explain(armilla_choice_fn take, void *data) const
    { check(armilla_sht_explain(this->get(), take, data)); }
};

template <class Self> class RadialMembers : public Owner<armilla_radial, armilla_radial_free>
{
  public:
    using Owner<armilla_radial, armilla_radial_free>::Owner;
    static void options_init_sized(armilla_radial_options *options, size_t size)
    { armilla_radial_options_init_sized(options, size); }
    static void convolve_many(const armilla_radial *const *radials, int64_t nradials,
            const double *map, double *out, const armilla_exec *exec = nullptr)
    { check(armilla_radial_convolve_many(radials, nradials, map, out, exec)); }
    static void convolve_many(const armilla_radial *const *radials, int64_t nradials,
            const float *map, float *out, const armilla_exec *exec = nullptr)
    { check(armilla_radial_convolve_many_float(radials, nradials, map, out, exec)); }
    static void many_bytes(const armilla_radial *const *radials, int64_t nradials,
            const armilla_exec *exec, int64_t *bytes, int64_t *device_bytes)
    { check(armilla_radial_many_bytes(radials, nradials, exec, bytes, device_bytes)); }
    static void stream_init_sized(armilla_radial_stream *stream, size_t size)
    { armilla_radial_stream_init_sized(stream, size); }
    void convolve(const double *map, double *out, const armilla_exec *exec = nullptr) const
    { check(armilla_radial_convolve(this->get(), map, out, exec)); }
    void convolve(const float *map, float *out, const armilla_exec *exec = nullptr) const
    { check(armilla_radial_convolve_float(this->get(), map, out, exec)); }
    void adjoint(const double *map, double *out, const armilla_exec *exec = nullptr) const
    { check(armilla_radial_adjoint(this->get(), map, out, exec)); }
    void adjoint(const float *map, float *out, const armilla_exec *exec = nullptr) const
    { check(armilla_radial_adjoint_float(this->get(), map, out, exec)); }
    void convolve_weighted(const double *map, const double *weights, double least, double fill,
            double *out, const armilla_exec *exec = nullptr) const
    { check(armilla_radial_convolve_weighted(this->get(), map, weights, least, fill, out, exec)); }
    void convolve_weighted(const float *map, const double *weights, double least, double fill,
            float *out, const armilla_exec *exec = nullptr) const
    { check(armilla_radial_convolve_weighted_float(this->get(), map, weights, least, fill, out,
            exec)); }
    void convolve_stream(const armilla_radial_stream *stream,
            const armilla_exec *exec = nullptr) const
    { check(armilla_radial_convolve_stream(this->get(), stream, exec)); }
    void stream_bytes(const armilla_radial_stream *stream, const armilla_exec *exec,
            int64_t *bytes) const
    { check(armilla_radial_stream_bytes(this->get(), stream, exec, bytes)); }
    armilla_radial_description describe(int nthreads = 0) const
    { armilla_radial_description told{}; told.size = sizeof told;
            check(armilla_radial_describe(this->get(), nthreads, &told)); return told; }
    void explain(armilla_choice_fn take, void *data) const
    { check(armilla_radial_explain(this->get(), take, data)); }
    void compare(Ref<const armilla_sht> sht, double *radial_seconds, double *harmonic_seconds) const
    { check(armilla_radial_compare(this->get(), static_cast<const armilla_sht *>(sht),
            radial_seconds, harmonic_seconds)); }
};

template <class Self> class AsymmetricMembers : public Owner<armilla_asymmetric,
            armilla_asymmetric_free>
{
  public:
    using Owner<armilla_asymmetric, armilla_asymmetric_free>::Owner;
    static Self create(Ref<const armilla_grid> grid, int64_t nkernels,
            const armilla_kernel *const *kernels, const double *offsets, const double *weights,
            const double *psi, const armilla_radial_options *options = nullptr)
    { return Self(made<armilla_asymmetric>(armilla_asymmetric_new,
            static_cast<const armilla_grid *>(grid), nkernels, kernels, offsets, weights, psi,
            options)); }
    void convolve(const double *map, double *out, const armilla_exec *exec = nullptr) const
    { check(armilla_asymmetric_convolve(this->get(), map, out, exec)); }
    void convolve(const float *map, float *out, const armilla_exec *exec = nullptr) const
    { check(armilla_asymmetric_convolve_float(this->get(), map, out, exec)); }
    void adjoint(const double *map, double *out, const armilla_exec *exec = nullptr) const
    { check(armilla_asymmetric_adjoint(this->get(), map, out, exec)); }
    void adjoint(const float *map, float *out, const armilla_exec *exec = nullptr) const
    { check(armilla_asymmetric_adjoint_float(this->get(), map, out, exec)); }
    armilla_asymmetric_description describe(int nthreads = 0) const
    { armilla_asymmetric_description told{}; told.size = sizeof told;
            check(armilla_asymmetric_describe(this->get(), nthreads, &told)); return told; }
};
class Asymmetric : public AsymmetricMembers<Asymmetric>
{
  public:
    using AsymmetricMembers::AsymmetricMembers;
};

template <class Self> class PointsMembers : public Owner<armilla_points, armilla_points_free>
{
  public:
    using Owner<armilla_points, armilla_points_free>::Owner;
    static void options_init_sized(armilla_points_options *options, size_t size)
    { armilla_points_options_init_sized(options, size); }
    static void evaluate(int64_t lmax, int64_t mmax, int64_t npoints, const double *points,
            const armilla_points_options *options, const double *alm, double *values,
            const armilla_exec *exec = nullptr)
    { check(armilla_points_evaluate(lmax, mmax, npoints, points, options, alm, values, exec)); }
    static void evaluate(int64_t lmax, int64_t mmax, int64_t npoints, const double *points,
            const armilla_points_options *options, const float *alm, float *values,
            const armilla_exec *exec = nullptr)
    { check(armilla_points_evaluate_float(lmax, mmax, npoints, points, options, alm, values,
            exec)); }
    static void adjoint_evaluate(int64_t lmax, int64_t mmax, int64_t npoints,
            const double *points, const armilla_points_options *options, const double *values,
            double *alm, const armilla_exec *exec = nullptr)
    { check(armilla_points_adjoint_evaluate(lmax, mmax, npoints, points, options, values, alm,
            exec)); }
    static void adjoint_evaluate(int64_t lmax, int64_t mmax, int64_t npoints,
            const double *points, const armilla_points_options *options, const float *values,
            float *alm, const armilla_exec *exec = nullptr)
    { check(armilla_points_adjoint_evaluate_float(lmax, mmax, npoints, points, options, values,
            alm, exec)); }
    static void few(int64_t lmax, int64_t mmax, int64_t npoints, const double *points,
            const armilla_points_options *options, int *few)
    { check(armilla_points_few(lmax, mmax, npoints, points, options, few)); }
    static void interpolate(Ref<const armilla_grid> grid, const double *map, int64_t npoints,
            const double *points, const armilla_interpolation_options *options, double *values,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr)
    { check(armilla_points_interpolate(static_cast<const armilla_grid *>(grid), map, npoints,
            points, options, values, reports, exec)); }
    static void interpolate(Ref<const armilla_grid> grid, const float *map, int64_t npoints,
            const double *points, const armilla_interpolation_options *options, float *values,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr)
    { check(armilla_points_interpolate_float(static_cast<const armilla_grid *>(grid), map,
            npoints, points, options, values, reports, exec)); }
    Self beside(int64_t npoints, const double *points) const
    { return Self(made<armilla_points>(armilla_points_new_beside, this->get(), npoints, points)); }
    void synthesis(const double *alm, double *values, const armilla_exec *exec = nullptr) const
    { check(armilla_points_synthesis(this->get(), alm, values, exec)); }
    void adjoint_synthesis(const double *values, double *alm,
            const armilla_exec *exec = nullptr) const
    { check(armilla_points_adjoint_synthesis(this->get(), values, alm, exec)); }
    void synthesis(const float *alm, float *values, const armilla_exec *exec = nullptr) const
    { check(armilla_points_synthesis_float(this->get(), alm, values, exec)); }
    void adjoint_synthesis(const float *values, float *alm,
            const armilla_exec *exec = nullptr) const
    { check(armilla_points_adjoint_synthesis_float(this->get(), values, alm, exec)); }
    void pseudo_analysis(const double *values, double *alm,
            const armilla_pseudo_options *options, armilla_pseudo_report *reports,
            const armilla_exec *exec = nullptr) const
    { check(armilla_points_pseudo_analysis(this->get(), values, alm, options, reports, exec)); }
    void pseudo_analysis(const float *values, float *alm, const armilla_pseudo_options *options,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr) const
    { check(armilla_points_pseudo_analysis_float(this->get(), values, alm, options, reports,
            exec)); }
    armilla_points_description describe(int nthreads = 0) const
    { armilla_points_description told{}; told.size = sizeof told;
            check(armilla_points_describe(this->get(), nthreads, &told)); return told; }
    void explain(armilla_choice_fn take, void *data) const
    { check(armilla_points_explain(this->get(), take, data)); }
};

template <class Self> class BeamsMembers : public Owner<armilla_beams, armilla_beams_free>
{
  public:
    using Owner<armilla_beams, armilla_beams_free>::Owner;
    static void options_init_sized(armilla_beams_options *options, size_t size)
    { armilla_beams_options_init_sized(options, size); }
    static Self create(int64_t lmax, int64_t mmax, int64_t kmax, int64_t npointings,
            const double *pointings, const armilla_beams_options *options = nullptr)
    { return Self(made<armilla_beams>(armilla_beams_new, lmax, mmax, kmax, npointings, pointings,
            options)); }
    Self beside(int64_t npointings, const double *pointings, const double *modulation) const
    { return Self(made<armilla_beams>(armilla_beams_new_beside, this->get(), npointings,
            pointings, modulation)); }
    void convolve(const double *sky, const double *beam, double *samples,
            const armilla_exec *exec = nullptr) const
    { check(armilla_beams_convolve(this->get(), sky, beam, samples, exec)); }
    void convolve(const float *sky, const float *beam, float *samples,
            const armilla_exec *exec = nullptr) const
    { check(armilla_beams_convolve_float(this->get(), sky, beam, samples, exec)); }
    void adjoint(const double *samples, const double *beam, double *sky,
            const armilla_exec *exec = nullptr) const
    { check(armilla_beams_adjoint(this->get(), samples, beam, sky, exec)); }
    void adjoint(const float *samples, const float *beam, float *sky,
            const armilla_exec *exec = nullptr) const
    { check(armilla_beams_adjoint_float(this->get(), samples, beam, sky, exec)); }
    void beam_adjoint(const double *samples, const double *sky, double *beam,
            const armilla_exec *exec = nullptr) const
    { check(armilla_beams_beam_adjoint(this->get(), samples, sky, beam, exec)); }
    void beam_adjoint(const float *samples, const float *sky, float *beam,
            const armilla_exec *exec = nullptr) const
    { check(armilla_beams_beam_adjoint_float(this->get(), samples, sky, beam, exec)); }
    void deconvolve(const double *samples, const double *beam, double *sky,
            const armilla_pseudo_options *options, armilla_pseudo_report *report,
            const armilla_exec *exec = nullptr) const
    { check(armilla_beams_deconvolve(this->get(), samples, beam, sky, options, report, exec)); }
    armilla_beams_description describe(int nthreads = 0) const
    { armilla_beams_description told{}; told.size = sizeof told;
            check(armilla_beams_describe(this->get(), nthreads, &told)); return told; }
    void explain(armilla_choice_fn take, void *data) const
    { check(armilla_beams_explain(this->get(), take, data)); }
};
class Beams : public BeamsMembers<Beams>
{
  public:
    using BeamsMembers::BeamsMembers;
};

template <class Self> class ComplexSHTMembers : public Owner<armilla_complex_sht,
            armilla_complex_sht_free>
{
  public:
    using Owner<armilla_complex_sht, armilla_complex_sht_free>::Owner;
    static Self create(Ref<const armilla_grid> grid, int64_t lmax, int64_t mmax,
            const armilla_sht_options *options = nullptr)
    { return Self(made<armilla_complex_sht>(armilla_complex_sht_new,
            static_cast<const armilla_grid *>(grid), lmax, mmax, options)); }
    void synthesis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_complex_sht_synthesis(this->get(), alm, map, exec)); }
    void adjoint_synthesis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_complex_sht_adjoint_synthesis(this->get(), map, alm, exec)); }
    void analysis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_complex_sht_analysis(this->get(), map, alm, exec)); }
    void adjoint_analysis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_complex_sht_adjoint_analysis(this->get(), alm, map, exec)); }
    void synthesis(const float *alm, float *map, const armilla_exec *exec = nullptr) const
    { check(armilla_complex_sht_synthesis_float(this->get(), alm, map, exec)); }
    void adjoint_synthesis(const float *map, float *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_complex_sht_adjoint_synthesis_float(this->get(), map, alm, exec)); }
    void analysis(const float *map, float *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_complex_sht_analysis_float(this->get(), map, alm, exec)); }
    void adjoint_analysis(const float *alm, float *map, const armilla_exec *exec = nullptr) const
    { check(armilla_complex_sht_adjoint_analysis_float(this->get(), alm, map, exec)); }
    armilla_sht_description describe(int nthreads = 0) const
    { armilla_sht_description told{}; told.size = sizeof told;
            check(armilla_complex_sht_describe(this->get(), nthreads, &told)); return told; }
    void explain(armilla_choice_fn take, void *data) const
    { check(armilla_complex_sht_explain(this->get(), take, data)); }
};
class ComplexSHT : public ComplexSHTMembers<ComplexSHT>
{
  public:
    using ComplexSHTMembers::ComplexSHTMembers;
};

template <class Self> class CouplingMembers : public Owner<armilla_coupling, armilla_coupling_free>
{
  public:
    using Owner<armilla_coupling, armilla_coupling_free>::Owner;
    static void options_init_sized(armilla_coupling_options *options, size_t size)
    { armilla_coupling_options_init_sized(options, size); }
    static Self create(int64_t lmax, int64_t lmask, int64_t nmasks, const double *masks,
            const armilla_coupling_options *options = nullptr)
    { return Self(made<armilla_coupling>(armilla_coupling_new, lmax, lmask, nmasks, masks,
            options)); }
    int64_t ncl() const
    { return armilla_coupling_ncl(this->get()); }
    int64_t nkinds() const
    { return armilla_coupling_nkinds(this->get()); }
    void apply(const double *cl, double *coupled, const armilla_exec *exec = nullptr) const
    { check(armilla_coupling_apply(this->get(), cl, coupled, exec)); }
    void adjoint(const double *coupled, double *cl, const armilla_exec *exec = nullptr) const
    { check(armilla_coupling_adjoint(this->get(), coupled, cl, exec)); }
    void mask_adjoint(const double *cl, const double *g, double *masks,
            const armilla_exec *exec = nullptr) const
    { check(armilla_coupling_mask_adjoint(this->get(), cl, g, masks, exec)); }
    void matrix(double *matrix, const armilla_exec *exec = nullptr) const
    { check(armilla_coupling_matrix(this->get(), matrix, exec)); }
    void windows(const armilla_bands *bands, double *windows, double *matrix,
            const armilla_exec *exec = nullptr) const
    { check(armilla_coupling_windows(this->get(), bands, windows, matrix, exec)); }
    void decouple(const armilla_bands *bands, const double *matrix, const double *coupled,
            double *powers, double *condition) const
    { check(armilla_coupling_decouple(this->get(), bands, matrix, coupled, powers, condition)); }
    void covariance(const armilla_bands *bands, const armilla_covariance_problem *problem,
            double *cov, const armilla_exec *exec = nullptr) const
    { check(armilla_coupling_covariance(this->get(), bands, problem, cov, exec)); }
};
class Coupling : public CouplingMembers<Coupling>
{
  public:
    using CouplingMembers::CouplingMembers;
};

template <class Self> class DistributionMembers : public Owner<armilla_distribution,
            armilla_distribution_free>
{
  public:
    using Owner<armilla_distribution, armilla_distribution_free>::Owner;
    static void options_init_sized(armilla_distribution_options *options, size_t size)
    { armilla_distribution_options_init_sized(options, size); }
    static Self create(Ref<const armilla_grid> grid, int64_t lmax, int64_t mmax, int64_t nranks,
            const armilla_distribution_options *options = nullptr)
    { return Self(made<armilla_distribution>(armilla_distribution_new,
            static_cast<const armilla_grid *>(grid), lmax, mmax, nranks, options)); }
    int64_t nranks() const
    { return armilla_distribution_nranks(this->get()); }
    int64_t orders(int64_t rank, int64_t *orders) const
    { return armilla_distribution_orders(this->get(), rank, orders); }
    int64_t rings(int64_t rank, int64_t *rings) const
    { return armilla_distribution_rings(this->get(), rank, rings); }
    int64_t alm_size(int64_t rank) const
    { return armilla_distribution_alm_size(this->get(), rank); }
    int64_t npix(int64_t rank) const
    { return armilla_distribution_npix(this->get(), rank); }
    int64_t alm_index(int64_t rank, int64_t l, int64_t m) const
    { return armilla_distribution_alm_index(this->get(), rank, l, m); }
    int64_t ring_offset(int64_t rank, int64_t ring) const
    { return armilla_distribution_ring_offset(this->get(), rank, ring); }
    int64_t fields(int64_t rank, int64_t nfields, int64_t *first) const
    { return armilla_distribution_fields(this->get(), rank, nfields, first); }
    void multiply_window(int64_t rank, int64_t nwindow, const double *window, double *alm) const
    { check(armilla_distribution_multiply_window(this->get(), rank, nwindow, window, alm)); }
    void random(int64_t rank, int64_t ncl, const double *cl, uint64_t seed, uint64_t field,
            double *alm) const
    { check(armilla_distribution_random(this->get(), rank, ncl, cl, seed, field, alm)); }
    void random_correlated(int64_t rank, int64_t nfields, int64_t ncl, const double *cl,
            uint64_t seed, double *alm) const
    { check(armilla_distribution_random_correlated(this->get(), rank, nfields, ncl, cl, seed,
            alm)); }
    int64_t order_cost(int64_t rank) const
    { return armilla_distribution_order_cost(this->get(), rank); }
    int64_t ring_cost(int64_t rank) const
    { return armilla_distribution_ring_cost(this->get(), rank); }
    int64_t map_spans(int64_t rank, armilla_span *spans) const
    { return armilla_distribution_map_spans(this->get(), rank, spans); }
    int64_t alm_spans(int64_t rank, armilla_span *spans) const
    { return armilla_distribution_alm_spans(this->get(), rank, spans); }
};
class Distribution : public DistributionMembers<Distribution>
{
  public:
    using DistributionMembers::DistributionMembers;
};

template <class Self> class DistributedSHTMembers : public Owner<armilla_distributed_sht,
            armilla_distributed_sht_free>
{
  public:
    using Owner<armilla_distributed_sht, armilla_distributed_sht_free>::Owner;
    static Self create(const armilla_transport *transport,
            Ref<const armilla_distribution> distribution, const armilla_sht_options *options,
            const armilla_distributed_options *distributed)
    { return Self(made<armilla_distributed_sht>(armilla_distributed_sht_new, transport,
            static_cast<const armilla_distribution *>(distribution), options, distributed)); }
    void synthesis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_sht_synthesis(this->get(), alm, map, exec)); }
    void adjoint_synthesis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_sht_adjoint_synthesis(this->get(), map, alm, exec)); }
    void analysis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_sht_analysis(this->get(), map, alm, exec)); }
    void adjoint_analysis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_sht_adjoint_analysis(this->get(), alm, map, exec)); }
    void synthesis(const float *alm, float *map, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_sht_synthesis_float(this->get(), alm, map, exec)); }
    void adjoint_synthesis(const float *map, float *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_sht_adjoint_synthesis_float(this->get(), map, alm, exec)); }
    void analysis(const float *map, float *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_sht_analysis_float(this->get(), map, alm, exec)); }
    void adjoint_analysis(const float *alm, float *map, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_sht_adjoint_analysis_float(this->get(), alm, map, exec)); }
    void pseudo_analysis(const double *map, double *alm, const armilla_pseudo_options *options,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_sht_pseudo_analysis(this->get(), map, alm, options, reports,
            exec)); }
    void pseudo_analysis(const float *map, float *alm, const armilla_pseudo_options *options,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_sht_pseudo_analysis_float(this->get(), map, alm, options,
            reports, exec)); }
    armilla_distributed_description describe(int nthreads = 0) const
    { armilla_distributed_description told{}; told.size = sizeof told;
            check(armilla_distributed_sht_describe(this->get(), nthreads, &told)); return told; }
};
class DistributedSHT : public DistributedSHTMembers<DistributedSHT>
{
  public:
    using DistributedSHTMembers::DistributedSHTMembers;
};

template <class Self> class DistributedIQUMembers : public Owner<armilla_distributed_iqu,
            armilla_distributed_iqu_free>
{
  public:
    using Owner<armilla_distributed_iqu, armilla_distributed_iqu_free>::Owner;
    static Self create(const armilla_transport *transport,
            Ref<const armilla_distribution> distribution, const armilla_sht_options *options,
            const armilla_distributed_options *distributed)
    { return Self(made<armilla_distributed_iqu>(armilla_distributed_iqu_new, transport,
            static_cast<const armilla_distribution *>(distribution), options, distributed)); }
    void synthesis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_iqu_synthesis(this->get(), alm, map, exec)); }
    void adjoint_synthesis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_iqu_adjoint_synthesis(this->get(), map, alm, exec)); }
    void analysis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_iqu_analysis(this->get(), map, alm, exec)); }
    void adjoint_analysis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_iqu_adjoint_analysis(this->get(), alm, map, exec)); }
    void synthesis(const float *alm, float *map, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_iqu_synthesis_float(this->get(), alm, map, exec)); }
    void adjoint_synthesis(const float *map, float *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_iqu_adjoint_synthesis_float(this->get(), map, alm, exec)); }
    void analysis(const float *map, float *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_iqu_analysis_float(this->get(), map, alm, exec)); }
    void adjoint_analysis(const float *alm, float *map, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_iqu_adjoint_analysis_float(this->get(), alm, map, exec)); }
    void pseudo_analysis(const double *map, double *alm, const armilla_pseudo_options *options,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_iqu_pseudo_analysis(this->get(), map, alm, options, reports,
            exec)); }
    void pseudo_analysis(const float *map, float *alm, const armilla_pseudo_options *options,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_iqu_pseudo_analysis_float(this->get(), map, alm, options,
            reports, exec)); }
};
class DistributedIQU : public DistributedIQUMembers<DistributedIQU>
{
  public:
    using DistributedIQUMembers::DistributedIQUMembers;
};

template <class Self> class DistributedBeamsMembers : public Owner<armilla_distributed_beams,
            armilla_distributed_beams_free>
{
  public:
    using Owner<armilla_distributed_beams, armilla_distributed_beams_free>::Owner;
    static Self create(const armilla_transport *transport,
            Ref<const armilla_distribution> distribution, int64_t kmax, int64_t npointings,
            const double *pointings, const armilla_beams_options *options,
            const armilla_distributed_options *distributed)
    { return Self(made<armilla_distributed_beams>(armilla_distributed_beams_new, transport,
            static_cast<const armilla_distribution *>(distribution), kmax, npointings, pointings,
            options, distributed)); }
    void convolve(const double *sky, const double *beam, double *samples,
            const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_beams_convolve(this->get(), sky, beam, samples, exec)); }
    void convolve(const float *sky, const float *beam, float *samples,
            const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_beams_convolve_float(this->get(), sky, beam, samples, exec)); }
    void adjoint(const double *samples, const double *beam, double *sky,
            const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_beams_adjoint(this->get(), samples, beam, sky, exec)); }
    void adjoint(const float *samples, const float *beam, float *sky,
            const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_beams_adjoint_float(this->get(), samples, beam, sky, exec)); }
    void beam_adjoint(const double *samples, const double *sky, double *beam,
            const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_beams_beam_adjoint(this->get(), samples, sky, beam, exec)); }
    void beam_adjoint(const float *samples, const float *sky, float *beam,
            const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_beams_beam_adjoint_float(this->get(), samples, sky, beam, exec)); }
    void deconvolve(const double *samples, const double *beam, double *sky,
            const armilla_pseudo_options *options, armilla_pseudo_report *report,
            const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_beams_deconvolve(this->get(), samples, beam, sky, options,
            report, exec)); }
    armilla_distributed_beams_description describe(int nthreads = 0) const
    { armilla_distributed_beams_description told{}; told.size = sizeof told;
            check(armilla_distributed_beams_describe(this->get(), nthreads, &told)); return told; }
};
class DistributedBeams : public DistributedBeamsMembers<DistributedBeams>
{
  public:
    using DistributedBeamsMembers::DistributedBeamsMembers;
};

template <class Self> class DistributedPointsMembers : public Owner<armilla_distributed_points,
            armilla_distributed_points_free>
{
  public:
    using Owner<armilla_distributed_points, armilla_distributed_points_free>::Owner;
    static Self create(const armilla_transport *transport,
            Ref<const armilla_distribution> distribution, int64_t npoints, const double *points,
            const armilla_points_options *options, const armilla_distributed_options *distributed)
    { return Self(made<armilla_distributed_points>(armilla_distributed_points_new, transport,
            static_cast<const armilla_distribution *>(distribution), npoints, points, options,
            distributed)); }
    void synthesis(const double *alm, double *values, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_points_synthesis(this->get(), alm, values, exec)); }
    void adjoint_synthesis(const double *values, double *alm,
            const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_points_adjoint_synthesis(this->get(), values, alm, exec)); }
    void synthesis(const float *alm, float *values, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_points_synthesis_float(this->get(), alm, values, exec)); }
    void adjoint_synthesis(const float *values, float *alm,
            const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_points_adjoint_synthesis_float(this->get(), values, alm, exec)); }
    void pseudo_analysis(const double *values, double *alm,
            const armilla_pseudo_options *options, armilla_pseudo_report *reports,
            const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_points_pseudo_analysis(this->get(), values, alm, options,
            reports, exec)); }
    void pseudo_analysis(const float *values, float *alm, const armilla_pseudo_options *options,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_points_pseudo_analysis_float(this->get(), values, alm, options,
            reports, exec)); }
    armilla_distributed_points_description describe(int nthreads = 0) const
    { armilla_distributed_points_description told{}; told.size = sizeof told;
            check(armilla_distributed_points_describe(this->get(), nthreads, &told)); return told; }
};
class DistributedPoints : public DistributedPointsMembers<DistributedPoints>
{
  public:
    using DistributedPointsMembers::DistributedPointsMembers;
};

template <class Self> class LensingMembers : public Owner<armilla_lensing, armilla_lensing_free>
{
  public:
    using Owner<armilla_lensing, armilla_lensing_free>::Owner;
    static void deflect(int64_t npoints, const double *points, const double *deflection,
            int nthreads, double *deflected, double *gamma)
    { check(armilla_lensing_deflect(npoints, points, deflection, nthreads, deflected, gamma)); }
    static void distortion(Ref<const armilla_grid> grid, const armilla_deflection *deflection,
            armilla_distortion_kind kind, double *map)
    { check(armilla_lensing_distortion(static_cast<const armilla_grid *>(grid), deflection, kind,
            map)); }
    void angles(double *points, double *gamma) const
    { check(armilla_lensing_angles(this->get(), points, gamma)); }
    void alm2lenmap(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_lensing_alm2lenmap(this->get(), alm, map, exec)); }
    void adjoint(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_lensing_adjoint(this->get(), map, alm, exec)); }
    armilla_points_description describe(int nthreads = 0) const
    { armilla_points_description told{}; told.size = sizeof told;
            check(armilla_lensing_describe(this->get(), nthreads, &told)); return told; }
};

template <class Self> class DistributedLensingMembers : public Owner<armilla_distributed_lensing,
            armilla_distributed_lensing_free>
{
  public:
    using Owner<armilla_distributed_lensing, armilla_distributed_lensing_free>::Owner;
    static Self create(const armilla_transport *transport,
            Ref<const armilla_distribution> distribution,
            const armilla_distributed_deflection *deflection,
            const armilla_points_options *options, const armilla_distributed_options *distributed)
    { return Self(made<armilla_distributed_lensing>(armilla_distributed_lensing_new, transport,
            static_cast<const armilla_distribution *>(distribution), deflection, options,
            distributed)); }
    Self beside(const armilla_transport *transport, Ref<const armilla_distribution> distribution,
            const armilla_points_options *options,
            const armilla_distributed_options *distributed) const
    { return Self(made<armilla_distributed_lensing>(armilla_distributed_lensing_new_beside,
            this->get(), transport, static_cast<const armilla_distribution *>(distribution),
            options, distributed)); }
    void alm2lenmap(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_lensing_alm2lenmap(this->get(), alm, map, exec)); }
    void adjoint(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_lensing_adjoint(this->get(), map, alm, exec)); }
    armilla_distributed_points_description describe(int nthreads = 0) const
    { armilla_distributed_points_description told{}; told.size = sizeof told;
            check(armilla_distributed_lensing_describe(this->get(), nthreads, &told));
            return told; }
};
class DistributedLensing : public DistributedLensingMembers<DistributedLensing>
{
  public:
    using DistributedLensingMembers::DistributedLensingMembers;
};

template <class Self> class RedistributionMembers : public Owner<armilla_redistribution,
            armilla_redistribution_free>
{
  public:
    using Owner<armilla_redistribution, armilla_redistribution_free>::Owner;
    static void options_init_sized(armilla_redistribution_options *options, size_t size)
    { armilla_redistribution_options_init_sized(options, size); }
    static Self create(const armilla_transport *transport, int64_t nfrom,
            const armilla_span *from, int64_t nto, const armilla_span *to,
            const armilla_redistribution_options *options = nullptr)
    { return Self(made<armilla_redistribution>(armilla_redistribution_new, transport, nfrom,
            from, nto, to, options)); }
    void run(int64_t element_bytes, int64_t narrays, const void *source, int64_t source_stride,
            void *target, int64_t target_stride) const
    { check(armilla_redistribution_run(this->get(), element_bytes, narrays, source,
            source_stride, target, target_stride)); }
};
class Redistribution : public RedistributionMembers<Redistribution>
{
  public:
    using RedistributionMembers::RedistributionMembers;
};

template <class Self> class DistributedRadialMembers : public Owner<armilla_distributed_radial,
            armilla_distributed_radial_free>
{
  public:
    using Owner<armilla_distributed_radial, armilla_distributed_radial_free>::Owner;
    static Self create(const armilla_transport *transport, Ref<const armilla_grid> grid,
            Ref<const armilla_kernel> kernel, const armilla_radial_options *options,
            int64_t nspans, const armilla_span *spans)
    { return Self(made<armilla_distributed_radial>(armilla_distributed_radial_new, transport,
            static_cast<const armilla_grid *>(grid), static_cast<const armilla_kernel *>(kernel),
            options, nspans, spans)); }
    void convolve(const double *map, double *out, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_radial_convolve(this->get(), map, out, exec)); }
    void convolve(const float *map, float *out, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_radial_convolve_float(this->get(), map, out, exec)); }
    void adjoint(const double *map, double *out, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_radial_adjoint(this->get(), map, out, exec)); }
    void adjoint(const float *map, float *out, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_radial_adjoint_float(this->get(), map, out, exec)); }
    void convolve_weighted(const double *map, const double *weights, double least, double fill,
            double *out, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_radial_convolve_weighted(this->get(), map, weights, least, fill,
            out, exec)); }
    void convolve_weighted(const float *map, const double *weights, double least, double fill,
            float *out, const armilla_exec *exec = nullptr) const
    { check(armilla_distributed_radial_convolve_weighted_float(this->get(), map, weights, least,
            fill, out, exec)); }
    armilla_distributed_radial_description describe() const
    { armilla_distributed_radial_description told{}; told.size = sizeof told;
            check(armilla_distributed_radial_describe(this->get(), &told)); return told; }
};
class DistributedRadial : public DistributedRadialMembers<DistributedRadial>
{
  public:
    using DistributedRadialMembers::DistributedRadialMembers;
};

template <class Self> class MapInputMembers : public Owner<armilla_map_input,
            armilla_map_input_free>
{
  public:
    using Owner<armilla_map_input, armilla_map_input_free>::Owner;
    static Self open(Text path, int hdu)
    { return Self(made<armilla_map_input>(armilla_map_input_open,
            static_cast<const char *>(path), hdu)); }
    const armilla_map * map() const
    { return armilla_map_input_map(this->get()); }
    void read(int64_t field, int64_t first, int64_t count, double *values) const
    { check(armilla_map_input_read(this->get(), field, first, count, values)); }
};
class MapInput : public MapInputMembers<MapInput>
{
  public:
    using MapInputMembers::MapInputMembers;
};

template <class Self> class MapOutputMembers : public Owner<armilla_map_output,
            armilla_map_output_free>
{
  public:
    using Owner<armilla_map_output, armilla_map_output_free>::Owner;
    static Self create(Text path, const armilla_map *map,
            const armilla_write_options *options = nullptr)
    { return Self(made<armilla_map_output>(armilla_map_output_new,
            static_cast<const char *>(path), map, options)); }
    void write(int64_t field, int64_t first, int64_t count, const double *values) const
    { check(armilla_map_output_write(this->get(), field, first, count, values)); }
    void finish() const
    { check(armilla_map_output_finish(this->get())); }
    const char * temporary() const
    { return armilla_map_output_temporary(this->get()); }
};
class MapOutput : public MapOutputMembers<MapOutput>
{
  public:
    using MapOutputMembers::MapOutputMembers;
};

template <class Self> class AlmInputMembers : public Owner<armilla_alm_input,
            armilla_alm_input_free>
{
  public:
    using Owner<armilla_alm_input, armilla_alm_input_free>::Owner;
    static Self open(Text path, int hdu)
    { return Self(made<armilla_alm_input>(armilla_alm_input_open,
            static_cast<const char *>(path), hdu)); }
    const armilla_alm_file * alm() const
    { return armilla_alm_input_alm(this->get()); }
    void read(int64_t component, int64_t lmax, int64_t norders, const int64_t *orders,
            double *alm) const
    { check(armilla_alm_input_read(this->get(), component, lmax, norders, orders, alm)); }
};
class AlmInput : public AlmInputMembers<AlmInput>
{
  public:
    using AlmInputMembers::AlmInputMembers;
};

template <class Self> class AlmOutputMembers : public Owner<armilla_alm_output,
            armilla_alm_output_free>
{
  public:
    using Owner<armilla_alm_output, armilla_alm_output_free>::Owner;
    static Self create(Text path, const armilla_alm_file *alm,
            const armilla_write_options *options = nullptr)
    { return Self(made<armilla_alm_output>(armilla_alm_output_new,
            static_cast<const char *>(path), alm, options)); }
    void write(int64_t component, int64_t first, int64_t last, const double *alm) const
    { check(armilla_alm_output_write(this->get(), component, first, last, alm)); }
    void finish() const
    { check(armilla_alm_output_finish(this->get())); }
    const char * temporary() const
    { return armilla_alm_output_temporary(this->get()); }
};
class AlmOutput : public AlmOutputMembers<AlmOutput>
{
  public:
    using AlmOutputMembers::AlmOutputMembers;
};

template <class Self> class IQUMembers : public Owner<armilla_iqu, armilla_iqu_free>
{
  public:
    using Owner<armilla_iqu, armilla_iqu_free>::Owner;
    void synthesis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_iqu_synthesis(this->get(), alm, map, exec)); }
    void adjoint_synthesis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_iqu_adjoint_synthesis(this->get(), map, alm, exec)); }
    void analysis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_iqu_analysis(this->get(), map, alm, exec)); }
    void adjoint_analysis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_iqu_adjoint_analysis(this->get(), alm, map, exec)); }
    void synthesis(const float *alm, float *map, const armilla_exec *exec = nullptr) const
    { check(armilla_iqu_synthesis_float(this->get(), alm, map, exec)); }
    void adjoint_synthesis(const float *map, float *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_iqu_adjoint_synthesis_float(this->get(), map, alm, exec)); }
    void analysis(const float *map, float *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_iqu_analysis_float(this->get(), map, alm, exec)); }
    void adjoint_analysis(const float *alm, float *map, const armilla_exec *exec = nullptr) const
    { check(armilla_iqu_adjoint_analysis_float(this->get(), alm, map, exec)); }
    void explain(armilla_choice_fn take, void *data) const
    { check(armilla_iqu_explain(this->get(), take, data)); }
    void pseudo_analysis(const double *map, double *alm, const armilla_pseudo_options *options,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr) const
    { check(armilla_iqu_pseudo_analysis(this->get(), map, alm, options, reports, exec)); }
    void pseudo_analysis(const float *map, float *alm, const armilla_pseudo_options *options,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr) const
    { check(armilla_iqu_pseudo_analysis_float(this->get(), map, alm, options, reports, exec)); }
    armilla_sht_description describe(int nthreads = 0) const
    { armilla_sht_description told{}; told.size = sizeof told;
            check(armilla_iqu_describe(this->get(), nthreads, &told)); return told; }
    armilla_sht_description describe_many(int nthreads, int64_t ntrans) const
    { armilla_sht_description told{}; told.size = sizeof told;
            check(armilla_iqu_describe_many(this->get(), nthreads, ntrans, &told)); return told; }
};

template <class Self> class LegPlanMembers : public Owner<armilla_leg_plan, armilla_leg_plan_free>
{
  public:
    using Owner<armilla_leg_plan, armilla_leg_plan_free>::Owner;
    static Self create(const armilla_leg_problem *problem, const armilla_leg_rings *rings)
    { return Self(made<armilla_leg_plan>(armilla_leg_plan_new, problem, rings)); }
    void from_alm(int64_t ntrans, const double *alm, double *leg) const
    { check(armilla_leg_plan_from_alm(this->get(), ntrans, alm, leg)); }
    void from_alm(int64_t ntrans, const float *alm, float *leg) const
    { check(armilla_leg_plan_from_alm_float(this->get(), ntrans, alm, leg)); }
    void to_alm(int64_t ntrans, const double *leg, double *alm) const
    { check(armilla_leg_plan_to_alm(this->get(), ntrans, leg, alm)); }
    void to_alm(int64_t ntrans, const float *leg, float *alm) const
    { check(armilla_leg_plan_to_alm_float(this->get(), ntrans, leg, alm)); }
    void to_map(int64_t ntrans, const double *leg, double *map) const
    { check(armilla_leg_plan_to_map(this->get(), ntrans, leg, map)); }
    void to_map(int64_t ntrans, const float *leg, float *map) const
    { check(armilla_leg_plan_to_map_float(this->get(), ntrans, leg, map)); }
    void from_map(int64_t ntrans, const double *map, double *leg) const
    { check(armilla_leg_plan_from_map(this->get(), ntrans, map, leg)); }
    void from_map(int64_t ntrans, const float *map, float *leg) const
    { check(armilla_leg_plan_from_map_float(this->get(), ntrans, map, leg)); }
};
class LegPlan : public LegPlanMembers<LegPlan>
{
  public:
    using LegPlanMembers::LegPlanMembers;
};

template <class Self> class SO3Members : public Owner<armilla_so3, armilla_so3_free>
{
  public:
    using Owner<armilla_so3, armilla_so3_free>::Owner;
    static void options_init_sized(armilla_so3_options *options, size_t size)
    { armilla_so3_options_init_sized(options, size); }
    static Self create(Ref<const armilla_grid> grid, int64_t lmax, int64_t mmax, int64_t nmax,
            const armilla_so3_options *options = nullptr)
    { return Self(made<armilla_so3>(armilla_so3_new, static_cast<const armilla_grid *>(grid),
            lmax, mmax, nmax, options)); }
    void synthesis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_so3_synthesis(this->get(), alm, map, exec)); }
    void adjoint_synthesis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_so3_adjoint_synthesis(this->get(), map, alm, exec)); }
    void analysis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_so3_analysis(this->get(), map, alm, exec)); }
    void adjoint_analysis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_so3_adjoint_analysis(this->get(), alm, map, exec)); }
    armilla_so3_description describe(int nthreads = 0) const
    { armilla_so3_description told{}; told.size = sizeof told;
            check(armilla_so3_describe(this->get(), nthreads, &told)); return told; }
};
class SO3 : public SO3Members<SO3>
{
  public:
    using SO3Members::SO3Members;
};

template <class Self> class VectorMembers : public Owner<armilla_vector, armilla_vector_free>
{
  public:
    using Owner<armilla_vector, armilla_vector_free>::Owner;
    static void options_init_sized(armilla_vector_options *options, size_t size)
    { armilla_vector_options_init_sized(options, size); }
    static Self create(Ref<const armilla_grid> grid, int64_t lmax, int64_t mmax,
            const armilla_vector_options *options = nullptr)
    { return Self(made<armilla_vector>(armilla_vector_new,
            static_cast<const armilla_grid *>(grid), lmax, mmax, options)); }
    static void convert_alm(int64_t lmax, int64_t mmax, double radius, armilla_mean mean,
            armilla_vector_form source, const double *alm, armilla_vector_form target,
            double *result)
    { check(armilla_vector_convert_alm(lmax, mmax, radius, mean, source, alm, target, result)); }
    void synthesis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_vector_synthesis(this->get(), alm, map, exec)); }
    void adjoint_synthesis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_vector_adjoint_synthesis(this->get(), map, alm, exec)); }
    void analysis(const double *map, double *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_vector_analysis(this->get(), map, alm, exec)); }
    void adjoint_analysis(const double *alm, double *map, const armilla_exec *exec = nullptr) const
    { check(armilla_vector_adjoint_analysis(this->get(), alm, map, exec)); }
    void synthesis(const float *alm, float *map, const armilla_exec *exec = nullptr) const
    { check(armilla_vector_synthesis_float(this->get(), alm, map, exec)); }
    void adjoint_synthesis(const float *map, float *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_vector_adjoint_synthesis_float(this->get(), map, alm, exec)); }
    void analysis(const float *map, float *alm, const armilla_exec *exec = nullptr) const
    { check(armilla_vector_analysis_float(this->get(), map, alm, exec)); }
    void adjoint_analysis(const float *alm, float *map, const armilla_exec *exec = nullptr) const
    { check(armilla_vector_adjoint_analysis_float(this->get(), alm, map, exec)); }
    void pseudo_analysis(const double *map, double *alm, const armilla_pseudo_options *options,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr) const
    { check(armilla_vector_pseudo_analysis(this->get(), map, alm, options, reports, exec)); }
    void pseudo_analysis(const float *map, float *alm, const armilla_pseudo_options *options,
            armilla_pseudo_report *reports, const armilla_exec *exec = nullptr) const
    { check(armilla_vector_pseudo_analysis_float(this->get(), map, alm, options, reports, exec)); }
    void convert_map(armilla_vector_form source, const double *in, armilla_vector_form target,
            double *out, const armilla_exec *exec = nullptr) const
    { check(armilla_vector_convert_map(this->get(), source, in, target, out, exec)); }
    void convert_map(armilla_vector_form source, const float *in, armilla_vector_form target,
            float *out, const armilla_exec *exec = nullptr) const
    { check(armilla_vector_convert_map_float(this->get(), source, in, target, out, exec)); }
    void explain(armilla_choice_fn take, void *data) const
    { check(armilla_vector_explain(this->get(), take, data)); }
    armilla_sht_description describe(int nthreads = 0) const
    { armilla_sht_description told{}; told.size = sizeof told;
            check(armilla_vector_describe(this->get(), nthreads, &told)); return told; }
};
class Vector : public VectorMembers<Vector>
{
  public:
    using VectorMembers::VectorMembers;
};

template <class Self> class RawTableMembers : public Owner<armilla_raw_table,
            armilla_raw_table_free>
{
  public:
    using Owner<armilla_raw_table, armilla_raw_table_free>::Owner;
    static Self read(Text path, int hdu)
    { return Self(made<armilla_raw_table>(armilla_raw_table_read,
            static_cast<const char *>(path), hdu)); }
};
class RawTable : public RawTableMembers<RawTable>
{
  public:
    using RawTableMembers::RawTableMembers;
};

template <class Self> class MapMembers : public Owner<armilla_map, armilla_map_free>
{
  public:
    using Owner<armilla_map, armilla_map_free>::Owner;
    static Self read(Text path, int hdu, int64_t nfields, const int64_t *fields)
    { return Self(made<armilla_map>(armilla_map_read, static_cast<const char *>(path), hdu,
            nfields, fields)); }
    static Self load(Text path)
    { return Self(made<armilla_map>(armilla_map_load, static_cast<const char *>(path))); }
    static Self grid(Ref<const armilla_grid> grid, int64_t nfields)
    { return Self(made<armilla_map>(armilla_map_new_grid,
            static_cast<const armilla_grid *>(grid), nfields)); }
    static void write(Text path, const armilla_map *map, int overwrite)
    { check(armilla_map_write(static_cast<const char *>(path), map, overwrite)); }
    static void write_with(Text path, const armilla_map *map,
            const armilla_write_options *options = nullptr)
    { check(armilla_map_write_with(static_cast<const char *>(path), map, options)); }
};

template <class Self> class AlmFileMembers : public Owner<armilla_alm_file, armilla_alm_file_free>
{
  public:
    using Owner<armilla_alm_file, armilla_alm_file_free>::Owner;
    static Self read(Text path, int hdu)
    { return Self(made<armilla_alm_file>(armilla_alm_read, static_cast<const char *>(path), hdu)); }
    static Self create(int64_t lmax, int64_t mmax, int64_t ncomp)
    { return Self(made<armilla_alm_file>(armilla_alm_file_new, lmax, mmax, ncomp)); }
};
class AlmFile : public AlmFileMembers<AlmFile>
{
  public:
    using AlmFileMembers::AlmFileMembers;
};

template <class Self> class ClFileMembers : public Owner<armilla_cl_file, armilla_cl_file_free>
{
  public:
    using Owner<armilla_cl_file, armilla_cl_file_free>::Owner;
    static Self read(Text path)
    { return Self(made<armilla_cl_file>(armilla_cl_read, static_cast<const char *>(path))); }
    static Self read_hdu(Text path, int hdu)
    { return Self(made<armilla_cl_file>(armilla_cl_read_hdu, static_cast<const char *>(path),
            hdu)); }
    static Self create(int64_t lmax, int64_t nspectra)
    { return Self(made<armilla_cl_file>(armilla_cl_file_new, lmax, nspectra)); }
};
class ClFile : public ClFileMembers<ClFile>
{
  public:
    using ClFileMembers::ClFileMembers;
};
} // namespace armilla
/* clang-format on */

#endif
