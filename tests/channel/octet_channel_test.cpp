#include "vqas/channel/octet_channel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/compare_octets.h"
#include "support/random_errors.h"
#include "vqas/channel/profile_text.h"

namespace vqas {
namespace {

using Octets = std::vector<std::uint8_t>;

// Octets 1..200 repeated: none of them is idle, ones or zeros.
Octets counting(std::size_t count) {
  Octets octets(count);
  for (std::size_t i = 0; i < count; ++i) octets[i] = static_cast<std::uint8_t>(1 + i % 200);
  return octets;
}

Octets after(const Profile& profile, Octets octets, std::size_t block = 160, std::uint64_t seed = 3) {
  EXPECT_TRUE(validate(profile)) << validate(profile).error().message;
  OctetChannel channel(profile, seed);
  for (std::span<std::uint8_t> rest = octets; !rest.empty();) {
    const auto piece = rest.first(std::min(block, rest.size()));
    channel.process(piece);
    rest = rest.subspan(piece.size());
  }
  return octets;
}

Profile busy_profile() {
  Profile profile = plain_profile();
  profile.errors = {Bursts{1e-4, 0.2, 2.5, 2, true}, RandomRate{1e-3}};
  profile.release = LinkRelease{1e-2, 2, 1, 1e-4};
  profile.interruptions = {{Fill::hold, 0.5, 0.01, 0.75}, {Fill::idle, 1, 0.5, 0}, {Fill::zeros, 1.2, 0.5, 0}};
  profile.slips = {{0.3, -7, 0}, {0.4, 11, 0.9}, {2, 400, 0}};
  return profile;
}

TEST(OctetChannel, DoesNotDependOnBlockSizes) {
  const Octets sent = counting(12 * 8000);
  const Octets whole = after(busy_profile(), sent, sent.size());
  for (const std::size_t block : {1UL, 7UL, 160UL, 8000UL, 8001UL}) {
    EXPECT_EQ(after(busy_profile(), sent, block), whole) << block;
  }
  EXPECT_NE(after(busy_profile(), sent, 160, 4), whole) << "the seed has no effect";
}

TEST(OctetChannel, WithoutPartsChangesNothingAndWithARateEqualsRandomErrors) {
  const Octets sent = counting(40000);
  EXPECT_EQ(after(plain_profile(), sent), sent);
  Profile profile = plain_profile();
  profile.errors = {RandomRate{1e-3}};
  Octets expected = sent;
  test::random_errors(1e-3, 3).process(expected);
  EXPECT_EQ(after(profile, sent), expected);
}

TEST(OctetChannel, InterruptsEveryOctetOfEachWindow) {
  Profile profile = plain_profile();
  profile.interruptions = {{Fill::ones, 0.1, 0.05, 0.5}};
  const Octets sent = counting(8000);
  Octets expected = sent;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (i % 4000 >= 800 && i % 4000 < 1200) expected[i] = 0xFF;
  }
  EXPECT_EQ(after(profile, sent), expected);
}

TEST(OctetChannel, FillsWithTheLastOctetOrTheIdleCodeOfTheLaw) {
  Profile profile = plain_profile();
  profile.interruptions = {{Fill::hold, 0.01, 0.001, 0}, {Fill::idle, 0.02, 0.001, 0}, {Fill::zeros, 0.03, 0.001, 0}};
  profile.line.law = G711Law::a;
  const Octets sent = counting(400);
  const Octets heard = after(profile, sent);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(heard[80 + i], sent[79]);
    EXPECT_EQ(heard[160 + i], 0xD5);
    EXPECT_EQ(heard[240 + i], 0x00);
  }
  EXPECT_EQ(heard[88], sent[88]);
}

