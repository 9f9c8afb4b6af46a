#pragma once

#include <optional>

#include "vqas/sync/mark.h"
#include "vqas/vqas.h"

namespace vqas::c {

/// Nothing for NULL and for a member out of range.
std::optional<MarkData> from_c(const vqas_mark_data* data);
vqas_mark_data in_c(const MarkData& data);
bool is_guard(double guard_s);

}  // namespace vqas::c
