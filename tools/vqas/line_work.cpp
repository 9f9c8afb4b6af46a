#include "line_work.h"

#include <exception>
#include <iostream>
#include <thread>

#include "corpus_folder.h"
#include "event_loop.h"
#include "exit_codes.h"

namespace vqas::cli {

int work_on_line(Line& line, const std::function<int(const std::atomic<bool>&)>& work) {
  EventLoop loop;
  std::atomic<bool> cancelled = false;
  loop.on_interrupt([&] {
    cancelled = true;
    line.interrupt();
  });
  std::thread worker([&] {
    int code = kInternal;
    try {
      code = work(cancelled);
    } catch (const std::exception& fault) {
      std::cerr << "vqas: internal fault: " << fault.what() << ".\n";
    }
    QMetaObject::invokeMethod(
        QCoreApplication::instance(), [code] { EventLoop::end(code); }, Qt::QueuedConnection);
  });
  const int code = loop.run();
  worker.join();
  return code;
}

void add_shared_options(CLI::App& command, double& guard_s, std::string& corpus) {
  command.add_option("--guard-s", guard_s, "silence between marks and speech, in s; the same at both ends")
      ->check(CLI::Range(0.05, 1.0))
      ->capture_default_str();
  add_corpus_option(command, corpus, "the same at both ends");
}

}  // namespace vqas::cli
