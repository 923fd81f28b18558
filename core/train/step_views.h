// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/data/dtype.h"

namespace millrace {

/// Pictures of a batch as the loader delivered them, rows `rowBytes` apart. u8 is read as 0 to 1.
struct PictureView {
  const void* data = nullptr;
  std::size_t rowBytes = 0;
  DType dtype = DType::F32;
  bool planar = false;  ///< channels first
  std::uint32_t rows = 0;
  std::int32_t channels = 0;
  std::int32_t height = 0;
  std::int32_t width = 0;
};

/// Labels of a batch: a class number each, or a weight for each class.
struct LabelView {
  const void* data = nullptr;
  std::size_t rowBytes = 0;
  DType dtype = DType::I64;
  bool shares = false;
};

/// The state on the device that is kept from step to step.
struct TrainingState {
  float lossScale = 1;
  float loss = 0;                 ///< mean over the rows of the last step
  std::uint32_t goodSteps = 0;    ///< since the scale was changed
  std::uint32_t skipped = 0;      ///< updates skipped since the start
  std::uint32_t notFinite = 0;    ///< whether a gradient of this step was not finite
  std::uint32_t wrongLabels = 0;  ///< rows of the last step whose label is not a class
};

/// Intermediate results for some classes of a row.
struct LossPart {
  float most = 0;    ///< the largest logit
  float sum = 0;     ///< sum of exp(logit - most)
  float shares = 0;  ///< sum of the label's weights
  float logits = 0;  ///< logits times the label's weights
};

/// What a row's gradient needs, and its loss; `loss` is -1 if the label is not a class.
struct LossRow {
  float most = 0;
  float sum = 0;
  float shares = 0;
  float loss = 0;
};

/// Totals of some rows.
struct LossTotal {
  double loss = 0;
  std::uint32_t wrongLabels = 0;
};

/// Logits, loss and gradients of the dense layer for a batch, all f32.
struct LossView {
  static constexpr std::uint32_t kParts = 32;   ///< parts of a row's classes, one thread each
  static constexpr std::uint32_t kTotals = 64;  ///< parts of the rows, one thread each

  std::uint32_t rows = 0;
  std::int64_t classes = 0;
  LabelView labels;
  const float* logits = nullptr;  ///< rows x classes
  float* gradient = nullptr;      ///< rows x classes, times the loss scale
  LossPart* parts = nullptr;      ///< rows x kParts
  LossRow* perRow = nullptr;      ///< one per row
  LossTotal* totals = nullptr;    ///< kTotals
  TrainingState* state = nullptr;
};

/// All parameters and what an update needs. If `copies` is set, there are 16-bit copies of the
/// convolutions' parameters, which come first, and their gradients have the same type.
struct ParameterView {
  std::size_t count = 0;
  std::size_t convCount = 0;
  float* parameters = nullptr;
  float* momenta = nullptr;
  float* gradients = nullptr;  ///< includes those of convolutions after gathering
  void* copies = nullptr;
  const void* convGradients = nullptr;  ///< nullptr if they are in `gradients`
  TrainingState* state = nullptr;
};

/// Stochastic gradient descent with momentum (Sutskever et al., ICML 2013, in PyTorch's form).
struct UpdateRule {
  float learningRate = 0.05F;
  float momentum = 0.9F;
  float weightDecay = 0.0001F;
  /// Dynamic loss scaling (Micikevicius et al., "Mixed precision training", ICLR 2018): halved if a
  /// gradient is not finite, in which case the update is skipped, and doubled after this many good
  /// steps. 0: the scale is constant.
  std::uint32_t growAfter = 0;
};

}  // namespace millrace
