// Real calls on loopback. This machine may be busy, so lateness does not spoil them here.
#include "vqas/calls/calls_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "calls/call_numbers.h"
#include "line/sip/scripted_peer.h"
#include "lines/free_ports.h"
#include "support/places.h"
#include "vqas/calls/answer.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

Corpus corpus() {
  return Corpus::load(std::filesystem::path(test::source_dir()) / "corpus").value();
}

/// Answers until it is destroyed.
class Answerer {
 public:
  Answerer(const Corpus& corpus, FarEnd as, std::size_t most) : port_(test::free_ports(1)) {
    plan_.line = "sip:4712@127.0.0.1:" + std::to_string(port_);
    plan_.as = as;
    plan_.stimuli = {"F4"};
    plan_.most = most;
    plan_.late_ms = 1000;
    events_.ready = [this] { ready_ = true; };
    events_.ended = [this](const CallOutcome& call, const Signal&) {
      calls_.push_back(call);
      return success();
    };
    thread_ = std::thread([this, &corpus] { EXPECT_TRUE(answer_calls(plan_, corpus, events_, cancelled_)); });
    while (!ready_) std::this_thread::yield();
  }
  ~Answerer() { end(); }
  Answerer(const Answerer&) = delete;
  Answerer& operator=(const Answerer&) = delete;

  const std::vector<CallOutcome>& end() {
    cancelled_ = true;
    if (thread_.joinable()) thread_.join();
    return calls_;
  }
  std::string target() const { return "4712@127.0.0.1:" + std::to_string(port_); }

 private:
  const int port_;
  AnswerPlan plan_;
  AnswerEvents events_;
  std::atomic<bool> cancelled_ = false, ready_ = false;
  std::vector<CallOutcome> calls_;
  std::thread thread_;
};

CallsPlan plan_to(const std::string& target, std::size_t total) {
  CallsPlan plan;
  plan.line = "sip:4711@127.0.0.1;dial=" + target;
  plan.at_once = plan.total = total;
  plan.per_s = 50;
  plan.stimuli = {"F4"};
  plan.late_ms = 1000;
  return plan;
}

using Traces = std::map<std::uint32_t, std::string>;

std::vector<CallOutcome> calls_of(const CallsPlan& plan, const Corpus& corpus, Traces* traces = nullptr) {
  std::vector<CallOutcome> calls;
  CallsEvents events;
  events.ended = [&calls](CallOutcome call, const Signal&) {
    calls.push_back(std::move(call));
    return success();
  };
  events.traced = [traces](std::uint32_t number, const std::string& entries) {
    if (traces != nullptr) (*traces)[number] += entries;
    return success();
  };
  const std::atomic<bool> cancelled = false;
  const auto done = run_calls(plan, corpus, {}, events, cancelled);
  EXPECT_TRUE(done) << done.error().message;
  return calls;
}

void expect_scored(const std::vector<CallOutcome>& calls, std::size_t count) {
  ASSERT_EQ(calls.size(), count);
  for (const CallOutcome& call : calls) {
    EXPECT_EQ(call.result, CallResult::scored) << call.number << ": " << call.end << " " << call.reason;
    EXPECT_GT(call.mos().value_or(0), 3.5);
    EXPECT_TRUE(call.answer_s);
    EXPECT_GT(call.packets.sent, 200U);
    EXPECT_TRUE(call.packets.heard.far) << "the other end's report";
  }
}

TEST(CallsRun, TenCallsToAnEchoTenToATalkerAndTenToAListenerAreAllScored) {
  const Corpus stimuli = corpus();
  Answerer echo(stimuli, FarEnd::echo, 10), talker(stimuli, FarEnd::send, 10), listener(stimuli, FarEnd::listen, 10);
  std::vector<CallOutcome> to_echo, to_talker, to_listener;
  std::thread one([&] { to_echo = calls_of(plan_to(echo.target(), 10), stimuli); });
  std::thread two([&] {
    CallsPlan plan = plan_to(talker.target(), 10);
    plan.far_end = FarEnd::send;
    to_talker = calls_of(plan, stimuli);
  });
  CallsPlan plan = plan_to(listener.target(), 10);
  plan.far_end = FarEnd::listen;
  Traces traces;
  to_listener = calls_of(plan, stimuli, &traces);
  one.join();
  two.join();
  expect_scored(to_echo, 10);
  expect_scored(to_talker, 10);
  ASSERT_EQ(to_listener.size(), 10U);
  for (const CallOutcome& call : to_listener) EXPECT_EQ(call.result, CallResult::answered) << call.reason;
  for (std::uint32_t number = 1; number <= 10; ++number) {
    EXPECT_THAT(traces[number], HasSubstr("    INVITE sip:4712@")) << number;
    EXPECT_THAT(traces[number], HasSubstr("    SIP/2.0 200 OK")) << number;
    EXPECT_THAT(traces[number], HasSubstr("    BYE sip:")) << number;
  }
  expect_scored(listener.end(), 10);
  for (const CallOutcome& call : echo.end()) {
    EXPECT_EQ(call.result, CallResult::answered);
    EXPECT_EQ(call.end, "hung up");
    EXPECT_EQ(call.other, "4711");
  }
}

