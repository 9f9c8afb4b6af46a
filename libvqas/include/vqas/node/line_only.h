#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "vqas/corpus/corpus.h"
#include "vqas/line/line.h"
#include "vqas/run/run.h"
#include "vqas/sync/mark.h"

namespace vqas {

/// Measuring without a network between the ends (libvqas/doc/line-only.md): one end sends, the other listens, and they
/// communicate by marks on the line.

/// The progress of a sender.
struct SendProgress {
  std::size_t sent = 0;      ///< transmissions
  std::size_t answered = 0;  ///< of these, answered by the listener
  std::size_t scored = 0;    ///< of these, reported as scored by the answer
  /// Of `sent`: broken off, because this machine did not send a part in time. The listener does not score them, and
  /// their stimuli are sent again.
  std::size_t broken_off = 0;
  /// Stimuli of which the listener wants no more: it reached its goal, its cap or too many failures. The marks do not
  /// tell which.
  std::size_t not_wanted = 0;
  std::size_t stimuli = 0;  ///< of the corpus
  std::size_t rounds = 0;   ///< begun
  bool finished = false;    ///< all rounds were sent, or the listener wants no more of any stimulus
  double line_seconds = 0;
};

struct SendPlan {
  End end = End::a;
  double guard_s = 0.05;
  std::uint32_t run_id = 0;  ///< 24 bits, also determines the order
  /// Number of rounds of all stimuli, in an order that changes from round to round, without waiting for answers;
  /// nothing: as many as the listener's answers request.
  std::optional<std::size_t> rounds;
  double answer_within_s = 8;  ///< of line time, from the end of a transmission
  /// Called before each transmission; true ends the sending. May be empty.
  std::function<bool()> over;
  /// Called after each transmission, from the calling thread. May be empty.
  std::function<void(const SendProgress&)> progressed;
  /// A message for the operator, one sentence without a full stop. May be empty.
  std::function<void(const std::string&)> noticed;
};

/// A sender ends after this number of transmissions without an answer, counted from the first one.
inline constexpr std::size_t kUnanswered = 5;

/// A sender also ends after breaking off this number of transmissions one after another.
inline constexpr std::size_t kMostBrokenOff = 5;

/// Sends the corpus over the line until the rounds are done, the listener wants no more, `over` returns true or
/// `cancelled` is set (then Line::interrupt() ends a blocking call). Blocks; one thread. A transmission of which this
/// machine sends a part too late is broken off, which the listener is told, and its stimulus is sent again. Fails with
/// line_lost when the line is lost, no answer comes or the machine is too busy to send (the message names the remedy),
/// and with bad_input when a recording cannot be read.
Result<SendProgress> send_over_line(Line& line, const Corpus& corpus, const SendPlan& plan,
                                    const std::atomic<bool>& cancelled);

/// Why a listener stopped.
enum class ListenEnd { enough, sender_finished, silence, over, cancelled, line_lost };

struct ListenPlan {
  End end = End::b;
  /// The sender's guard interval. If it is another, speech and marks show that in two transmissions, which are still
  /// scored; from then on that one is used, `noticed` is called, and the results contain it.
  double guard_s = 0.05;
  /// Each capture that is scored in wideband is also scored in narrowband; also where `earlier` did. The line has
  /// 16 kHz. Sampling is by the line's own scale.
  bool narrowband_too = false;
  SamplerOptions sampling;
  bool answers = true;    ///< by marks; false if the way back does not work or would disturb
  double silence_s = 60;  ///< the listener stops after this time without a mark, counted from the last one: see below
  /// The same until the first mark. Both in line time; a line that stands still for so long by the clock counts as
  /// silent too.
  double first_mark_within_s = std::numeric_limits<double>::infinity();
  /// Called ten times a second from another thread; true ends the listening. May be empty.
  std::function<bool()> over;
  /// The plan, before the first input: corpus, line, directions. If it fails, listening ends with that error.
  std::function<Status(const RunResults&)> begun;
  /// A measurement with its recording, from the calling thread. Returns `measurement.recording`, a file in the run's
  /// folder. If it fails, listening ends with that error.
  std::function<Result<std::string>(const std::string& stimulus, const Measurement&, const Signal& recording)> kept;
  /// The recording of a transmission whose leading mark could not be read. Called at the end of a listening in which
  /// none could be read; `number` counts them from 1. Returns the file. May be empty. If it fails, listening ends with
  /// that error.
  std::function<Result<std::string>(std::size_t number, const Signal& recording)> kept_undecodable;
  /// After `kept`: the results so far, whose last measurement of `stimulus` is new. If it fails, listening ends.
  std::function<Status(const RunResults&, std::size_t stimulus)> measured;
  /// A message for the operator, one sentence without a full stop. May be empty.
  std::function<void(const std::string&)> noticed;
  std::string started_utc;  ///< ISO 8601, for the results
  RunAbout about;           ///< for the results; that of `earlier` takes precedence
  /// Results of an earlier listener of the same run; its numbering is continued, and a transmission that it counted is
  /// not counted again. Every measurement has `sent_as`.
  std::optional<RunResults> earlier;
  /// The last number that `earlier` has given, also where the measurement is lost; no number is given twice.
  std::uint32_t last_sequence = 0;
};

struct ListenResults {
  /// With the measurements of `earlier`; line_seconds are those of this listening alone, without the time that
  /// `earlier` contains because transmissions that it counted are heard again.
  RunResults results;
  ListenEnd end = ListenEnd::cancelled;
  std::string line_fault;         ///< of line_lost
  std::size_t reached = 0;        ///< stimuli whose goal, or fallback goal, is reached
  std::size_t abandoned = 0;      ///< stimuli that end without reaching it: cap or failures
  std::size_t rounds_needed = 0;  ///< the least number that the other stimuli still need; more scores may raise it
  std::size_t repeated = 0;       ///< transmissions heard again, which count once
};

/// Whether a listening can begin on this line, before a folder is made or emptied. Fails with bad_input.
Status check_listening(const Line& line, const Corpus& corpus, const ListenPlan& plan);

/// Listens on the line and measures transmissions of a sender with the same corpus. Blocks; one thread, and another one
/// if the line is in real time, so that scoring does not delay the line. A transmission counts once, however often it
/// is heard. A lost line is an end, not a failure. Fails with the errors of the callbacks, and with bad_input when a
/// recording cannot be read, `earlier` is of the other direction or of another line, or the run has no sequence number
/// left.
Result<ListenResults> listen_on_line(Line& line, const Corpus& corpus, const ListenPlan& plan,
                                     const std::atomic<bool>& cancelled);

}  // namespace vqas
