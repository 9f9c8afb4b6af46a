#include "line/rtcp/rtcp_session.h"

#include <algorithm>

namespace vqas {
namespace {

constexpr std::int64_t kNsPerS = 1'000'000'000;
// A longer round trip is a report on another call, or damaged.
constexpr double kLongestRoundTrip_ms = 60'000;
constexpr double kPacket_ms = 20;
constexpr double kLongest_ms = 65535;                                 // 16 bits
constexpr std::int32_t kMostLost = 0x7FFFFF, kLeastLost = -0x800000;  // 24 bits, signed

// RFC 3550, 4 allows any clock: this one does not jump when the machine's time is set.
std::uint64_t as_ntp(std::int64_t time_ns) {
  const auto seconds = static_cast<std::uint64_t>(time_ns / kNsPerS);
  const auto rest = static_cast<std::uint64_t>(time_ns % kNsPerS);
  return seconds << 32 | (rest << 32) / kNsPerS;
}

std::uint32_t middle(std::uint64_t ntp) {
  return static_cast<std::uint32_t>(ntp >> 16);
}

std::uint8_t in_256(std::uint32_t part, std::uint32_t whole) {
  if (whole == 0) return 0;
  return static_cast<std::uint8_t>(std::min<std::uint64_t>(std::uint64_t{part} * 256 / whole, 255));
}

}  // namespace

void RtcpSession::sent(std::uint32_t timestamp, std::size_t octets) {
  timestamp_ = timestamp;
  ++packets_;
  octets_ += static_cast<std::uint32_t>(octets);
}

RtcpReportBlock RtcpSession::block_on(const RtpReception& heard, std::int64_t now_ns) {
  if (before_.ssrc != heard.ssrc()) before_ = {heard.ssrc(), 0, 0};
  RtcpReportBlock block;
  block.ssrc = heard.ssrc();
  const std::uint32_t expected = heard.expected() - before_.expected, received = heard.received() - before_.received;
  if (received < expected) block.fraction = in_256(expected - received, expected);
  before_ = {heard.ssrc(), heard.expected(), heard.received()};
  const std::int64_t lost = std::int64_t{heard.expected()} - heard.received();
  block.lost = static_cast<std::int32_t>(std::clamp<std::int64_t>(lost, kLeastLost, kMostLost));
  block.highest = heard.highest();
  block.jitter = static_cast<std::uint32_t>(heard.jitter_ms * clock_hz_ / 1e3);
  if (last_sr_ && last_sr_->ssrc == heard.ssrc()) {
    block.last_sr = last_sr_->middle;
    block.since_sr = middle(as_ntp(std::max<std::int64_t>(now_ns - last_sr_->came_ns, 0)));
  }
  return block;
}

std::vector<std::uint8_t> RtcpSession::due(std::int64_t now_ns, const std::optional<RtpReception>& heard,
                                           int buffer_ms) {
  const auto interval = [this] {
    return static_cast<std::int64_t>(static_cast<double>(kInterval_ns) * (0.5 + random_.next_unit()));
  };
  if (!next_ns_) next_ns_ = now_ns + interval() / 2;
  if (now_ns < *next_ns_ || packets_ == 0) return {};
  next_ns_ = now_ns + interval();
  RtcpReport report{ssrc_};
  report.sender = {as_ntp(now_ns), timestamp_, packets_, octets_};
  if (heard) {
    report.blocks.push_back(block_on(*heard, now_ns));
    RtcpVoipMetrics voip;
    voip.ssrc = heard->ssrc();
    const std::uint32_t received = std::min(heard->received(), heard->expected());
    voip.loss = in_256(heard->expected() - received, heard->expected());
    voip.discard = in_256(heard->discarded(), heard->expected());
    const RtpReception::Bursts bursts = heard->bursts();
    const auto density = [](double share) { return static_cast<std::uint8_t>(std::min(share * 256, 255.0)); };
    const auto length_ms = [](double packets) {
      return static_cast<std::uint16_t>(std::min(packets * kPacket_ms, kLongest_ms));
    };
    voip.burst_density = density(bursts.burst_density);
    voip.gap_density = density(bursts.gap_density);
    voip.burst_ms = length_ms(bursts.burst_packets);
    voip.gap_ms = length_ms(bursts.gap_packets);
    voip.buffer_ms = static_cast<std::uint16_t>(buffer_ms);
    if (far_ && far_->round_trip_ms) {
      voip.round_trip_ms = static_cast<std::uint16_t>(std::min(*far_->round_trip_ms, kLongest_ms));
    }
    report.voip.push_back(voip);
  }
  return rtcp_packet(report);
}

void RtcpSession::take(const RtcpReport& report, std::int64_t came_ns) {
  if (report.sender) last_sr_ = {report.from, middle(report.sender->ntp), came_ns};
  const auto own = std::ranges::find(report.blocks, ssrc_, &RtcpReportBlock::ssrc);
  if (own == report.blocks.end()) return;
  // Anew: what this report does not say is not known any more.
  FarReport fresh;
  fresh.reports = far_ ? far_->reports + 1 : 1;
  far_ = fresh;
  far_->packets_lost = own->lost;
  far_->loss_fraction = own->fraction / 256.0;
  far_->jitter_ms = own->jitter * 1e3 / clock_hz_;
  if (own->last_sr != 0) {
    // In 1/65536 s, modulo 2^32: RFC 3550, 6.4.1.
    const std::uint32_t units = middle(as_ntp(came_ns)) - own->last_sr - own->since_sr;
    const double round_trip_ms = static_cast<std::int32_t>(units) * 1e3 / 65536;
    // The clocks' steps of 1/65536 s may make it negative by one or two.
    if (round_trip_ms > -1 && round_trip_ms < kLongestRoundTrip_ms) far_->round_trip_ms = std::max(round_trip_ms, 0.0);
  }
  const auto voip = std::ranges::find(report.voip, ssrc_, &RtcpVoipMetrics::ssrc);
  if (voip == report.voip.end()) return;
  far_->discard_fraction = voip->discard / 256.0;
  far_->buffer_ms = voip->buffer_ms;
  if (voip->mos_lq_tenths) far_->mos_lq = *voip->mos_lq_tenths / 10.0;
}

std::optional<FarReport> RtcpSession::far() {
  auto told = far_;
  if (far_) far_->reports = 0;
  return told;
}

}  // namespace vqas
