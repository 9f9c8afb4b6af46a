#include "model/run_settings.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTimeZone>
#include <algorithm>
#include <optional>
#include <tuple>

#include "model/phrases.h"
#include "model/text.h"
#include "vqas/channel/profile_library.h"
#include "vqas/line/simulator.h"
#include "vqas/run/node_address.h"
#include "vqas/sampling/sampler.h"
#include "vqas/store/local_time.h"
#include "vqas/store/plan.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

/// Most measurements of a stimulus that a controller accepts.
constexpr qulonglong kLargestCap = 1000;

constexpr int kLongestMinutes = 1'000'000;

constexpr int kLongestHours = 366 * 24;  // of a campaign

constexpr qsizetype kLongestTag = 1024;  // bytes, as in a plan

constexpr double kSimulatedGainDb = -3;

class FormReader {
 public:
  FormReader(const SettingsForm& form, FormReading& reading) : form_(form), reading_(reading) {}

  void read_simulated_line() {
    LineConditions& conditions = reading_.settings.conditions;
    conditions.gain_db = kSimulatedGainDb;
    read_codec();
    if (const QString name = form_.profile.trimmed(); !name.isEmpty()) return read_profile(name);
    if (const auto ber = number(form_.ber); ber && in_ber_range(*ber))
      conditions.ber = *ber;
    else
      fault(Field::ber, Text::tr("Bit error ratio: write 0, or a number from 1e-12 to 0.5, for example 1e-5"));
    if (const auto delay = number(form_.delay_ms);
        delay && *delay >= kSimulatorShortestDelay_s * 1000 && *delay <= 10000)
      conditions.delay_s = *delay / 1000;
    else
      fault(Field::delay_ms, Text::tr("Delay: write milliseconds from %1 to 10000, for example 250")
                                 .arg(kSimulatorShortestDelay_s * 1000));
  }

  void read_nodes(const QString& home) {
    reading_.settings.node_a = node_address(form_.node_a, Field::node_a, Text::tr("Node A"));
    reading_.settings.node_b = node_address(form_.node_b, Field::node_b, Text::tr("Node B"));
    reading_.settings.access_a = access_file(form_.access_a, home, Field::access_a, u"A"_s);
    reading_.settings.access_b = access_file(form_.access_b, home, Field::access_b, u"B"_s);
    if (!reading_.settings.node_a.isEmpty() && reading_.settings.node_a == reading_.settings.node_b)
      fault(Field::node_b,
            Text::tr("Node B: it has the address of node A; each end of the line has a node of its own"));
  }

  void read_mode() {
    RunSettings& settings = reading_.settings;
    settings.narrowband_too = form_.mode == u"both"_s;
    settings.mode = form_.mode == u"nb"_s ? ScoreMode::narrowband : ScoreMode::wideband;
    if (settings.line == LineKind::simulated && settings.mode == ScoreMode::wideband &&
        settings.codec == LineCodec::g711)
      fault(Field::mode, Text::tr("Scores: a simulated line of G.711 carries the telephone band alone; choose G.722, "
                                  "L16 or the gateway as its codec, or scores of the telephone band"));
  }

  void read_sampling() {
    bool seed_ok = false;
    reading_.settings.seed = form_.seed.trimmed().toULongLong(&seed_ok);
    if (!seed_ok) fault(Field::seed, Text::tr("Seed: write a whole number from 0 to 18446744073709551615"));
    reading_.settings.goal = form_.goal;
    if (form_.goal == GoalOf::line_time) return read_minutes();
    if (form_.goal == GoalOf::above) read_limit();
    const qulonglong least = SamplerOptions{}.first_count;
    bool cap_ok = false;
    const qulonglong cap = form_.cap.trimmed().toULongLong(&cap_ok);
    if (cap_ok && cap >= least && cap <= kLargestCap)
      reading_.settings.cap = static_cast<std::size_t>(cap);
    else
      fault(Field::cap, Text::tr("Most measurements: write a whole number from %1 to %2 for each stimulus")
                            .arg(least)
                            .arg(kLargestCap));
  }

  void read_about() {
    RunAbout& about = reading_.settings.about;
    about.notes = text(form_.notes, static_cast<qsizetype>(kLongestNotes), Field::notes, Text::tr("Notes"));
    for (const auto& [tag, typed, field, label] : {std::tuple{"site", &form_.site, Field::site, Text::tr("Site")},
                                                   {"circuit", &form_.circuit, Field::circuit, Text::tr("Circuit")}}) {
      if (std::string words = text(*typed, kLongestTag, field, label); !words.empty())
        about.tags[tag] = std::move(words);
    }
  }

