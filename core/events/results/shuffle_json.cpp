// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/results/shuffle_json.h"

#include <optional>

#include <nlohmann/json.hpp>

#include "core/events/json/json_text.h"

namespace millrace {

namespace {

Json figureJson(const std::optional<ShuffleFigure>& figure) {
  if (!figure) return nullptr;
  return {{"value", figure->value}, {"full", figure->full}};
}

}  // namespace

std::string shuffleJson(const ShuffleQuality& quality, bool indented) {
  const Json json = {{"samples", quality.samples},
                     {"distance", figureJson(quality.distance)},
                     {"class_run", figureJson(quality.classRun)},
                     {"file_run", figureJson(quality.fileRun)},
                     {"batch_entropy_bits", figureJson(quality.batchEntropy)},
                     {"batch_entropy_along", quality.entropyAlong}};
  return dumpJson(json, indented);
}

}  // namespace millrace
