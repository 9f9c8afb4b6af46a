#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "terminal/interrupts.h"
#include "vqas/signal/result.h"

namespace vqas::cli {

/// The error that errno names: the file or pipe cannot be `what`, "read" or "written".
Error refused(const std::string& name, const char* what);

/// Octets from a file, or from standard input for "-", which stays open.
class OctetInput {
 public:
  static Result<OctetInput> open(const std::string& name);
  ~OctetInput();
  OctetInput(OctetInput&& other) noexcept;
  OctetInput& operator=(OctetInput&&) = delete;
  int descriptor() const { return descriptor_; }
  const std::string& name() const { return name_; }

 private:
  OctetInput(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
  std::string name_;
  int descriptor_;
};

/// Octets to a file, or to standard output for "-". A file gets its name at commit(), replacing an older one and
/// keeping its permissions; until then it has a temporary name, and is removed if not committed. Special files (a
/// device, a named pipe) are written directly.
class OctetOutput {
 public:
  /// Fails with bad_input if it is the input, by any path, and with io.
  static Result<OctetOutput> open(const std::string& name, const OctetInput& in);
  ~OctetOutput();
  OctetOutput(OctetOutput&& other) noexcept;
  OctetOutput& operator=(OctetOutput&&) = delete;

  enum class Written { all, none, interrupted };
  /// Writes until a signal stops it. A block of at most kBlock octets is written to a pipe completely or not at
  /// all. After `none`, errno gives the reason.
  static constexpr std::size_t kBlock = 4096;  // PIPE_BUF
  Written write(std::span<const std::uint8_t> octets, const Interrupts& interrupts) const;
  /// True if the octets go directly to their reader, so that they are not lost with this object.
  bool is_stream() const { return part_.empty(); }
  Status commit();
  const std::string& name() const { return name_; }

 private:
  OctetOutput(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
  std::string name_;
  int descriptor_;
  std::string part_, target_;  // empty if no file is replaced
};

/// Fails with bad_input if both names are one file, also by a link. Standard streams are not checked.
Status check_apart(const std::string& in, const std::string& out);

}  // namespace vqas::cli
