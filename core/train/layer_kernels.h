// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/cuda/stream.h"
#include "core/data/dtype.h"
#include "core/train/layer_views.h"
#include "core/train/step_views.h"

namespace millrace {

// The layers and the rest of a training step, enqueued on a device. `dtype` is how values between
// layers are stored: F32, F16 or BF16. Pointers are device addresses; memory must not overlap.
// Errors name the kernel.

Status launchConvForward(Stream& stream, DType dtype, const ConvShape& shape, const void* in,
                         const void* weights, void* out);
/// `adds`: adds to the content of `inGradient`.
Status launchConvBackwardData(Stream& stream, DType dtype, const ConvShape& shape,
                              const void* outGradient, const void* weights, void* inGradient,
                              bool adds);
Status launchConvBackwardWeights(Stream& stream, DType dtype, const ConvShape& shape,
                                 const void* in, const void* outGradient, void* weightGradient);

/// The number of chunks that gives enough threads for a norm's sums on any GPU.
std::int32_t normChunks(std::int64_t pixels, std::int32_t channels);
Status launchNormForward(Stream& stream, DType dtype, const NormView& view);
Status launchNormBackward(Stream& stream, DType dtype, const NormView& view);

Status launchLoadPictures(Stream& stream, DType dtype, const PictureView& from, void* to);
/// `out`: rows x channels.
Status launchPoolForward(Stream& stream, DType dtype, std::uint32_t rows, std::int64_t pixels,
                         std::int32_t channels, const void* in, float* out);
Status launchPoolBackward(Stream& stream, DType dtype, std::uint32_t rows, std::int64_t pixels,
                          std::int32_t channels, const float* outGradient, void* inGradient);

/// Row-major f32: out (rows x columns) = a (rows x inner) * b (inner x columns), where `a` and `b`
/// may be stored transposed.
struct ProductView {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t inner = 0;
  const float* a = nullptr;
  bool aTurned = false;
  const float* b = nullptr;
  bool bTurned = false;
  float* out = nullptr;
};
Status launchProduct(Stream& stream, const ProductView& view);
Status launchAddBias(Stream& stream, const LossView& view, const float* bias, float* logits);
/// `parts`: scratch memory of rows x classes.
Status launchBiasGradient(Stream& stream, const LossView& view, float* parts, float* biasGradient);

/// Computes the loss and gradient of each row, and the step's loss in the state.
Status launchLoss(Stream& stream, const LossView& view);
Status launchGatherGradients(Stream& stream, DType dtype, const ParameterView& view);
/// Checks the gradients, updates the parameters unless one is not finite, and ends the step.
Status launchUpdate(Stream& stream, DType dtype, const ParameterView& view, const UpdateRule& rule);

}  // namespace millrace
