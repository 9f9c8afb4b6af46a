#include "view/channel/channel_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <utility>

#include "model/words.h"
#include "view/channel/ber_slider.h"
#include "view/flow_layout.h"
#include "view/log_view.h"
#include "view/wrapped_label.h"
#include "vqas/channel/profile_library.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

// A slider that is moved asks for one change at a time; until it is seen, older values must not move the slider back.
constexpr int kSendMs = 50, kSettleMs = 600;
// A line whose digital part has no faults: what a person sets comes on top.
constexpr const char* kCleanProfile = "back-to-back";
constexpr int kUsualBurst_bits = 640;  // 10 ms

void add_row(QFormLayout& form, const Words& caption, QWidget* editor, const QString& name) {
  form.addRow(label(caption, editor), editor);
  editor->setObjectName(name);
  in_each_language(editor, [editor, caption] { editor->setAccessibleName(caption().remove(u'&')); });
}

}  // namespace

ChannelPage::ChannelPage(Services services, QWidget* parent) : Page(parent), services_(std::move(services)) {
  auto* settings = new QWidget;
  auto* left = new QVBoxLayout(settings);
  left->setContentsMargins(0, 0, 0, 0);
  left->addWidget(make_source());
  left->addWidget(make_faults());
  left->addStretch();
  auto* columns = new FlowLayout(16);
  columns->add(settings, 2);
  columns->add(new LogView(counters_, {[] { return tr("Counters of the line"); },
                                       [] { return tr("Nothing runs through the line yet"); }, false}),
               3);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(columns);
  sending_.setSingleShot(true);
  sending_.setInterval(kSendMs);
  connect(&sending_, &QTimer::timeout, this, &ChannelPage::send_change);
  settling_.setSingleShot(true);
  settling_.setInterval(kSettleMs);
  in_each_language(this, [this] { write_texts(); });
}

ChannelPage::~ChannelPage() {
  if (session_) session_->disconnect(this);
}

QWidget* ChannelPage::make_source() {
  source_ = new QGroupBox;
  auto* const box = source_;
  simulated_ = new QRadioButton;
  simulated_->setObjectName(u"channel_simulated"_s);
  simulated_->setChecked(true);
  relay_ = new QRadioButton;
  relay_->setObjectName(u"channel_relay"_s);
  address_ = new QLineEdit(u"ws://127.0.0.1:7813"_s);
  address_->setObjectName(u"channel_address"_s);
  aloud_ = new QCheckBox;
  aloud_->setObjectName(u"channel_aloud"_s);
  toggle_ = new QPushButton;
  toggle_->setObjectName(u"channel_toggle"_s);
  state_ = new WrappedLabel(6);
  state_->setObjectName(u"channel_state"_s);
  auto* layout = new QVBoxLayout(box);
  for (QWidget* one : std::initializer_list<QWidget*>{simulated_, relay_, address_, aloud_, toggle_, state_})
    layout->addWidget(one);
  connect(toggle_, &QPushButton::clicked, this, &ChannelPage::toggle);
  connect(address_, &QLineEdit::returnPressed, this, &ChannelPage::start);
  connect(simulated_, &QRadioButton::toggled, this, &ChannelPage::refresh);
  connect(aloud_, &QCheckBox::toggled, this, [this] {
    if (!session_ || !is_simulated()) return;
    stop();
    start();
  });
  return box;
}

