#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common.h"
#include "vqas/sync/capture.h"
#include "vqas/sync/detector.h"
#include "vqas/sync/transmission.h"

namespace vqas::python {
namespace {

using Data = std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

End end_of(const std::string& name) {
  const auto end = end_of_name(name);
  if (!end) throw InputError("sender is neither \"a\" nor \"b\"");
  return *end;
}

MarkData mark_data(const Data& data) {
  const auto& [sender, run_id, stimulus, sequence, digest] = data;
  if (run_id >= 1U << 24U || stimulus >= 1U << 8U || sequence >= 1U << 16U || digest >= 1U << 16U) {
    throw InputError("a mark holds run_id below 16777216, stimulus below 256, sequence and corpus_digest below 65536");
  }
  return {end_of(sender), run_id, static_cast<std::uint8_t>(stimulus), static_cast<std::uint16_t>(sequence),
          static_cast<std::uint16_t>(digest)};
}

Data data_of(const MarkData& data) {
  return {name_of(data.sender), data.run_id, data.stimulus, data.sequence, data.corpus_digest};
}

TransmissionOptions options_of(double guard_s) {
  if (!(guard_s >= 0.05 && guard_s <= 1)) throw InputError("guard_s must be 0.05 to 1 s");
  return {.guard_s = guard_s};
}

Dicts list_of(const std::vector<FoundMark>& marks) {
  Dicts found;
  for (const FoundMark& mark : marks) {
    Dict one;
    one["kind"] = mark.kind == MarkKind::leading ? "leading" : "trailing";
    one["sender"] = name_of(mark.sender);
    one["position"] = mark.position;
    one["confidence"] = mark.confidence;
    one["coarse"] = mark.coarse;
    one["level_dbov"] = mark.level_dbov;
    one["data"] = mark.data ? nb::cast(data_of(*mark.data)) : nb::none();
    found.append(std::move(one));
  }
  return found;
}

Dicts list_of(std::vector<Capture> captures) {
  Dicts completed;
  for (Capture& capture : captures) {
    Dict one;
    one["data"] = data_of(capture.expectation.data);
    one["marks_found"] = std::string(to_string(capture.marks));
    one["confirmed"] = capture.data_confirmed;
    one["ambiguous"] = capture.ambiguous;
    one["stream_position"] = capture.stream_position;
    one["speech_start"] = capture.speech_start;
    one["clock_drift_ppm"] = capture.clock_drift_ppm;
    one["delay_step"] = capture.delay_step;
    one["recording"] = array_of(std::move(capture.recording.samples));
    completed.append(std::move(one));
  }
  return completed;
}

}  // namespace

void add_marks(nb::module_& module) {
  using namespace nb::literals;
  module.def("leading_mark", [](const Data& data) { return array_of(make_leading_mark(mark_data(data))); });
  module.def("trailing_mark", [](const std::string& sender) { return array_of(make_trailing_mark(end_of(sender))); });
  module.def(
      "transmission",
      [](const Samples& stimulus, const Data& data, double guard_s) -> std::tuple<NewArray, std::size_t> {
        Transmission made = compose_transmission(signal_of(stimulus), mark_data(data), options_of(guard_s));
        return {array_of(std::move(made.signal.samples)), made.layout.speech_start};
      },
      "stimulus"_a.noconvert(), "data"_a, "guard_s"_a);

  nb::class_<MarkDetector>(module, "Detector", "For one thread at a time.")
      .def(nb::new_([](const std::string& sender) { return MarkDetector(end_of(sender)); }), "sender"_a)
      .def(
          "push",
          [](MarkDetector& detector, const Samples& block) {
            std::vector<FoundMark> found;
            {
              const nb::gil_scoped_release released;
              found = detector.push({block.data(), block.size()});
            }
            return list_of(found);
          },
          "block"_a.noconvert())
      .def_prop_ro("position", &MarkDetector::position)
      .def_static("latency", &MarkDetector::latency);

  nb::class_<CaptureReceiver>(module, "Receiver", "For one thread at a time.")
      .def(nb::new_([](const std::string& sender, double guard_s) {
             return CaptureReceiver(end_of(sender), options_of(guard_s));
           }),
           "sender"_a, "guard_s"_a)
      .def(
          "expect",
          [](CaptureReceiver& receiver, const Data& data, std::size_t length, double within_s) {
            if (length == 0 || length > std::size_t{600} * kLineRateHz || !(within_s >= 0.1 && within_s <= 86400)) {
              throw InputError("a stimulus lasts at most 600 s, and within_s is 0.1 to 86400 s");
            }
            receiver.expect({{mark_data(data), length, within_s}});
          },
          "data"_a, "length"_a, "within_s"_a)
      .def(
          "push",
          [](CaptureReceiver& receiver, const Samples& block) {
            std::vector<Capture> captures;
            {
              const nb::gil_scoped_release released;
              captures = receiver.push({block.data(), block.size()});
            }
            return list_of(std::move(captures));
          },
          "block"_a.noconvert())
      .def("finish", [](CaptureReceiver& receiver) { return list_of(receiver.abandon()); });
}

}  // namespace vqas::python
