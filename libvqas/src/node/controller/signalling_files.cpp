#include "vqas/node/signalling_files.h"

#include <fstream>
#include <system_error>

#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr std::uintmax_t kMostBytes = 16 * 1024 * 1024;

}  // namespace

Status SignallingFiles::add(End end, const std::string& lines) {
  const std::filesystem::path path = folder_ / (end == End::a ? "signalling-a.txt" : "signalling-b.txt");
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  if (!unknown && size > kMostBytes) return success();
  std::ofstream file(path, std::ios::app | std::ios::binary);
  const std::string text = plain_text(lines, "\n");
  file << text;
  if ((unknown ? 0 : size) + text.size() > kMostBytes) file << "(left out from here: this file holds 16 MB)\n";
  file.close();
  return file ? success() : Status(Error{ErrorCode::io, path.string() + " cannot be written"});
}

}  // namespace vqas