QWidget* ChannelPage::make_faults() {
  faults_ = new QGroupBox;
  auto* const box = faults_;
  direction_ = new QComboBox;
  direction_->addItems(QStringList(3));
  profile_ = new QComboBox;
  profile_->addItem(QString(), QString::fromLatin1(kCleanProfile));
  for (const Profile& one : built_in_profiles()) {
    if (one.name == kCleanProfile) continue;
    profile_->addItem(QString::fromStdString(one.name), QString::fromStdString(one.name));
    profile_->setItemData(profile_->count() - 1, QString::fromStdString(one.summary), Qt::ToolTipRole);
  }
  profile_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  profile_->setMinimumContentsLength(20);
  ber_ = new BerSlider;
  delay_ms_ = new QSpinBox;
  delay_ms_->setRange(0, 10'000);
  delay_ms_->setSuffix(u" ms"_s);
  loss_ = new QDoubleSpinBox;
  loss_->setRange(0, 100);
  loss_->setDecimals(1);
  loss_->setSuffix(u" %"_s);
  burst_bits_ = new QSpinBox;
  burst_bits_->setRange(1, 1'000'000);
  burst_bits_->setValue(kUsualBurst_bits);
  burst_bits_->setObjectName(u"burst_bits"_s);
  burst_ = new QPushButton;
  burst_->setObjectName(u"burst"_s);
  measure_ = new QPushButton;
  measure_->setObjectName(u"channel_measure"_s);
  form_ = new QFormLayout(box);
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  add_row(
      *form_, [] { return tr("&Applies to"); }, direction_, u"channel_direction"_s);
  add_row(
      *form_, [] { return tr("&Profile"); }, profile_, u"channel_profile"_s);
  add_row(
      *form_, [] { return tr("&Bit error ratio"); }, ber_, u"channel_ber"_s);
  add_row(
      *form_, [] { return tr("&Delay"); }, delay_ms_, u"channel_delay"_s);
  add_row(
      *form_, [] { return tr("Pac&ket loss"); }, loss_, u"channel_loss"_s);
  auto* row = new QHBoxLayout;
  row->addWidget(burst_);
  row->addWidget(burst_bits_, 1);
  form_->addRow(row);
  form_->addRow(measure_);

  connect(profile_, &QComboBox::activated, this, &ChannelPage::choose_profile);
  connect(ber_, &BerSlider::chosen, this,
          [this](double ber) { change_soon([ber](RelayChange& change) { change.ber = ber; }); });
  connect(ber_, &BerSlider::faulty, this, [this](const QString& what) {
    refused_ = true;
    state_->show_text(u"⚠ "_s + what);
  });
  connect(delay_ms_, &QSpinBox::valueChanged, this,
          [this](int ms) { change_soon([ms](RelayChange& change) { change.delay_ms = ms; }); });
  connect(loss_, &QDoubleSpinBox::valueChanged, this,
          [this](double percent) { change_soon([percent](RelayChange& change) { change.loss = percent / 100; }); });
  connect(burst_, &QPushButton::clicked, this, [this] {
    if (session_) session_->burst(direction(), static_cast<quint32>(burst_bits_->value()));
  });
  connect(measure_, &QPushButton::clicked, this, [this] {
    const QString profile = profile_->currentIndex() > 0 ? profile_->currentData().toString() : QString();
    emit measure_requested(profile, ber_->ber(), delay_ms_->value());
  });
  return box;
}

bool ChannelPage::is_simulated() const {
  return simulated_->isChecked();
}

std::optional<End> ChannelPage::direction() const {
  if (!two_ways_ || direction_->currentIndex() == 0) return std::nullopt;
  return direction_->currentIndex() == 1 ? End::a : End::b;
}

void ChannelPage::toggle() {
  session_ ? stop() : start();
}

void ChannelPage::start() {
  if (session_) return;
  state_->show_text([mine = is_simulated()] { return mine ? tr("Starting the line") : tr("Connecting to the relay"); });
  session_ = is_simulated() ? services_.make_simulated(aloud_->isChecked()) : services_.make_relay(address_->text());
  connect(session_.get(), &ChannelSession::seen, this, &ChannelPage::show_calls);
  connect(session_.get(), &ChannelSession::refused, this, [this](const QString& why) {
    state_->show_text([why] { return u"⚠ "_s + told(why); });
    refused_ = true;
    settling_.stop();  // the fields go back to what is done
  });
  connect(session_.get(), &ChannelSession::ended, this, &ChannelPage::show_ended);
  has_packets_ = two_ways_ = refused_ = false;
  refresh();
  session_->start();
  // A relay does what it was told before; the line of this laptop does what stands here.
  if (is_simulated()) choose_profile();
}

void ChannelPage::stop() {
  if (!session_) return;
  // Its thread may wait for a device; the window does not.
  session_->disconnect(this);
  session_.release()->deleteLater();
  show_ended({});
}

void ChannelPage::show_ended(const QString& why) {
  if (session_) {
    session_->disconnect(this);
    session_.release()->deleteLater();
  }
  sending_.stop();
  change_.reset();
  state_->show_text([why] { return why.isEmpty() ? QString() : u"⚠ "_s + told(why); });
  refresh();
}

void ChannelPage::show_calls(const std::vector<RelayedFigures>& calls) {
  counters_.show_calls(calls);
  if (calls.empty())
    return state_->show_text([] { return tr("The relay has no call now; what you set is for those to come."); });
  const std::vector<RelayedWay>& ways = calls.front().ways;
  if (ways.empty()) return;
  has_packets_ = ways.front().packets.has_value();
  two_ways_ = ways.size() > 1;
  refresh();
  if (!refused_)
    state_->show_text(
        [mine = is_simulated()] { return mine ? tr("Speech runs through the line.") : tr("Connected."); });
  if (change_ || settling_.isActive()) return;
  show_conditions(direction() == End::b ? ways.back() : ways.front());
}

void ChannelPage::show_conditions(const RelayedWay& way) {
  const QSignalBlocker of_delay(delay_ms_), of_loss(loss_);
  const QString name = QString::fromStdString(way.profile);
  if (!name.isEmpty() && profile_->findData(name) < 0) profile_->addItem(name, name);  // a file that the relay read
  profile_->setCurrentIndex(std::max(profile_->findData(name), 0));
  ber_->show_ber(way.ber);
  if (!delay_ms_->hasFocus() || refused_) delay_ms_->setValue(static_cast<int>(way.delay_ms));
  if (!loss_->hasFocus() || refused_) loss_->setValue(100 * way.loss.value_or(0));
  refresh();
}

// A profile replaces everything; without one, what stands below it counts.
void ChannelPage::choose_profile() {
  change_soon([this](RelayChange& change) {
    change = {};
    change.profile = profile_->currentData().toString().toStdString();
    if (profile_->currentIndex() > 0) return;
    change.ber = ber_->ber();
    change.delay_ms = delay_ms_->value();
  });
  refresh();
}

void ChannelPage::change_soon(const std::function<void(RelayChange&)>& fill) {
  refresh();
  if (!session_) return;
  if (!change_) change_.emplace();
  fill(*change_);
  if (!sending_.isActive()) sending_.start();
}

void ChannelPage::send_change() {
  if (!session_ || !change_) return;
  refused_ = false;
  change_->from = direction();
  session_->change(*std::exchange(change_, std::nullopt));
  settling_.start();
}

void ChannelPage::allow_measuring(bool allowed) {
  allowed_ = allowed;
  refresh();
}

void ChannelPage::refresh() {
  const bool running = session_ != nullptr, mine = is_simulated(), by_profile = profile_->currentIndex() > 0;
  for (QWidget* one : std::initializer_list<QWidget*>{simulated_, relay_, address_}) one->setEnabled(!running);
  address_->setVisible(!mine);
  aloud_->setVisible(mine);
  toggle_->setText(mine ? (running ? tr("&Stop the line") : tr("&Start the line"))
                        : (running ? tr("Dis&connect") : tr("&Connect")));
  form_->setRowVisible(direction_, two_ways_ && running);
  form_->setRowVisible(loss_, has_packets_ && running);
  for (QWidget* one : std::initializer_list<QWidget*>{profile_, loss_}) one->setEnabled(running || mine);
  // A profile of the simulated line has its own; a relay lets both be changed on top of its profile.
  for (QWidget* one : std::initializer_list<QWidget*>{ber_, delay_ms_}) one->setEnabled(mine ? !by_profile : running);
  burst_->setEnabled(running);
  burst_bits_->setEnabled(running);
  form_->setRowVisible(measure_, mine);
  measure_->setEnabled(allowed_);
}

}  // namespace vqas::app
