// Searches for the marks of both ends where there are none, and prints each mark found and the hours by kind. Inputs
// are audio files (any rate), each clean, through a mu-law line with bit errors, and through one of several others in
// turn; and noise, tones, call progress, DTMF and synthesised music, MINUTES of each. Exits with 1 when a mark was
// found.
// usage: sync_false_marks MINUTES [FILE…]
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "sync_impairments.h"
#include "sync_sounds.h"
#include "vqas/signal/audio_file.h"
#include "vqas/sync/detector.h"

namespace {

using namespace vqas;

int marks = 0;
double highest = 0;

void listen(const std::string& name, std::span<const float> samples) {
  for (const End end : {End::a, End::b}) {
    MarkDetector detector(end);
    for (const FoundMark& mark : detector.push(samples)) {
      ++marks;
      highest = std::max(highest, mark.confidence);
      std::printf("%s at %.3f s: kind %d, confidence %.3f, coarse %d, data %d\n", name.c_str(),
                  mark.position / kLineRateHz, static_cast<int>(mark.kind), mark.confidence, mark.coarse,
                  mark.data.has_value());
    }
  }
}

double hours_of(std::size_t samples) {
  return static_cast<double>(samples) / kLineRateHz / 3600;
}

struct Line {
  const char* name;
  std::vector<bench::Impairment> faults;
  double hours = 0;
  int marks = 0;
};

double heard_hours(std::span<const Line> lines) {
  double hours = 0;
  for (const Line& line : lines) hours += line.hours;
  return hours;
}

}  // namespace

int main(int argc, char** argv) {
  const int minutes = argc > 1 ? std::atoi(argv[1]) : 60;
  std::mt19937_64 random(98);
  for (const bench::SoundKind& kind : bench::sound_kinds()) {
    const int before = marks;
    for (int minute = 0; minute < minutes; ++minute) {
      listen(kind.name + " " + std::to_string(minute), kind.minute(static_cast<std::uint64_t>(minute) + 1));
    }
    std::printf("%s: %.2f h, %d marks\n", kind.name.c_str(), minutes / 60.0, marks - before);
    std::fflush(stdout);
  }
  std::array<Line, 7> lines = {{{"clean", {}},
                                {"mu-law, BER 1e-3", {bench::mu_law(1e-3)}},
                                {"300-2000 Hz, A-law, BER 1e-2", {bench::steep_band(300, 2000), bench::a_law(1e-2)}},
                                {"1000-3400 Hz, level control", {bench::steep_band(1000, 3400), bench::agc()}},
                                {"losses 10 %, repeated", {bench::losses(0.1, true)}},
                                {"SNR 10 dB, clipped", {bench::noise(-36), bench::gain(12), bench::clip(-20)}},
                                {"echo -15 dB, 200 ms", {bench::echo(-15, 0.2)}}}};
  for (int i = 2; i < argc; ++i) {
    auto file = read_audio(argv[i], {1, kLineRateHz, 3600.0 * 24});
    if (!file) return std::fprintf(stderr, "%s\n", file.error().message.c_str()), 2;
    // Each file clean, with bit errors, and through one of the other lines.
    for (const std::size_t which : {std::size_t{0}, std::size_t{1}, 2 + static_cast<std::size_t>(i) % 5}) {
      bench::Travelling heard{file->samples, {}};
      for (const bench::Impairment& fault : lines[which].faults) fault(heard, random);
      const int before = marks;
      listen(std::filesystem::path(argv[i]).filename().string() + ", " + lines[which].name, heard.samples);
      lines[which].hours += hours_of(heard.samples.size());
      lines[which].marks += marks - before;
    }
    std::printf("%d of %d files, %.2f h searched, %d marks\n", i - 1, argc - 2, heard_hours(lines), marks);
    std::fflush(stdout);
  }
  for (const Line& line : lines) std::printf("speech, %s: %.2f h, %d marks\n", line.name, line.hours, line.marks);
  std::printf("speech: %.2f h, of which %.2f h are different; all: %d marks, highest confidence %.3f\n",
              heard_hours(lines), lines[0].hours, marks, highest);
  return marks == 0 ? 0 : 1;
}
