#include "node/controller/signalling_files.h"

#include <fstream>
#include <system_error>

#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr std::uintmax_t kMostBytes = 16 * 1024 * 1024;

}  // namespace

Status SignallingFiles::add(std::size_t node, const std::string& lines) {
  const std::filesystem::path path = folder_ / (node == 0 ? "signalling-a.txt" : "signalling-b.txt");
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  if (!unknown && size > kMostBytes) return success();
  std::ofstream file(path, std::ios::app | std::ios::binary);
  file << plain_text(lines, "\n");
  file.close();
  return file ? success() : Status(Error{ErrorCode::io, path.string() + " cannot be written"});
}

}  // namespace vqas
