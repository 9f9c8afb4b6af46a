#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

/// The function that libFuzzer calls for each input. Each file of this folder defines it once. fuzz_corpus_test renames
/// it, because it links all of them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace vqas::fuzz {

/// Ends the program if an invariant does not hold. libFuzzer then keeps the input.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// Takes numbers from the front of an input. Behind its end all bytes are 0, so every input has a meaning.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

  bool empty() const { return left_.empty(); }
  template <typename Number>
  Number take() {
    Number number{};
    const std::size_t count = left_.size() < sizeof number ? left_.size() : sizeof number;
    if (count > 0) std::memcpy(&number, left_.data(), count);
    left_ = left_.subspan(count);
    return number;
  }
  std::uint8_t byte() { return take<std::uint8_t>(); }
  /// 0 to `most`.
  std::size_t below_or_equal(std::size_t most) { return take<std::uint16_t>() % (most + 1); }
  /// At most `most` bytes.
  std::span<const std::uint8_t> bytes(std::size_t most) {
    const auto taken = left_.first(left_.size() < most ? left_.size() : most);
    left_ = left_.subspan(taken.size());
    return taken;
  }
  std::span<const std::uint8_t> rest() { return bytes(left_.size()); }

 private:
  std::span<const std::uint8_t> left_;
};

inline std::string text_of(std::span<const std::uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

/// A folder for the files of one process, below TMPDIR, removed at its end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "vqas-fuzz-XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr, "the temporary folder can be made");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file with these bytes, and returns its path.
  std::filesystem::path put(const std::string& name, std::string_view content) const {
    const std::filesystem::path file = path_ / name;
    std::ofstream(file, std::ios::binary | std::ios::trunc)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
    return file;
  }

 private:
  std::filesystem::path path_;
};

inline const Folder& folder() {
  static const Folder one;
  return one;
}

}  // namespace vqas::fuzz
