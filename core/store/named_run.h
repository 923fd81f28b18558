// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/store/run_store.h"

namespace millrace {

/// Finds a run by its number, the beginning of its id, or "last". The error says what was not
/// found.
Result<RunNumber> runNamed(RunStore& store, const std::string& which);

}  // namespace millrace
