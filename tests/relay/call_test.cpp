// A real call between two phones, through the relay as a user runs it: the recorded errors, applied offline to what the
// caller sent, give exactly what the callee heard.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "channel/binomial_bounds.h"
#include "relay/baresip_phone.h"
#include "relay/compare_streams.h"
#include "support/child.h"
#include "support/compare_octets.h"
#include "support/places.h"
#include "support/wait_until.h"
#include "vqas/channel/bit_error_stream.h"
#include "vqas/channel/error_pattern.h"
#include "vqas/channel/g711.h"
#include "vqas/channel/random.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

using nlohmann::json;
using Octets = std::vector<std::uint8_t>;

constexpr double kBer = 1e-3;
constexpr double kToneHz = 1020.3;  // repeats only after ten seconds, so that all packets differ
constexpr int kCallSeconds = 10;

// Samples that are values of the mu-law decoder, so that every encoder gives them the same codes.
std::vector<float> on_the_grid(std::vector<float> samples) {
  Octets codes(samples.size());
  g711_encode(samples, codes, G711Law::mu);
  // Programs decode the two codes of 0 differently.
  for (auto& code : codes) code = code == 0xFF ? 0xFE : code == 0x7F ? 0x7E : code;
  g711_decode(codes, samples, G711Law::mu);
  return samples;
}

// A second of noise, to find the start, then a tone at half of full scale.
Signal test_signal() {
  Random random(1);
  Signal signal;
  signal.rate_hz = 8000;
  for (int i = 0; i < 8000; ++i) signal.samples.push_back(static_cast<float>(0.4 * (random.next_unit() - 0.5)));
  for (int i = 0; i < 8000 * (kCallSeconds + 5); ++i) {
    signal.samples.push_back(static_cast<float>(0.5 * std::sin(2 * std::numbers::pi * kToneHz * i / 8000)));
  }
  signal.samples = on_the_grid(std::move(signal.samples));
  return signal;
}

double tone_snr_db(std::span<const float> samples) {
  std::complex<double> sum = 0;
  double power = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    sum += static_cast<double>(samples[i]) *
           std::polar(1.0, -2 * std::numbers::pi * kToneHz * static_cast<double>(i) / 8000);
    power += static_cast<double>(samples[i]) * samples[i];
  }
  const double tone = 2 * std::norm(sum) / static_cast<double>(samples.size());
  return 10 * std::log10(tone / (power - tone));
}
std::vector<float> decoded(std::span<const std::uint8_t> codes) {
  std::vector<float> samples(codes.size());
  g711_decode(codes, samples, G711Law::mu);
  return samples;
}

class RelayedCallTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(test::BaresipPhone::is_installed()) << "baresip is missing; run tools/install-packages";
    ASSERT_TRUE(write_audio(source(), test_signal(), AudioFormat::wav16));
  }
  std::filesystem::path source() const { return folder_.path() / "source.wav"; }
  static int port(int offset) { return 21000 + ::getpid() % 400 * 40 + offset; }

  // The octets of a recording: what a phone was about to encode, or decoded.
  static Octets codes(const std::filesystem::path& file) {
    const auto signal = read_audio(file);
    EXPECT_TRUE(signal) << file;
    if (!signal) return {};
    Octets octets(signal->samples.size());
    g711_encode(signal->samples, octets, G711Law::mu);
    return octets;
  }
  static Octets replayed(Octets sent, const ErrorPattern& pattern, std::size_t later_by = 0) {
    std::vector<std::uint64_t> places = pattern.places;
    for (auto& place : places) place += 8 * later_by;
    BitErrorStream(std::make_unique<ListedErrors>(std::move(places))).process(sent);
    return sent;
  }
  ErrorPattern pattern(const char* direction) const {
    const auto read =
        read_error_pattern(folder_.path() / "patterns" / (std::string("call-0000-") + direction + ".bits"));
    EXPECT_TRUE(read) << read.error().message;
    return read ? *read : ErrorPattern();
  }
  std::vector<json> said() const {
    std::vector<json> lines;
    std::istringstream text(test::read_text(folder_.path() / "relay"));
    for (std::string line; std::getline(text, line);) {
      json parsed = json::parse(line, nullptr, false);
      if (!parsed.is_discarded()) lines.push_back(std::move(parsed));
    }
    return lines;
  }
  /// The caller's, by the relay's last counters.
  std::size_t octets_relayed() const {
    const json calls = said().back().value("calls", json::array());
    return calls.empty() ? 0 : calls[0]["a_to_b"]["counters"]["octets"].get<std::size_t>();
  }

  test::TemporaryFolder folder_;
};

