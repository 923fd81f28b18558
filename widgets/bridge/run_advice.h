// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include <QString>

#include "core/analysis/advice.h"
#include "core/analysis/what_if.h"
#include "core/graph/graph.h"
#include "core/measure/run_result.h"

namespace millrace {

/// What the rules of docs/reference/limits.md say about one run, without a diagnosis. Value.
struct RunAdvice {
  LimitFinding finding;
  std::optional<Advice> advice;             ///< the best change; nullopt if there is none
  std::optional<RatePrediction> predicted;  ///< of the rate with it
};

/// Of a run of this pipeline, from its result alone: no file is accessed. Some milliseconds; any
/// thread.
RunAdvice runAdviceOf(const Graph& graph, const Catalog& catalog, const std::filesystem::path& base,
                      const RunResult& result);

/// "Likely limit: too few workers", in the window's words; empty if it is not known, is the
/// training step or lies outside the pipeline. `titleOf` is windowWords()'s.
QString limitText(const RunAdvice& advice, const std::function<QString(const QString&)>& titleOf);
/// What would help; empty if the limit is the training step, or nothing is known to help.
QString adviceText(const RunAdvice& advice, const std::function<QString(const QString&)>& titleOf);

}  // namespace millrace
