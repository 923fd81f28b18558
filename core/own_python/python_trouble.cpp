// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_python/python_trouble.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"

namespace millrace {

namespace {

using TroubleJson = nlohmann::json;

std::string textAt(const TroubleJson& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool isSet(const TroubleJson& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

PythonFrame frameIn(const TroubleJson& json) {
  const auto line = json.find("line");
  const bool known = line != json.end() && line->is_number_integer();
  return {textAt(json, "file"), known ? line->get<std::int64_t>() : 0, textAt(json, "function"),
          textAt(json, "code")};
}

}  // namespace

PythonTrouble parseTrouble(std::string_view text) {
  const TroubleJson json = parsedJson(text);
  PythonTrouble trouble;
  if (!json.is_object()) return trouble;
  trouble.phase = textAt(json, "phase");
  trouble.kind = textAt(json, "kind");
  trouble.text = textAt(json, "text");
  trouble.worker = isSet(json, "worker");
  trouble.unusable = isSet(json, "unusable");
  trouble.missing = textAt(json, "missing");
  if (const auto frames = json.find("frames"); frames != json.end() && frames->is_array())
    for (const TroubleJson& frame : *frames)
      if (frame.is_object()) trouble.frames.push_back(frameIn(frame));
  return trouble;
}

std::string raisedText(const PythonTrouble& trouble) {
  const std::string text{trimmed(trouble.text)};
  return text.empty() ? trouble.kind : trouble.kind + ": " + text;
}

std::string missingText(const PythonTrouble& trouble, const std::string& file,
                        const std::string& interpreter, std::string_view knob) {
  return fmt::format(
      "{} needs the package {}, which {} does not have: {} names the interpreter that has it", file,
      trouble.missing, interpreter, knob);
}

std::string framesOf(const PythonTrouble& trouble) {
  std::string lines;
  for (const PythonFrame& frame : trouble.frames) {
    lines += fmt::format("\n    {}:{}", std::filesystem::path(frame.file).filename().string(),
                         frame.line);
    if (!frame.function.empty()) lines += " in " + frame.function;
    if (!frame.code.empty()) lines += ": " + frame.code;
  }
  return lines;
}

}  // namespace millrace
