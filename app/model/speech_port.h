#pragma once

#include <memory>
#include <vector>

#include "vqas/relay/sound_port.h"
#include "vqas/signal/signal.h"

namespace vqas::app {

/// Speech again and again in the place of an input, in real time; what comes out is not heard. Runs a thread of its
/// own, which keeps up with the machine's clock as well as it can.
std::unique_ptr<SoundPort> silent_speech_port(const Signal& speech);

/// The same speech in the place of the input of these sound devices; their output plays what comes out. Fails with
/// bad_input if the speech cannot have the rate of the devices.
Result<std::unique_ptr<SoundPort>> heard_speech_port(const Signal& speech, std::unique_ptr<SoundPort> devices);

}  // namespace vqas::app
