// In a program of its own, because it counts the allocations of the whole program.
#include <gtest/gtest.h>

#include <vector>

#include "support/counted_allocations.h"
#include "support/random_errors.h"
#include "vqas/channel/line_direction.h"
#include "vqas/channel/profile_library.h"

namespace vqas {
namespace {

TEST(Allocation, IsCounted) {
  const std::size_t before = allocations;
  const std::vector<int> some(100);
  EXPECT_EQ(allocations, before + 1);
}

TEST(Allocation, NoneWhileALineCarriesSound) {
  LineConditions conditions;
  conditions.ber = 1e-2;
  conditions.sender_clock_ppm = 100;
  LineDirection line(conditions, 1, 0);
  std::vector<float> sent(160, 0.1F);
  std::vector<float> heard(160);
  const std::size_t before = allocations;
  for (int i = 0; i < 2000; ++i) {
    line.push(sent);
    line.pull(heard);
  }
  EXPECT_EQ(allocations, before);
}

TEST(Allocation, NoneWhileALineWithEveryPartCarriesSound) {
  Profile profile = find_profile("thunderstorm").value();
  profile.line.delay_s = 0.5;
  profile.analogue.agc = true;
  profile.interruptions = {{Fill::hold, 1, 0.1, 2}};
  profile.slips = {{0.5, -8, 1}};
  profile.packets.emplace();
  profile.packets->loss = LossKind::gilbert;
  profile.packets->loss_ratio = 0.1;
  profile.packets->bottleneck = Bottleneck{512, Scheduling::fair, 384, 256, 2, 64};
  LineDirection line(profile, 1, 0);
  std::vector<float> sent(160, 0.1F);
  std::vector<float> heard(160);
  const std::size_t before = allocations;
  for (int i = 0; i < 4000; ++i) {
    line.push(sent);
    line.pull(heard);
  }
  EXPECT_EQ(allocations, before);
}

TEST(Allocation, NoneInRandomErrors) {
  std::vector<std::uint8_t> octets(160);
  BitErrorStream errors = test::random_errors(0.1, 1);
  const std::size_t before = allocations;
  for (int i = 0; i < 1000; ++i) errors.process(octets);
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace vqas
