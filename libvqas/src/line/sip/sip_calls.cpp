#include "line/sip/sip_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "line/machine_clock.h"
#include "line/sip/sip_call.h"

namespace vqas {
namespace {

constexpr std::size_t kUsualCalls = 256;  // of a table's size, not a limit

}  // namespace

/// The part that lives in libre's thread.
class SipCalls::Engine {
 public:
  Engine(SipCalls& owner, const SipLineOptions& line, std::optional<SipAccount> account, Options options)
      : owner_(owner),
        options_(std::move(options)),
        trace_([this](Id call, const std::string& text) { keep(call, text); }),
        stack_(line, std::move(account),
               {[this](const sip_msg* request) { answer(request); },
                [this](const SipReply& reply) { registered(reply); },
                [this](const sip_msg* request) { return update(request); },
                {[this](const SipTraced& entry) { trace_.add(monotonic_ns(), entry); },
                 [this](const std::string& what) { warn(what); },
                 [this](const SipWire::Unheard& what) { unheard(what); }}}) {}
  ~Engine() { calls_.clear(); }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Status begin(const SocketAddress& local) {
    if (const Status open = stack_.open(local, std::max(kUsualCalls, options_.most)); !open) return open;
    if (!registers(stack_.options(), stack_.has_account())) return success();
    tell_registration(Registration::asked);
    stack_.register_account();
    return success();
  }

  void dial(Id id, const SocketAddress& rtp) {
    trace_.dialling(id);
    make(id, rtp).dial();
    trace_.dialling(0);
    if (const auto made = calls_.find(id); made != calls_.end()) trace_.name(made->second->call_id(), id);
  }

  void hang_up(Id id) {
    calls_.erase(id);
    trace_.over(id);
  }

  void leave(std::function<void()> done) {
    leaving_ = true;
    calls_.clear();
    stack_.leave(std::move(done));
  }

 private:
  SipCall& make(Id id, const SocketAddress& rtp) {
    auto call = std::make_unique<SipCall>(
        stack_, rtp, [this, id](const std::function<void(SipCallState&)>& apply) { change(id, apply); });
    return *(calls_[id] = std::move(call));
  }

  // The call is inside one of its functions, so it is destroyed later.
  void change(Id id, const std::function<void(SipCallState&)>& apply) {
    bool up = false;
    bool over = false;  // also stays so after hang_up(), which destroys the call anyway
    owner_.change(id, [&](SipCallState& state) {
      apply(state);
      over = state.phase == SipCallState::Phase::over;
      up = state.phase == SipCallState::Phase::up;
    });
    if (const auto call = calls_.find(id); up && call != calls_.end()) trace_.confirm(call->second->call_id());
    if (over) owner_.thread_->post([this, id] { hang_up(id); });
  }

  void answer(const sip_msg* request) {
    const auto refuse = [&](std::uint16_t code, const char* why) {
      (void)sip_treply(nullptr, stack_.stack(), request, code, why);
    };
    const SipLineOptions& line = stack_.options();
    if (libre::text_of(request->uri.user) != line.own.user) return refuse(404, "Not Found");
    if (leaving_) return refuse(480, "Temporarily Unavailable");
    if (calls_.size() >= options_.most) return refuse(486, "Busy Here");
    if (!line.from.empty() && libre::text_of(request->from.uri.user) != line.from) return refuse(603, "Decline");
    const Id id = owner_.next_id();
    const auto rtp = options_.audio_of(id);
    if (!rtp) {
      owner_.forget(id);
      return refuse(503, "Service Unavailable");
    }
    // Callers who are refused share a budget of the trace, and are told as no call.
    const auto accepts = [&] { trace_.accept(libre::text_of(request->callid), id); };
    if (const auto refused = make(id, *rtp).answer(request, accepts)) {
      change(id, [&](SipCallState& state) {
        state.phase = SipCallState::Phase::over;
        state.end = *refused;
      });
    }
  }

  bool update(const sip_msg* request) {
    return std::ranges::any_of(calls_, [&](const auto& call) { return call.second->update(request); });
  }

