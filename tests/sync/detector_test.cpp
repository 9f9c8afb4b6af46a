#include "vqas/sync/detector.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "streams.h"
#include "support/places.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

using namespace test;

constexpr std::size_t kLeadingAt = 5003, kTrailingAt = 26017;

/// Babble with a leading and a trailing mark at known positions, and idle noise.
std::vector<float> marked_stream(End sender = End::a, double mark_db = 0) {
  std::vector<float> stream(40000, 0.0F);
  const Signal speech = babble(2, 9);
  std::copy(speech.samples.begin(), speech.samples.end(), stream.begin() + kLeadingAt + 4016);
  MarkData data = some_data();
  data.sender = sender;
  const auto put = [&](std::size_t at, std::vector<float> mark) {
    scale(mark, mark_db);
    std::copy(mark.begin(), mark.end(), stream.begin() + static_cast<std::ptrdiff_t>(at));
  };
  put(kLeadingAt, make_leading_mark(data));
  put(kTrailingAt, make_trailing_mark(sender));
  add_idle_noise(stream, 21);
  return stream;
}

void expect_marks(const std::vector<FoundMark>& found, double moved, double tolerance, End sender = End::a) {
  MarkData data = some_data();
  data.sender = sender;
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, MarkKind::leading);
  EXPECT_EQ(found[1].kind, MarkKind::trailing);
  EXPECT_NEAR(found[0].position, static_cast<double>(kLeadingAt) + moved, tolerance);
  EXPECT_NEAR(found[1].position, static_cast<double>(kTrailingAt) + moved, tolerance);
  EXPECT_EQ(found[0].data, data);
  EXPECT_FALSE(found[1].data);
  for (const FoundMark& mark : found) {
    EXPECT_EQ(mark.sender, sender);
    EXPECT_GT(mark.confidence, 0.9);
    EXPECT_LE(mark.confidence, 1.0);
  }
}

TEST(MarkDetector, FindsMarksExactlyWhereTheyAre) {
  for (const End end : {End::a, End::b}) expect_marks(detect(marked_stream(end), end), 0, 0.02, end);
}

/// The samples after a line that rotates all phases by this angle.
std::vector<float> turned(const std::vector<float>& samples, double radians) {
  constexpr std::ptrdiff_t kReach = 201;
  const auto size = static_cast<std::ptrdiff_t>(samples.size());
  std::vector<float> result(samples.size());
  for (std::ptrdiff_t n = 0; n < size; ++n) {
    double quadrature = 0;
    for (std::ptrdiff_t k = -kReach; k <= kReach; k += 2) {
      if (n - k < 0 || n - k >= size) continue;
      const double window = 0.5 + 0.5 * std::cos(std::numbers::pi * static_cast<double>(k) / (kReach + 1));
      quadrature += window * 2 / (std::numbers::pi * static_cast<double>(k)) * samples[static_cast<std::size_t>(n - k)];
    }
    const auto at = static_cast<std::size_t>(n);
    result[at] = static_cast<float>(std::cos(radians) * samples[at] - std::sin(radians) * quadrature);
  }
  return result;
}

// 0.05 samples over 6 s are a clock offset of 1 ppm.
TEST(MarkDetector, MarkDistanceIsKeptWhateverTheLinesPhase) {
  for (const auto& [end, degrees] : {std::pair{End::a, 0},
                                     {End::a, 45},
                                     {End::a, 90},
                                     {End::a, 200},
                                     {End::b, 0},
                                     {End::b, 45},
                                     {End::b, 90},
                                     {End::b, 200}}) {
    std::vector<float> stream(40000, 0.0F);
    MarkData data = some_data();
    data.sender = end;
    const auto leading = make_leading_mark(data), trailing = make_trailing_mark(end);
    std::ranges::copy(leading, stream.begin() + kLeadingAt);
    std::ranges::copy(trailing, stream.begin() + kTrailingAt);
    const auto found = detect(turned(stream, degrees * std::numbers::pi / 180), end);
    ASSERT_EQ(found.size(), 2U) << degrees;
    EXPECT_NEAR(found[1].position - found[0].position, static_cast<double>(kTrailingAt - kLeadingAt), 0.004)
        << (end == End::a ? 'a' : 'b') << ' ' << degrees;
  }
}

