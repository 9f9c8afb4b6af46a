#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "vqas/channel/line_codec.h"
#include "vqas/channel/line_direction.h"
#include "vqas/run/run.h"

namespace vqas::app {

/// Which line is measured.
enum class LineKind { simulated, nodes };

/// When a run is measured again.
struct Repeats {
  double every_s = 0;       ///< from start to start; 0: by at_min
  std::vector<int> at_min;  ///< times of day in minutes after midnight, by the clock of this machine, ascending
  double for_s = 0;         ///< from the first start to the end of the last run; 0: it is measured once
  bool any() const { return for_s > 0; }
};

/// The checked settings of a run.
struct RunSettings {
  LineKind line = LineKind::simulated;
  /// The conditions of both directions of the simulated line, without the clocks. Values that the form does not ask for
  /// are those of `vqas quickstart`: a gain of -3 dB, and clocks that differ as much as those of two sound cards.
  LineConditions conditions;
  QString profile;                             ///< of the simulated line, a name or a file; empty: the conditions
  double clock_a_ppm = 20, clock_b_ppm = -30;  ///< clock errors of the simulated ends, positive: fast
  QString node_a, node_b;                      ///< "ws://127.0.0.1:7811", "wss://…"; empty for the simulated line
  QString access_a, access_b;                  ///< pairing or token files of the two nodes; empty: none
  /// Codes or tokens by the address of their node, where there is no such file. Never written to a file.
  std::map<QString, QString> codes;
  std::uint64_t seed = 1;
  GoalOf goal = GoalOf::mean;
  std::size_t cap = 30;  ///< most scored measurements of a stimulus in a direction
  double minutes = 0;    ///< line time, in min; used by GoalOf::line_time alone
  RunAbout about;        ///< site and circuit as tags, notes, and for GoalOf::above the limit
  ScoreMode mode = ScoreMode::narrowband;
  bool narrowband_too = false;        ///< in wideband: each capture is scored in narrowband, too
  LineCodec codec = LineCodec::g711;  ///< of the simulated line
  Repeats repeats;
  QStringList stimuli;  ///< "M6"; empty: all of the corpus
  bool a_to_b = true, b_to_a = true;
  QString folder;        ///< where the results go
  bool resumes = false;  ///< resumes the run in `folder`, as it was begun; of the rest only the accesses count
  bool follows = false;  ///< follows the run that another program measures in `folder`; nothing else counts
};

/// The fields as the user typed them. Numbers may be written with a point or a comma.
struct SettingsForm {
  LineKind line = LineKind::simulated;
  QString profile;  ///< of the simulated line, a name or a file; empty: the next two
  QString ber = QStringLiteral("1e-5");
  QString delay_ms = QStringLiteral("250");
  QString node_a = QStringLiteral("ws://127.0.0.1:7811");
  QString node_b = QStringLiteral("ws://127.0.0.1:7812");
  QString access_a, access_b;  ///< pairing or token files, for nodes at "wss://…"
  QString seed = QStringLiteral("1");
  GoalOf goal = GoalOf::mean;
  QString minutes = QStringLiteral("10");  ///< line time, for GoalOf::line_time
  QString limit = QStringLiteral("3.5");   ///< MOS, for GoalOf::above
  QString mode = QStringLiteral("nb");     ///< "nb", "wb" or "both"
  QString codec = QStringLiteral("g711");  ///< of the simulated line, as line_codec_from_string() takes it
  QString every_min, at, for_h;            ///< repeats; all empty: one run. `at`: "9:00, 17:30"
  QString site, circuit, notes;            ///< what the run belongs to; may be empty
  QString cap = QStringLiteral("30");
  QString stimuli;  ///< separated by commas or spaces; empty: all
  bool a_to_b = true, b_to_a = true;
  QString folder;  ///< empty: default_results_folder()
  bool operator==(const SettingsForm&) const = default;
};

/// The fields of the form that can be at fault.
enum class Field {
  profile,
  codec,
  mode,
  ber,
  delay_ms,
  node_a,
  access_a,
  node_b,
  access_b,
  minutes,
  limit,
  seed,
  cap,
  site,
  circuit,
  notes,
  stimuli,
  directions,
  every,
  at,
  for_h,
  folder
};

/// What is wrong with a field, and the cure, without a final full stop.
struct FieldFault {
  Field field = Field::ber;
  QString message;
};

/// The checked settings, or what is wrong with the form: `settings` is usable only when there are no faults.
struct FormReading {
  RunSettings settings;
  std::vector<FieldFault> faults;
};

/// Checks a form. Fields that the chosen line does not use are not looked at. Looks at the disk to see whether the
/// results folder is free, writes nothing. `home` and `now` make the default folder. Re-entrant.
FormReading read_form(const SettingsForm& form, const QString& home, const QDateTime& now);

/// The time zone of this machine, by which times of day are read: its name in the data base of time zones; empty: not
/// known. Re-entrant.
std::string local_zone();

/// A typed path made absolute: "~" is `home`, and a relative path begins there; empty stays empty.
QString typed_path(const QString& typed, const QString& home);

/// "HOME/vqas-results/2026-01-31-235959", by local time.
QString default_results_folder(const QString& home, const QDateTime& now);

}  // namespace vqas::app
