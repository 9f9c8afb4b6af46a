#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>

#include "lines/spoken_node.h"
#include "node/wire/wire_json.h"
#include "receive/device_notes.h"

namespace vqas::test {

/// The verdict on a transmission, with the reports of both ends' devices, as made by a run's controller.
struct Judged {
  ReceivedMeasurement received;
  std::optional<std::string> fault;  ///< a device spoilt it: there is no score, and it must be repeated
  bool disturbed = false;            ///< a device reported an event, or time passed without samples
};

inline Judged judge(const Json& measured, const Json& played, UsualDrift& usual) {
  constexpr double kStood_ms = 0.5;
  Judged judged;
  const auto received = received_measurement_from(measured);
  const auto notice = played_from(played);
  EXPECT_TRUE(received && notice) << measured.dump() << played.dump();
  if (!received || !notice) return judged;
  judged.received = *received;
  const Measurement& one = received->measurement;
  const LineStatistics& heard = *one.line;
  if (one.outcome == Outcome::audio_fault) judged.fault = one.reason;
  if (!judged.fault) judged.fault = sending_fault(notice->notes, received->evidence, usual);
  if (!judged.fault && received->evidence.drift_ppm) usual.add(*received->evidence.drift_ppm);
  judged.disturbed =
      judged.fault || heard.flags() + notice->notes.noticed.flags() > 0 || std::fabs(notice->notes.lag_ms) > kStood_ms;
  return judged;
}

}  // namespace vqas::test
