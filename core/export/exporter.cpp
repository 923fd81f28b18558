// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/exporter.h"

namespace millrace {

namespace targets {
#define MILLRACE_EXPORTER(name) Exporter name();
#include "core/export/exporters.def"
#undef MILLRACE_EXPORTER
}  // namespace targets

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
