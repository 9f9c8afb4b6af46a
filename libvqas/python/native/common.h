#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas::python {

namespace nb = nanobind;

/// Mono samples as NumPy holds them; the Python side refuses other types and shapes.
template <typename T>
using SamplesOf = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Samples = SamplesOf<float>;
using NewArray = nb::ndarray<nb::numpy, float, nb::ndim<1>>;
/// Members by name, with their types in the stubs.
using Dict = nb::typed<nb::dict, nb::str, nb::any>;
using Dicts = nb::typed<nb::list, Dict>;

/// A wrong argument, file or option: vqas.InputError.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The system refused to read or write: OSError.
struct SystemError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void raise(const Error& error) {
  if (error.code == ErrorCode::io) throw SystemError(error.message);
  throw InputError(error.message);
}

template <typename T>
T value_or_raise(Result<T> result) {
  if (!result) raise(result.error());
  return std::move(result).value();
}

/// A Signal owns its samples, so they are copied: 0.1 ms for a minute.
inline Signal signal_of(const Samples& samples, int rate_hz = kLineRateHz) {
  return {std::vector<float>(samples.data(), samples.data() + samples.size()), rate_hz};
}

/// Hands the samples to NumPy without a copy.
inline NewArray array_of(std::vector<float> samples) {
  auto owned = std::make_unique<std::vector<float>>(std::move(samples));
  float* const data = owned->data();
  const std::size_t size = owned->size();
  nb::capsule owner(owned.get(), [](void* vector) noexcept { delete static_cast<std::vector<float>*>(vector); });
  owned.release();
  return NewArray(data, {size}, owner);
}

void add_score(nb::module_& module);
void add_channel(nb::module_& module);
void add_marks(nb::module_& module);
void add_sampling(nb::module_& module);
void add_corpus(nb::module_& module);

}  // namespace vqas::python
