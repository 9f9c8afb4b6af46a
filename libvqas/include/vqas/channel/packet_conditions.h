#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace vqas {

/// How the packets of a voice flow get lost.
enum class LossKind : std::uint8_t {
  none,
  random,   ///< each on its own
  gilbert,  ///< in bursts: E. N. Gilbert, BSTJ 39, 1960, with all lost in the bad state and none in the good one
  pattern,  ///< as a G.192 file of frame marks says (0x6B21 arrives, 0x6B20 is lost), from its start again at its end
};

/// What is played where a packet did not come in time.
enum class Concealment : std::uint8_t {
  silence,
  repeat,  ///< the last packet again, faded out over 60 ms
  pitch,   ///< the last pitch period again, overlapped and faded as ITU-T G.711 Appendix I describes
};

/// What decides which packet leaves a router next.
enum class Scheduling : std::uint8_t {
  fifo,         ///< in the order of arrival, one queue for all
  fair,         ///< fair queueing: each flow has its share (S. J. Golestani, self-clocked fair queueing, INFOCOM 1994)
  reservation,  ///< the same with weights: voice and wanted video have what they need, others what is left
};

/// A link of given rate that the voice shares with others, as the routers in front of the satellite and ISDN links of
/// Adami, Marchese and Ronga, "TCP/IP-based multimedia applications and services over satellite links", IEEE Personal
/// Communications, June 2001.
struct Bottleneck {
  double rate_kbit_s = 512;  ///< 100..100000
  Scheduling scheduling = Scheduling::fifo;
  double video_kbit_s = 0;             ///< wanted video, 0..10000; 15 pictures a second
  double background_video_kbit_s = 0;  ///< a video that nobody here wants, 0..10000
  int file_transfers = 0;              ///< greedy transfers with 64 KiB windows, 0..16
  int queue_packets = 64;              ///< room of the queue, or of each queue, 1..1000
  bool operator==(const Bottleneck&) const = default;
};

/// The part of a line that carries voice in packets: G.711 in, sound out.
struct PacketConditions {
  double packet_ms = 20;  ///< 5..60, whole octets

  LossKind loss = LossKind::none;
  double loss_ratio = 0;            ///< random and gilbert: share of the packets, 0..0.9
  double mean_loss_packets = 2;     ///< gilbert: how many are lost in a row, 1..100
  std::filesystem::path loss_file;  ///< pattern

  double jitter_ms = 0;        ///< mean of each packet's own further delay, exponential; 0..500
  bool keeps_order = false;    ///< a packet never overtakes: delayed ones hold up those behind
  double reorder_ratio = 0;    ///< share of the packets held back by `reorder_ms` besides, 0..0.5
  double reorder_ms = 30;      ///< 0..500
  double duplicate_ratio = 0;  ///< share of the packets that come twice, 0..0.5

  double buffer_ms = 60;  ///< of the jitter buffer: what comes later than this after the fastest is lost; 0..1000
  Concealment concealment = Concealment::pitch;

  std::optional<Bottleneck> bottleneck;

  /// What `loss_file` holds: true is lost. Filled by whoever reads the profile.
  std::shared_ptr<const std::vector<bool>> loss_pattern;

  bool operator==(const PacketConditions& other) const;
};

}  // namespace vqas
