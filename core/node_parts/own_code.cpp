// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/own_code.h"

#include <system_error>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/data_path.h"
#include "core/own_python/interpreter.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes {

Status checkOwnName(const OwnCode& code) {
  const std::size_t colon = code.name.find(':');
  const std::string shown = validUtf8(code.name);
  if (code.name.empty()) return Error{"no name is given"};
  if (!isPythonPath(colon == std::string::npos ? code.name : code.name.substr(colon + 1)))
    return Error{fmt::format("`{}` is not a name in a Python file", shown)};
  if (!code.file.empty() && colon != std::string::npos)
    return Error{fmt::format("`{}` names a module, but there is a file", shown)};
  if (code.file.empty() &&
      (colon == std::string::npos || !isPythonName(code.name.substr(0, colon))))
    return Error{fmt::format("`{}` names no module, and there is no file", shown)};
  return {};
}

Result<PythonFunction> ownFunction(const OwnCode& code, const std::filesystem::path& base) {
  MILLRACE_TRY(checkOwnName(code));
  PythonFunction function;
  std::error_code error;
  function.base = std::filesystem::absolute(base.empty() ? "." : base, error);
  function.name = code.name;
  if (code.file.empty()) {
    const std::size_t colon = code.name.find(':');
    function.module = code.name.substr(0, colon);
    function.name = code.name.substr(colon + 1);
  } else {
    MILLRACE_ASSIGN_OR_RETURN(function.file, resolveDataPath(code.file, function.base));
  }
  function.random = code.random;
  function.memoryLimit = static_cast<std::uint64_t>(code.memoryLimit);
  function.timeoutSeconds = code.timeout;
  return function;
}

Status findOnDisk(const OwnCode& code, PythonFunction& function) {
  const bool isPath = code.python.find('/') != std::string::npos;
  MILLRACE_ASSIGN_OR_RETURN(
      function.interpreter,
      findInterpreter(isPath ? (function.base / code.python).string() : code.python,
                      "the parameter `python`"));
  std::error_code error;
  if (!function.file.empty() && !std::filesystem::is_regular_file(function.file, error))
    return Error{fmt::format("there is no file {}", validUtf8(function.file.string()))};
  return {};
}

std::string ownCall(const PythonFunction& function, const std::string& more) {
  std::vector<std::string> results;
  for (const PythonResult& result : function.results) results.push_back(result.name);
  std::string text = fmt::format("own({}, {}, {}), {}, {}{}", pythonText(function.file.string()),
                                 pythonText(function.module), pythonText(function.name),
                                 pythonTexts(function.inputs), pythonTexts(results), more);
  if (function.form != "numpy") text += ", form=" + pythonText(function.form);
  if (function.byName) text += ", by_name=True";
  return text;
}

bool fits(const Shape& actual, const Shape& declared) {
  if (actual.rank() != declared.rank()) return false;
  for (std::size_t i = 0; i < actual.rank(); ++i)
    if (declared[i] != Shape::kUnknown && declared[i] != actual[i]) return false;
  return true;
}

std::optional<std::uint64_t> seedOf(Draw draw) {
  if (draw.centred()) return std::nullopt;
  const std::uint64_t high = draw.bits();
  return high << 32U | draw.bits();
}

std::optional<std::uint64_t> seedOfItem(std::uint32_t index, const SampleKey& key) {
  return seedOf(Draw({0, key.epoch, index, key.copy, 0}));
}

}  // namespace millrace::nodes
