#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vqas/channel/packet_conditions.h"
#include "vqas/channel/random.h"

namespace vqas {

/// Simulates a router and its outgoing link event by event: a voice flow of one packet every `packet_s`, video, and
/// file transfers. Sizes include 40 octets of IP, UDP and RTP (or TCP) headers. A video sends the packets of a picture
/// together, 15 pictures a second, sizes uniform within ±25 % of their mean. A file transfer is a TCP with a window of
/// 64 KiB, slow start from one segment, a halved window after a loss, and 0.5 s plus the queue until a segment is
/// acknowledged: Adami, Marchese and Ronga, 2001 (the reference configuration of its table 2; the picture rate of its
/// table 1). Only the constructor allocates; for one thread.
class BottleneckLink {
 public:
  struct Fate {
    bool lost = false;
    double delay_s = 0;  ///< in queue and on the link, beyond the link's time for one voice packet
  };
  struct FlowCounters {
    std::uint64_t sent = 0;  ///< left the link
    std::uint64_t lost = 0;
    double delay_sum_s = 0;
  };

  /// The next constructor, followed by begin().
  BottleneckLink(const Bottleneck& conditions, double packet_s, const Random& random) : BottleneckLink(conditions) {
    begin(packet_s, random);
  }
  explicit BottleneckLink(const Bottleneck& conditions);
  /// Called once, before the first packet: voice packets come every `packet_s`. Separate from construction, because the
  /// packet length of a live call is known only from its first packet.
  void begin(double packet_s, const Random& random);
  bool has_begun() const { return packet_s_ > 0; }
  /// Fate of the next voice packet; only after begin().
  Fate next_voice();
  const FlowCounters& voice() const { return flows_[kVoice].counters; }
  const FlowCounters& video() const { return flows_[kVideo].counters; }
  const FlowCounters& files(std::size_t number) const { return flows_[kFirstFile + number].counters; }

 private:
  static constexpr std::size_t kVoice = 0, kVideo = 1, kBackground = 2, kFirstFile = 3;
  static constexpr std::size_t kMostFlows = kFirstFile + 16;
  static constexpr std::size_t kMostWaiting = 2048;  // voice packets in the link, a power of two
  static constexpr std::size_t kMostInFlight = 64;   // segments of a file transfer

  struct Packet {
    double arrived_s = 0;
    double tag = 0;  // virtual finish time
    std::uint64_t number = 0;
    std::uint32_t octets = 0;
    std::uint8_t flow = 0;
  };
  // First in, first out, of a fixed capacity.
  struct Queue {
    std::vector<Packet> packets;
    std::size_t first = 0, size = 0;
    const Packet& front() const { return packets[first]; }
    bool put(const Packet& packet);
    void pop();
  };
  struct Notice {  // to a file transfer: a segment was acknowledged, or its loss was noticed
    double at_s;
    bool lost;
  };
  struct FileTransfer {
    double window = 1, threshold = 1e9;  // segments
    std::array<Notice, kMostInFlight> notices;
    std::size_t first = 0, in_flight = 0, known = 0;
    double deaf_until_s = 0;  // losses of one window count once
  };
  struct Flow {
    double weight = 1;  // share of the link
    double last_tag = 0;
    double next_s = 0;  // of its own next event
    double picture_bits = 0;
    std::uint64_t made = 0;
    FileTransfer file;
    Queue queue;
    FlowCounters counters;
  };

  void next_event();
  void arrive(std::size_t flow, std::uint32_t octets);
  void begin_service();
  void depart();
  void drop(std::size_t flow, std::uint64_t number);
  void send_picture(std::size_t flow);
  void hear_notice(std::size_t flow);
  void fill_window(std::size_t flow);
  void notify(std::size_t flow, bool lost);
  Fate& fate(std::uint64_t number) { return fates_[number % kMostWaiting]; }

  Bottleneck conditions_;
  double packet_s_ = 0;
  double bits_per_s_;
  std::uint32_t voice_octets_ = 0;
  Random random_;
  std::array<Flow, kMostFlows> flows_;
  std::size_t flow_count_;
  Queue common_;  // FIFO
  Packet served_;
  bool busy_ = false;
  double departure_s_ = 0;
  double now_s_ = 0;
  double virtual_ = 0;
  std::uint64_t next_voice_ = 0;
  std::array<Fate, kMostWaiting> fates_;
  std::array<bool, kMostWaiting> known_{};
};

}  // namespace vqas