TEST(MarkDetector, FindsMarksAtFractionsOfASample) {
  const std::vector<float> stream = marked_stream();
  for (const double fraction : {0.1, 0.25, 0.5, 0.9}) {
    expect_marks(detect(resample_at(stream, fraction, 1)), -fraction, 0.02);
  }
}

TEST(MarkDetector, FindsMarksAtTheStartOfTheStream) {
  std::vector<float> stream = marked_stream();
  stream.erase(stream.begin(), stream.begin() + kLeadingAt);
  expect_marks(detect(stream), -static_cast<double>(kLeadingAt), 0.02);
}

TEST(MarkDetector, FindsMarksAtAnyGain) {
  for (const double db : {-40.0, -20.0, 10.0, 20.0}) {
    std::vector<float> stream = marked_stream();
    scale(stream, db);
    expect_marks(detect(stream), 0, 0.02);
  }
}

TEST(MarkDetector, FindsMarksWithInvertedPolarity) {
  std::vector<float> stream = marked_stream();
  for (float& sample : stream) sample = -sample;
  expect_marks(detect(stream), 0, 0.02);
}

TEST(MarkDetector, DoesNotDependOnBlockSizes) {
  const std::vector<float> stream = marked_stream();
  const auto reference = detect(stream, End::a, 160);
  for (const std::size_t block : {1UL, 7UL, 333UL, 1024UL, 5000UL, 40000UL}) {
    const auto found = detect(stream, End::a, block);
    ASSERT_EQ(found.size(), reference.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].position, reference[i].position) << block;
      EXPECT_EQ(found[i].confidence, reference[i].confidence) << block;
      EXPECT_EQ(found[i].data, reference[i].data) << block;
    }
  }
}

TEST(MarkDetector, ReportsWithinItsLatency) {
  for (std::size_t shift = 0; shift < 900; shift += 53) {
    std::vector<float> stream = marked_stream();
    stream.insert(stream.begin(), shift, 0.0F);
    MarkDetector detector(End::a);
    std::size_t found = 0;
    for (std::size_t at = 0; at + 160 <= stream.size(); at += 160) {
      for (const FoundMark& mark : detector.push(std::span(stream).subspan(at, 160))) {
        const std::size_t length = mark.kind == MarkKind::leading ? leading_mark_length() : trailing_mark_length();
        EXPECT_LE(static_cast<double>(detector.position()),
                  mark.position + static_cast<double>(length + MarkDetector::latency() + 160));
        ++found;
      }
    }
    EXPECT_EQ(found, 2U);
    EXPECT_EQ(detector.position(), stream.size() / 160 * 160);
  }
}

TEST(MarkDetector, IgnoresTheOtherEndsMarks) {
  for (const double db : {-20.0, 0.0, 20.0}) {
    std::vector<float> stream = marked_stream(End::a);
    scale(stream, db);
    EXPECT_TRUE(detect(stream, End::b).empty());
  }
}

TEST(MarkDetector, FindsTheOtherEndUnderAnEchoOfItsOwnMarks) {
  // Both ends transmit simultaneously; the echo returns 10 dB below the other end's marks.
  for (const std::size_t shift : {0U, 300U, 1200U, 2500U}) {
    std::vector<float> stream = marked_stream(End::a);
    std::vector<float> own = marked_stream(End::b);
    scale(own, -10);
    for (std::size_t n = shift; n < stream.size(); ++n) stream[n] += own[n - shift];
    const auto found = detect(stream, End::a);
    ASSERT_EQ(found.size(), 2U) << shift;
    EXPECT_NEAR(found[0].position, static_cast<double>(kLeadingAt), 0.5);
    EXPECT_EQ(found[0].data, some_data());
    EXPECT_NEAR(found[1].position, static_cast<double>(kTrailingAt), 0.5);
  }
}

TEST(MarkDetector, ReportsAMarkWithAnEchoOnce) {
  for (const double delay_s : {0.005, 0.05, 0.2, 0.5}) {
    std::vector<float> stream = marked_stream();
    const std::vector<float> direct = stream;
    const auto delay = static_cast<std::size_t>(delay_s * kLineRateHz);
    for (std::size_t n = delay; n < stream.size(); ++n) stream[n] += 0.18F * direct[n - delay];
    const auto found = detect(stream);
    ASSERT_EQ(found.size(), 2U) << delay_s;
    EXPECT_NEAR(found[0].position, static_cast<double>(kLeadingAt), 0.2);
    EXPECT_NEAR(found[1].position, static_cast<double>(kTrailingAt), 0.2);
  }
}

