#pragma once

#include <QString>
#include <QStringList>

#include "model/run_settings.h"
#include "vqas/store/plan.h"

namespace vqas::app {

/// The form that shows a plan. `left_out` names the parts of the plan that the window does not measure by; they stay in
/// the plan when it is saved. Pure.
SettingsForm form_of(const CampaignPlan& plan, QStringList& left_out);

/// `base` with the checked settings of a form in place of what the form shows. Pure.
CampaignPlan plan_with(const RunSettings& settings, CampaignPlan base);

}  // namespace vqas::app
