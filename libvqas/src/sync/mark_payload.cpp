#include "sync/mark_payload.h"

namespace vqas::sync {
namespace {

constexpr std::size_t kChecksumBits = 16;
constexpr std::size_t kContentBits = kPayloadBits - kChecksumBits;

// CRC-16 of ITU-T V.41 (x^16 + x^12 + x^5 + 1), started with ones so that leading zeros count.
std::uint32_t checksum(std::span<const std::uint8_t> bits) {
  std::uint32_t remainder = 0xFFFF;
  for (const std::uint8_t bit : bits) {
    const bool subtract = (((remainder >> 15) ^ bit) & 1) != 0;
    remainder = (remainder << 1) & 0xFFFF;
    if (subtract) remainder ^= 0x1021;
  }
  return remainder;
}

class Writer {
 public:
  explicit Writer(PayloadBits& bits) : bits_(bits) {}
  void put(std::uint32_t value, int width) {
    for (int i = width - 1; i >= 0; --i) bits_[at_++] = static_cast<std::uint8_t>((value >> i) & 1);
  }

 private:
  PayloadBits& bits_;
  std::size_t at_ = 0;
};

class Reader {
 public:
  explicit Reader(const PayloadBits& bits) : bits_(bits) {}
  std::uint32_t get(int width) {
    std::uint32_t value = 0;
    for (int i = 0; i < width; ++i) value = (value << 1) | bits_[at_++];
    return value;
  }

 private:
  const PayloadBits& bits_;
  std::size_t at_ = 0;
};

}  // namespace

PayloadBits pack(const MarkData& data) {
  PayloadBits bits{};
  Writer writer(bits);
  writer.put(kMarkVersion, 4);
  writer.put(static_cast<std::uint32_t>(data.sender), 1);
  writer.put(data.run_id, 24);
  writer.put(data.stimulus, 8);
  writer.put(data.sequence, 16);
  writer.put(data.corpus_digest, 16);
  writer.put(checksum(std::span(bits).first(kContentBits)), kChecksumBits);
  return bits;
}

std::optional<MarkData> unpack(const PayloadBits& bits) {
  Reader reader(bits);
  const std::uint32_t version = reader.get(4);
  MarkData data;
  data.sender = reader.get(1) == 0 ? End::a : End::b;
  data.run_id = reader.get(24);
  data.stimulus = static_cast<std::uint8_t>(reader.get(8));
  data.sequence = static_cast<std::uint16_t>(reader.get(16));
  data.corpus_digest = static_cast<std::uint16_t>(reader.get(16));
  if (reader.get(kChecksumBits) != checksum(std::span(bits).first(kContentBits))) return std::nullopt;
  if (version != kMarkVersion) return std::nullopt;
  return data;
}

}  // namespace vqas::sync
