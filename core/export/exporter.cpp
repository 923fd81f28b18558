// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/exporter.h"

#include <fmt/format.h>

#include "core/graph/checked_pipeline.h"

namespace millrace {

namespace targets {
#define MILLRACE_EXPORTER(name) Exporter name();
#include "core/export/exporters.def"
#undef MILLRACE_EXPORTER
}  // namespace targets

namespace {

/// Translated code stacks pictures, so they must have one size at the end.
Status demandOneSize(const Exporter& target, const CheckedPipeline& pipeline) {
  for (const FieldSpec& field : pipeline.nodes.back().in.fields) {
    const bool pixels = isPicture(field.role) && field.dtype != DType::Encoded;
    if (pixels && field.layout != Layout::Plain && !field.shape.known())
      return Error{fmt::format(
          "pictures of `{}` leave the pipeline in different sizes, and {} makes one array of a "
          "batch: add a resize or a crop, or export to `python`, which uses the engine",
          field.name, target.label)};
  }
  return {};
}

}  // namespace

Result<Exported> exportAs(const Exporter& target, const ExportSubject& subject) {
  if (target.isCode && target.translates) MILLRACE_TRY(demandOneSize(target, *subject.pipeline));
  return target.write(subject);
}

const std::vector<Exporter>& exporters() {
  static const std::vector<Exporter> all = {
#define MILLRACE_EXPORTER(name) targets::name(),
#include "core/export/exporters.def"
#undef MILLRACE_EXPORTER
  };
  return all;
}

const Exporter* findExporter(std::string_view name) {
  for (const Exporter& exporter : exporters())
    if (exporter.name == name) return &exporter;
  return nullptr;
}

}  // namespace millrace
