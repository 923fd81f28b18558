// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace millrace {

void checkFailed(const char* file, int line, const char* condition, std::string_view explanation) {
  std::fprintf(stderr, "%s:%d: check failed: %s: %.*s\n", file, line, condition,
               static_cast<int>(explanation.size()), explanation.data());
  std::abort();
}

}  // namespace millrace
