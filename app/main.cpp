#include <QApplication>
#include <QDir>
#include <QScreen>
#include <QSettings>
#include <QTimer>
#include <exception>
#include <iostream>

#include "model/form_memory.h"
#include "model/languages.h"
#include "options.h"
#include "places.h"
#include "screenshot.h"
#include "services.h"
#include "view/main_window.h"
#include "vqas/campaign/exit_codes.h"
#include "vqas/node/peer_trust.h"

namespace vqas::app {
namespace {

ExitCode exit_code(const RunEnd& end) {
  if (end.phase == RunPhase::finished) return exit_code_of(end.verdict);
  if (end.phase == RunPhase::cancelled) return kCancelled;
  return exit_code_of(Error{end.code.value_or(ErrorCode::line_lost), {}});
}

ExitCode tell(const Error& error) {
  std::cerr << "vqas-gui: " << error.message << ".\n";
  return exit_code_of(error);
}

/// What the command line asked for after a run.
void after_run(MainWindow& window, const Options& options, const RunEnd& end) {
  ExitCode code = exit_code(end);
  if (!options.screenshot.empty()) {
    const Status saved = save_screenshot(window, QString::fromStdString(options.screenshot));
    if (!saved) code = tell(saved.error());
  }
  if (!options.quit_when_done) return;
  if (!end.message.isEmpty()) std::cerr << "vqas-gui: " << end.message.toStdString() << ".\n";
  QCoreApplication::exit(code);
}

/// Beside the file of known peers.
QString memory_file() {
  return QString::fromStdString((default_known_peers().parent_path() / "vqas-gui.ini").string());
}

int run(QApplication& application, const Options& options, FormMemory& memory, Calibrations& calibrations,
        Languages& languages) {
  const Result<std::filesystem::path> corpus = find_corpus(options.corpus);
  if (!corpus) return tell(corpus.error());
  WindowServices services = services_of_machine({find_program(options.program), *corpus}, &calibrations);
  services.memory = &memory;
  services.languages = &languages;

  MainWindow window(services);
  SettingsForm form = options.form;
  // A relative folder is below home in the window, and below the working directory on the command line.
  if (!form.folder.isEmpty()) form.folder = QDir::current().absoluteFilePath(form.folder);
  window.set_form(form);
  QObject::connect(&window, &MainWindow::run_finished, &application, [&window, &options](const RunEnd& end) {
    // After the window has been laid out and painted with the end of the run.
    QTimer::singleShot(0, &window, [&window, &options, end] { after_run(window, options, end); });
  });
  QObject::connect(&window, &MainWindow::refused, &application, [&window, &options] {
    if (!options.quit_when_done) return;
    std::cerr << "vqas-gui: " << window.faults().join(QStringLiteral("; ")).toStdString() << ".\n";
    QCoreApplication::exit(kBadInput);
  });
  // A picture has the same size on every screen.
  if (options.screenshot.empty()) window.resize(window.size().boundedTo(window.screen()->availableSize()));
  window.show();
  if (!options.resume.empty()) {
    const QString folder = QDir::current().absoluteFilePath(QString::fromStdString(options.resume));
    QTimer::singleShot(0, &window, [&window, folder] { window.resume(folder); });
  } else if (!options.follow.empty()) {
    const QString folder = QDir::current().absoluteFilePath(QString::fromStdString(options.follow));
    QTimer::singleShot(0, &window, [&window, folder] { window.follow(folder); });
  } else if (options.start)
    QTimer::singleShot(0, &window, &MainWindow::start);
  return QApplication::exec();
}

}  // namespace
}  // namespace vqas::app

int main(int argc, char** argv) {
  try {
    QSettings settings(vqas::app::memory_file(), QSettings::IniFormat);
    vqas::app::FormMemory memory(settings);
    vqas::app::Calibrations calibrations(settings);
    vqas::app::Options options;
    const auto parse = [argc, argv](vqas::app::Options& into) -> int {
      CLI::App cli;
      vqas::app::add_options(cli, into);
      try {
        cli.parse(argc, argv);
      } catch (const CLI::ParseError& error) {
        return cli.exit(error) == 0 ? vqas::kOk : vqas::kUsage;
      }
      return -1;
    };
    if (const int ended = parse(options); ended >= 0) return ended;
    // A script does not depend on what a person measured last.
    const auto recent = memory.recent();
    if (!options.start && !options.quit_when_done && !recent.empty()) {
      options = vqas::app::Options{};
      options.form = vqas::app::measured_once(recent.front());
      (void)parse(options);
    }
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("vqas-gui"));
    QApplication::setApplicationDisplayName(QStringLiteral("VQAS"));
    QApplication::setApplicationVersion(QStringLiteral(VQAS_VERSION));
    vqas::app::Languages languages(&settings);
    languages.begin(QString::fromStdString(options.language));
    return vqas::app::run(application, options, memory, calibrations, languages);
  } catch (const std::exception& fault) {
    std::cerr << "vqas-gui: internal fault: " << fault.what() << ".\n";
    return vqas::kInternal;
  }
}
