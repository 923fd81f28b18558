// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "core/measure/store_recorder.h"

namespace millrace {

/// Whether a job keeps what it measures, and where. Value.
struct KeepSettings {
  bool keep = true;
  std::filesystem::path file;  ///< the store; created if it is missing
  RunLabels labels;
};

}  // namespace millrace
