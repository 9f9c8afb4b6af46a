#include <fmt/format.h>

#include <concepts>

#include "channel/loss_pattern.h"
#include "channel/parse_toml.h"
#include "channel/profile_faults.h"
#include "channel/profile_fields.h"
#include "channel/profile_words.h"
#include "channel/toml_section.h"
#include "vqas/channel/profile_text.h"
#include "vqas/signal/input_file.h"

namespace vqas {
namespace {

using namespace profile_fields;
using namespace profile_words;

std::filesystem::path beside(const std::filesystem::path& where, const std::string& file) {
  std::error_code fault;
  const auto joined = where.parent_path() / file;  // an absolute path is kept
  const auto absolute = std::filesystem::absolute(joined, fault);
  return (fault ? joined : absolute).lexically_normal();
}

BerStep read_step(TomlSection& section) {
  BerStep step;
  section.number("duration_s", step.duration_s);
  if (section.has("ber") && (section.has("from_ber") || section.has("to_ber"))) {
    section.fault("ber", "a step has either ber, or from_ber and to_ber; leave one out");
  }
  if (section.has("from_ber") != section.has("to_ber")) {
    section.fault(section.has("from_ber") ? "from_ber" : "to_ber", "a ramp needs from_ber and to_ber; give both");
  }
  section.number("ber", step.from_ber);
  step.to_ber = step.from_ber;
  section.number("from_ber", step.from_ber);
  section.number("to_ber", step.to_ber);
  return step;
}

// False, after reporting it, if the text may not name files.
bool may_name_file(TomlSection& section, std::string_view key, ProfileFiles files) {
  if (files == ProfileFiles::read) return true;
  section.fault(key, fmt::format("{} names a file, which a profile sent as text cannot do; use a profile that was "
                                 "read from its file before",
                                 key));
  return false;
}

PatternReplay read_replay(TomlSection& section, ProfileFiles files) {
  PatternReplay replay;
  std::string file;
  section.text("file", file);
  section.flag("loop", replay.loop);
  if (file.empty()) {
    section.fault("file", "errors of the kind \"pattern\" need a file; give file = \"name.g192\"");
    return replay;
  }
  if (!may_name_file(section, "file", files)) return replay;
  replay.file = beside(section.where(), file);
  auto pattern = read_error_pattern(replay.file);
  if (pattern) {
    replay.pattern = std::make_shared<const ErrorPattern>(std::move(pattern).value());
  } else {
    section.fault("file", pattern.error().message);
  }
  return replay;
}

// Reads one field by its type.
struct ReadField {
  TomlSection& section;

