#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "common.h"
#include "vqas/channel/carry_signal.h"
#include "vqas/channel/profile_library.h"

namespace vqas::python {
namespace {

std::tuple<NewArray, std::uint64_t, std::uint64_t> carried_of(Result<CarriedSignal> carried) {
  CarriedSignal result = value_or_raise(std::move(carried));
  const std::uint64_t bits = result.counters.bits(), errors = result.counters.errors();
  return {array_of(std::move(result.heard.samples)), bits, errors};
}

}  // namespace

void add_channel(nb::module_& module) {
  using namespace nb::literals;
  module.def(
      "carry",
      [](const Samples& samples, const std::string& law, double ber, double delay_s, double gain_db, bool band_limit,
         double circuit_noise_dbm0p, std::uint64_t seed, std::uint64_t stream) {
        if (law != "mu" && law != "a") throw InputError("law is neither \"mu\" nor \"a\"");
        LineConditions line;
        line.law = law == "a" ? G711Law::a : G711Law::mu;
        line.ber = ber;
        line.delay_s = delay_s;
        line.gain_db = gain_db;
        line.band_limit = band_limit;
        line.circuit_noise_dbm0p = circuit_noise_dbm0p;
        line.gain_ripple_db = 0;
        line.fresh_phase = false;
        Result<CarriedSignal> carried = Error{};
        {
          const nb::gil_scoped_release released;
          carried = carry_signal(signal_of(samples), line, seed, stream);
        }
        return carried_of(std::move(carried));
      },
      "samples"_a.noconvert(), nb::kw_only(), "law"_a, "ber"_a, "delay_s"_a, "gain_db"_a, "band_limit"_a,
      "circuit_noise_dbm0p"_a, "seed"_a, "stream"_a, "Heard samples, bits coded, bits inverted.");
  module.def(
      "carry_profile",
      [](const Samples& samples, const std::string& profile, bool keep_delay, std::uint64_t seed,
         std::uint64_t stream) {
        Result<CarriedSignal> carried = Error{};
        {
          const nb::gil_scoped_release released;
          const auto found = find_profile(profile);
          if (!found) {
            carried = found.error();
          } else {
            carried = carry_signal(signal_of(samples), *found, seed, stream, {keep_delay, false});
          }
        }
        return carried_of(std::move(carried));
      },
      "samples"_a.noconvert(), nb::kw_only(), "profile"_a, "keep_delay"_a, "seed"_a, "stream"_a);
  module.def("profiles", [] {
    std::vector<std::string> names;
    for (const Profile& profile : built_in_profiles()) names.push_back(profile.name);
    return names;
  });
}

}  // namespace vqas::python