std::string only_end(const std::vector<CallOutcome>& calls) {
  std::string end;
  for (const CallOutcome& call : calls) {
    EXPECT_EQ(call.result, CallResult::failed);
    EXPECT_FALSE(call.mos());
    EXPECT_TRUE(end.empty() || end == call.end);
    end = call.end;
  }
  return end;
}

TEST(CallNumbers, ACallThatIsNotOverKeepsItsNumberHoweverManyCallsCome) {
  CallNumbers numbers;
  numbers.give(1, 7);
  for (SipCalls::Id id = 2; id <= 3000; ++id) {
    numbers.give(id, id);
    numbers.over(id);
  }
  EXPECT_EQ(numbers.of(1), 7U);
  EXPECT_EQ(numbers.of(2999), 2999U) << "its last messages come after its end";
  EXPECT_FALSE(numbers.of(2)) << "those of calls that are over have a bound";
}

TEST(CallsRun, EachWayToFailHasItsNameAndNoScore) {
  const Corpus stimuli = corpus();
  // Whom it calls says what it gets.
  test::ScriptedPeer peer([](test::ScriptedPeer& self, const test::SipText& request) {
    if (request.method() == "CANCEL") return self.reply(request, "200 OK");
    if (request.method() != "INVITE") return;
    const std::string line = request.first_line();
    if (line.find("sip:busy@") != std::string::npos) self.reply(request, "486 Busy Here");
    if (line.find("sip:gone@") != std::string::npos) self.reply(request, "404 Not Found");
    if (line.find("sip:away@") != std::string::npos) self.reply(request, "180 Ringing");
  });
  const auto end_of = [&](const std::string& user) {
    return only_end(calls_of(plan_to(user + "@" + peer.address() + ";ring_s=1", 3), stimuli));
  };
  EXPECT_EQ(end_of("busy"), "busy");
  EXPECT_EQ(end_of("gone"), "rejected");
  EXPECT_EQ(end_of("away"), "no answer");
  EXPECT_EQ(end_of("mute"), "unreachable");
}

TEST(CallsRun, ATraceThatCannotBeWrittenIsToldOnceAndTheCallsContinue) {
  const Corpus stimuli = corpus();
  test::ScriptedPeer peer([](test::ScriptedPeer& self, const test::SipText& request) {
    if (request.method() == "INVITE") self.reply(request, "486 Busy Here");
  });
  std::size_t ended = 0, tried = 0;
  std::vector<std::string> noticed;
  CallsEvents events;
  events.ended = [&ended](const CallOutcome&, const Signal&) {
    ++ended;
    return success();
  };
  events.traced = [&tried](std::uint32_t, const std::string&) -> Status {
    ++tried;
    return Error{ErrorCode::io, "the disk is full"};
  };
  events.noticed = [&noticed](const std::string& what) { noticed.push_back(what); };
  const std::atomic<bool> cancelled = false;
  const auto done = run_calls(plan_to("4712@" + peer.address(), 3), stimuli, {}, events, cancelled);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(ended, 3U);
  EXPECT_GT(tried, 1U);
  ASSERT_EQ(noticed.size(), 1U);
  EXPECT_THAT(noticed[0], HasSubstr("the signalling is not kept, and the calls continue: the disk is full"));
}

TEST(CallsRun, ServiceWithoutRoomIsBusyAndCancelledCallsHaveNoOutcome) {
  const Corpus stimuli = corpus();
  Answerer echo(stimuli, FarEnd::echo, 1);
  CallsPlan plan = plan_to(echo.target(), 2);
  std::vector<CallOutcome> calls;
  std::atomic<bool> cancelled = false;
  CallsEvents events;
  events.ended = [&](CallOutcome call, const Signal&) {
    calls.push_back(std::move(call));
    cancelled = true;
    return success();
  };
  const auto done = run_calls(plan, stimuli, {}, events, cancelled);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->cancelled);
  EXPECT_EQ(only_end(calls), "busy");
  EXPECT_EQ(calls.size(), 1U);
}

}  // namespace
}  // namespace vqas
