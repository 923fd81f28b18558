// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/tune/diagnosis.h"

namespace millrace::cli {

/// What a diagnosis says besides its result.
struct DiagnosisIdentity {
  std::string pipeline;   ///< file or example as given
  std::string runId;      ///< of the pipeline as it is; empty: not kept
  std::string storeFlag;  ///< what a command needs to find it, behind its other words
  std::string pageCache;  ///< its state and who put it there, a sentence
  std::string applied;    ///< file that the edited pipeline was written to; empty: none
};

/// The page for a person, within 80 columns and without colour.
std::string diagnosisText(const DiagnosisResult& result, const DiagnosisIdentity& identity);
/// A batch's time as a bar of `width` letters: `F` fetch, `P` prepare, `T` transfer, `S` step.
std::string stallBar(const StallSplit& split, std::size_t width);

/// As `--json` has it (CONTRACT §9).
std::string diagnosisJson(const DiagnosisResult& result, const DiagnosisIdentity& identity,
                          bool indented);
/// `kind node sure`; the first two are null where none is known for sure.
nlohmann::json limitJson(const LimitFinding& finding);

}  // namespace millrace::cli
