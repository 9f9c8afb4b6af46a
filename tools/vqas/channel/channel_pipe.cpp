#include "channel/channel_pipe.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <iostream>

#include "channel/channel_figures.h"
#include "channel/octet_streams.h"
#include "terminal/command.h"
#include "vqas/channel/octet_channel.h"

namespace vqas::cli {
namespace {

constexpr std::size_t kBlock = 65536;

// The octets that were sent, however it ended.
struct Carried {
  std::uint64_t octets = 0;
  ErrorCounters counters;
  Status end = success();
};

Carried carry_all(const OctetInput& in, const OctetOutput& out, OctetChannel& channel, const Interrupts& interrupts) {
  const Error cancelled{ErrorCode::cancelled, "stopped; the figures cover the time until then"};
  Carried carried;
  std::array<std::uint8_t, kBlock> block{};
  for (;;) {
    if (!interrupts.wait(in.descriptor(), POLLIN)) return {carried.octets, carried.counters, cancelled};
    const ssize_t got = ::read(in.descriptor(), block.data(), block.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return {carried.octets, carried.counters, refused(in.name(), "read")};
    if (got == 0) return carried;
    for (auto rest = std::span(block).first(static_cast<std::size_t>(got)); !rest.empty();) {
      const auto piece = rest.first(std::min(OctetOutput::kBlock, rest.size()));
      rest = rest.subspan(piece.size());
      channel.process(piece);
      const auto written = out.write(piece, interrupts);
      if (written == OctetOutput::Written::none) {
        return {carried.octets, carried.counters, refused(out.name(), "written")};
      }
      if (written == OctetOutput::Written::interrupted) return {carried.octets, carried.counters, cancelled};
      carried.octets += piece.size();
      carried.counters = channel.counters();
    }
  }
}

void show(const PipeOptions& options, const OctetChannel& channel, const ErrorCounters& counters) {
  if (!options.json) {
    std::cerr << fmt::format("seed {}: {}\n", options.seed, counters_line(counters));
    return;
  }
  auto figures = counters_json(counters);
  figures["seed"] = options.seed;
  figures["releases"] = channel.releases();
  figures["slips"] = channel.slips();
  figures["interrupted_octets"] = channel.interrupted_octets();
  std::cerr << figures.dump(2) << "\n";
}

}  // namespace

int carry_octets(const PipeOptions& options, const Profile& profile) {
  const auto in = OctetInput::open(options.in);
  if (!in) return report_error(in.error());
  auto out = OctetOutput::open(options.out, *in);
  if (!out) return report_error(out.error());
  if (profile.packets || profile.analogue != AnalogueParts() || profile.band != Band::full) {
    std::cerr << "vqas: octets use only the digital part of the profile: no delay, band, analogue part or packets.\n";
  }
  OctetChannel channel(profile, options.seed);
  ErrorPattern pattern;
  if (!options.record.empty()) channel.record_to(&pattern);
  std::signal(SIGPIPE, SIG_IGN);  // an error of write() instead
  const Interrupts interrupts;
  const Carried carried = carry_all(*in, *out, channel, interrupts);
  if (!carried.end && !out->is_stream()) {
    // Half a file is of no use, nor are its figures.
    return report_error({carried.end.error().code,
                         fmt::format("{}: {}; the output is unchanged", options.out, carried.end.error().message)});
  }
  if (const Status kept = out->commit(); !kept) return report_error(kept.error());
  if (!options.record.empty()) {
    pattern.bits = 8 * carried.octets;
    pattern.places.erase(std::lower_bound(pattern.places.begin(), pattern.places.end(), pattern.bits),
                         pattern.places.end());
    if (const Status kept = write_error_pattern(options.record, pattern); !kept) return report_error(kept.error());
  }
  show(options, channel, carried.counters);
  return carried.end ? kOk : report_error(carried.end.error());
}

}  // namespace vqas::cli
