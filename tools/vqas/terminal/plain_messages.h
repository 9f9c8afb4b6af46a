#pragma once

namespace vqas::cli {

/// While it lives, Qt's messages are plain text, as PlainStreams makes that of std::cerr. Apart from it, because the
/// program that only scores has no Qt.
class PlainMessages {
 public:
  PlainMessages();
  ~PlainMessages();
  PlainMessages(const PlainMessages&) = delete;
  PlainMessages& operator=(const PlainMessages&) = delete;
};

}  // namespace vqas::cli
