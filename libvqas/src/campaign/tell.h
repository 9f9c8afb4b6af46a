#pragma once

#include <functional>

namespace vqas::campaign {

/// Calls an event if it is set.
template <typename... Parameters, typename... Values>
void tell(const std::function<void(Parameters...)>& event, const Values&... values) {
  if (event) event(values...);
}

}  // namespace vqas::campaign
