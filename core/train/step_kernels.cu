// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/layer_kernels.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/cuda/launch.h"
#include "core/train/loss_rules.h"
#include "core/train/step_rules.h"
#include "core/train/value_element.h"

namespace millrace {

namespace {

template <class From>
Status loadPictures(Stream& stream, DType dtype, const PictureView& from, void* to) {
  const Extent extent{static_cast<std::uint32_t>(from.width * from.channels),
                      static_cast<std::uint32_t>(from.height), from.rows};
  return withValueElement(dtype, [&]<class Element>(Element) {
    return forEach(stream, "load pictures", extent,
                   LoadPictures<From, Element>{from, static_cast<typename Element::Stored*>(to)});
  });
}

Extent classesAndRows(const LossView& view) {
  return {static_cast<std::uint32_t>(view.classes), view.rows, 1};
}

Extent allOf(const ParameterView& view) {
  MILLRACE_CHECK(view.count <= UINT32_MAX, "counts of parameters must fit 32 bits");
  return {static_cast<std::uint32_t>(view.count), 1, 1};
}

}  // namespace

Status launchLoadPictures(Stream& stream, DType dtype, const PictureView& from, void* to) {
  switch (from.dtype) {
    case DType::U8: return loadPictures<U8Element>(stream, dtype, from, to);
    case DType::F16: return loadPictures<F16Element>(stream, dtype, from, to);
    case DType::BF16: return loadPictures<BF16Element>(stream, dtype, from, to);
    case DType::F32: return loadPictures<F32Element>(stream, dtype, from, to);
    default: MILLRACE_CHECK(false, "pictures must be u8, f16, bf16 or f32");
  }
}

Status launchPoolForward(Stream& stream, DType dtype, std::uint32_t rows, std::int64_t pixels,
                         std::int32_t channels, const void* in, float* out) {
  return withValueElement(dtype, [&]<class Element>(Element) {
    return forEach(stream, "pool", Extent{static_cast<std::uint32_t>(channels), rows, 1},
                   PoolForward<Element>{static_cast<const typename Element::Stored*>(in), out,
                                        pixels, channels});
  });
}

Status launchPoolBackward(Stream& stream, DType dtype, std::uint32_t rows, std::int64_t pixels,
                          std::int32_t channels, const float* outGradient, void* inGradient) {
  return withValueElement(dtype, [&]<class Element>(Element) {
    return forEach(
        stream, "pool backward",
        Extent{static_cast<std::uint32_t>(channels), static_cast<std::uint32_t>(pixels), rows},
        PoolBackward<Element>{outGradient, static_cast<typename Element::Stored*>(inGradient),
                              pixels, channels});
  });
}

Status launchProduct(Stream& stream, const ProductView& view) {
  const MatrixProduct product{view.a,
                              view.aTurned ? 1 : view.inner,
                              view.aTurned ? view.rows : 1,
                              view.b,
                              view.bTurned ? 1 : view.columns,
                              view.bTurned ? view.inner : 1,
                              view.out,
                              view.columns,
                              view.inner};
  return forEach(
      stream, "dense layer",
      Extent{static_cast<std::uint32_t>(view.columns), static_cast<std::uint32_t>(view.rows), 1},
      product);
}

Status launchAddBias(Stream& stream, const LossView& view, const float* bias, float* logits) {
  return forEach(stream, "bias", classesAndRows(view), AddBias{bias, logits, view.classes});
}

Status launchBiasGradient(Stream& stream, const LossView& view, float* parts, float* biasGradient) {
  constexpr std::uint32_t kMostParts = 16;
  const std::uint32_t count = std::min(view.rows, kMostParts);
  const auto classes = static_cast<std::uint32_t>(view.classes);
  MILLRACE_TRY(forEach(stream, "bias gradient parts", Extent{classes, count, 1},
                       SumOfRows{view.gradient, parts, view.rows, count, view.classes}));
  return forEach(stream, "bias gradient", Extent{classes, 1, 1},
                 SumOfRows{parts, biasGradient, count, 1, view.classes});
}

Status launchLoss(Stream& stream, const LossView& view) {
  MILLRACE_TRY(
      forEach(stream, "loss parts", Extent{LossView::kParts, view.rows, 1}, LossParts{view}));
  MILLRACE_TRY(forEach(stream, "loss", Extent{view.rows, 1, 1}, LossRows{view}));
  MILLRACE_TRY(forEach(stream, "loss gradient", classesAndRows(view), LossGradient{view}));
  MILLRACE_TRY(forEach(stream, "loss totals", Extent{LossView::kTotals, 1, 1}, LossTotals{view}));
  return forEach(stream, "sum of the loss", Extent{}, SumLoss{view});
}

Status launchGatherGradients(Stream& stream, DType dtype, const ParameterView& view) {
  return withValueElement(dtype, [&]<class Element>(Element) {
    return forEach(stream, "gather gradients", allOf(view), GatherGradients<Element>{view});
  });
}

Status launchUpdate(Stream& stream, DType dtype, const ParameterView& view,
                    const UpdateRule& rule) {
  MILLRACE_TRY(forEach(stream, "check gradients", allOf(view), CheckGradients{view}));
  MILLRACE_TRY(withValueElement(dtype, [&]<class Element>(Element) {
    return forEach(stream, "update", allOf(view), UpdateParameters<Element>{view, rule});
  }));
  return forEach(stream, "end of the step", Extent{}, EndStep{view.state, rule});
}

}  // namespace millrace
