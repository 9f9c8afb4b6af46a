#include "node/controller/recording_fetcher.h"

#include <fmt/format.h>

#include <QByteArray>
#include <algorithm>
#include <utility>

#include "node/controller/node_links.h"
#include "node/controller/round_break.h"
#include "node/controller/run_engine.h"
#include "node/controller/run_rounds.h"
#include "node/wire/node_archive.h"
#include "run/measurement_limits.h"
#include "vqas/run/recording_name.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

constexpr int kFetchTries = 60, kFetchAgainMs = 1000;

}  // namespace

void RecordingFetcher::fetch(std::size_t direction, std::size_t node, const ReceivedMeasurement& received, int tries) {
  run_.links().ask(node, "recording.get", {{"name", received.measurement.recording}},
                   [this, direction, node, received, tries](const Result<Json>& answer) {
                     if (run_.finished()) return;
                     if (!answer) return not_given(direction, node, received, tries, answer.error());
                     const Json encoded = answer->value("base64", Json());
                     if (!encoded.is_string())
                       return run_.links().refuse(node, {ErrorCode::protocol, "it sent no recording"});
                     const auto bytes = QByteArray::fromBase64(QByteArray::fromStdString(encoded.get<std::string>()));
                     keep(direction, received, bytes.toStdString());
                   });
}

// A measurement without its recording is still a measurement.
void RecordingFetcher::not_given(std::size_t direction, std::size_t node, const ReceivedMeasurement& received,
                                 int tries, const Error& why) {
  const bool has_it = why.code == ErrorCode::io;  // but its system cannot read it now
  if (has_it && tries < kFetchTries) return fetch_again(direction, node, received, tries + 1);
  if (!has_it && why.code != ErrorCode::bad_input) return run_.fail(why);
  const DirectionRun& run = run_.ledger().results().directions[direction];
  run_.ledger().recording_lost(direction, received.measurement.sequence, as_sentence_part(why.message));
  run_.notice(fmt::format("measurement {} from {} to {} counts without its recording: {}",
                          received.measurement.sequence, name_of(run.from), name_of(run.to()),
                          as_sentence_part(why.message)));
  proceed();
}

void RecordingFetcher::fetch_again(std::size_t direction, std::size_t node, const ReceivedMeasurement& received,
                                   int tries) {
  run_.after_ms(kFetchAgainMs, [this, direction, node, received, tries] {
    const auto wanted = run_.ledger().to_fetch(direction);
    const auto sequence = received.measurement.sequence;
    if (std::ranges::any_of(wanted, [&](const auto& one) { return one.measurement.sequence == sequence; }))
      fetch(direction, node, received, tries);
  });
}

void RecordingFetcher::keep(std::size_t direction, const ReceivedMeasurement& received, std::string bytes) {
  const std::uint32_t sequence = received.measurement.sequence;
  const std::string name = recording_name(run_.ledger().results().directions[direction], received.stimulus, sequence);
  ++writing_;
  writer_->post([this, direction, sequence, name, path = run_.plan().folder / name, bytes = std::move(bytes)] {
    const Status written = write_file_atomically(path, bytes);
    run_.post([this, direction, sequence, name, written] { kept(direction, sequence, name, written); });
  });
}

void RecordingFetcher::kept(std::size_t direction, std::uint32_t sequence, const std::string& name,
                            const Status& written) {
  --writing_;
  if (run_.finished()) return;
  if (!written) return run_.fail(written.error());
  run_.ledger().fetched(direction, sequence, name);
  proceed();
}

void RecordingFetcher::proceed() {
  if (run_.broken_round().under_way()) return run_.broken_round().end();
  run_.rounds().advance();
}

}  // namespace vqas
