// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/data/stream_type.h"
#include "core/nodes/moving_share.h"
#include "core/nodes/side_indices.h"
#include "core/spec/image_steps.h"
#include "core/spec/sample_op.h"

namespace millrace {

/// One image node in a pass.
struct ImagePassStep {
  ImageStep step;
  /// Hash of the node's id. A step draws by its own key and not by the pass's, so that joined and
  /// separate nodes draw the same.
  std::uint32_t drawKey = 0;
  std::vector<std::size_t> fields;  ///< what the node acts on, as indices into the stream
  /// Of a decode that is alone in its pass: percent of the samples whose pictures are left as files
  /// to the device behind, where it takes them (left_to_device.h). The step's own draw says which,
  /// also where nothing else is drawn.
  double gpuShare = 0;
};

/// Neighbouring image nodes that run as one operation, in chain order.
struct ImagePassPlan {
  std::vector<ImagePassStep> steps;  ///< not empty; each but the first `joins` those before it
  std::vector<FieldSpec> in;         ///< every field of the stream in front of the first step
  /// Of the decode that is the first step: shared by the passes of all threads, outlives them.
  /// nullptr: it keeps none.
  SideIndices* sideIndices = nullptr;
  /// Likewise: the share that holds in place of the step's gpuShare. nullptr: it does not move.
  const MovingShare* movingShare = nullptr;
};

/// Whether `next`, directly behind `group`, can run in the same pass. The grammar is
///   [decode] window* [normalise] [precision]
/// with at most one resampling window, at most one that pads, and none that resamples after it.
/// Windows act on the fields of the first step; normalise and precision on some or all of them.
bool joins(const std::vector<ImagePassStep>& group, const ImagePassStep& next);

/// The operation: per field at most one decode, of the rows and columns that are wanted and at the
/// smallest DCT scale that covers them, and one pixel pass straight into the sample's new memory
/// (CONTRACT §6). One step alone gives the bits that it gives in company, except that decoding at
/// a scale and resizing planes need the resize behind the decode. `plan` obeys `joins` and what
/// `infer` of the kinds demands; anything else is a CHECK.
std::unique_ptr<SampleOp> makeImagePass(ImagePassPlan plan);

}  // namespace millrace
