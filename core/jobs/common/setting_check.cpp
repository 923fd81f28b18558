// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/common/setting_check.h"

#include "core/nodes/builtin.h"

namespace millrace {

CheckResult checkSetting(const Graph& graph, CheckOptions options) {
  options.openData = false;
  CheckResult checked = checkGraph(graph, builtinCatalog(), options);
  if (checked.pipeline) return checked;
  options.openData = true;
  return checkGraph(graph, builtinCatalog(), options);
}

}  // namespace millrace
