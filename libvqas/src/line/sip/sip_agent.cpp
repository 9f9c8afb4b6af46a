#include "line/sip/sip_agent.h"

#include <utility>

#include "line/sip/sip_engine.h"

namespace vqas {

Result<std::unique_ptr<SipAgent>> SipAgent::start(const SipLineOptions& options, std::optional<SipAccount> account,
                                                  const SocketAddress& local, const SocketAddress& rtp) {
  auto thread = SipThread::start();
  if (!thread) return thread.error();
  std::unique_ptr<SipAgent> agent(new SipAgent);
  agent->thread_ = std::move(thread).value();
  const auto change = [self = agent.get()](const std::function<void(SipCallState&)>& apply) {
    {
      const std::lock_guard lock(self->mutex_);
      apply(self->state_);
      self->is_news_ = true;
    }
    self->changed_.notify_all();
  };
  const auto traced = [self = agent.get()](std::uint32_t call, const std::string& text) {
    const std::lock_guard lock(self->mutex_);
    self->trace_.add(call, text);
    self->is_news_ = true;
  };
  agent->engine_ = std::make_unique<Engine>(options, std::move(account), rtp, change, traced);
  if (const Status well = agent->thread_->begin(*agent->engine_, local); !well) return well.error();
  return agent;
}

SipAgent::~SipAgent() {
  thread_->leave(engine_);
  thread_.reset();
}

SipCallState SipAgent::take() {
  const std::lock_guard lock(mutex_);
  SipCallState state = state_;
  state_.warning.clear();
  is_news_ = false;
  return state;
}

std::vector<LineTrace> SipAgent::take_trace() {
  const std::lock_guard lock(mutex_);
  return trace_.take();
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
