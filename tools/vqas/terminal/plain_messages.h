#pragma once

namespace vqas::cli {

/// While it lives, Qt's messages are plain text as PlainStreams makes it.
class PlainMessages {
 public:
  PlainMessages();
  ~PlainMessages();
  PlainMessages(const PlainMessages&) = delete;
  PlainMessages& operator=(const PlainMessages&) = delete;
};

}  // namespace vqas::cli
