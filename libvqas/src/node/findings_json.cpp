#include "node/findings_json.h"

#include <fmt/format.h>

#include "vqas/node/finding_fields.h"

namespace vqas {
namespace {

using Json = nlohmann::json;

constexpr double kHighestStrength = 1000;

// Nothing when it is no number from 0 to `highest`.
std::optional<double> number(const Json& json, const char* name, double highest) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  const double value = found->get<double>();
  return value >= 0 && value <= highest ? std::optional(value) : std::nullopt;
}

Error impossible_finding(const char* name) {
  return {ErrorCode::bad_input, fmt::format("has findings without a possible {}", name)};
}

}  // namespace

Json findings_json(const std::optional<LineFindings>& findings) {
  if (!findings) return nullptr;
  Json json = Json::object(), causes = Json::array();
  for (const CauseFinding& one : findings->causes) {
    causes.push_back({{"cause", to_string(one.cause)}, {"strength", one.strength}});
  }
  json["causes"] = std::move(causes);
  for (const FindingField& field : kFindingFields) json[field.name] = (*findings).*field.value;
  return json;
}

Result<std::optional<LineFindings>> findings_from(const Json& json) {
  if (json.is_null()) return std::optional<LineFindings>();
  if (!json.is_object()) return impossible_finding("object");
  LineFindings findings;
  for (const FindingField& field : kFindingFields) {
    const auto value = number(json, field.name, field.highest);
    if (!value) return impossible_finding(field.name);
    findings.*field.value = *value;
  }
  const auto causes = json.find("causes");
  if (causes == json.end() || !causes->is_array() || causes->size() > kAllCauses.size()) {
    return impossible_finding("list of causes");
  }
  for (const Json& one : *causes) {
    if (!one.is_object() || !one.value("cause", Json()).is_string()) return impossible_finding("cause");
    const auto cause = cause_from_string(one["cause"].get<std::string>());
    const auto strength = number(one, "strength", kHighestStrength);
    if (!cause || !strength) return impossible_finding("cause");
    findings.causes.push_back({*cause, *strength});
  }
  return std::optional(findings);
}

}  // namespace vqas
