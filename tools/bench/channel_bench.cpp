// Measures the channel room on one core, against a memory copy and a loop over all bits.
// usage: vqas-channel-bench [MEBIBYTES]     size of the buffer, default 1024
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "vqas/channel/bit_error_stream.h"
#include "vqas/channel/g711.h"
#include "vqas/channel/line_direction.h"
#include "vqas/channel/octet_channel.h"
#include "vqas/channel/profile_text.h"

namespace {

using namespace vqas;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The best of several runs, in seconds of processor time: the speed of an undisturbed core.
double seconds_of(int runs, const std::function<void()>& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const double start = cpu_seconds();
    work();
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

void show(const std::string& what, double figure, const std::string& unit, const std::string& note = "") {
  fmt::print("{:<44} {:>10.3g} {:<12} {}\n", what, figure, unit, note);
}

std::uint64_t count_ones(std::span<const std::uint8_t> octets) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i + 8 <= octets.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, &octets[i], sizeof word);
    count += static_cast<std::uint64_t>(std::popcount(word));
  }
  return count;
}

void measure_in_place(std::vector<std::uint8_t>& buffer) {
  const double bits = 8.0 * static_cast<double>(buffer.size());
  for (const double ber : {1e-9, 1e-6, 1e-3, 1e-1}) {
    std::fill(buffer.begin(), buffer.end(), std::uint8_t{0});
    BitErrorStream stream(std::make_unique<RandomErrors>(ber, 1));
    double seconds = seconds_of(1, [&] { stream.process(buffer); });
    const std::uint64_t errors = stream.counters().errors();
    bool counted = false;
    const double counting = seconds_of(1, [&] { counted = count_ones(buffer) == errors; });
    for (std::uint64_t seed = 2; seed < 4; ++seed) {
      BitErrorStream again(std::make_unique<RandomErrors>(ber, seed));
      seconds = std::min(seconds, seconds_of(1, [&] { again.process(buffer); }));
    }
    show(fmt::format("inject in place, BER {:g}", ber), bits / seconds, "bit/s",
         fmt::format("{} errors, {} in the buffer, {:.3g} ns each", errors, counted ? "all" : "NOT ALL",
                     1e9 * seconds / std::max(1.0, static_cast<double>(errors))));
    if (ber > 1e-2) show("the same, and all bits compared afterwards", bits / (seconds + counting), "bit/s");
  }
}

void measure_stream() {
  std::vector<std::uint8_t> block(160);
  constexpr std::uint64_t kBlocks = 20'000'000;
  for (const double ber : {1e-9, 1e-6, 1e-3}) {
    BitErrorStream stream(std::make_unique<RandomErrors>(ber, 1));
    const std::uint64_t blocks = ber > 1e-4 ? kBlocks / 20 : kBlocks;
    const double seconds = seconds_of(3, [&] {
      for (std::uint64_t i = 0; i < blocks; ++i) stream.process(block);
    });
    show(fmt::format("inject in blocks of 160 octets, BER {:g}", ber), 1280.0 * static_cast<double>(blocks) / seconds,
         "bit/s", fmt::format("{:.3g} ns a block", 1e9 * seconds / static_cast<double>(blocks)));
  }
}

// The whole digital part of a profile, as used by a pipe or a relay.
void measure_octet_channel() {
  std::vector<std::uint8_t> block(160);
  constexpr int kBlocks = 5'000'000;
  for (const bool everything : {false, true}) {
    Profile profile = plain_profile();
    profile.errors = {RandomRate{1e-6}};
    if (everything) {
      profile.release = release_of_network("satellite");
      profile.interruptions = {{Fill::hold, 1, 0.01, 60}};
      profile.slips = {{1, 8, 60}};
    }
    OctetChannel channel(profile, 1);
    const double seconds = seconds_of(3, [&] {
      for (int i = 0; i < kBlocks; ++i) channel.process(block);
    });
    show(everything ? "the same with release, interruptions, slips" : "octet channel in blocks of 160, BER 1e-6",
         1280.0 * kBlocks / seconds, "bit/s", fmt::format("{:.3g} ns a block", 1e9 * seconds / kBlocks));
  }
}

