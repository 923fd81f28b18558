// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_loader/harness.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/text.h"

namespace millrace {

std::string harnessText() {
  nlohmann::json parts;
  for (const HarnessPart& part : harnessParts()) parts[std::string(part.name)] = part.text;
  return parts.dump();
}

std::vector<std::string> harnessCommand(const OwnLoader& loader, const std::string& text) {
  // Surrogates are how Python reads the bytes of a name that is not UTF-8 from its arguments, so
  // the name is an argument and not a part of the JSON.
  const nlohmann::json settings = {
      {"name", validUtf8(loader.name)}, {"samples", loader.samples}, {"step", loader.stepSeconds}};
  return {loader.interpreter.string(), "-c",
          fmt::format("import json;parts=json.load(open('{}'));exec(parts['start'])", text),
          settings.dump(), loader.file.string()};
}

}  // namespace millrace
