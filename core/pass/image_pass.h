// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/data/stream_type.h"
#include "core/pass/offload_share.h"
#include "core/pass/side_indices.h"
#include "core/spec/image_steps.h"
#include "core/spec/sample_op.h"

namespace millrace {

/// One image node in a pass.
struct ImagePassStep {
  ImageStep step;
  /// Hash of the node's id. A step draws with its own key and not the pass's, so that joined and
  /// separate nodes give the same draws.
  std::uint32_t drawKey = 0;
  std::vector<std::size_t> fields;  ///< the fields that the node acts on, as indices into the
                                    ///< stream
  /// For a decode that is alone in its pass: the percentage of samples whose pictures are left as
  /// files for the device (left_to_device.h), if it supports them. The step's own draw selects
  /// them, even with noRandom.
  double gpuShare = 0;
};

/// Neighbouring image nodes that run as one operation, in chain order.
struct ImagePassPlan {
  std::vector<ImagePassStep> steps;  ///< not empty; each one except the first must satisfy joins()
                                     ///< with those before it
  std::vector<FieldSpec> in;         ///< all fields of the stream before the first step
  /// For a decode as the first step: shared by the passes of all threads, must outlive them.
  /// nullptr: no side indices are kept.
  SideIndices* sideIndices = nullptr;
  /// The same, for the current share, which is used instead of the step's gpuShare. nullptr: the
  /// share is constant.
  const OffloadShare* offloadShare = nullptr;
};

/// Whether `next`, which directly follows `group`, can run in the same pass. The grammar is
///   [decode] [views] window* [normalise] [precision]
/// with at most one resampling window, at most one that pads, and none that resamples after it.
/// Windows act on the fields of the first step, or on some or all of its views, for each of which
/// this holds; normalise and precision on some or all fields.
bool joins(const std::vector<ImagePassStep>& group, const ImagePassStep& next);

/// Creates the operation. It decodes each file once, only the needed rows and columns, at the
/// smallest sufficient DCT scale (for the views of a picture: what all of them need, at the scale
/// of the most demanding one), and runs one pixel pass per field directly into the sample's new
/// memory (docs/reference/regions-and-queues.md). Separate steps give the same bits as joined ones,
/// except for decoding at a reduced scale and resizing planes, which need the resize in the same
/// pass. `plan` must satisfy joins() and what `infer` of the kinds requires; this is CHECKed.
std::unique_ptr<SampleOp> makeImagePass(ImagePassPlan plan);

}  // namespace millrace