TEST(OctetChannel, ASlipRepeatsOrSkipsExactlyItsOctets) {
  Profile profile = plain_profile();
  profile.slips = {{0.05, 10, 0}, {0.1, -30, 0}};
  const Octets sent = counting(2000);
  const Octets heard = after(profile, sent);
  OctetChannel channel(profile, 1);
  ASSERT_EQ(channel.latency(), 20U);
  const auto equal = [&](std::size_t from, std::size_t to, std::size_t behind) {
    return std::equal(heard.begin() + static_cast<std::ptrdiff_t>(from),
                      heard.begin() + static_cast<std::ptrdiff_t>(to),
                      sent.begin() + static_cast<std::ptrdiff_t>(from - behind));
  };
  EXPECT_TRUE(std::all_of(heard.begin(), heard.begin() + 20, [](auto octet) { return octet == 0xFF; }));
  EXPECT_TRUE(equal(20, 400, 20));
  EXPECT_TRUE(equal(400, 800, 30));
  EXPECT_TRUE(equal(800, 2000, 0));
}

TEST(OctetChannel, RepeatedSlipsAlternate) {
  Profile profile = plain_profile();
  profile.slips = {{0.01, 5, 0.01}};
  OctetChannel channel(profile, 1);
  Octets octets = counting(81);
  channel.process(octets);
  EXPECT_EQ(channel.slipped_octets(), 5);
  octets = counting(80);
  channel.process(octets);
  EXPECT_EQ(channel.slipped_octets(), 0);
  EXPECT_EQ(channel.slips(), 2U);
}

TEST(OctetChannel, ANetworkReleasesAfterItsSecondsAndNoEarlier) {
  Profile profile = plain_profile();
  profile.errors = {VaryingRate{{{2, 0, 0}, {4, 0.1, 0.1}, {20, 0, 0}}, false}};
  profile.release = LinkRelease{1e-2, 3, 5, 0};
  OctetChannel channel(profile, 1);
  std::vector<CallState> states;
  Octets last;
  for (int second = 0; second < 16; ++second) {
    last = counting(8000);
    channel.process(last);
    states.push_back(channel.call());
    const bool was_down = second >= 5 && second < 10;
    EXPECT_EQ(std::all_of(last.begin(), last.end(), [](auto octet) { return octet == 0xFF; }), was_down) << second;
  }
  const auto count = [&](CallState state) { return std::count(states.begin(), states.end(), state); };
  EXPECT_EQ(std::find(states.begin(), states.end(), CallState::released) - states.begin(), 4);
  EXPECT_EQ(count(CallState::released), 5);
  EXPECT_EQ(count(CallState::restored), 3);
  EXPECT_EQ(states.back(), CallState::up);
  EXPECT_EQ(channel.releases(), 1U);
  EXPECT_EQ(last, counting(8000));
}

TEST(OctetChannel, ACallJustBelowTheLimitIsNotReleased) {
  Profile profile = plain_profile();
  profile.errors = {RandomRate{5e-3}};
  profile.release = release_of_network("satellite");
  OctetChannel channel(profile, 1);
  Octets octets = counting(30 * 8000);
  channel.process(octets);
  EXPECT_EQ(channel.releases(), 0U);
  profile.errors = {RandomRate{2e-2}};
  OctetChannel worse(profile, 1);
  worse.process(octets);
  EXPECT_GE(worse.releases(), 1U);
}

TEST(OctetChannel, ReleaseIsOffUnlessAProfileEnablesIt) {
  Profile profile = plain_profile();
  profile.errors = {RandomRate{0.4}};
  OctetChannel channel(profile, 1);
  Octets octets = counting(30 * 8000);
  channel.process(octets);
  EXPECT_EQ(channel.releases(), 0U);
  EXPECT_EQ(channel.call(), CallState::up);
}

TEST(OctetChannel, ARestoredCallHasTheRestoredRatioWhileTheLineIsStillBad) {
  Profile profile = plain_profile();
  profile.errors = {RandomRate{0.1}};
  profile.release = LinkRelease{1e-2, 1, 1, 1e-3};
  OctetChannel channel(profile, 1);
  Octets octets = counting(2 * 8000);
  channel.process(octets);  // a second of errors, then a second without a call
  ASSERT_EQ(channel.call(), CallState::restored);
  const std::uint64_t before = channel.counters().errors();
  octets = counting(100 * 8000);
  channel.process(octets);
  EXPECT_EQ(channel.call(), CallState::restored);
  const auto errors = static_cast<double>(channel.counters().errors() - before);
  EXPECT_NEAR(errors, 6400, 5 * 80);
}

