#pragma once

#include "view/window_services.h"

namespace vqas::app {

/// What a window needs, from this machine: its sound devices, its network, its clock and the user's folders. Without a
/// memory of setups. `calibrations` outlives the window.
WindowServices services_of_machine(const MeasuringTools& tools, Calibrations* calibrations = nullptr);

}  // namespace vqas::app
