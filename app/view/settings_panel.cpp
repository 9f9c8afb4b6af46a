#include "view/settings_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "model/form_memory.h"
#include "view/field_form.h"
#include "view/goal_fields.h"
#include "view/heading.h"
#include "view/line_fields.h"
#include "view/wrapped_label.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

SettingsPanel::SettingsPanel(QWidget* parent)
    : QWidget(parent),
      line_(new LineFields),
      goal_(new GoalFields),
      about_(new FieldForm),
      more_(new QToolButton),
      advanced_(new FieldForm) {
  make_about();
  make_advanced();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 6, 0);
  layout->addWidget(make_recent());
  layout->addWidget(make_plan());
  layout->addWidget(heading([] { return tr("Which line?"); }));
  layout->addWidget(line_);
  layout->addWidget(heading([] { return tr("What do you want to know?"); }));
  layout->addWidget(goal_);
  layout->addWidget(heading([] { return tr("What does it belong to?"); }));
  layout->addWidget(about_);
  layout->addWidget(more_);
  layout->addWidget(advanced_);
  layout->addStretch();
  connect(line_, &LineFields::edited, this, &SettingsPanel::edited);
  connect(goal_, &GoalFields::edited, this, &SettingsPanel::edited);
  connect(about_, &FieldForm::edited, this, &SettingsPanel::edited);
  connect(advanced_, &FieldForm::edited, this, &SettingsPanel::edited);
  in_each_language(this, [this] { write_texts(); });
  set_form(SettingsForm{});
}

void SettingsPanel::write_texts() {
  recent_->setAccessibleName(tr("Recent setups"));
  recent_->setToolTip(tr("Fills the fields as they were for an earlier run"));
  more_->setText(tr("More settings"));
  const QString modes[] = {tr("Telephone band (MOS-LQON)"), tr("Wideband, HD voice (MOS-LQOW)"),
                           tr("Wideband, and telephone band beside it")};
  for (int i = 0; i < mode_->count(); ++i) mode_->setItemText(i, modes[i]);
  mode_->setToolTip(tr("Two scales that are never compared; wideband needs a line at 16 kHz at both ends, hd=yes"));
  for (QLineEdit* one : {every_, at_, for_h_}) one->setPlaceholderText(tr("once"));
  stimuli_->setPlaceholderText(tr("all"));
  folder_->setPlaceholderText(tr("~/vqas-results/date-time"));
  a_to_b_->setText(tr("A &to B"));
  b_to_a_->setText(tr("B t&o A"));
}

QWidget* SettingsPanel::make_recent() {
  recent_ = new QComboBox;
  recent_->setObjectName(u"recent"_s);
  // A long address does not make the panel wider.
  recent_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  recent_->setMinimumContentsLength(10);
  connect(recent_, &QComboBox::activated, this, [this](int index) {
    if (index < 1) return;
    const QString folder = folder_->text();
    set_form(recent_forms_.at(static_cast<std::size_t>(index - 1)));
    folder_->setText(folder);
    recent_->setCurrentIndex(0);
    emit edited();
  });
  recent_->hide();
  return recent_;
}

QWidget* SettingsPanel::make_plan() {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  const auto add = [this, layout](const Words& caption, const QString& name, const Words& tip,
                                  QFileDialog::AcceptMode mode, void (SettingsPanel::*chosen)(const QString&)) {
    auto* button = new QPushButton;
    button->setObjectName(name);
    in_each_language(button, [button, caption, tip] {
      button->setText(caption());
      button->setToolTip(tip());
    });
    layout->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, tip, mode, chosen] {
      auto* dialog = new QFileDialog(this, tip(), {}, tr("Plans (*.toml)"));
      dialog->setAcceptMode(mode);
      dialog->setFileMode(mode == QFileDialog::AcceptSave ? QFileDialog::AnyFile : QFileDialog::ExistingFile);
      dialog->setDefaultSuffix(u"toml"_s);
      dialog->setAttribute(Qt::WA_DeleteOnClose);
      connect(dialog, &QFileDialog::fileSelected, this, chosen);
      dialog->open();
    });
  };
  add([] { return tr("Open plan…"); }, u"open_plan"_s, [] { return tr("Fill the fields from a plan of vqas measure"); },
      QFileDialog::AcceptOpen, &SettingsPanel::plan_opened);
  add([] { return tr("Save plan…"); }, u"save_plan"_s, [] { return tr("Save the fields as a plan for vqas measure"); },
      QFileDialog::AcceptSave, &SettingsPanel::plan_saved);
  return row;
}

