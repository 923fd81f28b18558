// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/parsed_json.h"

#include <nlohmann/json.hpp>

namespace millrace {

nlohmann::json parsedJson(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, false);
}

}  // namespace millrace
