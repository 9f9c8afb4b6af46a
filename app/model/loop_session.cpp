#include "model/loop_session.h"

#include <utility>

#include "model/text.h"
#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

/// A line that can be given up between two blocks.
class StoppableLine : public Line {
 public:
  StoppableLine(std::unique_ptr<Line> line, std::shared_ptr<std::atomic<bool>> over)
      : line_(std::move(line)), over_(std::move(over)) {}
  LineDescription description() const override { return line_->description(); }
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override {
    if (*over_) return Error{ErrorCode::cancelled, "the measurement was stopped"};
    return line_->exchange(sent, heard, round);
  }
  void interrupt() override { line_->interrupt(); }

 private:
  std::unique_ptr<Line> line_;
  const std::shared_ptr<std::atomic<bool>> over_;
};

}  // namespace

void LoopWorker::start() {
  auto opened = open_(name_.toStdString());
  if (!opened) return emit finished({}, QString::fromStdString(opened.error().message));
  StoppableLine line(*std::move(opened), over_);
  if (line.description().virtual_time)
    return emit finished({}, u"a simulated line has no equipment; choose a sound device"_s);
  const auto found = measure_loop_delay(line, kLoopMarks);
  if (!found) return emit finished({}, QString::fromStdString(found.error().message));
  emit finished(*found, {});
}

ThreadedLoop::ThreadedLoop(const QString& line, const LoopWorker::Open& open)
    : worker_(u"loop"_s, new LoopWorker(line, open, over_)) {
  worker_.pass_on(this, &LoopSession::finished);
}

QString loop_words(const LoopDelay& found) {
  if (found.steady())
    return Text::tr("✓ Kept: %1 of %2 marks came back after %3 ms, %4 dB weaker.")
        .arg(found.heard)
        .arg(found.sent)
        .arg(number_words(found.median_ms, 2), number_words(found.return_loss_db, 1));
  if (found.heard + found.disturbed == 0)
    return Text::tr("⚠ Nothing came back: join the output to the input as in the picture, and raise the level.");
  return Text::tr(
             "⚠ The delay is not steady: %1 of %2 marks came back undisturbed, and they differ by %3 ms. Stop other "
             "programs that use the sound device, and measure again.")
      .arg(found.heard)
      .arg(found.sent)
      .arg(number_words(found.spread_ms, 2));
}

}  // namespace vqas::app