void SettingsPanel::make_about() {
  const Words tip = [] { return tr("Stands on the first page of the report; runs can be found by it. May be empty"); };
  site_ = about_->add_text(
      Field::site, [] { return tr("Sit&e"); }, u"site"_s, tip);
  circuit_ = about_->add_text(
      Field::circuit, [] { return tr("&Circuit"); }, u"circuit"_s, tip);
}

void SettingsPanel::make_advanced() {
  more_->setObjectName(u"more"_s);
  more_->setCheckable(true);
  more_->setAutoRaise(true);
  more_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  more_->setArrowType(Qt::RightArrow);
  connect(more_, &QToolButton::toggled, this, [this](bool open) {
    more_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    advanced_->setVisible(open);
  });
  advanced_->hide();
  mode_ = new QComboBox;
  mode_->setObjectName(u"mode"_s);
  for (const QString& one : {u"nb"_s, u"wb"_s, u"both"_s}) mode_->addItem(QString(), one);
  connect(mode_, &QComboBox::currentIndexChanged, this, &SettingsPanel::edited);
  advanced_->add(
      Field::mode, [] { return tr("Scores"); }, mode_);
  stimuli_ = advanced_->add_text(
      Field::stimuli, [] { return tr("Sti&muli"); }, u"stimuli"_s,
      [] {
        return tr(
            "Sentences to send, like M1, F5; empty: all of the corpus. Choose before the start: none is skipped "
            "later, because a mean over other sentences would look like the planned one");
      });
  QWidget* const directions = make_directions();
  advanced_->add(
      Field::directions, [] { return tr("Directions"); }, a_to_b_, directions);
  // After the form has named them.
  in_each_language(a_to_b_, [this] { a_to_b_->setAccessibleName(tr("Direction A to B")); });
  in_each_language(b_to_a_, [this] { b_to_a_->setAccessibleName(tr("Direction B to A")); });
  every_ = advanced_->add_text(
      Field::every, [] { return tr("Repeat every … min"); }, u"every_min"_s,
      [] { return tr("Minutes from one start to the next; empty: at the times below, or once"); });
  at_ = advanced_->add_text(
      Field::at, [] { return tr("Repeat at times of day"); }, u"at"_s,
      [] { return tr("By this laptop's clock, for example 9:00, 17:30; empty: every so many minutes, or once"); });
  zone_ = new WrappedLabel(3);
  zone_->setObjectName(u"zone"_s);
  advanced_->add_row(zone_);
  for_h_ = advanced_->add_text(
      Field::for_h, [] { return tr("Repeat for … hours"); }, u"for_h"_s,
      [] { return tr("From the first start to the end of the last run; the window stays open meanwhile"); });
  seed_ = advanced_->add_text(
      Field::seed, [] { return tr("Seed"); }, u"seed"_s,
      [] { return tr("The same seed repeats a simulated run, and the order of a real one"); });
  notes_ = advanced_->add_text(
      Field::notes, [] { return tr("Notes"); }, u"notes"_s, [] { return tr("Stand in the report. May be empty"); });
  folder_ = advanced_->add_path(
      Field::folder, [] { return tr("Res&ults folder"); }, u"folder"_s,
      [] { return tr("Empty: a new folder, named by date and time, in vqas-results at home"); },
      FieldForm::Chosen::folder);
}

