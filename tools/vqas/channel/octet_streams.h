#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "vqas/signal/result.h"

namespace vqas::cli {

/// SIGINT and SIGTERM as something to be waited for, SIGPIPE as an error of write(); from its making to the end of the
/// process. To be made before any thread is.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  /// Waits until the descriptor is ready for `events` of poll(); false where a signal came instead.
  bool wait(int descriptor, short events) const;

 private:
  int signals_;
};

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

/// Octets to a file, or to standard output for "-". A file appears under its name at commit(), in place of an older
/// one whose permissions it keeps; before, it stands beside it and goes where nobody commits. What is no ordinary file
/// (a device, a named pipe) is written to as it is.
class OctetOutput {
 public:
  /// Fails with bad_input where that is the input by whatever path, and with io.
  static Result<OctetOutput> open(const std::string& name, const OctetInput& in);
  ~OctetOutput();
  OctetOutput(OctetOutput&& other) noexcept;
  OctetOutput& operator=(OctetOutput&&) = delete;

  enum class Written { all, none, interrupted };
  /// Writes without waiting longer than until `interruptible` says so. A block of at most kBlock octets goes wholly
  /// into a pipe or not at all. After `none`, errno tells why.
  static constexpr std::size_t kBlock = 4096;  // PIPE_BUF
  Written write(std::span<const std::uint8_t> octets, const Interruptible& interruptible) const;
  /// True if the octets go to whoever takes them at once, so that they are not lost with this object.
  bool is_stream() const { return part_.empty(); }
  Status commit();
  const std::string& name() const { return name_; }

 private:
  OctetOutput(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
  std::string name_;
  int descriptor_;
  std::string part_, target_;  // empty where nothing is put in place
};

/// Fails with bad_input where both names are one file, be it by a link. Of standard streams nothing is known.
Status check_apart(const std::string& in, const std::string& out);

}  // namespace vqas::cli