  void read_stimuli() {
    static const QRegularExpression separators(u"[\\s,;]+"_s);
    static const QRegularExpression name(u"^[A-Za-z0-9_-]{1,64}$"_s);
    for (const QString& id : form_.stimuli.split(separators, Qt::SkipEmptyParts)) {
      if (!name.match(id).hasMatch())
        return fault(Field::stimuli,
                     Text::tr("Stimuli: \"%1\" is not a name of a stimulus; write them like M1, F5, or leave the "
                              "field empty for all")
                         .arg(id.left(40)));
      if (reading_.settings.stimuli.contains(id))
        return fault(Field::stimuli, Text::tr("Stimuli: %1 is named twice; name each once").arg(id));
      reading_.settings.stimuli.append(id);
    }
  }

  void read_repeats() {
    Repeats& repeats = reading_.settings.repeats;
    const QString every = form_.every_min.trimmed(), at = form_.at.trimmed(), for_h = form_.for_h.trimmed();
    if (every.isEmpty() && at.isEmpty() && for_h.isEmpty()) return;
    if (every.isEmpty() == at.isEmpty())
      return fault(Field::every, Text::tr("Repeats: write either minutes from start to start, or times of day"));
    const auto hours = number(for_h);
    if (!hours || *hours <= 0 || *hours > kLongestHours)
      return fault(
          Field::for_h,
          Text::tr("For: write for how many hours it is repeated, at most %1; 24 is a day").arg(kLongestHours));
    if (!every.isEmpty()) {
      const auto minutes = number(every);
      if (!minutes || *minutes < 1 || *minutes > 60 * *hours)
        return fault(Field::every, Text::tr("Repeats: write minutes, at least 1 and not more than the whole time"));
      repeats.every_s = 60 * *minutes;
    } else if (!read_times_of_day(at, repeats)) {
      return fault(Field::at, Text::tr("At: write different times of day, for example 9:00, 17:30"));
    } else if (local_zone().empty()) {
      return fault(Field::at, Text::tr("At: the time zone of this machine is not known; write minutes from start to "
                                       "start, or set the zone of the machine"));
    } else if (*hours < 24) {
      return fault(Field::for_h, Text::tr("For: times of day need 24 hours or more"));
    }
    repeats.for_s = 3600 * *hours;
    check_count(repeats);
  }

  void read_directions() {
    reading_.settings.a_to_b = form_.a_to_b;
    reading_.settings.b_to_a = form_.b_to_a;
    if (!form_.a_to_b && !form_.b_to_a)
      fault(Field::directions, Text::tr("Directions: choose A to B, B to A, or both"));
  }

  void read_folder(const QString& home, const QDateTime& now) {
    const QString folder = typed_path(form_.folder, home);
    reading_.settings.folder = folder.isEmpty() ? default_results_folder(home, now) : folder;
    const QFileInfo there(reading_.settings.folder);
    if (there.exists() && !there.isDir())
      fault(Field::folder, Text::tr("Results folder: %1 is a file; choose a folder").arg(there.filePath()));
    else if (there.exists() && !QDir(there.filePath()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot))
      fault(Field::folder, Text::tr("Results folder: %1 is not empty; choose a new or empty one, or leave the field "
                                    "empty")
                               .arg(there.filePath()));
  }

 private:
  // What a plan refuses is told beside its field.
  void check_count(const Repeats& repeats) {
    CampaignPlan plan;
    plan.every_s = repeats.every_s;
    plan.at_min = repeats.at_min;
    plan.for_s = repeats.for_s;
    const std::size_t runs = count_of_runs(plan);
    if (!repeats.at_min.empty() && runs == 1)
      fault(Field::for_h, Text::tr("For: this makes one run only; write more hours, or more times of day"));
    if (runs > kMostRuns)
      fault(Field::for_h, Text::tr("For: this makes %1 runs, and %2 are the most; write fewer hours, or repeat less "
                                   "often")
                              .arg(runs)
                              .arg(kMostRuns));
  }

  static bool read_times_of_day(const QString& text, Repeats& repeats) {
    static const QRegularExpression separators(u"[\\s,;]+"_s);
    for (const QString& one : text.split(separators, Qt::SkipEmptyParts)) {
      const QTime time = QTime::fromString(one, u"H:mm"_s);
      if (!time.isValid()) return false;
      repeats.at_min.push_back(60 * time.hour() + time.minute());
    }
    std::ranges::sort(repeats.at_min);
    return !repeats.at_min.empty() && std::ranges::adjacent_find(repeats.at_min) == repeats.at_min.end();
  }

