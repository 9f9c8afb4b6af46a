#include <fmt/format.h>

#include <cmath>
#include <string>

#include "channel/profile_fields.h"
#include "channel/profile_words.h"
#include "vqas/channel/profile_text.h"

namespace vqas {
namespace {

using namespace profile_fields;
using namespace profile_words;

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      result += c;
    }
  }
  return result + '"';
}

// Lines "key = value"; values equal to the default are left out.
class Writer {
 public:
  void head(const char* text) { text_ += fmt::format("\n{}\n", text); }
  void line(const char* key, double value) { text_ += fmt::format("{} = {}\n", key, value); }
  void line(const char* key, bool value) { text_ += fmt::format("{} = {}\n", key, value ? "true" : "false"); }
  void line(const char* key, int value) { text_ += fmt::format("{} = {}\n", key, value); }
  void line(const char* key, std::uint64_t value) { text_ += fmt::format("{} = {}\n", key, value); }
  void line(const char* key, std::string_view value) { text_ += fmt::format("{} = {}\n", key, quoted(value)); }
  void line(const char* key, const std::vector<double>& values) {
    std::string list;
    for (const double value : values) list += (list.empty() ? "" : ", ") + fmt::format("{}", value);
    raw(fmt::format("{} = [{}]\n", key, list));
  }
  template <typename T>
  void unless(const char* key, const T& value, const T& usual) {
    if (value != usual) line(key, value);
  }
  void raw(const std::string& text) { text_ += text; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

struct WriteErrors {
  Writer& out;

  template <typename Errors>
  void operator()(const Errors& errors) const {
    out.line("kind", kKind<Errors>);
    visit_fields(errors, [this](const char* key, const auto& value) { out.line(key, value); });
  }
  void operator()(const PatternReplay& replay) const {
    out.line("kind", kKind<PatternReplay>);
    out.line("file", std::string_view(replay.file.native()));
    out.line("loop", replay.loop);
  }
  void operator()(const VaryingRate& varying) const {
    out.line("kind", kKind<VaryingRate>);
    out.line("loop", varying.loop);
    out.raw("steps = [\n");
    for (const BerStep& step : varying.steps) {
      if (step.from_ber == step.to_ber) {
        out.raw(fmt::format("  {{ duration_s = {}, ber = {} }},\n", step.duration_s, step.from_ber));
      } else {
        out.raw(fmt::format("  {{ duration_s = {}, from_ber = {}, to_ber = {} }},\n", step.duration_s, step.from_ber,
                            step.to_ber));
      }
    }
    out.raw("]\n");
  }
};

void write_line(Writer& out, const Profile& profile) {
  const Profile usual = plain_profile();
  const LineConditions& line = profile.line;
  if (!profile.name.empty()) out.line("name", std::string_view(profile.name));
  if (!profile.summary.empty()) out.line("summary", std::string_view(profile.summary));
  out.line("law", word_of(kLaws, line.law));
  out.line("delay_s", line.delay_s);
  out.unless("gain_db", line.gain_db, usual.line.gain_db);
  if (profile.band != usual.band) out.line("band", word_of(kBands, profile.band));
  out.unless("circuit_noise_dbm0p", line.circuit_noise_dbm0p, usual.line.circuit_noise_dbm0p);
  out.unless("gain_ripple_db", line.gain_ripple_db, usual.line.gain_ripple_db);
  out.unless("sender_clock_ppm", line.sender_clock_ppm, usual.line.sender_clock_ppm);
  out.unless("receiver_clock_ppm", line.receiver_clock_ppm, usual.line.receiver_clock_ppm);
  out.unless("fresh_phase", line.fresh_phase, usual.line.fresh_phase);
  if (profile.error_mask != kAllBits) {
    const auto word = word_of(kMasks, profile.error_mask);
    if (word.empty()) {
      out.line("error_mask", static_cast<int>(profile.error_mask));
    } else {
      out.line("error_mask", word);
    }
  }
}

void write_analogue(Writer& out, const AnalogueParts& parts) {
  const AnalogueParts usual;
  if (parts == usual) return;
  out.head("[analogue]");
  if (parts.agc) out.line("agc_target_dbov", parts.agc_target_dbov);
  out.unless("agc_range_db", parts.agc_range_db, usual.agc_range_db);
  out.unless("hum_dbm0", parts.hum_dbm0, usual.hum_dbm0);
  out.unless("hum_hz", parts.hum_hz, usual.hum_hz);
  out.unless("clip_dbov", parts.clip_dbov, usual.clip_dbov);
  out.unless("echo_loss_db", parts.echo_loss_db, usual.echo_loss_db);
  out.unless("echo_delay_s", parts.echo_delay_s, usual.echo_delay_s);
}

void write_events(Writer& out, const Profile& profile) {
  if (profile.release) {
    out.head("[release]");
    visit_fields(*profile.release, [&out](const char* key, const auto& value) { out.line(key, value); });
  }
  for (const Interruption& one : profile.interruptions) {
    out.head("[[interruptions]]");
    out.line("fill", word_of(kFills, one.fill));
    out.line("start_s", one.start_s);
    out.line("duration_s", one.duration_s);
    out.unless("every_s", one.every_s, 0.0);
  }
  for (const Slip& one : profile.slips) {
    out.head("[[slips]]");
    out.line("at_s", one.at_s);
    out.line("octets", one.octets);
    out.unless("every_s", one.every_s, 0.0);
  }
}

void write_packets(Writer& out, const PacketConditions& packets) {
  const PacketConditions usual;
  out.head("[packets]");
  out.line("packet_ms", packets.packet_ms);
  if (packets.loss != LossKind::none) out.line("loss", word_of(kLosses, packets.loss));
  if (packets.loss == LossKind::random || packets.loss == LossKind::gilbert) out.line("loss_ratio", packets.loss_ratio);
  out.unless("mean_loss_packets", packets.mean_loss_packets, usual.mean_loss_packets);
  if (!packets.loss_file.empty()) out.line("loss_file", std::string_view(packets.loss_file.native()));
  out.unless("jitter_ms", packets.jitter_ms, usual.jitter_ms);
  out.unless("keeps_order", packets.keeps_order, usual.keeps_order);
  out.unless("reorder_ratio", packets.reorder_ratio, usual.reorder_ratio);
  out.unless("reorder_ms", packets.reorder_ms, usual.reorder_ms);
  out.unless("duplicate_ratio", packets.duplicate_ratio, usual.duplicate_ratio);
  out.line("buffer_ms", packets.buffer_ms);
  out.line("concealment", word_of(kConcealments, packets.concealment));
  if (!packets.bottleneck) return;
  const Bottleneck& link = *packets.bottleneck;
  out.head("[packets.bottleneck]");
  out.line("rate_kbit_s", link.rate_kbit_s);
  out.line("scheduling", word_of(kSchedulings, link.scheduling));
  out.line("video_kbit_s", link.video_kbit_s);
  out.line("background_video_kbit_s", link.background_video_kbit_s);
  out.line("file_transfers", link.file_transfers);
  out.line("queue_packets", link.queue_packets);
}

}  // namespace

std::string profile_toml(const Profile& profile) {
  Writer out;
  write_line(out, profile);
  write_analogue(out, profile.analogue);
  for (const ErrorKind& errors : profile.errors) {
    out.head("[[errors]]");
    std::visit(WriteErrors{out}, errors);
  }
  write_events(out, profile);
  if (profile.packets) write_packets(out, *profile.packets);
  return out.take();
}

}  // namespace vqas
