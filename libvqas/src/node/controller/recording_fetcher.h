#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "node/play/worker.h"
#include "node/wire/wire_json.h"

namespace vqas {

class RunEngine;

/// Fetches recordings from their receivers and writes them to disk, in a separate thread. For one thread.
class RecordingFetcher {
 public:
  explicit RecordingFetcher(RunEngine& run) : run_(run), writer_(std::make_unique<Worker>()) {}

  /// From the node that reported this measurement. If the node no longer has it, or cannot read it for a minute, the
  /// measurement counts without it, and its note says so.
  void fetch(std::size_t direction, std::size_t node, const ReceivedMeasurement& received, int tries = 0);
  /// Some are on their way to the disk.
  bool writing() const { return writing_ > 0; }

 private:
  void fetch_again(std::size_t direction, std::size_t node, const ReceivedMeasurement& received, int tries);
  void not_given(std::size_t direction, std::size_t node, const ReceivedMeasurement& received, int tries,
                 const Error& why);
  void keep(std::size_t direction, const ReceivedMeasurement& received, std::string bytes);
  void kept(std::size_t direction, std::uint32_t sequence, const std::string& name, const Status& written);
  void proceed();

  RunEngine& run_;
  std::size_t writing_ = 0;
  std::unique_ptr<Worker> writer_;  // last: ends first
};

}  // namespace vqas
