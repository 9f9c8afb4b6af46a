#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vqas/run/run.h"
#include "vqas/score/outcome.h"
#include "vqas/signal/result.h"

namespace vqas {

/// How a statement of a report compares with the results here.
enum class Verdict { agrees, differs, cannot_be_compared };
/// "agrees", "differs", "cannot be compared".
std::string_view to_string(Verdict verdict);

/// A statement of the published report, or our own where the report has none, and its result.
struct Statement {
  std::string text;
  Verdict verdict = Verdict::cannot_be_compared;
  std::string figures;  ///< the numbers that decided it
};

/// One transmission of an experiment.
struct ExperimentPoint {
  std::string series;    ///< "M6, a to b"
  std::string label;     ///< of its position on the horizontal axis, "1e-05"
  double x = 0;          ///< the same as a number: -log10 BER, step, bit…
  std::string stimulus;  ///< "M6"
  Outcome outcome = Outcome::not_found;
  std::string reason;  ///< empty when scored
  std::optional<double> mos_lqo;
  bool released = false;               ///< the network released the call
  std::optional<double> band_loss_db;  ///< how much more 2.8..3.4 kHz lost than 0.5..2 kHz; only with a leading mark
  double measured_ber = 0;             ///< of the bits carried during the transmission
  std::optional<double>
      recovery_s;          ///< only for bursts: time from a burst's end until the frames are as before, the slowest
  double packet_loss = 0;  ///< share of packets not played
  double video_loss = 0;   ///< share of the wanted video's packets that were lost
};

/// A cubic through the scores of one series: a0 + a1 x + a2 x² + a3 x³. Uses only places where four in five
/// transmissions were scored.
struct CubicTrend {
  std::string series;
  std::vector<double> coefficients;
  double rms_residual = 0;  ///< of the scores from it, MOS
};

struct ExperimentResult {
  std::string name;
  std::string title;
  std::string horizontal;           ///< title of the axis
  std::string vertical;             ///< the same; "MOS-LQON", except for recovery times
  std::vector<std::string> labels;  ///< of the horizontal axis, in order
  std::vector<ExperimentPoint> points;
  std::vector<CubicTrend> trends;
  std::vector<Statement> statements;
  std::uint64_t seed = 0;
};

/// A line measured between two nodes, to be compared with the simulated ones.
struct MeasuredChannel {
  std::string name;  ///< its label
  RunResults run;
};

struct ExperimentOptions {
  std::filesystem::path corpus;
  std::uint64_t seed = 1;
  unsigned threads = 2;                   ///< 1..64; results do not depend on it
  std::vector<MeasuredChannel> measured;  ///< must be empty if why_no_measured_line() gives a reason
  /// Called from any of the threads, one at a time: transmissions done, and their total.
  std::function<void(std::size_t, std::size_t)> progress;
  /// Called before each transmission; true ends the experiment with cancelled.
  std::function<bool()> cancelled;
};

struct ExperimentInfo {
  std::string_view name;
  std::string_view summary;
};
/// In the order of listing.
const std::vector<ExperimentInfo>& experiments();

/// Empty if lines measured elsewhere can join the experiment; else the reason, for people. An experiment that sets bit
/// errors step by step needs a simulated line.
std::string why_no_measured_line(const std::string& name);

/// Runs one experiment over simulated lines in virtual time. Each transmission uses the same marks, capture and score
/// as a measurement between two nodes; the receiver knows what is due, never where it is. Fails with bad_input for an
/// unknown name (the message lists the names), for measured lines that cannot join and for an unusable corpus; with
/// cancelled when cancelled. The result depends only on name, corpus and seed. Not for a real-time thread.
Result<ExperimentResult> run_experiment(const std::string& name, const ExperimentOptions& options);

/// One row for each point, RFC 4180.
std::string experiment_csv(const ExperimentResult& result);
std::string experiment_json(const ExperimentResult& result);
/// A self-contained page: plot, statements, points.
std::string experiment_html(const ExperimentResult& result, const std::string& command);
/// Writes NAME.csv, NAME.json and NAME.html into the folder, which is created if missing. Fails with io.
Status write_experiment(const std::filesystem::path& folder, const ExperimentResult& result,
                        const std::string& command);

}  // namespace vqas