TEST(MarkDetector, DecodesTheDataUnderAClockOffset) {
  for (const double ppm : {-300.0, -200.0, 200.0, 300.0}) {
    const auto found = detect(resample_at(marked_stream(), 0, 1 - ppm * 1e-6));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].data, some_data()) << ppm;
    const double centre = static_cast<double>(kLeadingAt) + mark_centre(MarkKind::leading);
    EXPECT_NEAR(found[0].position + mark_centre(MarkKind::leading), centre / (1 - ppm * 1e-6), 0.05);
  }
}

TEST(MarkDetector, ReportsAMarkWithLostDataWithoutData) {
  std::vector<float> stream = marked_stream();
  const Signal other = noise(0.17, 0.15, 5);
  std::copy(other.samples.begin(), other.samples.end(), stream.begin() + kLeadingAt);
  std::copy(other.samples.begin(), other.samples.end(), stream.begin() + kLeadingAt + 2400);
  const auto found = detect(stream);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_FALSE(found[0].data);
  EXPECT_NEAR(found[0].position, static_cast<double>(kLeadingAt), 0.1);
}

TEST(MarkDetector, SurvivesSamplesThatAreNotFinite) {
  std::vector<float> stream = marked_stream();
  for (std::size_t n = 10; n < stream.size(); n += 997) stream[n] = n % 2 == 0 ? NAN : INFINITY;
  const auto found = detect(stream);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].data, some_data());
}

void expect_nothing(const std::vector<float>& stream, const std::string& what) {
  for (const End end : {End::a, End::b}) EXPECT_TRUE(detect(stream, end, 4000).empty()) << what;
}

TEST(MarkDetector, FindsNothingInSilenceNoiseAndTones) {
  expect_nothing(std::vector<float>(40000, 0.0F), "silence");
  expect_nothing(noise(0.3, 60, 77).samples, "noise");
  expect_nothing(babble(60, 78).samples, "babble");
  for (double frequency = 400; frequency < 3400; frequency += 75) {
    expect_nothing(sine(frequency, 0.2, 2).samples, "tone " + std::to_string(frequency));
  }
}

/// Pairs of tones, each for `on_s`, followed by a pause of the same length.
std::vector<float> tone_pairs(std::span<const std::pair<double, double>> pairs, double on_s) {
  std::vector<float> stream;
  for (const auto& [low, high] : pairs) {
    Signal pair = sine(low, 0.15, on_s);
    const Signal second = sine(high, 0.15, on_s);
    for (std::size_t n = 0; n < pair.size(); ++n) pair.samples[n] += second.samples[n];
    append(stream, pair.samples);
    append_silence(stream, pair.size());
  }
  return stream;
}

TEST(MarkDetector, FindsNothingInDtmfAndCallProgress) {
  std::vector<std::pair<double, double>> dtmf;
  for (const double low : {697.0, 770.0, 852.0, 941.0}) {
    for (const double high : {1209.0, 1336.0, 1477.0, 1633.0}) dtmf.emplace_back(low, high);
  }
  for (const double on_s : {0.05, 0.1}) expect_nothing(tone_pairs(dtmf, on_s), "DTMF");
  const std::vector<std::pair<double, double>> progress = {{350, 440}, {440, 480}, {480, 620}, {425, 425}, {400, 450}};
  for (const double on_s : {0.25, 0.5, 2.0}) expect_nothing(tone_pairs(progress, on_s), "call progress");
}

TEST(MarkDetector, FindsNothingInTheStimuli) {
  int read = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(test::source_dir()) / "corpus/8k")) {
    if (entry.path().extension() != ".wav") continue;
    const auto stimulus = read_audio(entry.path());
    ASSERT_TRUE(stimulus);
    expect_nothing(stimulus->samples, entry.path().filename());
    ++read;
  }
  EXPECT_EQ(read, 12);
}

}  // namespace
}  // namespace vqas
