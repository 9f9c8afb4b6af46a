#include "channel/bottleneck.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vqas/signal/signal.h"

namespace vqas {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kHeads = 40;
constexpr std::uint32_t kVideoPayload = 1000;
constexpr double kPictures_s = 15;
constexpr double kPictureSpread = 0.25;
constexpr std::uint32_t kSegment = 1500;
constexpr double kMostWindow = 65536.0 / (kSegment - kHeads);
constexpr double kAcknowledge_s = 0.5;
constexpr double kReservedOfLink = 0.75;  // share of an interface that routers allow to be reserved
constexpr double kMargin = 1.1;           // reserved above the need, so that a queue drains

}  // namespace

bool BottleneckLink::Queue::put(const Packet& packet) {
  if (size == packets.size()) return false;
  packets[(first + size) % packets.size()] = packet;
  ++size;
  return true;
}

void BottleneckLink::Queue::pop() {
  first = (first + 1) % packets.size();
  --size;
}

BottleneckLink::BottleneckLink(const Bottleneck& conditions)
    : conditions_(conditions),
      bits_per_s_(conditions.rate_kbit_s * 1000),
      random_(0),
      flow_count_(kFirstFile + static_cast<std::size_t>(conditions.file_transfers)) {
  const auto room = static_cast<std::size_t>(conditions.queue_packets);
  if (conditions.scheduling == Scheduling::fifo) {
    common_.packets.resize(room);
  } else {
    for (std::size_t i = 0; i < flow_count_; ++i) flows_[i].queue.packets.resize(room);
  }
}

void BottleneckLink::begin(double packet_s, const Random& random) {
  packet_s_ = packet_s;
  voice_octets_ = static_cast<std::uint32_t>(std::lround(packet_s * kLineRateHz)) + kHeads;
  random_ = random;
  const auto start_video = [&](std::size_t flow, double kbit_s) {
    flows_[flow].picture_bits = kbit_s * 1000 / kPictures_s;
    flows_[flow].next_s = kbit_s > 0 ? random_.next_unit() / kPictures_s : kNever;
  };
  start_video(kVideo, conditions_.video_kbit_s);
  start_video(kBackground, conditions_.background_video_kbit_s);
  for (std::size_t i = kFirstFile; i < flow_count_; ++i) flows_[i].next_s = random_.next_unit();
  if (conditions_.scheduling == Scheduling::reservation) {
    const double voice = kMargin * 8 * voice_octets_ / packet_s;
    const double heads = 1 + static_cast<double>(kHeads) / kVideoPayload;
    const double video = std::min(kMargin * heads * conditions_.video_kbit_s * 1000,
                                  kReservedOfLink * std::max(0.0, bits_per_s_ - voice));
    const double rest = std::max(bits_per_s_ - voice - video, 0.01 * bits_per_s_);
    flows_[kVoice].weight = voice;
    flows_[kVideo].weight = std::max(video, 1.0);
    const double others = static_cast<double>(flow_count_ - kBackground);
    for (std::size_t i = kBackground; i < flow_count_; ++i) flows_[i].weight = rest / others;
  }
}

BottleneckLink::Fate BottleneckLink::next_voice() {
  while (!known_[next_voice_ % kMostWaiting]) next_event();
  known_[next_voice_ % kMostWaiting] = false;
  return fate(next_voice_++);
}

void BottleneckLink::next_event() {
  std::size_t next = 0;
  for (std::size_t i = 1; i < flow_count_; ++i) {
    if (flows_[i].next_s < flows_[next].next_s) next = i;
  }
  // A packet that leaves at the instant another arrives makes room for it.
  if (busy_ && departure_s_ <= flows_[next].next_s) {
    now_s_ = departure_s_;
    return depart();
  }
  now_s_ = flows_[next].next_s;
  if (next == kVoice) {
    arrive(kVoice, voice_octets_);
    flows_[kVoice].next_s = static_cast<double>(flows_[kVoice].made) * packet_s_;
  } else if (next < kFirstFile) {
    send_picture(next);
  } else {
    hear_notice(next);
  }
}

