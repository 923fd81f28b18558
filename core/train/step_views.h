// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/data/dtype.h"

namespace millrace {

/// Pictures of a batch as the loader left them, rows `rowBytes` apart. u8 counts as 0 to 1.
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

/// Labels of a batch: the number of a class each, or a share for each class.
struct LabelView {
  const void* data = nullptr;
  std::size_t rowBytes = 0;
  DType dtype = DType::I64;
  bool shares = false;
};

/// What lives on the device from step to step.
struct TrainingState {
  float lossScale = 1;
  float loss = 0;                 ///< mean over the rows of the last step
  std::uint32_t goodSteps = 0;    ///< since the scale was changed
  std::uint32_t skipped = 0;      ///< updates left out, since the start
  std::uint32_t notFinite = 0;    ///< whether a gradient of this step was
  std::uint32_t wrongLabels = 0;  ///< rows of the last step whose label is no class
};

/// Of some classes of a row.
struct LossPart {
  float most = 0;    ///< logit
  float sum = 0;     ///< of exp(logit - most)
  float shares = 0;  ///< of the label
  float logits = 0;  ///< times the label's shares
};

/// Of a row: what its gradient needs, and its loss; `loss` is -1 where the label is no class.
struct LossRow {
  float most = 0;
  float sum = 0;
  float shares = 0;
  float loss = 0;
};

/// Of some rows.
struct LossTotal {
  double loss = 0;
  std::uint32_t wrongLabels = 0;
};

/// Logits, loss and gradients of the dense layer of a batch, all f32.
struct LossView {
  static constexpr std::uint32_t kParts = 32;   ///< of a row's classes, one thread each
  static constexpr std::uint32_t kTotals = 64;  ///< of the rows likewise

  std::uint32_t rows = 0;
  std::int64_t classes = 0;
  LabelView labels;
  const float* logits = nullptr;  ///< rows x classes
  float* gradient = nullptr;      ///< rows x classes, times the loss scale
  LossPart* parts = nullptr;      ///< rows x kParts
  LossRow* perRow = nullptr;      ///< of each row
  LossTotal* totals = nullptr;    ///< kTotals
  TrainingState* state = nullptr;
};

/// All parameters and what an update needs of them. Of convolutions, the first ones, there are
/// copies in 16 bits, where `copies` is set, and gradients in the same type.
struct ParameterView {
  std::size_t count = 0;
  std::size_t convCount = 0;
  float* parameters = nullptr;
  float* momenta = nullptr;
  float* gradients = nullptr;  ///< those of convolutions too, once gathered
  void* copies = nullptr;
  const void* convGradients = nullptr;  ///< nullptr where they are in `gradients`
  TrainingState* state = nullptr;
};

/// Stochastic gradient descent with momentum (Sutskever et al., ICML 2013, as PyTorch has it).
struct UpdateRule {
  float learningRate = 0.05F;
  float momentum = 0.9F;
  float weightDecay = 0.0001F;
  /// Dynamic loss scaling (Micikevicius et al., "Mixed precision training", ICLR 2018): halved
  /// where a gradient is not finite, which leaves the update out, doubled after so many that were.
  /// 0: the scale stays.
  std::uint32_t growAfter = 0;
};

}  // namespace millrace
