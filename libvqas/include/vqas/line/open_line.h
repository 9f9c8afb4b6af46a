#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vqas/line/line.h"
#include "vqas/signal/result.h"
#include "vqas/sync/mark.h"

namespace vqas {

/// A kind of line that this build can open.
struct LineScheme {
  std::string_view scheme;   ///< "sim"
  std::string_view pattern;  ///< "sim:HOST:PORT/END"
  std::string_view summary;  ///< one sentence
};
const std::vector<LineScheme>& line_schemes();

/// Checks the form of a line's name and that it belongs to `end`, without opening it. Fails with bad_input or
/// unsupported; the message lists the schemes in this build. Re-entrant.
Status check_line_name(const std::string& name, End end);

/// Opens a line by its URL-like name, "sim:127.0.0.1:7810/a". Fails like check_line_name(), and with line_lost when
/// there is no answer. Re-entrant.
Result<std::unique_ptr<Line>> open_line(const std::string& name, End end);

/// The same; a simulated line whose end is still taken by a previous run is tried again for up to `patience`. `waits`
/// is called once if there is a wait. Blocks.
Result<std::unique_ptr<Line>> open_line(const std::string& name, End end, std::chrono::milliseconds patience,
                                        const std::function<void()>& waits = {});

/// Waits until a simulator listens at the line "sim:…", for up to `patience`, so that a simulator and its nodes can be
/// started together. `waits` is called once if there is a wait. Does nothing for other lines. Returns nothing: a
/// following open_line() reports the error. Blocks; re-entrant.
void wait_for_simulator(const std::string& name, End end, std::chrono::milliseconds patience,
                        const std::function<void()>& waits);

}  // namespace vqas
