#pragma once

#include <QMainWindow>
#include <functional>

#include "view/device_list.h"
#include "view/window_services.h"

class QTabWidget;

namespace vqas::app {

class ChannelPage;
class CheckPage;
class MeasurePage;
class MessageBar;
class Page;
class PartnerPage;
class ResultsPage;
class StartPage;

/// The window: a page to start from, one that connects to a partner, one that measures, one that checks the line, one
/// with the runs kept on this machine, and one that puts faults into a line.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(WindowServices services, QWidget* parent = nullptr);

  void set_form(const SettingsForm& form);
  /// As MeasurePage has them; they show that page.
  void start();
  void resume(const QString& folder);
  /// Without a folder, asks for it.
  void follow(const QString& folder);
  void stop();
  RunPhase phase() const;
  QStringList faults() const;

 signals:
  /// start() began nothing, because fields are faulty.
  void refused();
  /// A run is over and shown.
  void run_finished(vqas::app::RunEnd end);

 protected:
  void closeEvent(QCloseEvent* event) override;

 private:
  void make_pages();
  void write_texts();
  void connect_measuring();
  void connect_kept_runs();
  void connect_start();
  void connect_channel();
  const Page* shown_page() const;
  int index_of(const Page* page) const;
  void go_to(const Page* page);
  void show_page();
  void watch_devices();
  void describe_line();
  void place_call();
  void use_line(const PartnerLine& line);
  void share_line();
  void check_line();
  void ask_to_trust(const QString& question, const std::function<void(bool)>& answer);
  void ask_before_closing();
  void close_after_run();

  WindowServices services_;
  bool closing_ = false;

  MessageBar* message_;
  QTabWidget* pages_;
  StartPage* start_;
  PartnerPage* partner_;
  MeasurePage* measure_;
  CheckPage* check_;
  ResultsPage* kept_runs_;
  ChannelPage* channel_;
  DeviceList devices_;
};

}  // namespace vqas::app
