#include "view/device_list.h"

#include <QtConcurrent>
#include <utility>

namespace vqas::app {

namespace {

constexpr int kLookMs = 2000;

}  // namespace

DeviceList::DeviceList(std::function<QStringList()> find, QObject* parent) : QObject(parent), find_(std::move(find)) {
  timer_.setInterval(kLookMs);
  connect(&timer_, &QTimer::timeout, this, &DeviceList::look);
  connect(&looking_, &QFutureWatcher<QStringList>::finished, this, [this] {
    if (lines_ == looking_.result()) return;
    lines_ = looking_.result();
    emit changed(lines_);
  });
}

DeviceList::~DeviceList() {
  looking_.disconnect(this);
  looking_.waitForFinished();
}

void DeviceList::watch(bool on) {
  if (!on || !find_) return timer_.stop();
  if (timer_.isActive()) return;
  timer_.start();
  look();
}

void DeviceList::look() {
  if (!looking_.isRunning()) looking_.setFuture(QtConcurrent::run(find_));
}

}  // namespace vqas::app
