#include "line/sip/sip_agent.h"

#include <future>
#include <utility>

#include "line/sip/sip_engine.h"

namespace vqas {
namespace {

// Long enough for a response and for one repetition over UDP (RFC 3261, 17.1: T1 is 0.5 s).
constexpr std::chrono::seconds kFarewell{1};

}  // namespace

Result<std::unique_ptr<SipAgent>> SipAgent::start(const SipLineOptions& options, std::optional<SipAccount> account,
                                                  const SocketAddress& local, const SocketAddress& rtp) {
  auto thread = SipThread::start();
  if (!thread) return thread.error();
  std::unique_ptr<SipAgent> agent(new SipAgent);
  agent->thread_ = std::move(thread).value();
  const auto change = [self = agent.get()](const std::function<void(CallState&)>& apply) {
    {
      const std::lock_guard lock(self->mutex_);
      apply(self->state_);
      self->is_news_ = true;
    }
    self->changed_.notify_all();
  };
  agent->engine_ = std::make_unique<Engine>(options, std::move(account), rtp, change);
  const auto begun = std::make_shared<std::promise<Status>>();
  auto result = begun->get_future();
  agent->thread_->post([begun, engine = agent->engine_.get(), local] { begun->set_value(engine->begin(local)); });
  if (const Status well = result.get(); !well) return well.error();
  return agent;
}

SipAgent::~SipAgent() {
  const auto left = std::make_shared<std::promise<void>>();
  auto farewell = left->get_future();
  thread_->post([this, left] { engine_->leave([left] { left->set_value(); }); });
  (void)farewell.wait_for(kFarewell);
  thread_->post([this] { engine_.reset(); });
  thread_.reset();
}

CallState SipAgent::take() {
  const std::lock_guard lock(mutex_);
  CallState state = state_;
  state_.warning.clear();
  is_news_ = false;
  return state;
}

void SipAgent::wait(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, most, [this] { return is_news_; });
}

void SipAgent::wake() {
  {
    const std::lock_guard lock(mutex_);
    is_news_ = true;
  }
  changed_.notify_all();
}

}  // namespace vqas
