// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/tune/diagnosis.h"

namespace millrace {

/// A diagnosis, and what was kept and written of it. Value.
struct DiagnosisOutcome {
  DiagnosisResult result;
  std::string pipeline;   ///< file or example as the user gave it
  std::string runId;      ///< run of the unmodified pipeline in the store; empty: not kept
  std::string pageCache;  ///< its state and what caused it, a sentence; empty: not known
  std::string applied;    ///< file that the edited pipeline was written to; empty: none
  std::string unchanged;  ///< why the pipeline in that file has no edit; empty if it has one
  /// Why the edited pipeline was requested but not written.
  std::optional<Error> notApplied;
};

}  // namespace millrace
