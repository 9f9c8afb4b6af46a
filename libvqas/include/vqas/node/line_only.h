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

/// Measuring without any network between the ends (libvqas/doc/protocol.md, "Over the line alone"): one end sends, the
/// other one listens, and what they have to tell each other they tell by marks on the line.

/// How far a sender has come.
struct SendProgress {
  std::size_t sent = 0;      ///< transmissions
  std::size_t answered = 0;  ///< of these the listener's answer was heard
  std::size_t scored = 0;    ///< of these the answer said that there is a score
  /// Stimuli of which the listener wants no more: it reached its goal, its cap or too many failures. Which of these it
  /// was, no mark tells.
  std::size_t not_wanted = 0;
  std::size_t stimuli = 0;  ///< of the corpus
  std::size_t rounds = 0;   ///< begun
  bool finished = false;    ///< all rounds were sent, or the listener wants no more of any stimulus
  double line_seconds = 0;
};

struct SendPlan {
  End end = End::a;
  double guard_s = 0.05;
  std::uint32_t run_id = 0;  ///< 24 bits, decides the order too
  /// So many times each stimulus, in an order that changes from round to round, without waiting for answers; nothing:
  /// as the listener's answers ask for.
  std::optional<std::size_t> rounds;
  double answer_within_s = 8;  ///< of line time, from the end of a transmission
  /// Asked before each transmission: true ends the sending. May be empty.
  std::function<bool()> over;
  /// Told after each transmission, from the calling thread. May be empty.
  std::function<void(const SendProgress&)> progressed;
  /// Something that the operator should know, in one sentence without a full stop. May be empty.
  std::function<void(const std::string&)> noticed;
};

/// A sender that has had no answer to so many transmissions, from the first one on, gives up.
inline constexpr std::size_t kUnanswered = 5;

/// Sends the corpus over the line until the rounds are done, the listener wants no more, `over` says so or `cancelled`
/// is set (then Line::interrupt() ends what blocks). Blocks; one thread. Fails with line_lost when the line goes away,
/// also when no answer comes (the message names the cure), and with bad_input when a recording cannot be read.
Result<SendProgress> send_over_line(Line& line, const Corpus& corpus, const SendPlan& plan,
                                    const std::atomic<bool>& cancelled);

/// Why a listener stopped.
enum class ListenEnd { enough, sender_finished, silence, over, cancelled, line_lost };

struct ListenPlan {
  End end = End::b;
  /// The sender's. Where it is another, speech and marks show it in two transmissions, which are scored all the same;
  /// from then on that one counts, `noticed` is told, and the results have it.
  double guard_s = 0.05;
  SamplerOptions sampling;
  bool answers = true;    ///< by marks; false where the way back does not work or would disturb
  double silence_s = 60;  ///< without a mark, after the first one, until it gives up: see below
  /// The same until the first mark. Both in line time; a line that stands still for so long by the clock is silent too.
  double first_mark_within_s = std::numeric_limits<double>::infinity();
  /// Asked ten times a second, from another thread: true ends the listening. May be empty.
  std::function<bool()> over;
  /// The plan, before anything is heard: corpus, line, directions. Fails: listening ends with that error.
  std::function<Status(const RunResults&)> begun;
  /// A measurement with its recording, from the calling thread; `measurement.recording` is what this returns, a file in
  /// the run's folder. Fails: listening ends with that error.
  std::function<Result<std::string>(const std::string& stimulus, const Measurement&, const Signal& recording)> kept;
  /// What came of a transmission whose leading mark could not be read, at the end of a listening in which none could:
  /// `number` counts them from 1. Returns the file. May be empty. Fails: listening ends with that error.
  std::function<Result<std::string>(std::size_t number, const Signal& recording)> kept_undecodable;
  /// After `kept`: the results so far, whose last measurement of `stimulus` is new. Fails: listening ends.
  std::function<Status(const RunResults&, std::size_t stimulus)> measured;
  /// Something that the operator should know, in one sentence without a full stop. May be empty.
  std::function<void(const std::string&)> noticed;
  std::string started_utc;  ///< ISO 8601, for the results
  RunAbout about;           ///< for the results; those of `earlier` go before it
  /// What an earlier listener of the same run measured; its numbers are continued, and what it counted is not counted
  /// again. Every measurement has `sent_as`.
  std::optional<RunResults> earlier;
};

struct ListenResults {
  RunResults results;
  ListenEnd end = ListenEnd::cancelled;
  std::string line_fault;         ///< of line_lost
  std::size_t reached = 0;        ///< stimuli whose goal, or fallback goal, is reached
  std::size_t abandoned = 0;      ///< stimuli that want no more without it: cap or failures
  std::size_t rounds_needed = 0;  ///< how many more the others want, by what is known now
  std::size_t repeated = 0;       ///< transmissions that were heard once more, and count once
};

/// Listens on the line and measures what a sender of the same corpus sends. Blocks; one thread, and another one of its
/// own where the line is in real time, so that scoring does not hold up the line. A line that goes away is no failure
/// but an end. A transmission counts once, however often it is heard. Fails with what the callbacks fail with, and with
/// bad_input when a recording cannot be read, `earlier` is of the other direction, or the run has no number left.
Result<ListenResults> listen_on_line(Line& line, const Corpus& corpus, const ListenPlan& plan,
                                     const std::atomic<bool>& cancelled);

}  // namespace vqas
