// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/stream.h"
#include "core/data/batch.h"
#include "core/data/image_view.h"
#include "core/spec/sample_op.h"

namespace millrace {

/// A row that cannot be worked on, found on the host before anything is launched.
struct FailedRow {
  std::size_t row = 0;  ///< of DeviceWork::in
  std::string reason;
};

/// One batch as a DeviceOp sees it. `in` and `out` have place Device: their tables (rows, shapes,
/// keys) are the host's to read at once, the memory that rows point to is the device's and is
/// filled when the stream comes to it.
struct DeviceWork {
  const Batch& in;
  Batch& out;
  /// Seeds and draw keys, one a node of the group, in chain order.
  std::span<const OpContext> nodes;
  /// Block of DeviceOp::paramBytes: written on the host by `prepare`, at `deviceParams` on the
  /// device when `launch`'s work runs.
  std::byte* hostParams = nullptr;
  const std::byte* deviceParams = nullptr;
  /// Device memory of at least scratchBytes, aligned to 256, this batch's alone until it is done.
  std::byte* scratch = nullptr;
  std::vector<FailedRow>* failed = nullptr;

  /// Marks a row as failed: the batch goes on without it (CONTRACT §4).
  void fail(std::size_t row, std::string reason) const {
    failed->push_back({row, std::move(reason)});
  }
};

/// The device side of a node, or of several that do as one: host part and launches for whole
/// batches (DESIGN §4). One instance a stage; its calls come from that stage's thread alone, in
/// this order for each batch, none of them waits for the device:
///   [lookedAt ->] shape -> (memory is placed) -> prepare -> (params are uploaded) -> launch
/// Several batches are in flight at once: nothing that `launch`'s work reads may be kept in the op.
/// Where `shape` or `prepare` fails rows, these are taken out of `in` and both run again.
/// Draws are those of the CPU's side: by OpContext::draw of the row's key, or by BatchContext.
class DeviceOp {
 public:
  virtual ~DeviceOp() = default;

  /// Fields of `out` that get new memory. The others are what the field of the same name is in `in`
  /// and may be changed in place. Constant.
  virtual std::vector<std::size_t> replaces() const { return {}; }
  /// Bytes of parameters for a batch of `rows`, the same for each such batch; 0: none.
  virtual std::size_t paramBytes(std::size_t rows) const = 0;
  /// Device bytes that the launches need between them. May depend on the sizes of the rows.
  virtual std::size_t scratchBytes(const Batch& in) const {
    (void)in;
    return 0;
  }
  /// Of a picture field of `in`, for whoever decodes it right in front: sets regions[r] to the
  /// pixels of row r that `launch`'s work looks at, where these are fewer than all; other entries
  /// stay as they are. Before `shape`, which is free to fail rows that are passed over here.
  virtual void lookedAt(const DeviceWork& work, std::size_t field, std::span<Rect> regions) {
    (void)work, (void)field, (void)regions;
  }
  /// For each field of `replaces` whose rows have no fixed size: sets dtype, layout, shape and
  /// bytes of out.fields[f].rows[r], for each row of `in`, data left nullptr. Fields with a fixed
  /// size are set already.
  virtual Status shape(const DeviceWork& work) {
    (void)work;
    return {};
  }
  /// Fills work.hostParams: the draws of each row, addresses, sizes. An error ends the run.
  virtual Status prepare(const DeviceWork& work) = 0;
  /// Enqueues the kernels. Allocates nothing. An error ends the run.
  virtual Status launch(Stream& stream, const DeviceWork& work) = 0;
};

}  // namespace millrace
