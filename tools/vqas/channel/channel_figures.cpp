#include "channel/channel_figures.h"

#include <fmt/format.h>

namespace vqas::cli {

nlohmann::ordered_json counters_json(const ErrorCounters& counters) {
  const RatioInterval ber = counters.ber_interval();
  const G821Seconds& seconds = counters.seconds();
  nlohmann::ordered_json json{{"bits", counters.bits()},
                              {"bit_errors", counters.errors()},
                              {"measured_ber", ber.ratio},
                              {"ber_low_95", ber.low},
                              {"ber_high_95", ber.high}};
  json["g821_seconds"] = {{"total", seconds.total},
                          {"error_free", seconds.error_free},
                          {"errored", seconds.errored},
                          {"severely_errored", seconds.severely_errored},
                          {"unavailable", seconds.unavailable}};
  json["bursts_by_length"] = nlohmann::ordered_json::object();
  const auto bursts = counters.bursts();
  for (std::size_t i = 0; i < bursts.size(); ++i) {
    if (bursts[i] > 0) json["bursts_by_length"][ErrorCounters::burst_lengths(i)] = bursts[i];
  }
  return json;
}

nlohmann::ordered_json packets_json(const PacketCounters& packets) {
  const std::uint64_t came = packets.sent - packets.lost;
  return {{"sent", packets.sent},
          {"lost", packets.lost},
          {"late", packets.late},
          {"overtaken", packets.overtaken},
          {"duplicates", packets.duplicates},
          {"concealed", packets.concealed},
          {"mean_delay_ms", came > 0 ? packets.delay_sum_ms / static_cast<double>(came) : 0},
          {"largest_delay_ms", packets.largest_delay_ms},
          {"video_sent", packets.video_sent},
          {"video_lost", packets.video_lost}};
}

std::string counters_line(const ErrorCounters& counters) {
  const RatioInterval ber = counters.ber_interval();
  const G821Seconds& seconds = counters.seconds();
  return fmt::format("{} bits, {} errors, BER {:.4g} (95 %: {:.4g} to {:.4g}); of {} s {} errored, {} unavailable",
                     counters.bits(), counters.errors(), ber.ratio, ber.low, ber.high, seconds.total, seconds.errored,
                     seconds.unavailable);
}

}  // namespace vqas::cli