TEST_F(RelayedCallTest, ErrorsAppliedOfflineGiveWhatTheCalleeHeard) {
  test::Child relay({test::vqas_command(), "relay", "sip", "--listen", "127.0.0.1:0", "--phone",
                     "b=127.0.0.1:" + std::to_string(port(20)), "--record", (folder_.path() / "patterns").string(),
                     "--json", "--seed", "7", "--a-to-b", "ber=1e-3"},
                    folder_.path() / "relay");
  ASSERT_TRUE(test::wait_until([&] { return !said().empty(); })) << test::read_text(folder_.path() / "relay");
  test::BaresipPhone a(folder_.path(), "a", port(0), "aufile," + source().string());
  test::BaresipPhone b(folder_.path(), "b", port(20), "aubridge,b");
  b.start();
  ASSERT_TRUE(test::wait_until([&] { return b.output().find("baresip is ready") != std::string::npos; })) << b.output();
  a.start("sip:b@" + said().front()["sip"].get<std::string>());
  ASSERT_TRUE(test::wait_until([&] { return octets_relayed() >= 8000U * (kCallSeconds - 1); }))
      << a.output() << b.output();
  a.stop();  // says BYE
  b.stop();
  EXPECT_EQ(relay.end(), 0);

  const json ended = said().back()["ended"];
  ASSERT_TRUE(ended.is_object()) << a.output() << b.output() << test::read_text(folder_.path() / "relay");
  const json& counters = ended["a_to_b"]["counters"];
  const ErrorPattern ab = pattern("a-to-b");
  EXPECT_EQ(ab.places.size(), counters["errors"].get<std::size_t>());
  EXPECT_EQ(ab.bits, counters["bits"].get<std::uint64_t>());
  EXPECT_GT(ab.bits, 64000U * (kCallSeconds - 3));
  EXPECT_TRUE(test::is_binomial(ab.places.size(), ab.bits, kBer));
  Octets from_seed(ab.bits / 8);
  BitErrorStream(std::make_unique<RandomErrors>(kBer, 7, 0)).process(from_seed);
  EXPECT_EQ(test::compare_octets(Octets(from_seed.size()), from_seed), ab)
      << "the first call's a to b is reproducible from its seed";
  EXPECT_EQ(ended["b_to_a"]["counters"]["errors"], 0) << "the other direction must not change";

  const Octets sent = codes(a.recording("enc.wav"));
  const Octets heard = codes(b.recording("dec.wav"));
  const Octets offline = replayed(sent, ab);
  const test::StreamComparison same = test::compare_streams(offline, heard);
  EXPECT_EQ(same.differing, 0U);
  EXPECT_GT(same.compared, 8000U * (kCallSeconds - 3));
  EXPECT_LE(same.slips, 3);
  RecordProperty("octets_compared", std::to_string(same.compared));
  RecordProperty("slips", same.slips);

  // The comparison detects an offset of one octet, and missing errors.
  EXPECT_GT(test::compare_streams(replayed(sent, ab, 1), heard).differing, 100U);
  EXPECT_GT(test::compare_streams(sent, heard).differing, 100U);

  // The last five seconds of the tone that both have.
  const std::size_t length = 5 * 8000;
  ASSERT_GT(heard.size(), length + 8000);
  const std::size_t live_from = heard.size() - length;
  const double live = tone_snr_db(decoded(std::span(heard).subspan(live_from)));
  const double replay = tone_snr_db(decoded(std::span(offline).subspan(live_from + same.offset, length)));
  EXPECT_NEAR(live, replay, 0.1);
  EXPECT_NEAR(live, 21.3, 1.5) << "as measured offline and live before, 1e-3, half of full scale";
  RecordProperty("tone_snr_live_db", std::to_string(live));
  RecordProperty("tone_snr_replay_db", std::to_string(replay));
  fmt::print("{} octets compared, {} slips, {} of {} bits wrong, tone {:.2f} dB live and {:.2f} dB offline\n",
             same.compared, same.slips, ab.places.size(), ab.bits, live, replay);

  // The way back: b sends what it receives, without errors on that way.
  const test::StreamComparison back =
      test::compare_streams(codes(b.recording("enc.wav")), codes(a.recording("dec.wav")));
  EXPECT_EQ(back.differing, 0U);
  EXPECT_GT(back.compared, 8000U * (kCallSeconds - 3));
}

}  // namespace
}  // namespace vqas
