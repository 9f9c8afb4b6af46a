#pragma once

#include <atomic>

namespace vqas {

/// PortAudio 19.6 waits ten minutes for a stream of a JACK server that died, because it is told of the death once,
/// before it waits. While one of these lives it is told again, until it stops waiting; nothing happens while the server
/// lives. Callable from any thread; one at a time.
void tell_jack_shutdown_until(const std::atomic<bool>& done);

}  // namespace vqas
