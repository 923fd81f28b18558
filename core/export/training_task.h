// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/spec/export_text.h"

namespace millrace {

/// What a network can learn from batches: `target` from `inputs`. Value type.
struct TrainingTask {
  /// Classes: a class number, or a share of each class. Numbers: any numbers. Masks: a class of
  /// each pixel. Pictures: another picture.
  enum class Kind : std::uint8_t { Classes, Numbers, Masks, Pictures };

  Kind kind = Kind::Numbers;
  /// One picture, or arrays of numbers.
  std::vector<FieldSpec> inputs;
  FieldSpec target;
  /// Numbers that the network gives for a sample, or for a pixel: classes, values or channels.
  std::int64_t outputs = 1;
  /// False: the data was not examined, and `outputs` is a guess.
  bool outputsKnown = true;
  /// The target's pixels along each side for `shrinks` pixels of the input.
  std::int64_t enlarges = 1;
  std::int64_t shrinks = 1;

  bool readsPictures() const { return inputs.front().layout != Layout::Plain; }
  /// A sample may have several classes or none: a 1 for each, in a row of numbers.
  bool isMultiLabel() const {
    return kind == Kind::Classes && isFloat(target.dtype) && !target.oneHot && target.classes > 0;
  }
  /// Number of all values of a sample's inputs.
  std::int64_t inputSize() const;
};

/// The target is the first target picture or mask, else the label, else the last array. The error
/// says what the batches lack, and what to do.
Result<TrainingTask> trainingTask(const StreamType& batches);

}  // namespace millrace
