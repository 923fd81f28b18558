// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

#include "core/base/result.h"

namespace millrace {

/// The error for what was thrown while a stage worked: lack of memory, or a library's exception.
Error errorOf(const std::exception& thrown);

}  // namespace millrace
