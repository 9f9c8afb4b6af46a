#include "line/sip/sip_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "line/line_name.h"
#include "line/sip/local_address.h"
#include "signal/twice_rate.h"

namespace vqas {
namespace {

constexpr int kBlock_ms = 20;
constexpr int kSettled = 50;  // blocks, 1 s: RtpReceiver's time to find the buffer's delay
constexpr std::chrono::milliseconds kLook{200};
constexpr std::chrono::milliseconds kFarewell{300};
constexpr int kPatience_s = 32;  // RFC 3261, 17.1.1.2: timer B
constexpr double kNsPerS = 1e9;

std::string narrow_call_in_words(const RtpFormat& format) {
  const std::string words = narrow_in_words(format);
  return words.empty() ? words : "; " + words;
}

double seconds(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<double>(to_ns - from_ns) / kNsPerS;
}

}  // namespace

SipLine::SipLine(const SipLineOptions& options, RtpSockets sockets) : options_(options), sockets_(std::move(sockets)) {
  RtpLineOptions rtp;
  rtp.format.rate_hz = options.media.rate_hz;
  description_ = rtp_description(rtp);
  description_.name = options.name;
  description_.equipment =
      fmt::format("SIP call by {}, {}, {}, 20 ms a packet, jitter buffer {} ms", word_of(options.transport),
                  options.media.srtp ? "SRTP" : "RTP", in_words(options.media.codecs), options.buffer_ms) +
      hd_in_words(options.media.rate_hz);
}

Result<std::unique_ptr<Line>> SipLine::open(const SipLineOptions& options, const ReadVariable& variable) {
  auto account = sip_account(options, variable);
  if (!account) return account.error();
  const auto local = local_address(options, account->has_value());
  if (!local) return local.error();
  auto sockets = bind_rtp_sockets({local->host, 0});
  if (!sockets) return sockets.error();
  const SocketAddress rtp = sockets->rtp.address();
  std::unique_ptr<SipLine> line(new SipLine(options, std::move(sockets).value()));
  auto agent = SipAgent::start(options, *std::move(account), *local, rtp);
  if (!agent) return agent.error();
  line->agent_ = std::move(agent).value();
  return std::unique_ptr<Line>(std::move(line));
}

void SipLine::interrupt() {
  interrupted_ = true;
  agent_->wake();
  const std::lock_guard lock(mutex_);
  if (audio_) audio_->interrupt();
}

void SipLine::warn(const std::string& words) {
  if (!words.empty()) warning_ += fmt::format("{}{}: {}", warning_.empty() ? "" : "; ", options_.name, words);
}

std::string SipLine::take_warning() {
  return std::exchange(warning_, {});
}

// The thread of exchange() may wait for a call for hours.
void SipLine::tell_waiting() {
  LineNews news{{}, agent_->take_trace()};
  if (!tell_news_) return;
  news.warning = take_warning();
  if (!news.warning.empty() || !news.trace.empty()) tell_news_(news);
}

std::string SipLine::take_note() {
  return std::exchange(noted_, true) ? std::string() : about_;
}

void SipLine::tell_call(const SipCallState& state) {
  const std::string who =
      state.other.empty() ? options_.dial ? sip_uri(*options_.dial, options_.transport) : "" : state.other;
  about_ = fmt::format("the call {} {} is up: ", options_.dial ? "to" : "from", who);
  if (options_.dial && state.rang_ns != 0)
    about_ += fmt::format("rang after {:.2f} s, ", seconds(state.begun_ns, state.rang_ns));
  about_ += fmt::format("answered after {:.2f} s (200), {} to {}", seconds(state.begun_ns, state.answered_ns),
                        label_of(state.media.format.encoding), to_string(state.media.remote));
  if (state.media.srtp) about_ += " by SRTP";
  about_ += narrow_call_in_words(state.media.format);
  if (!walk_ || walk_->digits() == 0) return;
  about_ +=
      fmt::format(", {} digits dialled {}", walk_->digits(), walk_->by_events() ? "as telephone events" : "in band");
  if (!walk_->by_events() && !options_.digits_in_band) about_ += ", because the other end takes no telephone events";
}

void SipLine::take_up(const SipCallState& state) {
  RtpLineOptions rtp;
  rtp.name = options_.name;
  rtp.local = sockets_->rtp.address();
  static_cast<RtpTerms&>(rtp) = terms_ = state.media;
  rtp.buffer_ms = options_.buffer_ms;
  if (!options_.digits.empty())
    walk_.emplace(options_.digits, terms_.events_sent_as.has_value() && !options_.digits_in_band);
  // A far end that asks for digits may be silent until it has them.
  rtp.first_packet = std::chrono::seconds(options_.first_packet_s) +
                     std::chrono::milliseconds(kBlock_ms) * (walk_ ? walk_->blocks() : 0);
  auto audio = RtpLine::over(rtp, *std::exchange(sockets_, std::nullopt));
  if (!audio) return warn(audio.error().message);
  tell_call(state);
  const std::lock_guard lock(mutex_);
  audio_ = std::move(audio).value();
}

Error SipLine::end_of_call(const SipCallState& state) {
  if (state.answered_ns == 0) return error_of(*state.end, options_.name);
  return error_of(*state.end, options_.name, seconds(state.answered_ns, state.ended_ns));
}

// An end that hangs up sends two goodbyes, and that of RTCP may come first. The SIP one has the better name.
Error SipLine::why_lost(const Error& error) {
  if (error.code != ErrorCode::line_lost) return error;
  agent_->wait(kFarewell);
  if (agent_->take().end) {
    after_end_ = options_.buffer_ms;  // more blocks than the buffer holds
    const Status ended = await_answer();
    return ended ? error : ended.error();
  }
  if (audio_->has_heard()) return error;
  return error_of({CallEndKind::no_audio, 0,
                   fmt::format("the call is up, but no packet of {} came within {} s", label_of(terms_.format.encoding),
                               options_.first_packet_s)},
                  options_.name);
}

// A re-INVITE or UPDATE changed the address, the codec, what the other end plays of it, or a key.
Status SipLine::follow(const SipCallState& state) {
  const RtpTerms& agreed = state.media;
  if (agreed == terms_) return success();
  const std::string narrow = narrow_call_in_words(agreed.format);
  if (agreed.format.encoding != terms_.format.encoding || narrow != narrow_call_in_words(terms_.format)) {
    about_ = terms_change_in_words(terms_, agreed) + narrow;
    noted_ = false;
  }
  terms_ = agreed;
  return audio_->redirect(terms_);
}

Status SipLine::await_answer() {
  for (;;) {
    if (interrupted_.exchange(false)) return Error{ErrorCode::cancelled, options_.name + ": interrupted"};
    const SipCallState state = agent_->take();
    warn(state.warning);
    tell_waiting();
    if (state.phase == SipCallState::Phase::up) {
      if (!audio_) take_up(state);
      if (!audio_) return Error{ErrorCode::line_lost, options_.name + ": the call's audio cannot be received"};
      return follow(state);
    }
    if (state.end) {
      // Packets received before the end are still in the jitter buffer.
      if (audio_ && ++after_end_ <= options_.buffer_ms / kBlock_ms + 1) return success();
      // The controller opens a lost line again at once, which dials.
      const std::int64_t pause_ns = options_.dial ? std::int64_t{options_.redial_s} * 1'000'000'000 : 0;
      if (monotonic_ns() >= state.ended_ns + pause_ns) return end_of_call(state);
    }
    if (state.phase == SipCallState::Phase::dialling && !state.responded && !said_silent_ &&
        monotonic_ns() - state.begun_ns >= std::int64_t{options_.silence_s} * 1'000'000'000) {
      said_silent_ = true;
      warn(fmt::format("no response yet from {}; it may take {} s until the call counts as unreachable",
                       sip_uri(*options_.dial, options_.transport), std::min(options_.ring_s, kPatience_s)));
    }
    agent_->wait(kLook);
  }
}

Result<BlockTime> SipLine::pass(std::span<const float> sent, std::span<float> heard, Round round) {
  if (const Status up = await_answer(); !up) return up.error();
  auto time = audio_->exchange(sent, heard, round);
  if (!time) return why_lost(time.error());
  if (const std::string digits = audio_->take_digits(); !digits.empty())
    warn("the other end sent the digits " + digits);
  return time;
}

// The same packets by which this end becomes ready have left an end that is nearly so: a transmission that it sends a
// second later is not missed. Gives how many blocks passed while digits were dialled: the other end may have sent
// meanwhile.
Result<int> SipLine::settle() {
  std::vector<float> narrow(kLineBlock), sent(line_block(description_.rate_hz)), ignored(sent.size());
  TwiceRate rate;
  int dialling = 0;
  while (heard_blocks_ < kSettled) {
    if (const Status up = await_answer(); !up) return up.error();
    const bool walks = walk_ && !walk_->done();
    if (walks) {
      ++dialling;
      if (const auto event = walk_->next(narrow)) audio_->send_event(*event);
    }
    if (sent.size() == narrow.size()) {
      sent = narrow;
    } else {
      rate.up(narrow, sent);
    }
    const auto time = pass(sent, ignored, {});
    std::ranges::fill(narrow, 0.0F);
    if (!time) return time.error();
    if (!walks && audio_->has_heard()) ++heard_blocks_;
  }
  return dialling;
}

Result<BlockTime> SipLine::exchange(std::span<const float> sent, std::span<float> heard, Round round) {
  const auto dialling = settle();
  if (!dialling) return dialling.error();
  auto time = pass(sent, heard, round);
  if (!time) return time;
  // What came while this end dialled was not recorded, and the line did not lose it.
  if (round.busy) time->noticed.lost_samples += static_cast<std::uint32_t>(*dialling) * kLineBlock;
  // A controller gets warnings only while it has a session, and then asks for rounds.
  if (round.busy && !std::exchange(told_, true)) warn(about_);
  warn(audio_->take_warning());
  return time;
}

}  // namespace vqas
