#include "line/line_work.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <iostream>
#include <thread>
#include <utility>

#include "corpus/corpus_folder.h"
#include "terminal/event_loop.h"
#include "terminal/out_of_memory.h"
#include "vqas/campaign/exit_codes.h"
#include "vqas/line/open_line.h"
#include "vqas/node/signalling_files.h"

namespace vqas::cli {

void await_simulator(const std::string& line, End end) {
  constexpr std::chrono::seconds kPatience{10};
  wait_for_simulator(line, end, kPatience, [&] {
    std::cerr << fmt::format("vqas: no simulator at {} yet; waiting up to {} s for it", line, kPatience.count())
              << std::endl;
  });
}

Result<std::unique_ptr<Line>> open_line_soon(const std::string& name, End own) {
  await_simulator(name, own);
  constexpr auto kPatience = std::chrono::seconds(3);  // for an earlier run to leave the end
  return open_line(name, own, kPatience);
}

CallFollower::CallFollower(Line& line, End own, std::filesystem::path folder,
                           std::function<void(const std::string&)> noticed)
    : line_(line), own_(own), folder_(std::move(folder)), noticed_(std::move(noticed)), thread_([this] { run(); }) {
  line_.tell_news([this](const LineNews& news) {
    {
      const std::lock_guard lock(mutex_);
      news_.push_back(news);
    }
    changed_.notify_one();
  });
}

CallFollower::~CallFollower() {
  line_.tell_news({});
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void CallFollower::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || !news_.empty(); });
    if (news_.empty()) return;
    const auto news = std::exchange(news_, {});
    lock.unlock();
    for (const LineNews& one : news) write(one);
    lock.lock();
  }
}

void CallFollower::write(const LineNews& news) {
  if (!news.warning.empty()) noticed_(news.warning);
  std::string text;
  for (const LineTrace& one : news.trace) text += one.text;
  if (folder_.empty() || text.empty()) return;
  const Status kept = SignallingFiles(folder_).add(own_, text);
  if (!kept && !std::exchange(failed_, true)) noticed_("the signalling is not kept: " + kept.error().message);
}

int work_until_interrupted(const std::function<void()>& interrupted,
                           const std::function<int(const std::atomic<bool>&)>& work) {
  EventLoop loop;
  std::atomic<bool> cancelled = false;
  loop.on_interrupt([&] {
    cancelled = true;
    interrupted();
  });
  std::thread worker([&] {
    int code = kInternal;
    try {
      code = work(cancelled);
    } catch (const std::exception& fault) {
      code = report_exception(fault);
    }
    QMetaObject::invokeMethod(
        QCoreApplication::instance(), [code] { EventLoop::end(code); }, Qt::QueuedConnection);
  });
  const int code = loop.run();
  worker.join();
  return code;
}

int work_on_line(Line& line, const std::function<int(const std::atomic<bool>&)>& work) {
  return work_until_interrupted([&line] { line.interrupt(); }, work);
}

void add_shared_options(CLI::App& command, double& guard_s, std::string& corpus) {
  command
      .add_option(
          "--guard-s", guard_s,
          "silence between marks and speech, in s; a listener adopts the sender's from the second transmission on")
      ->check(CLI::Range(0.05, 1.0))
      ->capture_default_str();
  add_corpus_option(command, corpus, "the same at both ends");
}

}  // namespace vqas::cli
