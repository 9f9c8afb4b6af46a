#include "model/form_memory.h"

#include <QSettings>
#include <algorithm>
#include <array>
#include <utility>

#include "model/elsewhere/stored_runs.h"
#include "model/text.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMost = 8;

constexpr std::array<std::pair<const char*, QString SettingsForm::*>, 20> kTexts{{
    {"profile", &SettingsForm::profile},
    {"ber", &SettingsForm::ber},
    {"delay_ms", &SettingsForm::delay_ms},
    {"node_a", &SettingsForm::node_a},
    {"node_b", &SettingsForm::node_b},
    {"access_a", &SettingsForm::access_a},
    {"access_b", &SettingsForm::access_b},
    {"seed", &SettingsForm::seed},
    {"cap", &SettingsForm::cap},
    {"stimuli", &SettingsForm::stimuli},
    {"minutes", &SettingsForm::minutes},
    {"limit", &SettingsForm::limit},
    {"site", &SettingsForm::site},
    {"circuit", &SettingsForm::circuit},
    {"notes", &SettingsForm::notes},
    {"mode", &SettingsForm::mode},
    {"codec", &SettingsForm::codec},
    {"every_min", &SettingsForm::every_min},
    {"at", &SettingsForm::at},
    {"for_h", &SettingsForm::for_h},
}};

}  // namespace

std::vector<SettingsForm> FormMemory::recent() const {
  std::vector<SettingsForm> forms;
  const auto count = std::min<std::size_t>(static_cast<std::size_t>(settings_.beginReadArray(u"setups"_s)), kMost);
  for (std::size_t i = 0; i < count; ++i) {
    settings_.setArrayIndex(static_cast<int>(i));
    SettingsForm form;
    form.line = settings_.value(u"line"_s).toString() == u"nodes"_s ? LineKind::nodes : LineKind::simulated;
    for (const auto& [key, field] : kTexts)
      form.*field = settings_.value(QLatin1StringView(key), form.*field).toString();
    form.goal = goal_of_from_string(settings_.value(u"goal"_s).toString().toStdString()).value_or(GoalOf::mean);
    form.a_to_b = settings_.value(u"a_to_b"_s, true).toBool();
    form.b_to_a = settings_.value(u"b_to_a"_s, true).toBool();
    forms.push_back(form);
  }
  settings_.endArray();
  return forms;
}

void FormMemory::remember(SettingsForm form) {
  form.folder.clear();  // it will hold a run
  std::vector<SettingsForm> forms = recent();
  std::erase(forms, form);
  forms.insert(forms.begin(), form);
  if (forms.size() > kMost) forms.resize(kMost);
  settings_.remove(u"setups"_s);
  settings_.beginWriteArray(u"setups"_s, static_cast<int>(forms.size()));
  for (std::size_t i = 0; i < forms.size(); ++i) {
    settings_.setArrayIndex(static_cast<int>(i));
    settings_.setValue(u"line"_s, forms[i].line == LineKind::nodes ? u"nodes"_s : u"simulated"_s);
    for (const auto& [key, field] : kTexts) settings_.setValue(QLatin1StringView(key), forms[i].*field);
    settings_.setValue(u"goal"_s, QString::fromUtf8(to_string(forms[i].goal)));
    settings_.setValue(u"a_to_b"_s, forms[i].a_to_b);
    settings_.setValue(u"b_to_a"_s, forms[i].b_to_a);
  }
  settings_.endArray();
  settings_.sync();
}

QString FormMemory::store() const {
  return settings_.value(u"store"_s).toString();
}

void FormMemory::remember_store(const QString& url) {
  settings_.setValue(u"store"_s, without_password(url));
}

SettingsForm measured_once(SettingsForm form) {
  const SettingsForm usual;
  form.every_min = usual.every_min;
  form.at = usual.at;
  form.for_h = usual.for_h;
  return form;
}

QString line_words(const SettingsForm& form) {
  if (form.line == LineKind::nodes) return u"%1 – %2"_s.arg(form.node_a, form.node_b);
  if (!form.profile.isEmpty()) return Text::tr("Simulated line, profile %1").arg(form.profile);
  return Text::tr("Simulated line, bit error ratio %1, delay %2 ms").arg(form.ber, form.delay_ms);
}

QString setup_words(const SettingsForm& form) {
  QString words = line_words(form);
  for (const QString& place : {form.site.trimmed(), form.circuit.trimmed()})
    if (!place.isEmpty()) words += u", "_s + place;
  if (form.mode != u"nb"_s) words += Text::tr(", wideband");
  if (!form.every_min.isEmpty()) words += Text::tr(", every %1 min").arg(form.every_min.trimmed());
  if (!form.at.isEmpty()) words += Text::tr(", at %1").arg(form.at.trimmed());
  if (form.goal == GoalOf::line_time) words += Text::tr(", %1 min").arg(form.minutes.trimmed());
  if (form.goal == GoalOf::above) words += Text::tr(", above %1?").arg(form.limit.trimmed());
  if (form.goal == GoalOf::each_stimulus) words += Text::tr(", each sentence");
  if (!form.stimuli.trimmed().isEmpty()) words += u", "_s + form.stimuli.trimmed();
  if (form.a_to_b != form.b_to_a) words += form.a_to_b ? Text::tr(", A to B") : Text::tr(", B to A");
  return words;
}

}  // namespace vqas::app
