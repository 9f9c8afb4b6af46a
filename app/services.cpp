#include "services.h"

#include <QDesktopServices>
#include <QDir>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QUrl>
#include <mutex>

#include "model/measuring_session.h"
#include "model/words.h"
#include "vqas/corpus/corpus.h"
#include "vqas/line/audio_devices.h"
#include "vqas/line/open_line.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

WindowServices services_of_machine(const MeasuringTools& tools) {
  WindowServices services;
  services.make_session = [tools](const RunSettings& settings) {
    return std::make_unique<MeasuringSession>(settings, tools);
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
  services.partner.make_end = [own_end, sound_system, folder = tools.corpus](const EndSettings& asked) {
    EndSettings settings = asked;
    settings.sound_system = sound_system;
    settings.data = own_end;
    settings.corpus = folder;
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
  equipment.speech = [original = services.listening.original] { return original("M4"); };
  services.make_equipment = [equipment](const QString& line) {
    return std::make_unique<ThreadedEquipment>(line, equipment);
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
  services.model_error_words = [] { return model_error_words(current_provenance()); };
  return services;
}

}  // namespace vqas::app
