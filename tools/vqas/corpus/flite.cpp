#include "corpus/flite.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "terminal/scratch_folder.h"
#include "vqas/signal/audio_file.h"

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCure =
    "install it (Debian: apt install flite); the recordings shipped with VQAS need not be built";

struct ProgramRun {
  int exit_code = -1;
  std::string output;
};

// Runs a program found in PATH and returns its standard output; nothing if there is no such program.
std::optional<ProgramRun> run_program(const std::vector<std::string>& words) {
  std::array<int, 2> pipe_ends{};
  if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int fault = ::posix_spawnp(&child, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe_ends[1]);
  if (fault != 0) {
    ::close(pipe_ends[0]);
    return std::nullopt;
  }
  ProgramRun run;
  std::array<char, 4096> part{};
  while (true) {
    const auto got = ::read(pipe_ends[0], part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    run.output.append(part.data(), static_cast<std::size_t>(got));
  }
  ::close(pipe_ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  return run;
}

Error unsupported(const std::string& what) {
  return Error{ErrorCode::unsupported, fmt::format("flite {}; {}", what, kCure)};
}

// "flite-2.2-current" from "  version: flite-2.2-current Sep 2018 (http://cmuflite.org)".
std::string version_in(const std::string& output) {
  std::istringstream words(output);
  for (std::string word; words >> word;) {
    if (word.starts_with("flite-")) return word;
  }
  return "flite of unknown version";
}

Status has_voices(const std::string& output) {
  std::istringstream stream(output);
  std::set<std::string> voices;
  for (std::string word; stream >> word;) voices.insert(word);
  for (const auto& utterance : project_utterances()) {
    if (!voices.contains(utterance.voice)) return unsupported(fmt::format("has no voice {}", utterance.voice));
  }
  return success();
}

Result<Signal> speak(const Utterance& utterance) {
  const ScratchFolder scratch("flite");
  if (scratch.path().empty()) {
    return Error{ErrorCode::io, "cannot create a temporary folder; set TMPDIR to a writable folder"};
  }
  const fs::path file = scratch.path() / "spoken.wav";
  const auto run = run_program({"flite", "-voice", utterance.voice, "--setf",
                                fmt::format("duration_stretch={:.2f}", utterance.stretch), "-t", utterance.text, "-o",
                                file.string()});
  if (!run) return unsupported("is not installed");
  if (run->exit_code != 0) return unsupported(fmt::format("could not speak {}", utterance.id));
  return read_audio(file);
}

}  // namespace

Result<Synthesiser> flite_synthesiser() {
  const auto version = run_program({"flite", "--version"});
  if (!version) return unsupported("is not installed");
  const auto voices = run_program({"flite", "-lv"});
  if (!voices || voices->exit_code != 0) return unsupported("cannot list its voices");
  if (auto complete = has_voices(voices->output); !complete) return complete.error();
  return Synthesiser{version_in(version->output),
                     "Carnegie Mellon University, licence of Flite and its voices (permissive), see LICENSE", speak};
}

}  // namespace vqas::cli