QWidget* SettingsPanel::make_directions() {
  auto* directions = new QWidget;
  auto* layout = new QHBoxLayout(directions);
  layout->setContentsMargins(0, 0, 0, 0);
  a_to_b_ = new QCheckBox;
  b_to_a_ = new QCheckBox;
  a_to_b_->setObjectName(u"a_to_b"_s);
  b_to_a_->setObjectName(u"b_to_a"_s);
  for (QCheckBox* box : {a_to_b_, b_to_a_}) {
    layout->addWidget(box);
    connect(box, &QCheckBox::toggled, this, &SettingsPanel::edited);
  }
  layout->addStretch();
  return directions;
}

std::vector<FieldForm*> SettingsPanel::all_fields() const {
  const auto [simulated, nodes] = line_->fields();
  return {simulated, nodes, &goal_->fields(), about_, advanced_};
}

void SettingsPanel::set_recent(const std::vector<SettingsForm>& forms) {
  recent_forms_ = forms;
  recent_->clear();
  recent_->addItem(tr("Recent setups"));
  QStringList addresses;
  for (const SettingsForm& form : forms) {
    recent_->addItem(setup_words(form));
    recent_->setItemData(recent_->count() - 1, setup_words(form), Qt::ToolTipRole);
    if (form.line == LineKind::nodes) addresses << form.node_a << form.node_b;
  }
  addresses.removeDuplicates();
  line_->offer_addresses(addresses);
  recent_->setVisible(!forms.empty());
}

SettingsForm SettingsPanel::form() const {
  SettingsForm form;
  line_->fill(form);
  goal_->fill(form);
  form.site = site_->text();
  form.circuit = circuit_->text();
  form.notes = notes_->text();
  form.mode = mode_->currentData().toString();
  form.every_min = every_->text();
  form.at = at_->text();
  form.for_h = for_h_->text();
  form.seed = seed_->text();
  form.stimuli = stimuli_->text();
  form.a_to_b = a_to_b_->isChecked();
  form.b_to_a = b_to_a_->isChecked();
  form.folder = folder_->text();
  return form;
}

void SettingsPanel::set_form(const SettingsForm& form) {
  line_->show_form(form);
  goal_->show_form(form);
  site_->setText(form.site);
  circuit_->setText(form.circuit);
  notes_->setText(form.notes);
  mode_->setCurrentIndex(std::max(0, mode_->findData(form.mode)));
  every_->setText(form.every_min);
  at_->setText(form.at);
  for_h_->setText(form.for_h);
  seed_->setText(form.seed);
  stimuli_->setText(form.stimuli);
  a_to_b_->setChecked(form.a_to_b);
  b_to_a_->setChecked(form.b_to_a);
  folder_->setText(form.folder);
  // What differs from a usual run must not be out of sight.
  const SettingsForm usual;
  if (form.mode != usual.mode || !(form.every_min + form.at + form.for_h).isEmpty() || form.seed != usual.seed ||
      form.stimuli != usual.stimuli || !form.a_to_b || !form.b_to_a)
    more_->setChecked(true);
}

void SettingsPanel::show_zone(const QString& here, const QString& of_plan) {
  zone_->show_text([here, of_plan] {
    if (here.isEmpty()) return tr("The time zone of this laptop is not known");
    return of_plan.isEmpty() || of_plan == here
               ? tr("Times of day in the zone %1").arg(here)
               : tr("Times of day in the zone %1; a saved plan keeps its zone %2").arg(here, of_plan);
  });
}

void SettingsPanel::show_faults(const std::vector<FieldFault>& faults, bool take_focus) {
  if (std::any_of(faults.begin(), faults.end(), [this](const FieldFault& one) { return advanced_->has(one.field); }))
    more_->setChecked(true);
  for (FieldForm* fields : all_fields()) {
    fields->show_faults(faults);
    if (take_focus && !faults.empty() && fields->has(faults.front().field))
      fields->editor(faults.front().field)->setFocus();
  }
}

}  // namespace vqas::app
