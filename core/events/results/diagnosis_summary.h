// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/tune/diagnosis_outcome.h"

namespace millrace {

/// A diagnosis as its result writes it (docs/reference/command-line.md). Value.
struct DiagnosisSummary {
  struct Advised {
    Advice advice;
    std::optional<RatePrediction> predicted;
    std::optional<RateRatio> measured;  ///< if it was tried
  };
  std::string pipeline;
  std::string outcome;  ///< finished, failed or interrupted
  std::string reason;
  std::string runId;                       ///< run of the unmodified pipeline; empty: not kept
  std::string pageCache;                   ///< a sentence; empty: not known
  std::string unchanged;                   ///< why that pipeline has no edit; empty if it has
  std::string applied;                     ///< file of the edited pipeline; empty: none
  std::optional<double> samplesPerSecond;  ///< of the unmodified pipeline
  LimitFinding finding;                    ///< its evidence is in `finding.evidence` alone
  std::vector<Advised> advice;
  std::optional<StallSplit> stalls;
  std::vector<DiagnosisRun> runs;
  std::vector<std::string> leftOut;
  std::size_t replaced = 0;
  std::size_t disturbed = 0;
};

/// The object of `--json`, on one line or indented.
std::string diagnosisJson(const DiagnosisOutcome& outcome, bool indented);
/// Reads that object, or a `result` event with it; nullopt if the text is not a JSON object. Keys
/// that are missing keep their default.
std::optional<DiagnosisSummary> readDiagnosis(std::string_view json);

/// `kind node sure`; the first two are null if the limit is not certain.
nlohmann::json limitJson(const LimitFinding& finding);
/// Reads that object.
LimitFinding limitFrom(const nlohmann::json& json);

/// An edit of a pipeline: `node param from to`, or `add behind limit` for a cache, or `move
/// before`. Nothing of an advice in words.
nlohmann::json editJson(const Advice& edit);
/// The same with `changes_samples`, and the edit in words as `text`.
nlohmann::json describedEditJson(const Advice& edit);
/// Reads that object, with `changes_samples`, `text` and `costs` where they are present; only words
/// if it is not an edit.
Advice readEdit(std::string_view json);
Advice editFrom(const nlohmann::json& json);

}  // namespace millrace
