#include "view/goal_fields.h"

#include <QButtonGroup>
#include <QLineEdit>
#include <QRadioButton>
#include <QVBoxLayout>
#include <array>

#include "model/text.h"
#include "model/words.h"
#include "view/field_form.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

struct Question {
  GoalOf goal;
  QString name;
  Words caption, tip;
};

QString precision() {
  const PrecisionGoal goal;
  return Text::tr("%1 MOS (%2)")
      .arg(half_width_words(goal.half_width, ScoreMode::narrowband), confidence_words(goal.confidence));
}

std::array<Question, 4> questions() {
  return {{{GoalOf::mean, u"goal_mean"_s, [] { return Text::tr("How &good is this line?"); },
            [] {
              return Text::tr("Measures until the mean of each direction is known to %1: minutes on most lines")
                  .arg(precision());
            }},
           {GoalOf::line_time, u"goal_line_time"_s, [] { return Text::tr("How good, in a fi&xed time?"); },
            [] { return Text::tr("Measures for this much line time; the interval is what it is then"); }},
           {GoalOf::above, u"goal_above"_s, [] { return Text::tr("Is it above a &limit?"); },
            [] {
              return Text::tr(
                  "Measures until it is clear on which side of the limit each direction lies, or that it is "
                  "too close to tell");
            }},
           {GoalOf::each_stimulus, u"goal_each_stimulus"_s, [] { return Text::tr("How good is each &sentence?"); },
            [] {
              return Text::tr(
                         "Measures until the mean of each stimulus is known to %1, the rule of NTIA Report 98-354: "
                         "half an hour and more")
                  .arg(precision());
            }}}};
}

}  // namespace

GoalFields::GoalFields(QWidget* parent) : QWidget(parent), goals_(new QButtonGroup(this)), fields_(new FieldForm) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  for (const Question& question : questions()) {
    auto* button = new QRadioButton;
    button->setObjectName(question.name);
    in_each_language(button, [button, question] {
      button->setText(question.caption());
      button->setToolTip(question.tip());
    });
    goals_->addButton(button, static_cast<int>(question.goal));
    layout->addWidget(button);
  }
  minutes_ = fields_->add_text(
      Field::minutes, [] { return tr("Line time in min"); }, u"minutes"_s,
      [] { return tr("The run ends before this much time of the line is used"); });
  limit_ = fields_->add_text(
      Field::limit, [] { return tr("Limit in MOS"); }, u"limit"_s,
      [] { return tr("The result is pass, fail, or too close to tell; the model's own error counts"); });
  cap_ = fields_->add_text(
      Field::cap, [] { return tr("Most measurements &per stimulus"); }, u"cap"_s,
      [] { return tr("Measuring ends here even if the answer is not clear yet"); });
  layout->addWidget(fields_);
  connect(goals_, &QButtonGroup::idToggled, this, [this](int, bool on) {
    if (!on) return;
    show_fields_of_goal();
    emit edited();
  });
  connect(fields_, &FieldForm::edited, this, &GoalFields::edited);
}

GoalOf GoalFields::goal() const {
  return static_cast<GoalOf>(goals_->checkedId());
}

void GoalFields::show_fields_of_goal() {
  fields_->show_field(Field::minutes, goal() == GoalOf::line_time);
  fields_->show_field(Field::limit, goal() == GoalOf::above);
  fields_->show_field(Field::cap, goal() != GoalOf::line_time);
}

void GoalFields::fill(SettingsForm& form) const {
  form.goal = goal();
  form.minutes = minutes_->text();
  form.limit = limit_->text();
  form.cap = cap_->text();
}

void GoalFields::show_form(const SettingsForm& form) {
  goals_->button(static_cast<int>(form.goal))->setChecked(true);
  minutes_->setText(form.minutes);
  limit_->setText(form.limit);
  cap_->setText(form.cap);
  show_fields_of_goal();
}

}  // namespace vqas::app
