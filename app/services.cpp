#include "services.h"

#include <QDesktopServices>
#include <QDir>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QUrl>
#include <mutex>

#include "model/baseline_words.h"
#include "model/elsewhere/run_follower.h"
#include "model/measuring_session.h"
#include "model/repeats/campaign_worker.h"
#include "model/repeats/kept_campaign.h"
#include "model/speech_port.h"
#include "model/words.h"
#include "vqas/campaign/baseline.h"
#include "vqas/corpus/corpus.h"
#include "vqas/line/audio_devices.h"
#include "vqas/line/open_line.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

Result<std::unique_ptr<SoundPort>> speech_port(const Signal& speech, bool aloud) {
  if (!aloud) return silent_speech_port(speech);
  auto devices = open_sound_devices("", "", 0);
  if (!devices) return devices.error();
  return heard_speech_port(speech, *std::move(devices));
}

}  // namespace

WindowServices services_of_machine(const MeasuringTools& tools, Calibrations* calibrations) {
  WindowServices services;
  services.make_session = [tools](const RunSettings& settings) -> std::unique_ptr<RunSession> {
    if (settings.follows) return std::make_unique<FollowingSession>(settings.folder.toStdString());
    if (settings.repeats.any()) return std::make_unique<CampaignSession>(settings, tools);
    // A campaign resumes its run, and knows which of its other runs are missing.
    const auto campaign = settings.resumes ? campaign_with_repeats(settings.folder.toStdString())
                                           : std::optional<std::filesystem::path>();
    if (!campaign) return std::make_unique<MeasuringSession>(settings, tools);
    RunSettings whole = settings;
    whole.folder = QString::fromStdString(campaign->string());
    return std::make_unique<CampaignSession>(whole, tools);
  };
  services.make_check = [tools](const RunSettings& settings) {
    return std::make_unique<ThreadedCheck>(settings, tools);
  };
  services.open_path = [](const QString& path) { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); };
  services.now = [] { return QDateTime::currentDateTime(); };
  services.listening.make_player = [] { return default_player(); };
  services.listening.original = [folder = tools.corpus, loaded = std::shared_ptr<const Corpus>()](
                                    const std::string& stimulus) mutable -> Result<Signal> {
    if (!loaded) {
      auto read = Corpus::load(folder);
      if (!read) return read.error();
      loaded = std::make_shared<const Corpus>(*std::move(read));
    }
    return loaded->recording(stimulus);
  };
  services.listening.toss = [] { return QRandomGenerator::global()->bounded(2) == 1; };
  services.home = QDir::homePath();
  const std::filesystem::path own_end =
      (QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/vqas/end"_s).toStdString();
  // A line is not opened while the sound system is asked for its devices.
  const auto sound_system = std::make_shared<std::mutex>();
  services.partner.make_end = [own_end, sound_system, calibrations, folder = tools.corpus](const EndSettings& asked) {
    EndSettings settings = asked;
    settings.sound_system = sound_system;
    settings.data = own_end;
    settings.corpus = folder;
    if (const auto own = calibrations == nullptr ? std::nullopt : calibrations->of(settings.line))
      settings.device_delay_ms = own->delay_ms;
    return std::make_unique<ThreadedEnd>(settings);
  };
  services.partner.make_link = [](const PartnerWish& wish) {
    return std::make_unique<ThreadedPartner>(wish, default_known_peers());
  };
  EquipmentTools equipment;
  equipment.open = [sound_system](const std::string& line) {
    const std::lock_guard opening(*sound_system);
    return open_line(line, End::a);
  };
  equipment.speech = [folder = tools.corpus](int rate_hz) -> Result<Signal> {
    const auto corpus = Corpus::load(folder);
    if (!corpus) return corpus.error();
    return corpus->recording("M4", rate_hz);
  };
  services.make_equipment = [equipment](const QString& line) {
    return std::make_unique<ThreadedEquipment>(line, equipment);
  };
  services.calibrations = calibrations;
  services.make_loop = [open = equipment.open](const QString& line) {
    return std::make_unique<ThreadedLoop>(line, open);
  };
  services.baseline_words = [] { return baseline_words(baseline_folder(), QDateTime::currentDateTime()); };
  services.make_baseline = [folder = tools.corpus](const std::filesystem::path& run) {
    return make_baseline(run, folder);
  };
  services.channel.make_relay = [](const QString& address) {
    return std::make_unique<ThreadedChannel<RelayChannel>>(address);
  };
  services.channel.make_simulated = [original = services.listening.original](bool aloud) {
    const auto speech = [original] { return original("M4"); };
    return std::make_unique<ThreadedChannel<SimulatedChannel>>(aloud, SimulatedChannelTools{speech, speech_port});
  };
  services.find_lines = [sound_system] {
    const std::lock_guard looking(*sound_system);
    QStringList lines;
    const auto devices = audio_devices(false);
    if (!devices) return lines;
    for (const AudioDevice& one : *devices)
      if (one.inputs > 0 && one.outputs > 0) lines += QString::fromStdString(audio_line_name(one));
    return lines;
  };
  services.forecast = [tools](const RunSettings& settings) {
    const auto forecast = forecast_run(plan_of(settings, tools));
    return forecast ? forecast_words(*forecast) : QString();
  };
  services.model_error_words = [](ScoreMode mode) { return model_error_words(current_provenance(mode)); };
  return services;
}

}  // namespace vqas::app
