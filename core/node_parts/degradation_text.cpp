// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/degradation_text.h"

#include <fmt/format.h>

#include "core/spec/python_literal.h"

namespace millrace::nodes {

ExportText onlyEngine(std::string_view reason) {
  ExportText text;
  text.missing = fmt::format("{}; export the pipeline as Python over the engine.", reason);
  return text;
}

ExportText randomly(const std::string& code, double probability,
                    const std::vector<std::size_t>& fields, const ExportContext& context) {
  ExportText text;
  const double chance = context.chance(probability);
  if (chance == 0) return text;
  return text.import("from torchvision.transforms import v2")
      .step(chance < 1 ? fmt::format("v2.RandomApply([{}], p={})", code, pythonReal(chance)) : code,
            context.only(fields, {Role::Image, Role::Target}));
}

}  // namespace millrace::nodes
