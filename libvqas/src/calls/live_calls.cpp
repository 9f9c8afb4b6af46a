#include "calls/live_calls.h"

#include <cstdlib>
#include <utility>

#include "line/machine_clock.h"
#include "line/sip/local_address.h"
#include "vqas/store/utc_text.h"

namespace vqas {
namespace {

constexpr std::chrono::milliseconds kStep{10};
constexpr std::size_t kScoringThreads = 2;

double utc_now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Signal as_signal(const RecordedCall& call) {
  Signal signal{{}, call.rate_hz};
  signal.samples.reserve(call.samples.size());
  for (const std::int16_t one : call.samples) signal.samples.push_back(static_cast<float>(one) / 32768.0F);
  return signal;
}

}  // namespace

LiveCalls::LiveCalls(LiveCallsOptions options, const CallCorpus& corpus) : options_(std::move(options)) {
  media_options_.buffer_ms = options_.line.buffer_ms;
  media_options_.first_packet_ns = std::int64_t{options_.line.first_packet_s} * 1'000'000'000;
  media_options_.late_ns = static_cast<std::int64_t>(options_.late_ms * 1e6);
  pool_ = std::make_unique<ScorePool>(corpus, kScoringThreads, [this] { sip_->wake(); });
}

Result<std::unique_ptr<LiveCalls>> LiveCalls::start(LiveCallsOptions options, const CallCorpus& corpus) {
  auto account = sip_account(options.line, [](const char* name) -> const char* { return std::getenv(name); });
  if (!account) return account.error();
  const auto local = local_address(options.line, account->has_value());
  if (!local) return local.error();
  std::unique_ptr<LiveCalls> calls(new LiveCalls(std::move(options), corpus));
  calls->local_ = {local->host, 0};
  auto sip = SipCalls::start(
      calls->options_.line, *std::move(account), *local,
      {calls->options_.most_answered, [self = calls.get()](SipCalls::Id id) { return self->take_in(id); }});
  if (!sip) return sip.error();
  calls->sip_ = std::move(sip).value();
  return calls;
}

LiveCalls::~LiveCalls() {
  hang_up_all();
  pool_.reset();
  sip_.reset();
}

// In libre's thread.
std::optional<SocketAddress> LiveCalls::take_in(SipCalls::Id id) {
  {
    const std::lock_guard lock(mutex_);
    if (options_.answered_in_all > 0 && answered_ >= options_.answered_in_all) return std::nullopt;
  }
  // Where scores do not keep up, recordings would fill the memory.
  if (pool_->waiting() >= options_.most_answered) return std::nullopt;
  auto sockets = bind_rtp_sockets(local_);
  if (!sockets) return std::nullopt;
  const SocketAddress at = sockets->rtp.address();
  const std::lock_guard lock(mutex_);
  ++answered_;
  incoming_.emplace(id, std::move(sockets).value());
  return at;
}

bool LiveCalls::is_idle() const {
  const std::lock_guard lock(mutex_);
  return live_.empty() && scoring_.empty() && incoming_.empty();
}

std::size_t LiveCalls::answered_in_all() const {
  const std::lock_guard lock(mutex_);
  return answered_;
}

Status LiveCalls::dial(CallOutcome outcome) {
  auto sockets = bind_rtp_sockets(local_);
  if (!sockets) return sockets.error();
  Live live;
  live.role = options_.role_of(outcome.number);
  live.outcome = std::move(outcome);
  live.sockets = std::move(sockets).value();
  const SocketAddress at = live.sockets->rtp.address();
  const std::uint32_t number = live.outcome.number;
  const SipCalls::Id id = sip_->dial(at);
  numbers_.give(id, number);
  live_.emplace(id, std::move(live));
  return success();
}

void LiveCalls::take(const SipCalls::News& news) {
  auto found = live_.find(news.id);
  if (found == live_.end()) {
    const std::lock_guard lock(mutex_);
    const auto incoming = incoming_.find(news.id);
    if (incoming == incoming_.end()) return;
    Live live;
    live.answers = true;
    live.outcome.number = ++last_answered_;
    live.outcome.started_utc = utc_text(utc_now_s());
    live.role = options_.role_of(live.outcome.number);
    live.sockets = std::move(incoming->second);
    incoming_.erase(incoming);
    numbers_.give(news.id, live.outcome.number);
    found = live_.emplace(news.id, std::move(live)).first;
  }
  Live& live = found->second;
  live.state = news.state;
  if (!news.state.warning.empty() && options_.noticed)
    options_.noticed("call " + std::to_string(live.outcome.number) + ": " + news.state.warning);
  if (live.state.phase == SipCallState::Phase::up && !live.media) {
    begin_media(news.id, live);
  } else if (live.media && static_cast<const RtpTerms&>(live.state.media) != live.terms) {
    // Whatever changed, the call has no score.
    if (live.change.empty()) live.change = terms_change_in_words(live.terms, live.state.media);
    live.terms = live.state.media;
    live.media->redirect(live.terms.remote);
  }
  if (live.state.phase != SipCallState::Phase::over) return;
  live.over = live.leaving = true;
  if (live.media) live.media->leave();
}

void LiveCalls::begin_media(SipCalls::Id id, Live& live) {
  MediaOptions options = media_options_;
  live.terms = live.state.media;
  options.format = live.terms.format;
  options.remote_port = live.terms.remote.port;
  auto port = udp_port(*std::exchange(live.sockets, std::nullopt), live.terms, reader_);
  if (!port) {
    live.state.end = CallEnd{CallEndKind::rejected, 0, port.error().message};
    live.leaving = true;
    return sip_->hang_up(id);
  }
  live.media = std::make_shared<MediaCall>(std::move(port).value(), options, std::move(live.role.part), monotonic_ns);
  loop_.add(live.media);
}

void LiveCalls::leave(SipCalls::Id id, Live& live, const std::optional<CallEnd>& end) {
  live.leaving = true;
  live.state.ended_ns = monotonic_ns();
  live.state.end = end;
  sip_->hang_up(id);
  live.media->leave();
}

bool LiveCalls::look(SipCalls::Id id, Live& live) {
  if (live.media && !live.leaving) {
    const MediaCall::Phase phase = live.media->phase();
    if (phase == MediaCall::Phase::finished) {
      live.did_its_part = true;
      leave(id, live, std::nullopt);
    } else if (phase == MediaCall::Phase::no_audio || phase == MediaCall::Phase::silent) {
      leave(id, live, end_of_silence(phase, media_options_));
    }
  }
  if (!live.leaving || (live.media && !live.media->has_left())) return false;
  conclude(live);
  return true;
}

void LiveCalls::conclude(Live& live) {
  CallOutcome& outcome = live.outcome;
  outcome.expected = live.role.expected.most;
  outcome.mode = mode_for_rates(options_.line.media.rate_hz, options_.line.media.rate_hz);
  outcome.result = live.did_its_part || (live.answers && live.media && ended_well(live.state.end))
                       ? CallResult::answered
                       : CallResult::failed;
  enter_signalling(live.state, outcome);
  RecordedCall recorded;
  if (live.media) {
    outcome.narrow = narrow_in_words(live.terms.format);
    MediaCall::Taken taken = live.media->taken();
    enter_media(taken, live.change, outcome);
    recorded = std::move(taken.recorded);
  }
  if (outcome.result != CallResult::answered || !live.role.scores) {
    ended_.push_back({std::move(outcome), {}});
    return;
  }
  const std::uint32_t number = outcome.number;
  scoring_.emplace(number, std::move(outcome));
  pool_->add({number, std::move(recorded), std::move(live.role.expected)});
}

void LiveCalls::trace() {
  for (const LineTrace& one : sip_->take_traces()) without_number_[one.call] += one.text;
  if (!options_.traced) without_number_.clear();
  for (auto one = without_number_.begin(); one != without_number_.end();) {
    const auto number = numbers_.of(one->first);
    if (!number && is_incoming(one->first)) {
      ++one;
      continue;
    }
    // A call that was refused before it had a port gets no number.
    const Status told = options_.traced(number.value_or(0), one->second);
    if (!told && !std::exchange(trace_failed_, true) && options_.noticed)
      options_.noticed("the signalling is not kept, and the calls continue: " + told.error().message);
    one = without_number_.erase(one);
  }
}

bool LiveCalls::is_incoming(SipCalls::Id id) const {
  const std::lock_guard lock(mutex_);
  return incoming_.contains(id);
}

std::vector<LiveCalls::Ended> LiveCalls::step() {
  for (const SipCalls::News& news : sip_->wait(kStep)) take(news);
  trace();
  for (Place one = live_.begin(); one != live_.end();) {
    if (!look(one->first, one->second)) {
      ++one;
      continue;
    }
    numbers_.over(one->first);
    one = live_.erase(one);
  }
  for (ScorePool::Done& done : pool_->take()) {
    auto outcome = scoring_.extract(done.job.number);
    enter_scores(std::move(done.sentences), outcome.mapped());
    ended_.push_back({std::move(outcome.mapped()), as_signal(done.job.call)});
  }
  if (const std::string warning = sip_->take_warning(); !warning.empty() && options_.noticed) options_.noticed(warning);
  return std::exchange(ended_, {});
}

std::size_t LiveCalls::up() const {
  std::size_t count = 0;
  for (const auto& [id, live] : live_) count += live.media ? 1 : 0;
  return count;
}

void LiveCalls::hang_up_all() {
  for (auto& [id, live] : live_) {
    if (sip_) sip_->hang_up(id);
    if (live.media) live.media->leave();
  }
  live_.clear();
}

}  // namespace vqas
