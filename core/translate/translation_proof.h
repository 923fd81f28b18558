// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/translate/loader_translation.h"

namespace millrace {

/// How a field of the user's samples and of the pipeline's differ. Value.
struct FieldDifference {
  std::string name;
  std::uint64_t samples = 0;  ///< that were compared
  double largest = 0;         ///< absolute difference of two elements
  double mean = 0;            ///< absolute difference, over all elements
  /// One level of 255 in the field's values: 1/255/deviation for a normalised picture, 1 for bytes.
  /// 0: it is not a picture.
  double level = 0;
  std::string trouble{};  ///< the shapes differ, or the pipeline has no such field

  /// "u8 128x128x1 instead of i64 128x128": the pipeline's type and shape, if they are others.
  std::string form{};

  bool equal() const { return trouble.empty() && samples > 0 && largest == 0; }
  /// Equal but for rounding: pictures by one level, or by two and half a level on average; numbers
  /// to the last bits.
  bool close() const;
};

/// What a comparison of the user's dataset with the pipeline showed. Value.
struct TranslationProof {
  std::uint64_t theirs = 0;    ///< samples in the user's dataset
  std::uint64_t pipeline = 0;  ///< samples in an epoch of the pipeline
  std::uint64_t compared = 0;
  bool centred = true;  ///< each draw was the centre of its range; otherwise the same on both sides
  std::vector<FieldDifference> fields{};
  std::vector<std::string> failures{};  ///< samples that one side or both could not make

  /// All samples are there, and equal but for rounding.
  bool holds() const;
};

/// Makes `count` samples, spread over the data set, with the user's dataset and with the pipeline,
/// and compares them. On both sides each random draw is the centre of its range; a dataset that the
/// pipeline calls gets the same seeds instead. `proceed` is asked before each sample; false ends
/// the comparison. Blocks; one thread.
Result<TranslationProof> proveTranslation(const LoaderTranslation& translation,
                                          const OwnLoader& loader, std::size_t count,
                                          const std::function<bool()>& proceed);

}  // namespace millrace
