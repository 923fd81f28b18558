// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_python/python_function.h"

#include <nlohmann/json.hpp>

#include "core/base/text/text.h"

namespace millrace {

std::string PythonFunction::shown() const {
  return validUtf8(file.empty() ? module : file.filename().string()) + ":" + validUtf8(name);
}

std::string PythonFunction::settings() const {
  nlohmann::json outputs = nlohmann::json::array();
  for (const PythonResult& result : results) outputs.push_back({result.name, result.hwc});
  return nlohmann::json{{"module", validUtf8(module)},
                        {"name", validUtf8(name)},
                        {"base", validUtf8(base.string())},
                        {"dataset", dataset},
                        {"iterated", iterated},
                        {"inputs", inputs},
                        {"results", outputs},
                        {"batch", batch},
                        {"by_name", byName},
                        {"as", form},
                        {"random", random},
                        {"memory_limit", memoryLimit}}
      .dump();
}

}  // namespace millrace
