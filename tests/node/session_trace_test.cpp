#include "node/agent/session_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vqas {
namespace {

TEST(SessionTrace, ASessionIsToldTheCallThatIsUpAndNothingElseOfTheTimeBefore) {
  SessionTrace trace;
  trace.open_line();
  trace.add({{0, "a registration\n"}, {1, "a call that gave up\n"}, {0, "stray\n"}, {2, "INVITE\n"}, {2, "200\n"}});
  trace.add({{1, "its late BYE\n"}});
  EXPECT_EQ(trace.take(), "") << "there is no session";
  trace.begin_session();
  EXPECT_EQ(trace.take(), "INVITE\n200\n");
  trace.add({{2, "BYE\n"}, {0, "stray\n"}});
  EXPECT_EQ(trace.take(), "BYE\nstray\n") << "of its own time it is told everything";
  EXPECT_EQ(trace.take(), "");
  trace.end_session();
  trace.open_line();
  trace.begin_session();
  EXPECT_EQ(trace.take(), "") << "the call was of the former line";
  trace.add({{1, "INVITE\n"}});
  EXPECT_EQ(trace.take(), "INVITE\n");
}

TEST(SessionTrace, WhatIsNotFetchedHasABound) {
  SessionTrace trace;
  trace.open_line();
  trace.begin_session();
  const std::string entry(1024, 'x');
  for (int n = 0; n < 1000; ++n) trace.add({{1, entry}});
  const std::string told = trace.take();
  EXPECT_LT(told.size(), SessionTrace::kMost + 2 * entry.size());
  EXPECT_THAT(told, ::testing::EndsWith("(left out from here: the controller had not fetched 256 kB)\n"));
  trace.end_session();
  trace.begin_session();
  EXPECT_THAT(trace.take(), ::testing::EndsWith("(left out from here: 256 kB of this call came before the session)\n"));
}

}  // namespace
}  // namespace vqas
