#include "line/sip/call_media.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <set>
#include <string_view>
#include <vector>

namespace vqas {
namespace {

constexpr const char* kEvents = "telephone-event";
constexpr const char* kDigits = "0-15";  // RFC 4733, 3.2: the events of digits
constexpr int kLastPayloadType = 127;

Error unusable(const std::string& what) {
  return {ErrorCode::protocol, what};
}

// Events have the clock of the speech beside them (RFC 4733, 2.1). The numbers are VQAS's own.
const char* events_type(std::uint32_t clock_hz) {
  return clock_hz == 8000 ? "101" : clock_hz == 16000 ? "102" : "110";
}

std::vector<sdp_format*> formats(const sdp_media* audio, bool local) {
  std::vector<sdp_format*> all;
  const list* const them = sdp_media_format_lst(audio, local);
  for (const le* one = them->head; one != nullptr; one = one->next) all.push_back(static_cast<sdp_format*>(one->data));
  return all;
}

// As libre has paired them: the facts are the data of the line's own formats, and events have none.
const EncodingFacts* codec_of(const sdp_format& format) {
  const bool usable = format.sup && format.pt >= 0 && format.pt <= kLastPayloadType;
  return usable ? static_cast<const EncodingFacts*>(format.data) : nullptr;
}

bool is_events(const sdp_format& format, std::uint32_t clock_hz) {
  return format.sup && format.name != nullptr && std::string_view(format.name) == kEvents && format.srate == clock_hz &&
         format.pt >= 0 && format.pt <= kLastPayloadType;
}

bool uses_repetition(const sdp_format& format) {
  return format.params != nullptr && std::string_view(format.params).find("useinbandfec=1") != std::string_view::npos;
}

// Of Opus, in Hz (RFC 7587, 6.1). What cannot be read is no limit.
int playback_rate_of(const sdp_format& format) {
  constexpr std::string_view kName = "maxplaybackrate=";
  constexpr int kMost_hz = 48000, kLeast_hz = 8000;
  const std::string_view parameters = format.params == nullptr ? "" : format.params;
  const std::size_t at = parameters.find(kName);
  int rate_hz = kMost_hz;
  if (at != std::string_view::npos)
    (void)std::from_chars(parameters.data() + at + kName.size(), parameters.data() + parameters.size(), rate_hz);
  return std::clamp(rate_hz, kLeast_hz, kMost_hz);
}

bool collect(const char*, const char* value, void* into) {
  if (value != nullptr) static_cast<std::vector<std::string>*>(into)->emplace_back(value);
  return false;
}

}  // namespace

CallMedia::CallMedia(const SocketAddress& local, const MediaTerms& terms) : terms_(terms) {
  const sa address = libre::as_sa(local);
  sdp_session* session = nullptr;
  int error = sdp_session_alloc(&session, &address);
  session_.reset(session);
  if (error == 0) {
    error =
        sdp_media_add(&audio_, session, sdp_media_audio, local.port, terms.srtp ? sdp_proto_rtpsavp : sdp_proto_rtpavp);
  }
  if (error == 0) error = sdp_media_set_lattr(audio_, true, "ptime", "20");
  if (error != 0) throw std::bad_alloc();
  add_formats();
  if (!terms.srtp) return;
  for (std::size_t i = 0; i < own_.size(); ++i) {
    const auto key = draw_srtp_key(static_cast<SrtpSuite>(i));
    if (!key) throw std::bad_alloc();
    own_.at(i) = {static_cast<int>(i) + 1, *key};
  }
}

void CallMedia::add_formats() {
  std::set<std::uint32_t> clocks;
  int error = 0;
  const auto add = [&](const char* type, const char* name, std::uint32_t clock_hz, std::uint8_t channels,
                       const EncodingFacts* facts, const char* parameters) {
    void* const data =
        const_cast<EncodingFacts*>(facts);  // NOLINT(cppcoreguidelines-pro-type-const-cast): libre's type
    if (error != 0) return;
    error = sdp_format_add(nullptr, audio_, false, type, name, clock_hz, channels, nullptr, nullptr, data, false,
                           *parameters == '\0' ? nullptr : "%s", parameters);
  };
  for (const RtpEncoding one : terms_.codecs) {
    const EncodingFacts& facts = facts_of(one);
    add(std::to_string(facts.payload_type).c_str(), facts.name, facts.clock_hz, facts.channels, &facts,
        parameters_of(one, terms_.rate_hz).c_str());
    clocks.insert(facts.clock_hz);
  }
  for (const std::uint32_t clock_hz : clocks) add(events_type(clock_hz), kEvents, clock_hz, 1, nullptr, kDigits);
  if (error != 0) throw std::bad_alloc();
}

libre::Owned<mbuf> CallMedia::description(bool offer) {
  sdp_media_del_lattr(audio_, "crypto");
  int error = 0;
  const auto add = [&](const CryptoAttribute& one) {
    if (error == 0) error = sdp_media_set_lattr(audio_, false, "crypto", "%s", to_text(one).c_str());
  };
  if (terms_.srtp && offer) std::ranges::for_each(own_, add);
  if (terms_.srtp && !offer && answer_) add(*answer_);
  mbuf* body = nullptr;
  return error == 0 && sdp_encode(&body, session_.get(), offer) == 0 ? libre::Owned<mbuf>(body) : nullptr;
}

std::string CallMedia::why_no_audio() const {
  for (const le* one = sdp_session_medial(session_.get(), false)->head; one != nullptr; one = one->next) {
    const auto* const media = static_cast<const sdp_media*>(one->data);
    if (media == audio_ || std::string_view(sdp_media_name(media)) != sdp_media_audio) continue;
    return fmt::format("the audio of its session description is by {}, and the line has srtp={}",
                       sdp_media_proto(media), terms_.srtp ? "yes" : "no");
  }
  return fmt::format("its session description has no audio by {}", terms_.srtp ? "SRTP (RTP/SAVP)" : "RTP (RTP/AVP)");
}

// Its first one that the line allows. An answer names no other.
bool CallMedia::choose_format(RtpTerms& agreed, bool offer) {
  const auto theirs = formats(audio_, false), ours = formats(audio_, true);
  const auto chosen = std::ranges::find_if(theirs, [](const sdp_format* one) { return codec_of(*one) != nullptr; });
  if (chosen == theirs.end()) return false;
  const EncodingFacts* const facts = codec_of(**chosen);
  agreed.format = RtpFormat(facts->encoding);
  agreed.format.sends_as = static_cast<std::uint8_t>((*chosen)->pt);
  agreed.format.repeats = uses_repetition(**chosen);
  agreed.format.rate_hz = terms_.rate_hz;
  // More than this end samples changes nothing, and later descriptions of the same call may not name it.
  if (facts->encoding == RtpEncoding::opus)
    agreed.format.far_plays_hz = std::min(playback_rate_of(**chosen), terms_.rate_hz);
  for (const sdp_format* one : theirs) {
    if (!agreed.events_sent_as && is_events(*one, facts->clock_hz))
      agreed.events_sent_as = static_cast<std::uint8_t>(one->pt);
  }
  for (sdp_format* one : ours) {
    const bool codec = one->data == facts, events = is_events(*one, facts->clock_hz);
    if (codec) agreed.format.hears_as = static_cast<std::uint8_t>(one->pt);
    if (events) agreed.events_heard_as = static_cast<std::uint8_t>(one->pt);
    if (offer) one->sup = codec || events;
  }
  return true;
}

Status CallMedia::choose_key(RtpTerms& agreed, bool offer) {
  if (!terms_.srtp) return success();
  std::vector<std::string> attributes;
  (void)sdp_media_rattr_apply(audio_, "crypto", &collect, &attributes);
  for (const std::string& text : attributes) {
    const auto theirs = parse_crypto(text);
    if (!theirs) continue;
    CryptoAttribute ours = own_.at(static_cast<std::size_t>(theirs->key.suite));
    if (!offer && ours.tag != theirs->tag) continue;
    ours.tag = theirs->tag;
    if (offer) answer_ = ours;
    agreed.srtp = SrtpKeys{ours.key, theirs->key};
    return success();
  }
  return unusable(
      "its session description has no key of SRTP that can be used (RFC 4568, AES_CM_128_HMAC_SHA1_80 or _32)");
}

Result<AgreedMedia> CallMedia::take(mbuf* body, bool offer) {
  if (sdp_decode(session_.get(), body, offer) != 0) return unusable("its session description cannot be read");
  if (sdp_media_rport(audio_) == 0) return unusable(why_no_audio());
  AgreedMedia agreed;
  if (!choose_format(agreed, offer)) {
    return unusable(fmt::format("its session description has none of the line's codecs ({})", in_words(terms_.codecs)));
  }
  if (const Status keyed = choose_key(agreed, offer); !keyed) return keyed.error();
  const sa* const remote = sdp_media_raddr(audio_);
  if (sa_af(remote) != AF_INET) return unusable("its session description has no IPv4 address");
  agreed.remote = {sa_in(remote), sa_port(remote)};
  // RFC 3264, 8.4: an address of 0 is an older way to put a call on hold.
  agreed.held = sdp_media_dir(audio_) != SDP_SENDRECV || agreed.remote.host == 0;
  if (!agreed.held && !is_unicast(agreed.remote)) return unusable("its session description has no usable address");
  return agreed;
}

std::string terms_change_in_words(const RtpTerms& before, const RtpTerms& after) {
  std::string words;
  const auto add = [&](const std::string& more) { words += (words.empty() ? "" : "; ") + more; };
  if (after.remote != before.remote)
    add(fmt::format("the call's audio was moved from {} to {}", to_string(before.remote), to_string(after.remote)));
  if (after.format.encoding != before.format.encoding)
    add(fmt::format("the call's codec changed from {} to {}", label_of(before.format.encoding),
                    label_of(after.format.encoding)));
  else if (after.format.far_plays_hz != before.format.far_plays_hz)
    add(fmt::format("the rate up to which the other end plays {} changed from {} to {} Hz",
                    label_of(after.format.encoding), before.format.far_plays_hz, after.format.far_plays_hz));
  if (after.srtp != before.srtp) add("the call's keys of SRTP changed");
  if (words.empty() && after != before) add("the payload types or parameters of the call's codec changed");
  return words;
}

std::string change_in_words(const AgreedMedia& before, const AgreedMedia& after) {
  std::string words;
  const auto add = [&](const std::string& more) { words += (words.empty() ? "" : "; ") + more; };
  if (after.held != before.held)
    add(after.held ? "the other end put the call on hold" : "the other end took the call off hold");
  if (const std::string terms = terms_change_in_words(before, after); !terms.empty())
    add(terms + "; what was under way is repeated");
  return words;
}

}  // namespace vqas
