// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/plugins/plugin_call.h"

#include <cstring>
#include <string_view>

#include "core/base/text/text.h"

namespace millrace {

Error pluginError(const char* text, std::size_t size) {
  const std::string said = singleLine(std::string_view(text, ::strnlen(text, size)));
  return Error{said.empty() ? "the plug-in reported an error without a text" : said};
}

Error pluginThrew(const char* what) {
  const std::string said = what == nullptr ? "" : singleLine(what);
  return Error{"the plug-in threw an exception" + (said.empty() ? "" : ": " + said)};
}

}  // namespace millrace
