// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/layer_kernels.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/cuda/launch.h"
#include "core/train/layer_rules.h"

namespace millrace {

namespace {

/// `launch` with the element of a type.
template <class Launch>
Status layerElement(DType dtype, const Launch& launch) {
  switch (dtype) {
    case DType::F32: return launch(F32Element{});
    case DType::F16: return launch(F16Element{});
    case DType::BF16: return launch(BF16Element{});
    default: MILLRACE_CHECK(false, "values between layers are f32, f16 or bf16");
  }
}

std::uint32_t extentSide(std::int64_t count) {
  MILLRACE_CHECK(count >= 0 && count <= UINT32_MAX, "threads are counted in 32 bits");
  return static_cast<std::uint32_t>(count);
}

Extent groupsAndPixels(const NormView& view) {
  return {extentSide(view.groups()), extentSide(view.pixels), 1};
}

Extent groupsAndChunks(const NormView& view) {
  return {extentSide(view.groups()), extentSide(view.chunks), 1};
}

}  // namespace

Status launchConvForward(Stream& stream, DType dtype, const ConvShape& shape, const void* in,
                         const void* weights, void* out) {
  const Extent extent{extentSide(shape.outChannels),
                      extentSide(std::int64_t{shape.outHeight} * shape.outWidth), shape.rows};
  return layerElement(dtype, [&]<class Element>(Element) {
    using Stored = typename Element::Stored;
    return forEach(
        stream, "convolution", extent,
        ConvForward<Element>{shape, static_cast<const Stored*>(in),
                             static_cast<const Stored*>(weights), static_cast<Stored*>(out)});
  });
}

Status launchConvBackwardData(Stream& stream, DType dtype, const ConvShape& shape,
                              const void* outGradient, const void* weights, void* inGradient,
                              bool adds) {
  const Extent extent{extentSide(shape.inChannels),
                      extentSide(std::int64_t{shape.inHeight} * shape.inWidth), shape.rows};
  return layerElement(dtype, [&]<class Element>(Element) {
    using Stored = typename Element::Stored;
    return forEach(stream, "convolution, backward to its input", extent,
                   ConvBackwardData<Element>{shape, static_cast<const Stored*>(outGradient),
                                             static_cast<const Stored*>(weights),
                                             static_cast<Stored*>(inGradient), adds});
  });
}

Status launchConvBackwardWeights(Stream& stream, DType dtype, const ConvShape& shape,
                                 const void* in, const void* outGradient, void* weightGradient) {
  const Extent extent{extentSide(shape.inChannels),
                      extentSide(std::int64_t{shape.kernel} * shape.kernel),
                      extentSide(shape.outChannels)};
  return layerElement(dtype, [&]<class Element>(Element) {
    using Stored = typename Element::Stored;
    return forEach(stream, "convolution, backward to its weights", extent,
                   ConvBackwardWeights<Element>{shape, static_cast<const Stored*>(in),
                                                static_cast<const Stored*>(outGradient),
                                                static_cast<Stored*>(weightGradient)});
  });
}

std::int32_t normChunks(std::int64_t pixels, std::int32_t channels) {
  // Some 64 thousand threads, and at least 16 pixels for each.
  constexpr std::int64_t kThreads = 65536;
  const std::int64_t groups = channels / 8;
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(std::min(kThreads / groups, pixels / 16), 1, 4096));
}

Status launchNormForward(Stream& stream, DType dtype, const NormView& view) {
  return layerElement(dtype, [&]<class Element>(Element) -> Status {
    MILLRACE_TRY(forEach(stream, "norm sums", groupsAndChunks(view), NormSums<Element>{view}));
    MILLRACE_TRY(forEach(stream, "norm moments", Extent{extentSide(view.channels), 1, 1},
                         NormMoments<Element>{view}));
    return forEach(stream, "norm", groupsAndPixels(view), NormForward<Element>{view});
  });
}

Status launchNormBackward(Stream& stream, DType dtype, const NormView& view) {
  return layerElement(dtype, [&]<class Element>(Element) -> Status {
    MILLRACE_TRY(forEach(stream, "norm backward sums", groupsAndChunks(view),
                         NormBackwardSums<Element>{view}));
    MILLRACE_TRY(forEach(stream, "norm backward totals", Extent{extentSide(view.channels), 1, 1},
                         NormBackwardTotals{view}));
    return forEach(stream, "norm backward", groupsAndPixels(view), NormBackward<Element>{view});
  });
}

}  // namespace millrace
