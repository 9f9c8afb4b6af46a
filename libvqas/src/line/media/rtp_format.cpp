#include "line/media/rtp_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "line/line_name.h"

namespace vqas {
namespace {

// In the order of RtpEncoding. G.722 has a clock of 8000 Hz by an old mistake (RFC 3551, 4.5.2); Opus always has one of
// 48000 Hz (RFC 7587, 4.1).
constexpr std::array<EncodingFacts, 7> kEncodings{{
    {RtpEncoding::pcmu, "pcmu", "PCMU", "G.711 mu-law", 0, 8000, 1, false},
    {RtpEncoding::pcma, "pcma", "PCMA", "G.711 A-law", 8, 8000, 1, false},
    {RtpEncoding::g722, "g722", "G722", "G.722", 9, 8000, 1, true},
    {RtpEncoding::l16, "l16", "L16", "L16 at 8 kHz", 96, 8000, 1, false},
    {RtpEncoding::l16wb, "l16wb", "L16", "L16 at 16 kHz", 97, 16000, 1, true},
    {RtpEncoding::opus, "opus", "opus", "Opus", 111, 48000, 2, true},
    {RtpEncoding::gsm, "gsm", "GSM", "GSM 06.10", 3, 8000, 1, false},
}};

Error wrong(const LineName& name, const std::string& what) {
  return {ErrorCode::bad_input, fmt::format("the line \"{}\": {}", name.whole(), what)};
}

}  // namespace

std::span<const EncodingFacts> encodings() {
  return kEncodings;
}

const EncodingFacts& facts_of(RtpEncoding encoding) {
  return kEncodings.at(static_cast<std::size_t>(encoding));
}

// RFC 7587, 6.1.
std::string parameters_of(RtpEncoding encoding, int rate_hz) {
  if (encoding != RtpEncoding::opus) return {};
  return fmt::format("maxplaybackrate={0};sprop-maxcapturerate={0};useinbandfec=1", rate_hz);
}

RtpFormat::RtpFormat(RtpEncoding with) : encoding(with), sends_as(facts_of(with).payload_type), hears_as(sends_as) {}

RtpFormat::RtpFormat(G711Law law) : RtpFormat(law == G711Law::mu ? RtpEncoding::pcmu : RtpEncoding::pcma) {}

Result<std::vector<RtpEncoding>> codecs_of(const LineName& name, bool several) {
  const auto law = name.word("law", {"mu", "a"}, "");
  if (!law) return law.error();
  std::string rest = name.text("codec");
  if (rest.empty()) return std::vector{*law == "a" ? RtpEncoding::pcma : RtpEncoding::pcmu};
  if (!law->empty()) return wrong(name, "give law or codec, not both");
  std::vector<RtpEncoding> codecs;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    const std::string word = rest.substr(0, comma);
    more = comma != std::string::npos;
    if (more) rest.erase(0, comma + 1);
    const auto* const found = std::ranges::find(kEncodings, word, &EncodingFacts::word);
    if (found == kEncodings.end()) {
      std::vector<std::string> words;
      for (const EncodingFacts& one : kEncodings) words.emplace_back(one.word);
      return wrong(name, fmt::format("codec must be {} {}", several ? "a list of" : "one of", fmt::join(words, ", ")));
    }
    if (std::ranges::count(codecs, found->encoding) > 0)
      return wrong(name, fmt::format("codec names {} twice", found->word));
    codecs.push_back(found->encoding);
  }
  if (codecs.size() > 1 && !several) return wrong(name, "give one codec: an rtp: line does not negotiate");
  return codecs;
}

Result<int> rate_of(const LineName& name, const std::vector<RtpEncoding>& codecs) {
  const auto rate_hz = line_rate_of(name);
  const bool wide = std::ranges::any_of(codecs, [](RtpEncoding one) { return facts_of(one).wide; });
  if (!rate_hz || *rate_hz == kLineRateHz || wide) return rate_hz;
  return wrong(name, fmt::format("hd=yes needs a codec of HD voice: g722, l16wb or opus; {} carries the narrow band",
                                 in_words(codecs)));
}

std::string narrow_in_words(const RtpFormat& format) {
  if (format.rate_hz == kLineRateHz) return {};
  if (facts_of(format.encoding).wide && format.far_plays_hz < format.rate_hz) {
    return fmt::format("the other end plays {} up to {} Hz (maxplaybackrate={}), so what is sent is no HD voice",
                       label_of(format.encoding), format.far_plays_hz / 2, format.far_plays_hz);
  }
  if (facts_of(format.encoding).wide) return {};
  return fmt::format("{} carries the narrow band, so this is no call of HD voice", label_of(format.encoding));
}

std::string label_of(RtpEncoding encoding) {
  const EncodingFacts& facts = facts_of(encoding);
  // The one name with more than one rate.
  return facts.name == std::string_view("L16") ? fmt::format("{}/{}", facts.name, facts.clock_hz) : facts.name;
}

std::string in_words(const std::vector<RtpEncoding>& codecs) {
  std::string words;
  for (const RtpEncoding one : codecs) words += fmt::format("{}{}", words.empty() ? "" : " or ", facts_of(one).words);
  return words;
}

}  // namespace vqas
