#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common.h"
#include "vqas/sampling/interval.h"
#include "vqas/sampling/sampler.h"

namespace vqas::python {
namespace {

using Goal = std::tuple<double, double>;  // half-width in MOS, confidence

Dict dict_of(const Interval& interval) {
  const bool spread = interval.n >= 2;
  Dict result;
  result["n"] = interval.n;
  result["mean"] = interval.n > 0 ? nb::cast(interval.mean) : nb::none();
  result["standard_deviation"] = spread ? nb::cast(interval.standard_deviation) : nb::none();
  result["half_width"] = spread ? nb::cast(interval.half_width) : nb::none();
  result["confidence"] = interval.confidence;
  return result;
}

Sampler sampler_of(std::size_t first_count, std::size_t step, std::size_t cap_count, std::size_t max_failures,
                   const Goal& goal, const std::optional<Goal>& fallback) {
  SamplerOptions options{first_count, step, cap_count, max_failures, {std::get<0>(goal), std::get<1>(goal)}, {}};
  if (fallback) options.fallback = PrecisionGoal{std::get<0>(*fallback), std::get<1>(*fallback)};
  value_or_raise(validate(options));
  return Sampler(options);
}

}  // namespace

void add_sampling(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Sampler>(module, "Sampler")
      .def(nb::new_(&sampler_of), "first_count"_a, "step"_a, "cap_count"_a, "max_failures"_a, "goal"_a, "fallback"_a)
      .def("add_score", &Sampler::add_score)
      .def("add_failure", &Sampler::add_failure)
      .def("stop",
           [](Sampler& sampler, const std::string& name) {
             const auto reason = stop_reason_from_string(name);
             if (!reason) throw InputError("the reason to stop is not one of sampling.md");
             sampler.stop(*reason);
           })
      .def_prop_ro("wanted", &Sampler::wanted)
      .def_prop_ro("stopped_because",
                   [](const Sampler& sampler) -> std::optional<std::string> {
                     if (!sampler.finished()) return std::nullopt;
                     return std::string(to_string(*sampler.stopped_because()));
                   })
      .def_prop_ro("failures", &Sampler::failures)
      .def_prop_ro("scores", &Sampler::scores)
      .def("interval", [](const Sampler& sampler) { return dict_of(sampler.interval()); });
  module.def("t_interval", [](const std::vector<double>& values, double confidence) {
    if (!(confidence > 0 && confidence < 1)) throw InputError("confidence must lie above 0 and below 1");
    for (const double value : values) {
      if (!std::isfinite(value)) throw InputError("a value is not finite");
    }
    return dict_of(t_interval(values, confidence));
  });
}

}  // namespace vqas::python
