#include "vqas/corpus/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "manifest.h"
#include "speech_edit.h"
#include "stimulus_files.h"
#include "vqas/signal/level.h"
#include "vqas/signal/resample.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

// The synthesis voices are darker than people: -6.4 dB (rms) and -7.6 dB (slt) of their power lie in 300..3400 Hz,
// against -3.7 to -0.6 dB in recorded speech (seven recordings). This shelf brings them to -4.1 and -4.7 dB at 8 kHz.
// It is no steeper because it already raises the male voice's fricatives (3..4 kHz: -11 dB) above those of the
// recordings (-15 dB at most). doc/record/corpus.md has the table.
constexpr double kShelfFromHz = 300;
constexpr double kShelfToHz = 900;

std::string recipe_of(const Utterance& utterance, const Synthesiser& synthesiser) {
  return fmt::format(
      "{}, voice {}, duration stretch {:.2f}; high-pass 60 Hz, shelf {:.0f} to {:.0f} Hz; cut to the speech, pauses of "
      "{:.2f} and {:.2f} s, room noise {:.0f} dBov seeded by the id; {:.0f} dBov active level (ITU-T P.56)",
      synthesiser.name, utterance.voice, utterance.stretch, kShelfFromHz, kShelfToHz, speech_edit::kLeadS,
      speech_edit::kTailS, speech_edit::kRoomNoiseDbov, kNominalSpeechLevelDbov);
}

Result<Signal> finish(const Signal& spoken, const std::string& id) {
  auto wide = resample(spoken, stimulus_files::kWideRateHz);
  if (!wide) return wide.error();
  const Signal clear = speech_edit::brighter(speech_edit::without_rumble(*std::move(wide)), kShelfFromHz, kShelfToHz);
  const auto speech = speech_edit::find_speech(clear);
  if (speech.begin == speech.end) {
    return Error{ErrorCode::bad_input, "the synthesiser gave no speech; check that it works on its own"};
  }
  // The synthesiser's pauses hold the hiss of its vocoder, so they are replaced.
  const Signal paused = speech_edit::with_pauses(clear, speech, 0, -200, speech_edit::seed_of(id + " pauses"));
  return speech_edit::levelled(paused, speech_edit::seed_of(id));
}

Status holds_nothing_else(const fs::path& folder, const std::vector<Utterance>& utterances) {
  std::error_code fault;
  if (!fs::exists(folder / manifest::kFileName, fault)) return success();
  const auto present = manifest::read(folder);
  if (!present) return success();  // A new build repairs a damaged manifest.
  for (const Stimulus& one : *present) {
    if (std::none_of(utterances.begin(), utterances.end(), [&](const auto& u) { return u.id == one.id; })) {
      return Error{
          ErrorCode::bad_input,
          fmt::format("{}: holds the stimulus {}, which is not the project's own and would be lost; build into "
                      "another folder",
                      folder.string(), one.id)};
    }
  }
  return success();
}

}  // namespace

std::vector<Utterance> project_utterances() {
  const std::array<std::string, 6> sentences = {
      "These problems are both basic and pervasive to our society.",
      "The group policy provides two types of insurance.",
      "The directors raised the quarterly dividend to ninety-five cents.",
      "It is difficult to pretend to be ignorant.",
      "More books have resulted from somebody's need to write them than from anybody's need to read them.",
      "An employee regularly assigned to the night shift will receive night differential.",
  };
  struct Voice {
    std::string talker;
    std::string name;
    std::array<double, 6> stretch;
  };
  const std::array<Voice, 2> voices = {Voice{"M", "rms", {1, 1, 1, 1, 0.9, 1}},
                                       Voice{"F", "slt", {1, 1, 1, 1.15, 1, 1}}};
  std::vector<Utterance> utterances;
  for (const Voice& voice : voices) {
    for (std::size_t n = 0; n < sentences.size(); ++n) {
      utterances.push_back(
          {voice.talker + std::to_string(n + 1), voice.talker, voice.name, sentences[n], voice.stretch[n]});
    }
  }
  return utterances;
}

Result<Corpus> build_corpus(const fs::path& folder, const Synthesiser& synthesiser) {
  const auto utterances = project_utterances();
  if (auto free = holds_nothing_else(folder, utterances); !free) return free.error();
  std::vector<Stimulus> stimuli;
  for (const Utterance& utterance : utterances) {
    auto spoken = synthesiser.speak(utterance);
    if (!spoken) return spoken.error();
    auto master = finish(*spoken, utterance.id);
    if (!master) return Error{master.error().code, fmt::format("{}: {}", utterance.id, master.error().message)};
    Stimulus one{
        utterance.id, utterance.talker, utterance.text, synthesiser.licence, recipe_of(utterance, synthesiser), {}};
    if (auto written = stimulus_files::write(folder, *master, one); !written) return written.error();
    stimuli.push_back(std::move(one));
  }
  if (auto written = manifest::write(folder, stimuli); !written) return written.error();
  return Corpus::load(folder);
}

}  // namespace vqas
