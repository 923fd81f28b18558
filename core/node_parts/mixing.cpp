// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/mixing.h"

#include <string>

#include <fmt/format.h>

#include "core/node_parts/array_text.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes {

ExportText mixInPytorch(const MixParams& p, const ExportContext& context,
                        std::string_view transform, bool cut) {
  const MixedFields mixed = mixedFields(context.in, p.fields);
  const double chance = context.chance(p.probability);
  ExportText text;
  if (chance == 0) return text;
  const std::string fields =
      pythonTexts(context.names(mixed.pictures)) + ", " + pythonTexts(context.names(mixed.labels));
  if (context.noRandom)
    return text.needs("mix_middle")
        .step(fmt::format("MixMiddle({}, cut={})", fields, pythonBool(cut)));
  return text.needs("mix_batch")
      .import("from operator import itemgetter")
      .step(fmt::format("MixBatch({}, v2.{}(alpha={}, labels_getter=itemgetter(\"label\")), p={})",
                        fields, transform, pythonReal(p.alpha), pythonReal(chance)));
}

ExportText mixInTfdata(const MixParams& p, const ExportContext& context, std::string_view function,
                       std::string_view pictures) {
  ExportText text;
  const double chance = context.chance(p.probability);
  if (chance == 0) return text;
  const MixedFields mixed = mixedFields(context.in, p.fields);
  const std::string draw = drawIn(context, text);
  return text.needs(std::string(function))
      .step(fmt::format("{}(batch, {}, {}, {}, alpha={}, probability={})", function, pictures,
                        fieldList(context, mixed.labels), draw, pythonReal(p.alpha),
                        pythonReal(chance)));
}

ExportText notMixed() {
  ExportText text;
  text.missing =
      "The target works on samples and has no draw for a whole batch; mix in the training step.";
  return text;
}

}  // namespace millrace::nodes