  void read_codec() {
    const LineCodec codec = line_codec_from_string(form_.codec.toStdString()).value_or(LineCodec::g711);
    reading_.settings.codec = codec;
    const bool without_faults = codec == LineCodec::g722 || codec == LineCodec::l16;
    if (without_faults && !form_.profile.trimmed().isEmpty())
      fault(Field::codec, Text::tr("Codec: a profile needs G.711 or the gateway; choose one of them, or no profile"));
    const auto ber = number(form_.ber);
    if (codec == LineCodec::l16 && form_.profile.trimmed().isEmpty() && ber && *ber > 0)
      fault(Field::codec,
            Text::tr("Codec: L16 has no bit errors; write 0 as bit error ratio, or choose another codec"));
  }

  void read_profile(const QString& name) {
    const auto profile = find_profile(name.toStdString());
    if (!profile) return fault(Field::profile, message_words(profile.error().message));
    reading_.settings.profile = name;
    reading_.settings.conditions.delay_s = profile->line.delay_s;
  }

  void read_minutes() {
    reading_.settings.cap = kLargestCap;
    if (const auto minutes = number(form_.minutes); minutes && *minutes >= 1 && *minutes <= kLongestMinutes)
      reading_.settings.minutes = *minutes;
    else
      fault(Field::minutes, Text::tr("Line time: write minutes from 1 to %1, for example 10").arg(kLongestMinutes));
  }

  void read_limit() {
    if (const auto limit = number(form_.limit); limit && *limit >= 1 && *limit <= 5)
      reading_.settings.about.limit_mos = *limit;
    else
      fault(Field::limit, Text::tr("Limit: write a MOS from 1 to 5, for example 3.5"));
  }

  /// Without the spaces around it; empty if it is longer than a plan allows.
  std::string text(const QString& typed, qsizetype longest, Field field, const QString& label) {
    const QByteArray bytes = typed.trimmed().toUtf8();
    if (bytes.size() <= longest) return bytes.toStdString();
    fault(field, Text::tr("%1: %2 bytes are too long; write at most %3").arg(label).arg(bytes.size()).arg(longest));
    return {};
  }

  void fault(Field field, const QString& message) { reading_.faults.push_back({field, message}); }

  static std::optional<double> number(const QString& text) {
    bool ok = false;
    const double value = QLocale::c().toDouble(text.trimmed().replace(u',', u'.'), &ok);
    if (!ok || !qIsFinite(value)) return std::nullopt;
    return value;
  }

  static bool in_ber_range(double ber) {
    LineConditions probe;
    probe.ber = ber;
    return static_cast<bool>(validate(probe));
  }

  QString node_address(const QString& typed, Field field, const QString& label) {
    // Upper and lower case name the same host, which may not be given twice (RFC 3986, clause 6.2.2.1).
    QString address = typed.trimmed().toLower();
    if (!address.contains(u"://"_s)) address.prepend(u"ws://"_s);
    if (address.endsWith(u'/')) address.chop(1);
    if (check_node_address("", address.toStdString())) return address;
    fault(field, Text::tr("%1: write the address that its node printed, for example ws://127.0.0.1:7811 or "
                          "wss://192.0.2.7:7811")
                     .arg(label));
    return {};
  }

  QString access_file(const QString& typed, const QString& home, Field field, const QString& end) {
    const QString path = typed_path(typed, home);
    if (!path.isEmpty() && !QFileInfo(path).isFile())
      fault(field,
            Text::tr("Pairing or token file of node %1: there is no file %2; choose the file that came from the node, "
                     "or leave the field empty")
                .arg(end, path));
    return path;
  }

  const SettingsForm& form_;
  FormReading& reading_;
};

}  // namespace

FormReading read_form(const SettingsForm& form, const QString& home, const QDateTime& now) {
  FormReading reading;
  reading.settings.line = form.line;
  FormReader reader(form, reading);
  if (form.line == LineKind::simulated)
    reader.read_simulated_line();
  else
    reader.read_nodes(home);
  reader.read_mode();
  reader.read_sampling();
  reader.read_about();
  reader.read_stimuli();
  reader.read_directions();
  reader.read_repeats();
  reader.read_folder(home, now);
  return reading;
}

std::string local_zone() {
  const std::string id = QTimeZone::systemTimeZoneId().toStdString();
  return !id.empty() && LocalTime::of_zone(id) ? id : std::string();
}

QString typed_path(const QString& typed, const QString& home) {
  QString path = typed.trimmed();
  if (path.isEmpty()) return {};
  if (path == u"~"_s || path.startsWith(u"~/"_s)) path.replace(0, 1, home);
  return QDir::cleanPath(QDir::isRelativePath(path) ? QDir(home).filePath(path) : path);
}

QString default_results_folder(const QString& home, const QDateTime& now) {
  return QDir(home).filePath(u"vqas-results/"_s + now.toString(u"yyyy-MM-dd-HHmmss"_s));
}

}  // namespace vqas::app
