// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/layer_kernels.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/cuda/launch.h"
#include "core/train/conv_rules.h"
#include "core/train/norm_backward_rules.h"
#include "core/train/norm_rules.h"
#include "core/train/value_element.h"

namespace millrace {

namespace {

std::uint32_t extentSide(std::int64_t count) {
  MILLRACE_CHECK(count >= 0 && count <= UINT32_MAX, "counts must fit 32 bits");
  return static_cast<std::uint32_t>(count);
}

Extent groupsOf(const NormView& view, std::int64_t pixels) {
  return {extentSide(view.groups() * pixels), 1, 1};
}

Extent channelsOf(const NormView& view) { return {extentSide(view.channels), 1, 1}; }

/// Reduces the sums of chunks so far that one thread per channel can add them up.
Result<NormView> withFewSums(Stream& stream, const NormView& view) {
  if (view.chunks <= NormView::kParts) return view;
  MILLRACE_TRY(forEach(stream, "norm parts", Extent{extentSide(view.channels), NormView::kParts, 1},
                       NormParts{view}));
  NormView few = view;
  few.sums += std::int64_t{view.chunks} * 2 * view.channels;
  few.chunks = NormView::kParts;
  return few;
}

}  // namespace

Status launchConvForward(Stream& stream, DType dtype, const ConvShape& shape, const void* in,
                         const void* weights, void* out) {
  const Extent extent{extentSide(shape.outChannels),
                      extentSide(std::int64_t{shape.outHeight} * shape.outWidth), shape.rows};
  return withValueElement(dtype, [&]<class Element>(Element) {
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
  return withValueElement(dtype, [&]<class Element>(Element) {
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
  return withValueElement(dtype, [&]<class Element>(Element) {
    using Stored = typename Element::Stored;
    return forEach(stream, "convolution, backward to its weights", extent,
                   ConvBackwardWeights<Element>{shape, static_cast<const Stored*>(in),
                                                static_cast<const Stored*>(outGradient),
                                                static_cast<Stored*>(weightGradient)});
  });
}

std::int32_t normChunks(std::int64_t pixels, std::int32_t channels) {
  // About 64 thousand threads, each with at least 16 pixels.
  constexpr std::int64_t kThreads = 65536;
  const std::int64_t groups = channels / 8;
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(std::min(kThreads / groups, pixels / 16), 1, 4096));
}

Status launchNormForward(Stream& stream, DType dtype, const NormView& view) {
  return withValueElement(dtype, [&]<class Element>(Element) -> Status {
    MILLRACE_TRY(
        forEach(stream, "norm sums", groupsOf(view, view.chunks), NormSums<Element>{view}));
    MILLRACE_ASSIGN_OR_RETURN(const auto few, withFewSums(stream, view));
    MILLRACE_TRY(forEach(stream, "norm moments", channelsOf(view), NormMoments<Element>{few}));
    return forEach(stream, "norm", groupsOf(view, view.pixels), NormForward<Element>{view});
  });
}

Status launchNormBackward(Stream& stream, DType dtype, const NormView& view) {
  return withValueElement(dtype, [&]<class Element>(Element) -> Status {
    MILLRACE_TRY(forEach(stream, "norm backward sums", groupsOf(view, view.chunks),
                         NormBackwardSums<Element>{view}));
    MILLRACE_ASSIGN_OR_RETURN(const auto few, withFewSums(stream, view));
    MILLRACE_TRY(
        forEach(stream, "norm backward totals", channelsOf(view), NormBackwardTotals{few}));
    return forEach(stream, "norm backward", groupsOf(view, view.pixels),
                   NormBackward<Element>{view});
  });
}

}  // namespace millrace
