#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <functional>

namespace vqas::app {

/// The lines of this machine's sound devices, as devices are plugged in and out. For one thread; looks beside it.
class DeviceList : public QObject {
  Q_OBJECT
 public:
  /// `find` names the lines, "audio:USB%20Audio?host=alsa"; called in another thread. Empty: there are none.
  explicit DeviceList(std::function<QStringList()> find, QObject* parent = nullptr);
  ~DeviceList() override;

  /// Looks now and every two seconds. Not while a line is open: the sound system does not
  /// find new devices then.
  void watch(bool on);
  const QStringList& lines() const { return lines_; }

 signals:
  void changed(QStringList lines);

 private:
  void look();

  const std::function<QStringList()> find_;
  QStringList lines_;
  QTimer timer_;
  QFutureWatcher<QStringList> looking_;
};

}  // namespace vqas::app