  // Ending one changes the map later only.
  void unheard(const SipWire::Unheard& what) {
    if (what.registers) registered({what.error, 0, {}});
    for (const auto& [id, call] : calls_) {
      if (what.invites.contains(call->call_id())) call->unheard(what.error);
    }
  }

  void warn(const std::string& words) {
    const std::lock_guard lock(owner_.mutex_);
    owner_.warning_ += (owner_.warning_.empty() ? "" : "; ") + words;
  }

  void keep(Id call, const std::string& text) {
    const std::lock_guard lock(owner_.mutex_);
    owner_.traces_.add(call, text);
  }

  void registered(const SipReply& reply) {
    if (reply.error == 0 && reply.code >= 200 && reply.code < 300) {
      is_registered_ = true;
      return tell_registration(Registration::held);
    }
    const CallEnd failed = end_of_registration(reply, stack_.has_account());
    if (is_registered_) {
      // libre tries again.
      warn("the registration could not be renewed: " + in_words(failed));
      return;
    }
    stack_.give_up_registration();
    tell_registration(Registration::refused, failed);
  }

  void tell_registration(Registration registration, const CallEnd& end = {}) {
    {
      const std::lock_guard lock(owner_.mutex_);
      owner_.registration_ = registration;
      owner_.registration_end_ = end;
    }
    owner_.wake();
  }

  SipCalls& owner_;
  const Options options_;
  TraceByCall trace_;  // before the stack, which tells messages until it is gone
  SipStack stack_;
  bool leaving_ = false, is_registered_ = false;
  std::map<Id, std::unique_ptr<SipCall>> calls_;
};

Result<std::unique_ptr<SipCalls>> SipCalls::start(const SipLineOptions& line, std::optional<SipAccount> account,
                                                  const SocketAddress& local, Options options) {
  auto thread = SipThread::start();
  if (!thread) return thread.error();
  std::unique_ptr<SipCalls> calls(new SipCalls);
  calls->thread_ = std::move(thread).value();
  calls->engine_ = std::make_unique<Engine>(*calls, line, std::move(account), std::move(options));
  if (const Status well = calls->thread_->begin(*calls->engine_, local); !well) return well.error();
  return calls;
}

SipCalls::~SipCalls() {
  thread_->leave(engine_);
  thread_.reset();
}

SipCalls::Id SipCalls::next_id() {
  const std::lock_guard lock(mutex_);
  states_[++last_];
  return last_;
}

SipCalls::Id SipCalls::dial(const SocketAddress& rtp) {
  const Id id = next_id();
  thread_->post([this, id, rtp] { engine_->dial(id, rtp); });
  return id;
}

void SipCalls::hang_up(Id id) {
  forget(id);
  thread_->post([this, id] { engine_->hang_up(id); });
}

void SipCalls::forget(Id id) {
  const std::lock_guard lock(mutex_);
  states_.erase(id);
  news_.erase(id);
}

void SipCalls::change(Id id, const std::function<void(SipCallState&)>& apply) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = states_.find(id);
    if (known == states_.end()) return;  // hung up meanwhile
    apply(known->second);
    news_.insert(id);
  }
  changed_.notify_all();
}

std::vector<SipCalls::News> SipCalls::wait(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, most, [this] { return woken_ || !news_.empty(); });
  woken_ = false;
  std::vector<News> news;
  for (const Id id : news_) {
    const auto found = states_.find(id);
    if (found == states_.end()) continue;
    news.push_back({id, found->second});
    found->second.warning.clear();
    if (found->second.phase == SipCallState::Phase::over) states_.erase(found);
  }
  news_.clear();
  return news;
}

void SipCalls::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  changed_.notify_all();
}

SipCalls::Registration SipCalls::registration() const {
  const std::lock_guard lock(mutex_);
  return registration_;
}

CallEnd SipCalls::registration_end() const {
  const std::lock_guard lock(mutex_);
  return registration_end_;
}

std::vector<LineTrace> SipCalls::take_traces() {
  const std::lock_guard lock(mutex_);
  return traces_.take();
}

std::string SipCalls::take_warning() {
  const std::lock_guard lock(mutex_);
  return std::exchange(warning_, {});
}

}  // namespace vqas
