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

/// How a statement of a report stands beside what was measured here.
enum class Verdict { agrees, differs, cannot_be_compared };
/// "agrees", "differs", "cannot be compared".
std::string_view to_string(Verdict verdict);

/// A statement of the published report, or of ours where the report has none, and what became of it.
struct Statement {
  std::string text;
  Verdict verdict = Verdict::cannot_be_compared;
  std::string figures;  ///< what it was decided by
};

/// One transmission of an experiment.
struct ExperimentPoint {
  std::string series;    ///< "M6, a to b"
  std::string label;     ///< of its place on the horizontal axis, "1e-05"
  double x = 0;          ///< the same as a number: -log10 BER, step, bit…
  std::string stimulus;  ///< "M6"
  Outcome outcome = Outcome::not_found;
  std::string reason;  ///< empty when scored
  std::optional<double> mos_lqo;
  bool released = false;               ///< the network gave the call up
  std::optional<double> band_loss_db;  ///< by how much more 2.8..3.4 kHz lost than 0.5..2 kHz; with a leading mark only
  double measured_ber = 0;             ///< of the bits that the line carried during the transmission
  std::optional<double> recovery_s;    ///< bursts only: from a burst's end until the frames are as before, the slowest
  double packet_loss = 0;              ///< share of the packets that were not played
  double video_loss = 0;               ///< share of the wanted video's packets
};

/// A cubic through one series' scores: a0 + a1 x + a2 x² + a3 x³. Only places where four in five transmissions were
/// scored take part.
struct CubicTrend {
  std::string series;
  std::vector<double> coefficients;
  double rms_residual = 0;  ///< how far the scores lie from it, MOS
};

struct ExperimentResult {
  std::string name;
  std::string title;
  std::string horizontal;           ///< title of the axis
  std::string vertical;             ///< the same; "MOS-LQON", but for recovery times
  std::vector<std::string> labels;  ///< of the horizontal axis, in order
  std::vector<ExperimentPoint> points;
  std::vector<CubicTrend> trends;
  std::vector<Statement> statements;
  std::uint64_t seed = 0;
};

/// A line that was measured between two nodes, to stand beside the simulated ones.
struct MeasuredChannel {
  std::string name;  ///< its label
  RunResults run;
};

struct ExperimentOptions {
  std::filesystem::path corpus;
  std::uint64_t seed = 1;
  unsigned threads = 2;                   ///< 1..64; results do not depend on it
  std::vector<MeasuredChannel> measured;  ///< none where why_no_measured_line() says why
  /// Told from any of the threads, one at a time: transmissions done, and all.
  std::function<void(std::size_t, std::size_t)> progress;
  /// Asked before each transmission; true ends the experiment with cancelled.
  std::function<bool()> cancelled;
};

struct ExperimentInfo {
  std::string_view name;
  std::string_view summary;
};
/// In the order in which they are listed.
const std::vector<ExperimentInfo>& experiments();

/// Empty for an experiment that lines measured elsewhere can join; else why not, for people. Those that set a line's
/// bit errors step by step cannot be made over a line that nobody sets.
std::string why_no_measured_line(const std::string& name);

/// Runs one experiment over simulated lines in virtual time. Each transmission goes through the same marks, capture and
/// score as a measurement between two nodes; the receiver is told what is due, never where it is. Fails with bad_input
/// for an unknown name, which gets the list, for measured lines that
/// cannot join, for a corpus that cannot be used, and with cancelled. Depends on name,
/// corpus and seed alone. Not for a real-time thread.
Result<ExperimentResult> run_experiment(const std::string& name, const ExperimentOptions& options);

/// A line for each point, RFC 4180.
std::string experiment_csv(const ExperimentResult& result);
std::string experiment_json(const ExperimentResult& result);
/// A page that needs nothing else: plot, statements, points.
std::string experiment_html(const ExperimentResult& result, const std::string& command);
/// Writes NAME.csv, NAME.json and NAME.html into the folder, which is made. Fails with io.
Status write_experiment(const std::filesystem::path& folder, const ExperimentResult& result,
                        const std::string& command);

}  // namespace vqas
