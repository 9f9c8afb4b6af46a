#pragma once

#include <atomic>

namespace vqas {

/// PortAudio 19.6 waits ten minutes for a stream of a JACK server that died, because the notice of the death comes
/// once, before it waits. This thread repeats the notice until the wait ends; nothing happens while the server is
/// alive. Callable from any thread; one at a time.
void tell_jack_shutdown_until(const std::atomic<bool>& done);

}  // namespace vqas