TEST(OctetChannel, RecordsTheInvertedBits) {
  Profile profile = plain_profile();
  profile.errors = {RandomRate{1e-2}};
  OctetChannel channel(profile, 8);
  ErrorPattern pattern;
  Octets sent = counting(3000);
  Octets skipped = sent;
  channel.process(skipped);
  channel.record_to(&pattern);
  Octets heard = sent;
  for (std::span<std::uint8_t> rest = heard; !rest.empty(); rest = rest.subspan(100)) channel.process(rest.first(100));
  EXPECT_EQ(pattern, test::compare_octets(sent, heard));
  EXPECT_GT(pattern.places.size(), 100U);
}

TEST(OctetChannel, UnheardErrorsAreNeitherCountedNorRecorded) {
  Profile profile = plain_profile();
  profile.errors = {RandomRate{2e-2}};
  profile.release = LinkRelease{1e-2, 1, 2, 1e-3};
  profile.interruptions = {{Fill::hold, 0.25, 0.5, 1}};
  OctetChannel channel(profile, 3);
  ErrorPattern pattern;
  channel.record_to(&pattern);
  constexpr std::size_t kSeconds = 6;
  const std::vector<std::uint8_t> sent(8000 * kSeconds, 0x55);
  std::vector<std::uint8_t> heard = sent;
  std::vector<std::uint64_t> places;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < heard.size(); ++i) {
    const bool is_heard = channel.call() != CallState::released && (i % 8000 < 2000 || i % 8000 >= 6000);
    channel.process(std::span(heard).subspan(i, 1));
    if (!is_heard) continue;
    bits += 8;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (((heard[i] ^ sent[i]) & (0x80U >> bit)) != 0) places.push_back(8 * i + bit);
    }
  }
  ASSERT_GE(channel.releases(), 1U);
  EXPECT_EQ(pattern.places, places);
  EXPECT_EQ(pattern.bits, 8 * sent.size()) << "places count all octets";
  EXPECT_EQ(channel.counters().errors(), places.size());
  EXPECT_EQ(channel.counters().bits(), bits);
  EXPECT_EQ(channel.counters().seconds().total, kSeconds);
  EXPECT_DOUBLE_EQ(channel.counters().ber_interval().ratio,
                   static_cast<double>(places.size()) / static_cast<double>(bits));
}

TEST(OctetChannel, AnOctetOverwrittenTwiceCountsOnce) {
  Profile profile = plain_profile();
  profile.errors = {RandomRate{1e-1}};
  profile.release = LinkRelease{1e-2, 2, 5, 0};
  profile.interruptions = {{Fill::ones, 0, 1, 1}};
  OctetChannel channel(profile, 1);
  Octets octets = counting(80000);
  channel.process(octets);
  ASSERT_GE(channel.releases(), 1U);
  EXPECT_EQ(channel.interrupted_octets(), octets.size());
  EXPECT_EQ(channel.counters().bits(), 0U);
  EXPECT_EQ(channel.counters().seconds().unavailable, 10U);
}

TEST(OctetChannel, AnErrorOnDemandWaitsForAHeardBit) {
  Profile profile = plain_profile();
  profile.interruptions = {{Fill::zeros, 0, 0.01, 0}};
  OctetChannel channel(profile, 3);
  channel.inject(1);
  std::vector<std::uint8_t> octets(100, 0x55);
  channel.process(octets);
  EXPECT_EQ(octets[79], 0x00);
  EXPECT_EQ(octets[80], 0xD5);
  EXPECT_EQ(channel.counters().errors(), 1U);
}

TEST(OctetChannel, AnErrorOnDemandHitsTheNextBit) {
  OctetChannel channel(plain_profile(), 1);
  Octets octets(4, 0);
  channel.inject(2);
  channel.process(octets);
  EXPECT_EQ(octets, (Octets{0xC0, 0, 0, 0}));
  EXPECT_EQ(channel.counters().errors(), 2U);
}

}  // namespace
}  // namespace vqas
