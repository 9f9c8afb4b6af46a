#include "model/plan_form.h"

#include <QTime>
#include <utility>

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QString number(double value) {
  return QString::number(value, 'g', 10).replace(u"e-0"_s, u"e-"_s);
}

QString tag(const CampaignPlan& plan, const char* name) {
  const auto found = plan.tags.find(name);
  return found == plan.tags.end() ? QString() : QString::fromStdString(found->second);
}

void put_tag(CampaignPlan& plan, const RunSettings& settings, const char* name) {
  const auto found = settings.about.tags.find(name);
  if (found == settings.about.tags.end())
    plan.tags.erase(name);
  else
    plan.tags[name] = found->second;
}

}  // namespace

SettingsForm form_of(const CampaignPlan& plan, QStringList& left_out) {
  SettingsForm form;
  form.line = plan.line == "sim:" ? LineKind::simulated : LineKind::nodes;
  form.profile = QString::fromStdString(plan.profile);
  form.ber = number(plan.ber);
  form.delay_ms = number(1000 * plan.delay_s);
  if (form.line == LineKind::nodes) {
    form.node_a = QString::fromStdString(plan.node_a);
    form.node_b = QString::fromStdString(plan.node_b);
  }
  form.mode = plan.narrowband_too ? u"both"_s : QString::fromUtf8(to_string(plan.mode));
  form.codec = QString::fromUtf8(to_string(plan.codec));
  if (plan.every_s > 0) form.every_min = number(plan.every_s / 60);
  QStringList at;
  for (const int one : plan.at_min) at += QTime(one / 60, one % 60).toString(u"H:mm"_s);
  form.at = at.join(u", "_s);
  if (plan.for_s > 0) form.for_h = number(plan.for_s / 3600);
  form.seed = QString::number(plan.seed);
  form.goal = plan.sampling.goal_of;
  if (plan.cap_line_time_s > 0) form.minutes = number(plan.cap_line_time_s / 60);
  if (plan.limit_mos) form.limit = number(*plan.limit_mos);
  if (form.goal != GoalOf::line_time) form.cap = QString::number(plan.sampling.cap_count);
  form.site = tag(plan, "site");
  form.circuit = tag(plan, "circuit");
  form.notes = QString::fromStdString(plan.notes);
  QStringList stimuli;
  for (const std::string& one : plan.stimuli) stimuli += QString::fromStdString(one);
  form.stimuli = stimuli.join(u", "_s);
  form.a_to_b = plan.a_to_b;
  form.b_to_a = plan.b_to_a;

  const CampaignPlan usual;
  const auto check = [&left_out](bool differs, const QString& part) {
    if (differs) left_out += part;
  };
  check(plan.late_s != usual.late_s || plan.retry_s != usual.retry_s ||
            (!plan.at_min.empty() && plan.zone != local_zone()),
        u"repeats"_s);
  check(!plan.corpus.empty(), u"corpus"_s);
  check(plan.within_s != usual.within_s || plan.guard_s != usual.guard_s || plan.gain_db != usual.gain_db ||
            plan.link_patience_s != usual.link_patience_s,
        u"times and level of the line"_s);
  check(plan.duplex != usual.duplex, u"duplex"_s);
  check(!plan.redial.empty(), u"redial"_s);
  const SamplerOptions& asked = plan.sampling;
  const SamplerOptions& normal = usual.sampling;
  check(asked.goal.half_width != normal.goal.half_width || asked.goal.confidence != normal.goal.confidence ||
            !asked.fallback || asked.first_count != normal.first_count || asked.step != normal.step ||
            asked.max_failures != normal.max_failures || (form.goal != GoalOf::line_time && plan.cap_line_time_s > 0),
        u"precision"_s);
  check(!plan.store.empty(), u"store"_s);
  check(plan.keep.any(), u"keep"_s);
  check(plan.hooks.any(), u"hooks"_s);
  return form;
}

CampaignPlan plan_with(const RunSettings& settings, CampaignPlan base) {
  const bool simulated = settings.line == LineKind::simulated;
  base.profile = simulated ? settings.profile.toStdString() : std::string();
  base.codec = simulated ? settings.codec : LineCodec::g711;
  base.mode = settings.mode;
  base.narrowband_too = settings.narrowband_too;
  base.line = simulated ? "sim:" : "nodes";
  if (base.profile.empty()) {
    base.ber = settings.conditions.ber;
    base.delay_s = settings.conditions.delay_s;
  }
  base.node_a = settings.node_a.toStdString();
  base.node_b = settings.node_b.toStdString();
  base.notes = settings.about.notes;
  put_tag(base, settings, "site");
  put_tag(base, settings, "circuit");
  base.stimuli.clear();
  for (const QString& one : settings.stimuli) base.stimuli.push_back(one.toStdString());
  base.a_to_b = settings.a_to_b;
  base.b_to_a = settings.b_to_a;
  // The minutes of a plan for line time are no cap of another goal.
  if (base.sampling.goal_of == GoalOf::line_time) base.cap_line_time_s = 0;
  base.sampling.goal_of = settings.goal;
  base.sampling.cap_count = settings.cap;
  if (settings.goal == GoalOf::line_time) base.cap_line_time_s = 60 * settings.minutes;
  if (settings.goal == GoalOf::above) base.limit_mos = settings.about.limit_mos;
  base.seed = settings.seed;
  base.every_s = settings.repeats.every_s;
  base.for_s = settings.repeats.for_s;
  // Other times of day are of the plan's zone as before.
  if (settings.repeats.at_min.empty())
    base.zone = CampaignPlan{}.zone;
  else if (base.at_min.empty())
    base.zone = local_zone();
  base.at_min = settings.repeats.at_min;
  return base;
}

}  // namespace vqas::app