// The method of an injector that draws for each bit.
void measure_plain_loop() {
  std::vector<std::uint8_t> octets(1 << 20);
  Random random(1);
  const double seconds = seconds_of(3, [&] {
    for (std::uint8_t& octet : octets) {
      for (int bit = 0; bit < 8; ++bit)
        octet ^= static_cast<std::uint8_t>((random.next_unit() < 1e-6 ? 1U : 0U) << bit);
    }
  });
  show("plain loop, a draw for each bit", 8.0 * static_cast<double>(octets.size()) / seconds, "bit/s");
}

template <typename Sample>
void measure_codec(const char* type) {
  // Samples that fit in the second-level cache, so that the codec is measured, not the memory.
  std::vector<Sample> samples(1 << 16);
  std::vector<std::uint8_t> octets(samples.size());
  Random random(1);
  for (Sample& sample : samples) {
    const double value = random.next_unit() - 0.5;
    sample = static_cast<Sample>(std::is_floating_point_v<Sample> ? value : 65535 * value);
  }
  constexpr int kRepeats = 200;
  const double count = kRepeats * static_cast<double>(samples.size());
  for (const G711Law law : {G711Law::mu, G711Law::a}) {
    const char* name = law == G711Law::mu ? "mu law" : "A law";
    double seconds = seconds_of(5, [&] {
      for (int i = 0; i < kRepeats; ++i) g711_encode(std::span<const Sample>(samples), octets, law);
    });
    show(fmt::format("encode {}, {}", type, name), count / seconds, "samples/s");
    std::vector<Sample> decoded(samples.size());
    seconds = seconds_of(5, [&] {
      for (int i = 0; i < kRepeats; ++i) g711_decode(octets, std::span<Sample>(decoded), law);
    });
    show(fmt::format("decode to {}, {}", type, name), count / seconds, "samples/s");
  }
}

void measure_line() {
  for (const bool everything : {false, true}) {
    LineConditions conditions;
    conditions.ber = 1e-5;
    conditions.band_limit = everything;
    conditions.sender_clock_ppm = everything ? 50 : 0;
    if (!everything) conditions.circuit_noise_dbm0p = -std::numeric_limits<double>::infinity();
    LineDirection line(conditions, 1, 0);
    const std::vector<float> sent(160, 0.1F);
    std::vector<float> heard(160);
    constexpr int kBlocks = 5000;
    const double seconds = seconds_of(3, [&] {
      for (int i = 0; i < kBlocks; ++i) {
        line.push(sent);
        line.pull(heard);
      }
    });
    show(everything ? "a line with all parts" : "a line without band limit and noise", 0.02 * kBlocks / seconds,
         "x real time", fmt::format("{:.3g} ms a second of sound", 1e3 * seconds / (0.02 * kBlocks)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long mebibytes = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 1024;
  if (mebibytes < 1 || mebibytes > 65536) {
    fmt::print(stderr, "vqas-channel-bench: the size of the buffer is 1 to 65536 MiB\n");
    return 2;
  }
  {
    std::vector<std::uint8_t> buffer(static_cast<std::size_t>(mebibytes) << 20);
    measure_in_place(buffer);
    std::vector<std::uint8_t> copy(buffer.size());
    const double seconds = seconds_of(3, [&] { std::memcpy(copy.data(), buffer.data(), buffer.size()); });
    show("copy the buffer", 8.0 * static_cast<double>(buffer.size()) / seconds, "bit/s");
  }
  measure_stream();
  measure_octet_channel();
  measure_plain_loop();
  measure_codec<std::int16_t>("16 bits");
  measure_codec<float>("float");
  measure_line();
  return 0;
}
