#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "vqas/signal/json_text.h"
#include "vqas/signal/result.h"

namespace vqas::store {

/// What a file of sealed lines (line_seal.h) holds, apart from its content.
struct SealedLines {
  std::size_t length = 0;   ///< of the whole lines, in bytes: behind them the next line is written
  std::size_t damaged = 0;  ///< changed, unsealed or unreadable lines, and gaps
  std::string last;         ///< digest that the next line refers to
};

/// Takes the object of a line; `where` names the file and the line. False: its content cannot be read, and the line
/// counts as damaged. A failure ends the reading.
using TakeLine = std::function<Result<bool>(const Json& object, const std::string& where)>;

/// Reads a file line by line. Changed and unsealed lines are left out; a line behind a gap is taken. A last line
/// without its end was being written when the program was killed: it does not exist. Fails with io, and as `take`
/// does. Re-entrant.
Result<SealedLines> read_sealed_lines(const std::filesystem::path& path, const TakeLine& take);

}  // namespace vqas::store
