#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <mutex>
#include <optional>

#include "calls/call_text.h"
#include "calls/calls_commands.h"
#include "corpus/corpus_folder.h"
#include "line/line_work.h"
#include "terminal/end_time.h"
#include "terminal/open_files.h"
#include "terminal/refused_start.h"
#include "terminal/whole_number.h"
#include "vqas/calls/answer.h"
#include "vqas/calls/call_json.h"
#include "vqas/calls/calls_folder.h"
#include "vqas/store/utc_text.h"

namespace vqas::cli {
namespace {

struct AnswerOptions {
  AnswerPlan plan;
  std::string as = "echo", corpus, folder, duration;
  bool force = false, json_lines = false;
};

/// The folder of what was heard, where the far ends send.
Result<std::optional<CallsFolder>> opened(const AnswerOptions& options, const Corpus& corpus) {
  if (options.folder.empty()) return std::optional<CallsFolder>();
  if (options.plan.as != FarEnd::listen)
    return Error{ErrorCode::bad_input, "--out is for --as listen: in other calls nothing is measured at this end"};
  CallsPlan plan;
  plan.line = options.plan.line;
  plan.far_end = FarEnd::send;
  plan.late_ms = options.plan.late_ms;
  plan.narrowband_too = options.plan.narrowband_too;
  auto folder = CallsFolder::create(options.folder, plan, corpus.digest(), now_utc(), options.force);
  if (!folder) return folder.error();
  return std::optional(std::move(folder).value());
}

int answer(AnswerOptions options) {
  options.plan.as = options.as == "send" ? FarEnd::send : options.as == "listen" ? FarEnd::listen : FarEnd::echo;
  const auto for_s = duration_s(options.duration, "--for");
  if (!for_s) return report_error(for_s.error());
  options.plan.for_s = *for_s;
  const auto at = corpus_folder(options.corpus);
  if (!at) return report_error(at.error());
  const auto corpus = Corpus::load(*at);
  if (!corpus) return report_error(corpus.error());
  if (const Status allowed = allow_open_files(files_for_calls(options.plan.most)); !allowed)
    return report_error(allowed.error());
  // Before --force replaces what is there.
  if (const Status possible = check_answer(options.plan, *corpus); !possible) return report_error(possible.error());
  auto folder = opened(options, *corpus);
  if (!folder) return report_error(folder.error(), options.folder);
  AnswerEvents events;
  events.ended = [&](const CallOutcome& call, const Signal& recording) -> Status {
    std::cout << (options.json_lines ? to_json(call).dump(-1, ' ', false, Json::error_handler_t::replace)
                                     : call_in_words(call))
              << std::endl;
    return *folder ? (*folder)->add(call, recording) : success();
  };
  if (*folder)
    events.traced = [&](std::uint32_t number, const std::string& entries) { return (*folder)->trace(number, entries); };
  events.noticed = [](const std::string& what) { std::cerr << "vqas: " << what << ".\n"; };
  events.ready = [&] { std::cerr << fmt::format("vqas: answering at {} as {}.\n", options.plan.line, options.as); };
  return work_until_interrupted([] {},
                                [&](const std::atomic<bool>& cancelled) -> int {
                                  const Status answered = answer_calls(options.plan, *corpus, events, cancelled);
                                  if (*folder) {
                                    const CallsSummary summary = summarise((*folder)->calls(), (*folder)->plan());
                                    if (const Status written = (*folder)->finish(summary, nullptr); !written)
                                      return report_error(written.error());
                                  }
                                  return answered ? kOk : report_error(answered.error());
                                });
}

}  // namespace

void add_answer_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<AnswerOptions>();
  CLI::App* command = app.add_subcommand("answer", "be the far end of any number of SIP calls at a time");
  command->add_option("--line", options->plan.line, "sip:USER@HOST;… as in libvqas/doc/sip.md, without dial")
      ->required();
  command
      ->add_option("--as", options->as,
                   "echo: send back what is heard; send: send marked sentences; listen: score what is heard")
      ->check(CLI::IsMember({"echo", "send", "listen"}))
      ->capture_default_str();
  command
      ->add_option_function<std::string>(
          "--mode", [options](const std::string&) { options->plan.narrowband_too = true; },
          "of --as listen at a line with hd=yes, both: each score also on the narrowband scale")
      ->check(CLI::IsMember({"both"}));
  command->add_option("--stimuli", options->plan.stimuli, "of --as send: these stimuli; default: all")->delimiter(',');
  command->add_option("--most", options->plan.most, "calls at a time; others are told that it is busy")
      ->check(whole_number(1, kMostCallsAtOnce))
      ->capture_default_str();
  command->add_option("--total", options->plan.total, "end after so many calls")->check(whole_number(1, kMostCalls));
  command->add_option("--for", options->duration, "end after this time: 90s, 45m, 2h");
  command
      ->add_option("--late-ms", options->plan.late_ms,
                   "a packet that this machine sends later than this spoils its call")
      ->check(CLI::Range(0.1, 1000.0))
      ->capture_default_str();
  command->add_option("--out", options->folder, "of --as listen: folder for scores and recordings of the worst calls");
  command->add_flag("--force", options->force, "use the folder even if it is not empty; replaces calls in it");
  command->add_flag("--json-lines", options->json_lines, "print one line of JSON for each call");
  add_corpus_option(*command, options->corpus);
  command->footer(
      "Examples:\n"
      "  vqas answer --line sip:4712@127.0.0.1:5062                 # an echo\n"
      "  vqas answer --line sip:4712@127.0.0.1:5062 --as send       # sentences, for \"vqas calls --far-end send\"\n"
      "It ends by Ctrl-C, and hangs up what is up then.");
  command->callback([&action, options] { action = [options] { return answer(*options); }; });
}

}  // namespace vqas::cli
