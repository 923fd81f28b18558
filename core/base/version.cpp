// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/version.h"

namespace millrace {

const char* engineVersion() { return MILLRACE_VERSION; }

}  // namespace millrace