  void operator()(std::string_view key, double& value) const { section.number(key, value); }
  void operator()(std::string_view key, bool& value) const { section.flag(key, value); }
  void operator()(std::string_view key, std::vector<double>& values) const { section.numbers(key, values); }
  template <std::integral Integer>
  void operator()(std::string_view key, Integer& value) const {
    section.integer(key, value);
  }
};

// Without this key the errors would have no effect.
template <typename Errors>
constexpr std::string_view kNeeded{};
template <>
constexpr std::string_view kNeeded<RandomRate> = "ber";
template <>
constexpr std::string_view kNeeded<ExactCount> = "errors";
template <>
constexpr std::string_view kNeeded<Bursts> = "burst_ber";
template <>
constexpr std::string_view kNeeded<GilbertElliott> = "bad_ber";
template <>
constexpr std::string_view kNeeded<ErrorsAt> = "at_s";

template <typename Errors>
std::optional<ErrorKind> read_kind(TomlSection& section) {
  Errors errors;
  section.need(kNeeded<Errors>, fmt::format("errors of the kind \"{}\" have no effect without {}; give it",
                                            kKind<Errors>, kNeeded<Errors>));
  visit_fields(errors, ReadField{section});
  return errors;
}

VaryingRate read_varying(TomlSection& section) {
  VaryingRate varying;
  section.sections("steps", [&varying](TomlSection& step) { varying.steps.push_back(read_step(step)); });
  section.flag("loop", varying.loop);
  return varying;
}

std::optional<ErrorKind> read_errors(TomlSection& section, ProfileFiles files) {
  std::string kind;
  section.text("kind", kind);
  if (kind == kKind<RandomRate>) return read_kind<RandomRate>(section);
  if (kind == kKind<ExactCount>) return read_kind<ExactCount>(section);
  if (kind == kKind<Bursts>) return read_kind<Bursts>(section);
  if (kind == kKind<GilbertElliott>) return read_kind<GilbertElliott>(section);
  if (kind == kKind<ErrorsAt>) return read_kind<ErrorsAt>(section);
  if (kind == kKind<PatternReplay>) return read_replay(section, files);
  if (kind == kKind<VaryingRate>) return read_varying(section);
  const std::string what = section.has("kind") ? fmt::format("errors of the kind \"{}\" are not known", kind)
                                               : std::string("errors have a kind");
  section.fault("kind", fmt::format("{}; give kind = \"random\", \"exact\", "
                                    "\"bursts\", \"gilbert-elliott\", \"single\", \"pattern\" or \"varying\"",
                                    what));
  return std::nullopt;
}

void read_mask(TomlSection& section, BitMask& mask) {
  std::int64_t number = mask;
  if (!section.has("error_mask")) return section.integer("error_mask", number);
  if (section.is_text("error_mask")) {
    section.choice("error_mask", mask, kMasks);
    return;
  }
  section.integer("error_mask", number);
  if (number < 1 || number > 255) {
    return section.fault("error_mask", fmt::format("error_mask is {}; give 1 to 255", number));
  }
  mask = static_cast<BitMask>(number);
}

LinkRelease read_release(TomlSection& section) {
  LinkRelease release;
  std::string network;
  section.text("network", network);
  if (section.has("network")) {
    const auto known = release_of_network(network);
    if (known) {
      release = *known;
    } else {
      section.fault("network", fmt::format("the network \"{}\" is not known; give \"terrestrial\", \"local-switch\" or "
                                           "\"satellite\", or ber and after_s",
                                           network));
    }
  }
  visit_fields(release, ReadField{section});
  return release;
}

void read_analogue(TomlSection& section, AnalogueParts& parts) {
  parts.agc = section.has("agc_target_dbov");
  section.number("agc_target_dbov", parts.agc_target_dbov);
  section.number("agc_range_db", parts.agc_range_db);
  section.number("hum_dbm0", parts.hum_dbm0);
  section.number("hum_hz", parts.hum_hz);
  section.number("clip_dbov", parts.clip_dbov);
  section.number("echo_loss_db", parts.echo_loss_db);
  section.number("echo_delay_s", parts.echo_delay_s);
}

Interruption read_interruption(TomlSection& section) {
  Interruption one;
  section.choice("fill", one.fill, kFills);
  section.number("start_s", one.start_s);
  section.number("duration_s", one.duration_s);
  section.number("every_s", one.every_s);
  return one;
}

Slip read_slip(TomlSection& section) {
  Slip one;
  section.number("at_s", one.at_s);
  section.integer("octets", one.octets);
  section.number("every_s", one.every_s);
  return one;
}

Bottleneck read_bottleneck(TomlSection& section) {
  Bottleneck link;
  section.number("rate_kbit_s", link.rate_kbit_s);
  section.choice("scheduling", link.scheduling, kSchedulings);
  section.number("video_kbit_s", link.video_kbit_s);
  section.number("background_video_kbit_s", link.background_video_kbit_s);
  section.integer("file_transfers", link.file_transfers);
  section.integer("queue_packets", link.queue_packets);
  return link;
}

PacketConditions read_packets(TomlSection& section, ProfileFiles files) {
  PacketConditions packets;
  section.number("packet_ms", packets.packet_ms);
  section.choice("loss", packets.loss, kLosses);
  const bool has_share = packets.loss == LossKind::random || packets.loss == LossKind::gilbert;
  if (has_share) section.need("loss_ratio", "loss has no effect without loss_ratio; give it");
  section.number("loss_ratio", packets.loss_ratio);
  section.number("mean_loss_packets", packets.mean_loss_packets);
  std::string file;
  section.text("loss_file", file);
  if (!file.empty() && may_name_file(section, "loss_file", files)) {
    packets.loss_file = beside(section.where(), file);
    auto pattern = read_loss_pattern(packets.loss_file);
    if (pattern) {
      packets.loss_pattern = std::make_shared<const std::vector<bool>>(std::move(pattern).value());
    } else {
      section.fault("loss_file", pattern.error().message);
    }
  }
  section.number("jitter_ms", packets.jitter_ms);
  section.flag("keeps_order", packets.keeps_order);
  section.number("reorder_ratio", packets.reorder_ratio);
  section.number("reorder_ms", packets.reorder_ms);
  section.number("duplicate_ratio", packets.duplicate_ratio);
  section.number("buffer_ms", packets.buffer_ms);
  section.choice("concealment", packets.concealment, kConcealments);
  section.section("bottleneck", [&](TomlSection& inner) { packets.bottleneck = read_bottleneck(inner); });
  return packets;
}

Profile read_all(TomlSection& section, ProfileFiles files) {
  Profile profile = plain_profile();
  section.text("name", profile.name);
  section.text("summary", profile.summary);
  LineConditions& line = profile.line;
  section.choice("law", line.law, kLaws);
  section.number("delay_s", line.delay_s);
  section.number("gain_db", line.gain_db);
  section.choice("band", profile.band, kBands);
  section.number("circuit_noise_dbm0p", line.circuit_noise_dbm0p);
  section.number("gain_ripple_db", line.gain_ripple_db);
  section.number("sender_clock_ppm", line.sender_clock_ppm);
  section.number("receiver_clock_ppm", line.receiver_clock_ppm);
  section.flag("fresh_phase", line.fresh_phase);
  read_mask(section, profile.error_mask);
  section.section("analogue", [&](TomlSection& inner) { read_analogue(inner, profile.analogue); });
  section.sections("errors", [&](TomlSection& inner) {
    if (auto errors = read_errors(inner, files)) profile.errors.push_back(std::move(*errors));
  });
  section.section("release", [&](TomlSection& inner) { profile.release = read_release(inner); });
  section.sections("interruptions",
                   [&](TomlSection& inner) { profile.interruptions.push_back(read_interruption(inner)); });
  section.sections("slips", [&](TomlSection& inner) { profile.slips.push_back(read_slip(inner)); });
  section.section("packets", [&](TomlSection& inner) { profile.packets = read_packets(inner, files); });
  section.finish();
  return profile;
}

// The line of a key, or of the innermost enclosing table in the text.
std::size_t line_of(const toml::table& root, std::string key) {
  while (!key.empty()) {
    if (const auto found = toml::at_path(root, key)) return found.node()->source().begin.line;
    const std::size_t last = key.find_last_of(".[");
    key = last == std::string::npos ? std::string() : key.substr(0, last);
  }
  return 1;
}

}  // namespace

Profile plain_profile() {
  Profile profile;
  profile.band = Band::full;
  profile.line.band_limit = false;
  profile.line.circuit_noise_dbm0p = -std::numeric_limits<double>::infinity();
  profile.line.gain_ripple_db = 0;
  profile.line.fresh_phase = false;
  return profile;
}

Result<Profile> parse_profile(const std::string& text, const std::filesystem::path& where, ProfileFiles files) {
  const auto table = parse_toml(text, where);
  if (!table) return table.error();
  TomlFaults faults(where);
  TomlSection section(*table, "", faults);
  Profile profile = read_all(section, files);
  if (faults.first()) return *faults.first();
  const auto fault = find_fault(profile);
  if (fault) {
    faults.add_at(line_of(*table, fault->key), fault->key + " " + fault->message);
    return *faults.first();
  }
  // Keeps the profile's plain conditions consistent with its band.
  profile.line.band_limit = profile.band != Band::full;
  return profile;
}

Result<Profile> read_profile(const std::filesystem::path& file) {
  const auto text = read_whole_file(file, {"profile", kLongestToml, "give a file with a profile in TOML"});
  if (!text) return text.error();
  auto profile = parse_profile(*text, file);
  if (profile && profile->name.empty()) profile->name = file.stem().string();
  return profile;
}

}  // namespace vqas
