// The state of a session: several clients send messages, one a line, to a node whose line stands still. The first
// character of a line is the client; "-" is one that leaves.
#include <QCoreApplication>
#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "fuzz.h"
#include "node/agent/node_service.h"
#include "qt_application.h"
#include "vqas/corpus/digest.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/input_file.h"

using namespace vqas;

namespace {

/// A line of virtual time whose clock never runs.
class StandingLine : public Line {
 public:
  LineDescription description() const override { return {.name = "fuzz:", .virtual_time = true, .simulated = {}}; }
  Result<BlockTime> exchange(std::span<const float>, std::span<float> heard, Round) override {
    std::ranges::fill(heard, 0.0F);
    const std::lock_guard lock(mutex_);
    if (std::exchange(interrupted_, false)) return Error{ErrorCode::cancelled, "interrupted"};
    BlockTime time;
    time.standing = true;
    return time;
  }
  Status stand() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return interrupted_; });
    interrupted_ = false;
    return success();
  }
  void interrupt() override {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool interrupted_ = false;
};

// A corpus of one short stimulus, "M6", made once.
const std::filesystem::path& small_corpus() {
  static const std::filesystem::path folder = [] {
    const std::filesystem::path made = fuzz::folder().path() / "corpus";
    std::filesystem::create_directories(made / "8k");
    Signal tone{std::vector<float>(8000), 8000};
    for (std::size_t i = 0; i < tone.size(); ++i) tone.samples[i] = i % 16 < 8 ? 0.05F : -0.05F;
    fuzz::require(static_cast<bool>(write_audio(made / "8k" / "M6.wav", tone, AudioFormat::wav16)),
                  "a tone is written");
    const auto bytes = read_whole_file(made / "8k" / "M6.wav", {"tone", 1U << 20U});
    const std::string digest = sha256_hex(bytes.value());
    fuzz::folder().put("corpus/manifest.json",
                       R"({"schema":"vqas-corpus-1","stimuli":[{"id":"M6","talker":"M","text":"x","licence":"x",)"
                       R"("recipe":"x","files":{"8000":{"path":"8k/M6.wav","sha256":")" +
                           digest + R"(","duration_s":1,"active_level_dbov":-26}}}]})");
    return made;
  }();
  return folder;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::need_qt();
  const std::filesystem::path state = fuzz::folder().path() / "node";
  std::error_code ignored;
  std::filesystem::remove_all(state, ignored);

  NodeOptions options;
  options.corpus = small_corpus();
  options.data = state;
  options.open_line = [](End) -> Result<std::unique_ptr<Line>> { return std::unique_ptr<Line>(new StandingLine); };
  options.tell_operator = [](const std::string&) {};
  auto service = NodeService::create(options, [](int, const std::string& message) {
    fuzz::require(static_cast<bool>(parse_json_text(message, "notification")), "a notification is JSON");
  });
  fuzz::require(static_cast<bool>(service), "the node starts");

  const std::string text = fuzz::text_of({data, size});
  std::size_t begin = 0;
  for (int n = 0; n < 100 && begin < text.size(); ++n) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.empty()) continue;
    const int connection = 1 + static_cast<unsigned char>(line.front()) % 3;
    if (line.front() == '-') {
      (*service)->disconnected(connection);
      continue;
    }
    const std::string answer = rpc::respond(line.substr(1), [&](const std::string& method, const Json& params) {
      return (*service)->call(connection, method, params);
    });
    fuzz::require(answer.empty() || parse_json_text(answer, "answer"), "an answer is JSON");
    QCoreApplication::processEvents();
  }
  fuzz::require(!(*service)->metrics({}, 1).empty(), "a node has metrics");
  (void)(*service)->release();
  return 0;
}
