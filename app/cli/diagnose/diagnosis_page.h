// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/tune/diagnosis.h"

namespace millrace::cli {

/// Facts for a diagnosis' page besides its result.
struct DiagnosisIdentity {
  std::string pipeline;   ///< file or example as entered
  std::string runId;      ///< run of the unmodified pipeline; empty: not kept
  std::string storeFlag;  ///< flag that a command needs to find it
  std::string pageCache;  ///< its state and what caused it, a sentence
  std::string applied;    ///< file that the edited pipeline was written to; empty: none
};

/// The page for the user, within 80 columns and without colour.
std::string diagnosisText(const DiagnosisResult& result, const DiagnosisIdentity& identity);
/// A batch's time as a bar of `width` letters: `F` fetch, `P` prepare, `T` transfer, `S` step.
std::string stallBar(const StallSplit& split, std::size_t width);

/// In the form of `--json` (docs/reference/command-line.md).
std::string diagnosisJson(const DiagnosisResult& result, const DiagnosisIdentity& identity,
                          bool indented);
/// `kind node sure`; the first two are null if the limit is not certain.
nlohmann::json limitJson(const LimitFinding& finding);

}  // namespace millrace::cli
