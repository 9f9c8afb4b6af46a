#include "calls/scoring/call_scorer.h"

#include <algorithm>
#include <span>
#include <utility>

#include "node/line_only/unannounced_receiver.h"
#include "receive/capture_judge.h"
#include "vqas/run/narrow_path.h"

namespace vqas {
namespace {

/// A capture with its place in the call.
struct Placed {
  Capture capture;
  std::uint64_t position = 0;
  std::size_t stimulus = 0;
};

template <typename Hear>
void hear_all(const RecordedCall& call, Hear hear) {
  std::vector<float> block(line_block(call.rate_hz));
  for (std::size_t at = 0; at + block.size() <= call.samples.size(); at += block.size()) {
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<float>(call.samples[at + i]) / 32768.0F;
    hear(std::span<const float>(block));
  }
}

std::vector<Placed> own_sentences(const RecordedCall& call, const CallExpectation& expected, const CallCorpus& corpus) {
  std::vector<Placed> found;
  CaptureReceiver receiver(expected.sender, {}, call.rate_hz);
  const double whole_s = static_cast<double>(call.samples.size()) / call.rate_hz;
  std::vector<Expectation> due;
  const std::vector<std::size_t> lengths = corpus.lengths();
  for (const MarkData& data : expected.own) due.push_back({data, lengths[data.stimulus], whole_s});
  receiver.expect(due);
  const auto keep = [&found](std::vector<Capture> captures) {
    for (Capture& one : captures) {
      const std::uint64_t position = one.stream_position;
      const std::size_t stimulus = one.expectation.data.stimulus;
      found.push_back({std::move(one), position, stimulus});
    }
  };
  hear_all(call, [&](std::span<const float> block) { keep(receiver.push(block)); });
  keep(receiver.abandon());
  return found;
}

std::vector<Placed> far_sentences(const RecordedCall& call, const CallExpectation& expected, const CallCorpus& corpus) {
  std::vector<Placed> found;
  UnannouncedReceiver receiver(expected.sender, {}, corpus.digest(), corpus.lengths(), call.rate_hz);
  const std::vector<bool> wanted = corpus.wanted();
  const auto keep = [&found](std::vector<UnannouncedReceiver::Heard> heard) {
    for (auto& one : heard) found.push_back({std::move(one.capture), one.position, one.stimulus});
  };
  hear_all(call, [&](std::span<const float> block) { keep(receiver.push(block, wanted)); });
  // What a call of known length was in the middle of does not count.
  if (expected.most == 0 || found.size() < expected.most) keep(receiver.finish());
  return found;
}

DeviceNotes notes(const RecordedCall& call, const Placed& placed) {
  const std::size_t block = line_block(call.rate_hz);
  const auto block_of = [&call, block](std::uint64_t sample) {
    return std::min<std::size_t>(sample / block, call.blocks.empty() ? 0 : call.blocks.size() - 1);
  };
  const std::uint64_t end = placed.position + placed.capture.recording.size();
  DeviceNotes notes = notes_of(call.blocks, block_of(placed.position), block_of(end), true);
  notes.move_runs(-static_cast<std::int64_t>(placed.position % block * kLineBlock / block));
  return notes;
}

CallSentence sentence_of(const std::string& stimulus, const Measurement& measured) {
  CallSentence sentence{stimulus, measured.outcome, measured.mos_lqo, {}, measured.reason};
  sentence.lacks_upper_band = measured.mos_lqo && measured.note.find(kNarrowPath) != std::string::npos;
  sentence.narrowband_mos = measured.narrowband_mos_lqo;
  if (measured.leading_confidence && measured.trailing_confidence)
    sentence.marks_confidence = std::min(*measured.leading_confidence, *measured.trailing_confidence);
  else if (measured.leading_confidence || measured.trailing_confidence)
    sentence.marks_confidence =
        measured.leading_confidence ? measured.leading_confidence : measured.trailing_confidence;
  return sentence;
}

}  // namespace

std::vector<CallSentence> score_call(const RecordedCall& call, const CallExpectation& expected,
                                     const CallCorpus& corpus) {
  std::vector<CallSentence> sentences;
  CaptureJudge judge(SenderNotes::unknown);
  judge.score_as(mode_for_rates(call.rate_hz, call.rate_hz), expected.narrowband_too);
  const auto found =
      expected.own.empty() ? far_sentences(call, expected, corpus) : own_sentences(call, expected, corpus);
  for (const Placed& one : found) {
    if (expected.most > 0 && sentences.size() >= expected.most) break;
    const JudgedCapture judged = judge.judge(one.capture, corpus.references()[one.stimulus], notes(call, one));
    sentences.push_back(sentence_of(corpus.id(one.stimulus), judged.measurement));
  }
  while (sentences.size() < expected.most)
    sentences.push_back({"", Outcome::not_found, {}, {}, "nothing more was heard in the call"});
  return sentences;
}

}  // namespace vqas
