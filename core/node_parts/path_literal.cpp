// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/path_literal.h"

#include "core/base/text/text.h"
#include "core/formats/io/data_path.h"
#include "core/spec/python_literal.h"

namespace millrace {

std::string pathLiteral(const std::string& path, const ExportContext& context) {
  if (path.empty()) return "None";
  const auto resolved = resolveDataPath(path, context.base);
  return pythonText(resolved ? resolved->native() : path);
}

std::string pathListLiteral(const std::vector<std::string>& paths, const ExportContext& context) {
  std::vector<std::string> literals;
  for (const std::string& path : paths) literals.push_back(pathLiteral(path, context));
  return "[" + join(literals, ", ") + "]";
}

}  // namespace millrace
