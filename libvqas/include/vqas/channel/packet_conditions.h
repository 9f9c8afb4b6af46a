#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace vqas {

/// How packets of a voice flow are lost.
enum class LossKind : std::uint8_t {
  none,
  random,   ///< independently
  gilbert,  ///< in bursts: E. N. Gilbert, BSTJ 39, 1960, with all lost in the bad state and none in the good one
  pattern,  ///< as listed in a G.192 file of frame marks (0x6B21 arrives, 0x6B20 is lost), repeated from its start
};

/// What is played in place of a packet that did not arrive in time.
enum class Concealment : std::uint8_t {
  silence,
  repeat,  ///< the last packet again, faded out over 60 ms
  pitch,   ///< the last pitch period again, overlapped and faded as ITU-T G.711 Appendix I describes
};

/// How a router chooses the next packet to send.
enum class Scheduling : std::uint8_t {
  fifo,         ///< in the order of arrival, one queue for all
  fair,         ///< fair queueing: each flow gets its share (S. J. Golestani, self-clocked fair queueing, INFOCOM 1994)
  reservation,  ///< the same with weights: voice and wanted video get what they need, others the rest
};

/// A link of given rate that the voice shares with other traffic, like the routers before the satellite and ISDN links
/// of Adami, Marchese and Ronga, "TCP/IP-based multimedia applications and services over satellite links", IEEE
/// Personal Communications, June 2001.
struct Bottleneck {
  double rate_kbit_s = 512;  ///< 100..100000
  Scheduling scheduling = Scheduling::fifo;
  double video_kbit_s = 0;             ///< wanted video, 0..10000; 15 pictures a second
  double background_video_kbit_s = 0;  ///< unwanted video, 0..10000
  int file_transfers = 0;              ///< greedy transfers with 64 KiB windows, 0..16
  int queue_packets = 64;              ///< capacity of the queue, or of each queue, 1..1000
  bool operator==(const Bottleneck&) const = default;
};

/// The part of a line that carries voice in packets: G.711 in, sound out.
struct PacketConditions {
  double packet_ms = 20;  ///< 5..60, whole octets

  LossKind loss = LossKind::none;
  double loss_ratio = 0;            ///< random and gilbert: share of the packets, 0..0.9
  double mean_loss_packets = 2;     ///< gilbert: mean number lost in a row, 1..100
  std::filesystem::path loss_file;  ///< pattern

  double jitter_ms = 0;        ///< mean of each packet's additional delay, exponential; 0..500
  bool keeps_order = false;    ///< no overtaking: a delayed packet holds up those behind it
  double reorder_ratio = 0;    ///< share of the packets delayed by a further `reorder_ms`, 0..0.5
  double reorder_ms = 30;      ///< 0..500
  double duplicate_ratio = 0;  ///< share of the packets that arrive twice, 0..0.5

  double buffer_ms = 60;  ///< of the jitter buffer: a packet later than this after the fastest is lost; 0..1000
  Concealment concealment = Concealment::pitch;

  std::optional<Bottleneck> bottleneck;

  /// Content of `loss_file`: true is lost. Filled when the profile is read.
  std::shared_ptr<const std::vector<bool>> loss_pattern;

  bool operator==(const PacketConditions& other) const;
};

}  // namespace vqas
