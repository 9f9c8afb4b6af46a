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
/// unsupported; the message lists the schemes that this build knows. Re-entrant.
Status check_line_name(const std::string& name, End end);

/// Opens a line by its URL-like name, "sim:127.0.0.1:7810/a". Fails as check_line_name() does, and with line_lost when
/// nobody answers there. Re-entrant.
Result<std::unique_ptr<Line>> open_line(const std::string& name, End end);

/// The same; a simulated line whose end a run before has not left yet is tried again until `patience` is over. Blocks.
Result<std::unique_ptr<Line>> open_line(const std::string& name, End end, std::chrono::milliseconds patience);

/// Whoever starts a simulator and its nodes at once need not wait in between: returns when somebody listens where the
/// line "sim:…" is, or after `patience`; `waits` is called once, if there is anything to wait for. Does nothing for
/// other lines. What open_line() fails with afterwards tells the rest. Blocks; re-entrant.
void wait_for_simulator(const std::string& name, End end, std::chrono::milliseconds patience,
                        const std::function<void()>& waits);

}  // namespace vqas