void BottleneckLink::send_picture(std::size_t flow) {
  Flow& video = flows_[flow];
  const double spread = 1 + kPictureSpread * (2 * random_.next_unit() - 1);
  auto left = static_cast<std::uint32_t>(std::lround(video.picture_bits * spread / 8));
  for (; left > 0; left -= std::min(left, kVideoPayload)) arrive(flow, std::min(left, kVideoPayload) + kHeads);
  video.next_s += 1 / kPictures_s;
}

void BottleneckLink::arrive(std::size_t flow, std::uint32_t octets) {
  Flow& of = flows_[flow];
  Packet packet;
  packet.arrived_s = now_s_;
  packet.number = of.made++;
  packet.octets = octets;
  packet.flow = static_cast<std::uint8_t>(flow);
  const bool fifo = conditions_.scheduling == Scheduling::fifo;
  if (!fifo) packet.tag = std::max(virtual_, of.last_tag) + octets / of.weight;
  if (!(fifo ? common_ : of.queue).put(packet)) return drop(flow, packet.number);
  of.last_tag = packet.tag;
  if (!busy_) begin_service();
}

void BottleneckLink::drop(std::size_t flow, std::uint64_t number) {
  ++flows_[flow].counters.lost;
  if (flow == kVoice) {
    fate(number) = {true, 0};
    known_[number % kMostWaiting] = true;
  }
  if (flow >= kFirstFile) notify(flow, true);
}

void BottleneckLink::begin_service() {
  Queue* from = nullptr;
  if (conditions_.scheduling == Scheduling::fifo) {
    if (common_.size > 0) from = &common_;
  } else {
    for (std::size_t i = 0; i < flow_count_; ++i) {
      Queue& queue = flows_[i].queue;
      if (queue.size > 0 && (from == nullptr || queue.front().tag < from->front().tag)) from = &queue;
    }
  }
  busy_ = from != nullptr;
  if (!busy_) return;
  served_ = from->front();
  from->pop();
  virtual_ = served_.tag;
  departure_s_ = now_s_ + 8 * served_.octets / bits_per_s_;
}

void BottleneckLink::depart() {
  Flow& of = flows_[served_.flow];
  const double delay_s = now_s_ - served_.arrived_s;
  ++of.counters.sent;
  of.counters.delay_sum_s += delay_s;
  if (served_.flow == kVoice) {
    fate(served_.number) = {false, std::max(0.0, delay_s - 8 * voice_octets_ / bits_per_s_)};
    known_[served_.number % kMostWaiting] = true;
  }
  if (served_.flow >= kFirstFile) notify(served_.flow, false);
  begin_service();
}

void BottleneckLink::notify(std::size_t flow, bool lost) {
  FileTransfer& file = flows_[flow].file;
  file.notices[(file.first + file.known) % kMostInFlight] = {now_s_ + kAcknowledge_s, lost};
  ++file.known;
  flows_[flow].next_s = file.notices[file.first].at_s;
}

void BottleneckLink::hear_notice(std::size_t flow) {
  FileTransfer& file = flows_[flow].file;
  if (file.known > 0) {
    const Notice notice = file.notices[file.first];
    file.first = (file.first + 1) % kMostInFlight;
    --file.known;
    --file.in_flight;
    if (!notice.lost) {
      file.window += file.window < file.threshold ? 1 : 1 / file.window;
      file.window = std::min(file.window, kMostWindow);
    } else if (now_s_ >= file.deaf_until_s) {
      file.window = std::max(1.0, file.window / 2);
      file.threshold = std::max(2.0, file.window);
      file.deaf_until_s = now_s_ + kAcknowledge_s;
    }
  }
  flows_[flow].next_s = file.known > 0 ? file.notices[file.first].at_s : kNever;
  fill_window(flow);
}

void BottleneckLink::fill_window(std::size_t flow) {
  FileTransfer& file = flows_[flow].file;
  while (static_cast<double>(file.in_flight + 1) <= file.window && file.in_flight < kMostInFlight) {
    ++file.in_flight;
    arrive(flow, kSegment);
  }
}

}  // namespace vqas
