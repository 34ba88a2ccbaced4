/* What the C++ headers are made of: errors as exceptions, views of arrays, options with their
 * defaults, owners of the objects of C. Include armilla/armilla.hpp. */
#ifndef ARMILLA_BASE_HPP
#define ARMILLA_BASE_HPP

#include "armilla.h"

#include <complex>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace armilla
{

/* --- Errors ----------------------------------------------------------------------------------- */

/* What a call that failed throws: its status, and the library's message. */
class Error : public std::runtime_error
{
  public:
    Error(armilla_status status, const std::string &message)
        : std::runtime_error(message), status_(status)
    {
    }
    armilla_status status() const noexcept
    {
        return status_;
    }

  private:
    armilla_status status_;
};

/* Throws unless status is ARMILLA_OK. */
inline void check(armilla_status status)
{
    if (status == ARMILLA_OK) return;
    throw Error(status, std::string(armilla_status_name(status)) + ": " + armilla_status_message());
}

/* --- Sizes ------------------------------------------------------------------------------------ */

/* Values that `count` things of `each` values have together. Throws where they are more than 64
 * bits can count: a product that has wrapped around may look like the size of an array. */
inline int64_t product(int64_t count, int64_t each, const char *name)
{
    if (each > 0 && count > INT64_MAX / each)
        throw Error(ARMILLA_ERROR_ARGUMENT, std::string(name) + ": " + std::to_string(count) +
                                                " times " + std::to_string(each) +
                                                " values do not fit in 64 bits");
    return count * each;
}

/* --- Views ------------------------------------------------------------------------------------ */

/* An array of somebody else with its size, as std::span of C++20: made of anything that has data()
 * and size(), or of a pointer and a size. */
template <class T> class View
{
  public:
    View(T *data, std::size_t size) : data_(data), size_(size)
    {
    }
    template <class Array, class = std::enable_if_t<std::is_convertible_v<
                               decltype(std::declval<Array &>().data()), T *>>>
    View(Array &&array) : data_(array.data()), size_(array.size())
    {
    }
    T *data() const noexcept
    {
        return data_;
    }
    std::size_t size() const noexcept
    {
        return size_;
    }
    T *begin() const noexcept
    {
        return data_;
    }
    T *end() const noexcept
    {
        return data_ + size_;
    }
    T &operator[](std::size_t i) const
    {
        return data_[i];
    }

    /* The pointer, if there are `size` values. */
    T *expect(int64_t size, const char *name) const
    {
        if (static_cast<int64_t>(size_) == size) return data_;
        throw Error(ARMILLA_ERROR_ARGUMENT, std::string(name) + " has " + std::to_string(size_) +
                                                " values: must have " + std::to_string(size));
    }

  private:
    T *data_;
    std::size_t size_;
};

/* The real type of an array's elements: double or float, for complex numbers that of their parts.
 */
template <class T> struct RealOf {
    using type = T;
};
template <class T> struct RealOf<std::complex<T>> {
    using type = T;
};
template <class Array>
using real_of = typename RealOf<
    std::remove_cv_t<std::remove_pointer_t<decltype(std::declval<Array &>().data())>>>::type;

/* The memory of complex numbers as C has it: re, im, re, im, ... */
template <class Real> const Real *parts(const std::complex<Real> *values)
{
    return reinterpret_cast<const Real *>(values);
}
template <class Real> Real *parts(std::complex<Real> *values)
{
    return reinterpret_cast<Real *>(values);
}

/* --- Options ---------------------------------------------------------------------------------- */

/* The structs of C, with the defaults filled in: change fields, and hand over the address. */
template <class Struct, void (*Init)(Struct *, std::size_t)> struct Options : Struct {
    Options() : Struct{}
    {
        Init(this, sizeof(Struct));
    }
};

/* --- Objects ---------------------------------------------------------------------------------- */

/* Owns an object of C. Objects can be moved, not copied. */
template <class T, void (*Free)(T *)> class Owner
{
  public:
    explicit Owner(T *object = nullptr) : object_(object)
    {
    }
    T *get() const noexcept
    {
        return object_.get();
    }

  protected:
    struct Release {
        void operator()(T *object) const
        {
            Free(object);
        }
    };
    std::unique_ptr<T, Release> object_;
};

/* Calls a function of C that makes an object as its last argument. */
template <class T, class Function, class... Arguments>
T *made(Function function, Arguments... arguments)
{
    T *object = nullptr;
    check(function(arguments..., &object));
    return object;
}

} // namespace armilla

#endif
