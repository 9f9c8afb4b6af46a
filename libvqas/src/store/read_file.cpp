#include "store/read_file.h"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

namespace vqas::store {

Result<std::string> read_file(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed))
    return Error{ErrorCode::bad_input,
                 fmt::format("{} is not there or is no file; name the folder of a run", path.string())};
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (failed || size > kLargestFile)
    return Error{ErrorCode::bad_input,
                 fmt::format("{} is larger than {} MiB, which no run is", path.string(), kLargestFile >> 20)};
  std::ifstream file(path, std::ios::binary);
  std::string text(size, '\0');
  file.read(text.data(), static_cast<std::streamsize>(size));
  if (!file) return Error{ErrorCode::io, fmt::format("cannot read {}; check its rights", path.string())};
  return text;
}

}  // namespace vqas::store
