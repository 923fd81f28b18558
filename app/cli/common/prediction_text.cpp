// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/prediction_text.h"

#include <cmath>

#include <fmt/format.h>

#include "app/cli/run/report.h"

namespace millrace::cli {

std::string predictionText(const PredictionRecord& prediction) {
  std::string text = rounded(prediction.middle);
  if (prediction.low && prediction.high)
    text += fmt::format(" [{}, {}]", rounded(*prediction.low), rounded(*prediction.high));
  if (const auto error = errorOf(prediction))
    text += fmt::format(", measured {}: {:.0f} % off", rounded(*prediction.followedValue),
                        100 * *error);
  return text;
}

std::optional<double> errorOf(const PredictionRecord& prediction) {
  const auto& measured = prediction.followedValue;
  if (!measured || !(*measured > 0)) return std::nullopt;
  return std::abs(prediction.middle / *measured - 1);
}

std::optional<double> noChangeErrorOf(const PredictionRecord& prediction) {
  const auto& measured = prediction.followedValue;
  if (!measured || !(*measured > 0) || !prediction.without) return std::nullopt;
  return std::abs(*prediction.without / *measured - 1);
}

}  // namespace millrace::cli
