// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_python/python_parts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace millrace {

Result<InheritedText> inheritedPythonParts() {
  nlohmann::json parts;
  for (const PythonPart& part : pythonParts()) parts[std::string(part.name)] = part.text;
  return InheritedText::make(parts.dump());
}

std::vector<std::string> pythonCommand(const std::string& interpreter, const std::string& parts,
                                       std::string_view part, const std::string& settings,
                                       const std::string& file) {
  return {interpreter,
          "-c",
          fmt::format("import json;parts=json.load(open('{}'));exec(parts['start'])", parts),
          std::string(part),
          settings,
          file};
}

}  // namespace millrace
