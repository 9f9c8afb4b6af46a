#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "line/rtp_blocks.h"
#include "line/sip/sip_line.h"

namespace vqas::test {

using Change = std::function<void(SipLineOptions&)>;

/// A line without the pauses that a real far end needs. `password`: of the account; null: none.
inline std::unique_ptr<Line> opened(const std::string& name, const Change& change = {},
                                    const char* password = nullptr) {
  auto options = parse_sip_line(name);
  EXPECT_TRUE(options) << options.error().message;
  options->redial_s = 0;
  options->first_packet_s = 1;
  if (change) change(*options);
  auto line = SipLine::open(*options, [password](const char* variable) -> const char* {
    return std::string_view(variable) == "VQAS_SIP_PASSWORD" ? password : nullptr;
  });
  EXPECT_TRUE(line) << line.error().message;
  return std::move(line).value();
}

/// Exchanges tones until the line fails or `blocks` have passed.
struct Talk {
  Block heard{};
  LineStatistics noticed;
  std::string warnings;
  std::optional<Error> error;
  int blocks = 0;  ///< that passed

  void run(Line& line, int most) {
    for (int block = 0; block < most && !error; ++block) {
      const auto time = line.exchange(tone(block), heard, {.number = 1, .busy = true});
      warnings += line.take_warning();
      if (time) noticed += time->noticed;
      blocks += time ? 1 : 0;
      if (!time && time.error().code != ErrorCode::cancelled) error = time.error();
    }
  }
};

/// A far end with audio: sends packets to where an INVITE says, from its own socket.
class TalkingPeer {
 public:
  explicit TalkingPeer(G711Law law = G711Law::mu)
      : sockets_(bind_rtp_sockets({0x7F000001, 0}).value()), sender_(law, 7, 1, 1) {}
  std::uint16_t port() const { return sockets_.rtp.address().port; }
  void send(const SocketAddress& to) { sockets_.rtp.send(sender_.packet(tone(block_++)), to); }

 private:
  RtpSockets sockets_;
  RtpSender sender_;
  int block_ = 0;
};

}  // namespace vqas::test
