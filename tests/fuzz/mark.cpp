// Mark data: the payload's bits, the decoder's soft bits, and a stream of any samples with a mark in it.
#include "vqas/sync/mark.h"

#include <algorithm>
#include <vector>

#include "fuzz.h"
#include "sync/convolutional_code.h"
#include "sync/mark_payload.h"
#include "vqas/sync/capture.h"
#include "vqas/sync/detector.h"

using namespace vqas;

namespace {

MarkData mark_data(fuzz::Input& input) {
  MarkData data;
  data.sender = input.byte() % 2 == 0 ? End::a : End::b;
  data.run_id = input.take<std::uint32_t>() & 0xFFFFFFU;
  data.stimulus = input.byte();
  data.sequence = input.take<std::uint16_t>();
  data.corpus_digest = input.take<std::uint16_t>();
  return data;
}

void check_bits(fuzz::Input& input) {
  sync::PayloadBits bits{};
  const auto packed = input.bytes((bits.size() + 7) / 8);
  for (std::size_t i = 0; i < bits.size() && i / 8 < packed.size(); ++i) bits[i] = (packed[i / 8] >> (7 - i % 8)) & 1U;
  const auto data = sync::unpack(bits);
  fuzz::require(!data || sync::pack(*data) == bits, "what was unpacked packs to the same bits");
}

void check_code(fuzz::Input& input) {
  const MarkData data = mark_data(input);
  const auto bits = sync::pack(data);
  fuzz::require(sync::unpack(bits) == data, "what was packed unpacks to the same data");
  sync::ViterbiDecoder decoder;
  sync::SoftBits soft{};
  const auto coded = sync::encode(bits);
  std::ranges::transform(coded, soft.begin(), [](std::uint8_t bit) { return bit != 0 ? -1.0F : 1.0F; });
  fuzz::require(decoder.decode(soft) == bits, "a code without errors decodes to its bits");
  // Any value, infinities and NaN among them.
  while (!input.empty()) soft[input.below_or_equal(soft.size() - 1)] = input.take<float>();
  for (const std::uint8_t bit : decoder.decode(soft)) fuzz::require(bit <= 1, "a decoded bit is 0 or 1");
}

std::vector<float> stream_of(fuzz::Input& input, const MarkData& data) {
  std::vector<float> stream(input.below_or_equal(2000), 0.0F);
  const auto mark = make_leading_mark(data);
  stream.insert(stream.end(), mark.begin(), mark.end());
  const auto end = make_trailing_mark(data.sender);
  stream.insert(stream.end(), input.below_or_equal(4000), 0.0F);
  stream.insert(stream.end(), end.begin(), end.end());
  stream.insert(stream.end(), MarkDetector::latency() + 100, 0.0F);
  for (int n = 0; n < 200 && !input.empty(); ++n) {
    const std::size_t place = input.below_or_equal(65535) % stream.size();
    const float value = input.take<float>();
    const std::size_t count = std::min<std::size_t>(input.byte() * std::size_t{16} + 1, stream.size() - place);
    std::fill_n(stream.begin() + static_cast<std::ptrdiff_t>(place), count, value);
  }
  return stream;
}

void check_stream(fuzz::Input& input) {
  const MarkData data = mark_data(input);
  const std::size_t block = 1 + input.below_or_equal(4000);
  const auto stream = stream_of(input, data);
  MarkDetector detector(data.sender);
  CaptureReceiver receiver(data.sender, {});
  receiver.expect({{.data = data, .stimulus_length = 1 + input.below_or_equal(8000), .within_s = 1}});
  for (std::size_t at = 0; at < stream.size(); at += block) {
    const auto part = std::span(stream).subspan(at, std::min(block, stream.size() - at));
    for (const FoundMark& found : detector.push(part)) {
      fuzz::require(found.confidence >= 0 && found.confidence <= 1.0001, "confidence is a share");
      fuzz::require(found.position > -1e4 && found.position < static_cast<double>(stream.size()),
                    "a mark lies in the stream");
    }
    for (const Capture& capture : receiver.push(part)) {
      fuzz::require(capture.recording.size() <= stream.size() + 8000, "a capture is no longer than the stream");
    }
  }
  (void)receiver.abandon();
  fuzz::require(receiver.idle(), "nothing is due after all was abandoned");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::uint8_t kind = input.byte();
  if (kind < 112) {
    check_bits(input);
  } else if (kind < 224) {
    check_code(input);
  } else {
    check_stream(input);  // a thousand times as slow
  }
  return 0;
}
