#include "channel_pipe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <system_error>
#include <vector>

#include "channel_figures.h"
#include "command.h"
#include "vqas/channel/octet_channel.h"

namespace vqas::cli {
namespace {

constexpr std::size_t kBlock = 65536;

Error refused(const std::string& name, const char* what) {
  return {ErrorCode::io, fmt::format("{}: cannot be {}: {}", name == "-" ? "the pipe" : name, what,
                                     std::generic_category().message(errno))};
}

// A file, or one of the standard streams, which stay open.
class Octets {
 public:
  Octets(const std::string& name, int standard, int flags)
      : number_(name == "-" ? standard : ::open(name.c_str(), flags | O_CLOEXEC, 0644)), owned_(name != "-") {}
  ~Octets() {
    if (owned_ && number_ >= 0) ::close(number_);
  }
  Octets(const Octets&) = delete;
  Octets& operator=(const Octets&) = delete;
  int number() const { return number_; }

 private:
  int number_;
  bool owned_;
};

bool write_all(int descriptor, const std::uint8_t* octets, std::size_t count) {
  while (count > 0) {
    const ssize_t written = ::write(descriptor, octets, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    octets += written;
    count -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

int carry_octets(const PipeOptions& options, const Profile& profile) {
  if (options.in == options.out && options.in != "-") {
    return report_error(
        {ErrorCode::bad_input, options.out + ": is the file to be read; give another name for the output"});
  }
  const Octets in(options.in, STDIN_FILENO, O_RDONLY);
  if (in.number() < 0) return report_error({ErrorCode::bad_input, refused(options.in, "read").message});
  const Octets out(options.out, STDOUT_FILENO, O_WRONLY | O_CREAT | O_TRUNC);
  if (out.number() < 0) return report_error(refused(options.out, "written"));
  if (profile.packets || profile.analogue != AnalogueParts() || profile.band != Band::full) {
    std::cerr << "vqas: octets pass the digital part of the profile alone: no delay, band, analogue part or packets.\n";
  }
  OctetChannel channel(profile, options.seed);
  ErrorPattern pattern;
  if (!options.record.empty()) channel.record_to(&pattern);
  std::vector<std::uint8_t> block(kBlock);
  for (;;) {
    const ssize_t got = ::read(in.number(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return report_error(refused(options.in, "read"));
    if (got == 0) break;
    const auto count = static_cast<std::size_t>(got);
    channel.process(std::span(block).first(count));
    if (!write_all(out.number(), block.data(), count)) return report_error(refused(options.out, "written"));
  }
  if (!options.record.empty()) {
    if (const Status kept = write_error_pattern(options.record, pattern); !kept) return report_error(kept.error());
  }
  if (options.json) {
    auto figures = counters_json(channel.counters());
    figures["seed"] = options.seed;
    figures["releases"] = channel.releases();
    figures["slips"] = channel.slips();
    figures["interrupted_octets"] = channel.interrupted_octets();
    std::cerr << figures.dump(2) << "\n";
  } else {
    std::cerr << fmt::format("seed {}: {}\n", options.seed, counters_line(channel.counters()));
  }
  return kOk;
}

}  // namespace vqas::cli
