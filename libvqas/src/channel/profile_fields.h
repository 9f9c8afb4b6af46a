#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include "vqas/channel/profile.h"

// The TOML keys of a profile's parts and their fields, shared by reader and writer. Each visit_fields() passes the
// fields of its part to `visit(key, field)`, in the order in which they are written.
namespace vqas::profile_fields {

template <typename T, typename Part>
concept Of = std::same_as<std::remove_const_t<T>, Part>;

template <Of<RandomRate> T, typename Visit>
void visit_fields(T& random, const Visit& visit) {
  visit("ber", random.ber);
}
template <Of<ExactCount> T, typename Visit>
void visit_fields(T& exact, const Visit& visit) {
  visit("errors", exact.errors);
  visit("span_s", exact.span_s);
}
template <Of<Bursts> T, typename Visit>
void visit_fields(T& bursts, const Visit& visit) {
  visit("background_ber", bursts.background_ber);
  visit("burst_ber", bursts.burst_ber);
  visit("burst_s", bursts.burst_s);
  visit("gap_s", bursts.gap_s);
  visit("periodic", bursts.periodic);
}
template <Of<GilbertElliott> T, typename Visit>
void visit_fields(T& model, const Visit& visit) {
  visit("good_ber", model.good_ber);
  visit("bad_ber", model.bad_ber);
  visit("mean_good_bits", model.mean_good_bits);
  visit("mean_bad_bits", model.mean_bad_bits);
}
template <Of<ErrorsAt> T, typename Visit>
void visit_fields(T& errors, const Visit& visit) {
  visit("at_s", errors.at_s);
}
template <Of<LinkRelease> T, typename Visit>
void visit_fields(T& release, const Visit& visit) {
  visit("ber", release.ber);
  visit("after_s", release.after_s);
  visit("restore_s", release.restore_s);
  visit("restored_ber", release.restored_ber);
}

/// The word for a kind of errors.
template <typename Errors>
inline constexpr std::string_view kKind{};
template <>
inline constexpr std::string_view kKind<RandomRate> = "random";
template <>
inline constexpr std::string_view kKind<ExactCount> = "exact";
template <>
inline constexpr std::string_view kKind<Bursts> = "bursts";
template <>
inline constexpr std::string_view kKind<GilbertElliott> = "gilbert-elliott";
template <>
inline constexpr std::string_view kKind<ErrorsAt> = "single";
template <>
inline constexpr std::string_view kKind<PatternReplay> = "pattern";
template <>
inline constexpr std::string_view kKind<VaryingRate> = "varying";

}  // namespace vqas::profile_fields
