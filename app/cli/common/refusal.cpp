// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/refusal.h"

#include "app/cli/common/output.h"
#include "core/base/text/visible_name.h"

namespace millrace::cli {

int fail(const std::string& message, int code) {
  printMessage("error: {}\n", visibleName(message));
  return code;
}

}  // namespace millrace::cli
