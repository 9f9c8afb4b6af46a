#include "weeks_world.h"

#include "support/sample_run.h"
#include "support/temporary_folder.h"
#include "vqas/run/session_record.h"
#include "vqas/store/utc_text.h"

namespace vqas::test {

void VirtualRun::begin() {
  if (is_away()) return after(kPatience_s, &VirtualRun::lose);
  if (plan_.continues) {
    results_ = plan_.continues->so_far;
    results_.ended_because.clear();
  } else {
    results_.line = "virtual";
    results_.seed = plan_.seed;
    results_.sampling = plan_.sampling;
    results_.started_utc = utc_text(time_.utc_s());
    results_.directions = {
        DirectionRun{.from = End::a, .stimuli = {{.stimulus = "M1", .measurements = {}, .interval = {}}}}};
  }
  if (const Status begun = recorder_.begin(results_); !begun) return end(begun.error());
  if (!plan_.continues)
    write_text(recorder_.folder() / kSessionFile,
               R"({"schema":"vqas-session/1","session":"s","key":"k","node_a":"a","node_b":"b"})"
               "\n");
  if (events_.begun) events_.begun(results_);
  after(1, &VirtualRun::measure);
}

void VirtualRun::measure() {
  if (is_away()) return after(kPatience_s, &VirtualRun::lose);
  const double at_s = line_.utc_s_of(time_);
  const auto sequence = static_cast<std::uint32_t>(measurements().empty() ? 1 : measurements().back().sequence + 1);
  const double mos = VirtualLine::is_in(line_.degraded, at_s) ? 1.5 : 4.2;
  Measurement one = scored(sequence, mos + 0.01 * static_cast<double>(sequence % 3));
  one.recording.clear();
  measurements().push_back(one);
  if (const Status kept = recorder_.record(results_, 0, 0); !kept) {
    measurements().pop_back();
    return end(kept.error());
  }
  measured_[recorder_.folder().filename().string()].insert(sequence);
  if (events_.measured) events_.measured(results_.directions[0], results_.directions[0].stimuli[0]);
  if (measurements().size() >= kMeasurements) return finish({});
  after(VirtualLine::is_in(line_.slow, at_s) ? 3600 : 60, &VirtualRun::measure);
}

void VirtualRun::end(const Error& why) {
  finish(why);
}

void VirtualRun::finish(std::optional<Error> why) {
  time_.drop(next_);
  EndOfRun end;
  end.fault = why;
  if (why) results_.ended_because = why->message;
  results_.finished_utc = utc_text(time_.utc_s());
  for (DirectionRun& direction : results_.directions) {
    for (StimulusRun& stimulus : direction.stimuli) settle(stimulus, results_.sampling);
  }
  end.begun = recorder_.begun();
  end.results = results_;
  if (const Status written = recorder_.finish(end.results); !written) end.not_written = written.error();
  end.verdict = why               ? verdict_of(*why)
                : end.not_written ? verdict_of(*end.not_written)
                                  : verdict_of(end.results, current_provenance());
  if (events_.finished) events_.finished(end);
}

}  // namespace vqas::test
