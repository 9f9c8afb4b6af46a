// Counts allocations of this thread, so it is a program of its own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "relay/packets.h"
#include "relay/relay_path.h"
#include "relay/relayed_call.h"
#include "vqas/channel/profile_library.h"

namespace {
thread_local std::size_t allocations = 0;
thread_local std::size_t releases = 0;
}  // namespace

// GCC does not see that these belong together.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  ++releases;
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  ++releases;
  std::free(memory);
}

namespace vqas {
namespace {

RelayConditions rich_conditions() {
  RelayConditions conditions = relay_conditions(find_profile("thunderstorm").value());
  conditions.profile.name = "a name that is too long for a string without allocated memory";
  conditions.profile.slips = {{1, 80, 2}};
  conditions.profile.interruptions = {{Fill::idle, 1, 0.1, 0}};
  conditions.profile.packets.emplace().bottleneck = {512, Scheduling::fair, 256, 0, 2, 64};
  return conditions;
}

class RelayAllocation : public testing::TestWithParam<bool> {};

TEST_P(RelayAllocation, APreparedChangeIsAppliedWithoutAllocation) {
  const bool was_rich = GetParam();
  RelayPath path(was_rich ? rich_conditions() : RelayConditions(), 1, 0);
  test::Octets packet = test::stream_packet(0, kPayloadPcma);
  path.take(packet, 0);
  RelayPath::Change change = RelayPath::made(rich_conditions(), path.next_change());
  const std::size_t allocated = allocations;
  const std::size_t released = releases;
  EXPECT_TRUE(path.change(change));
  for (std::uint64_t k = 1; k < 100; ++k) {
    packet[3] = static_cast<std::uint8_t>(k);
    path.take(packet, static_cast<std::int64_t>(k) * 20 * test::kMs);
  }
  EXPECT_EQ(allocations, allocated);
  EXPECT_EQ(releases, released);
}

INSTANTIATE_TEST_SUITE_P(FromRichOrPlainConditions, RelayAllocation, testing::Bool());

TEST(RelayedCallAllocation, ReportingTheStateOfACallDoesNotAllocate) {
  CallOptions options;
  for (CallSide& side : options.sides) {
    side.listen = {0x7F000001, 0};
    side.conditions = rich_conditions();
  }
  const auto call = RelayedCall::open(0, options, 0);
  ASSERT_TRUE(call);
  const std::size_t allocated = allocations;
  const RelayedCallState state = (*call)->state(5);
  EXPECT_EQ(allocations, allocated);
  EXPECT_EQ(*state.directions[0].conditions, rich_conditions());
}

TEST(RelayChange, AChangeMadeForAnotherPlaceIsNotApplied) {
  RelayPath path({}, 1, 0);
  RelayPath::Change first = RelayPath::made(rich_conditions(), path.next_change());
  RelayPath::Change late = RelayPath::made({}, path.next_change());
  EXPECT_TRUE(path.change(first));
  EXPECT_FALSE(path.change(late));
  EXPECT_EQ(path.conditions(), rich_conditions());
}

}  // namespace
}  // namespace vqas
