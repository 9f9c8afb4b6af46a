#include "run/findings_json.h"

#include <fmt/format.h>

#include "vqas/run/finding_fields.h"
#include "vqas/run/mos_scale.h"

namespace vqas {
namespace {

using Json = nlohmann::json;

constexpr double kHighestStrength = 1000;
constexpr double kHighestCost = highest_mos(ScoreMode::wideband) - 1;  // the range of the wider scale
constexpr double kLeastNoise_dbm0p = -300, kMostNoise_dbm0p = 100;
constexpr const char* kNoise = "noise_dbm0p";
constexpr const char* kNoiseCost = "noise_cost_mos";
constexpr const char* kUnrecognisedCost = "unrecognised_cost_mos";

// Nothing if it is not a number from 0 to `highest`.
std::optional<double> number(const Json& json, const char* name, double highest) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  const double value = found->get<double>();
  return value >= 0 && value <= highest ? std::optional(value) : std::nullopt;
}

// Leaves `value` empty if the member is missing; false if it is not a number in the range.
bool take_optional(const Json& json, const char* name, double lowest, double highest, std::optional<double>& value) {
  const auto found = json.find(name);
  if (found == json.end()) return true;
  if (!found->is_number()) return false;
  value = found->get<double>();
  return *value >= lowest && *value <= highest;
}

Error impossible_finding(const char* name) {
  return {ErrorCode::bad_input, fmt::format("has findings without a possible {}", name)};
}

}  // namespace

Json findings_json(const std::optional<MeasurementFindings>& findings) {
  if (!findings) return nullptr;
  Json json = Json::object(), impairments = Json::array();
  for (const ImpairmentFinding& one : findings->impairments) {
    Json impairment{{"impairment", to_string(one.impairment)}, {"strength", one.strength}};
    if (one.cost_mos) impairment["cost_mos"] = *one.cost_mos;
    impairments.push_back(std::move(impairment));
  }
  json["impairments"] = std::move(impairments);
  for (const FindingField& field : kFindingFields) json[field.name] = (*findings).*field.value;
  // A run of an earlier release has none of these, and is written back unchanged.
  if (findings->noise_dbm0p) json[kNoise] = *findings->noise_dbm0p;
  if (findings->noise_cost_mos) json[kNoiseCost] = *findings->noise_cost_mos;
  if (findings->unrecognised_cost_mos) json[kUnrecognisedCost] = *findings->unrecognised_cost_mos;
  return json;
}

Result<std::optional<MeasurementFindings>> findings_from(const Json& json) {
  if (json.is_null()) return std::optional<MeasurementFindings>();
  if (!json.is_object()) return impossible_finding("object");
  MeasurementFindings findings;
  for (const FindingField& field : kFindingFields) {
    const auto value = number(json, field.name, field.highest);
    if (!value) return impossible_finding(field.name);
    findings.*field.value = *value;
  }
  if (!take_optional(json, kNoise, kLeastNoise_dbm0p, kMostNoise_dbm0p, findings.noise_dbm0p))
    return impossible_finding(kNoise);
  if (!take_optional(json, kNoiseCost, 0, kHighestCost, findings.noise_cost_mos)) return impossible_finding(kNoiseCost);
  if (!take_optional(json, kUnrecognisedCost, 0, kHighestCost, findings.unrecognised_cost_mos))
    return impossible_finding(kUnrecognisedCost);
  const auto impairments = json.find("impairments");
  if (impairments == json.end() || !impairments->is_array() || impairments->size() > kAllImpairments.size()) {
    return impossible_finding("list of impairments");
  }
  for (const Json& one : *impairments) {
    if (!one.is_object() || !one.value("impairment", Json()).is_string()) return impossible_finding("impairment");
    const auto impairment = impairment_from_string(one["impairment"].get<std::string>());
    const auto strength = number(one, "strength", kHighestStrength);
    if (!impairment || !strength) return impossible_finding("impairment");
    ImpairmentFinding finding{*impairment, *strength};
    if (!take_optional(one, "cost_mos", 0, kHighestCost, finding.cost_mos)) return impossible_finding("impairment");
    findings.impairments.push_back(finding);
  }
  return std::optional(findings);
}

}  // namespace vqas
