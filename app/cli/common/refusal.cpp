// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/refusal.h"

#include <cstdio>

#include <fmt/format.h>

#include "app/cli/common/output.h"
#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"

namespace millrace::cli {

int refuse(const std::string& message, int code) {
  printMessage("{}", wrapped("error: " + visibleText(message), 4));
  return code;
}

int refuseData(const std::string& message, int code) {
  printMessage("error: {}", wrapped(visibleText(message), 4, 7));
  return code;
}

int fail(const std::string& message, int code) {
  printMessage("error: {}\n", visibleText(message));
  return code;
}

}  // namespace millrace::cli
