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

/// A row that cannot be processed; the host finds this out before anything is launched.
struct FailedRow {
  std::size_t row = 0;  ///< index in DeviceWork::in
  std::string reason;
};

/// One batch as a DeviceOp sees it. `in` and `out` have place Device: their tables (rows, shapes,
/// keys) are in host memory and can be read at once. The memory that the rows point to is on the
/// device and is filled when the stream gets there.
struct DeviceWork {
  const Batch& in;
  Batch& out;
  /// Seeds and draw keys, one for each node of the group, in chain order.
  std::span<const OpContext> nodes;
  /// A block of DeviceOp::paramBytes() bytes: `prepare` fills it on the host; it is at
  /// `deviceParams` on the device when the work of `launch` runs.
  std::byte* hostParams = nullptr;
  const std::byte* deviceParams = nullptr;
  /// Device memory of at least scratchBytes() bytes, aligned to 256 bytes, used by this batch alone
  /// until it is done.
  std::byte* scratch = nullptr;
  std::vector<FailedRow>* failed = nullptr;

  /// Marks a row as failed: the batch continues without it (docs/reference/failures.md).
  void fail(std::size_t row, std::string reason) const {
    failed->push_back({row, std::move(reason)});
  }
};

/// The device side of a node, or of several nodes that were joined: a host part and kernel launches
/// for whole batches (docs/design.md). One instance per stage; all calls come from that stage's
/// thread, in this order for each batch, and none of them waits for the device:
///   [neededRegions ->] shape -> (memory is placed) -> prepare -> (params are uploaded) -> launch
/// Several batches are in flight at once, so the op must not keep anything that the work of
/// `launch` reads. If `shape` or `prepare` fails rows, they are removed from `in` and both are
/// called again. Random draws equal those on the CPU: use OpContext::draw with the row's key, or
/// BatchContext.
class DeviceOp {
 public:
  virtual ~DeviceOp() = default;

  /// Fields of `out` that get new memory. All other fields are the fields of `in` with the same
  /// name and may be changed in place. Constant.
  virtual std::vector<std::size_t> replaces() const { return {}; }
  /// Size of the parameter block for a batch of `rows` rows, the same for every such batch; 0:
  /// none.
  virtual std::size_t paramBytes(std::size_t rows) const = 0;
  /// Device memory that the launches need for intermediate results. May depend on the sizes of the
  /// rows.
  virtual std::size_t scratchBytes(const Batch& in) const {
    (void)in;
    return 0;
  }
  /// Called for a picture field of `in` that is decoded immediately before this op: sets regions[r]
  /// to the pixels of row r that the work of `launch` reads, if these are fewer than all; other
  /// entries stay unchanged. Called before `shape`; a row that is skipped here may still be failed
  /// by `shape`.
  virtual void neededRegions(const DeviceWork& work, std::size_t field, std::span<Rect> regions) {
    (void)work, (void)field, (void)regions;
  }
  /// For each field of `replaces` whose rows have no fixed size: sets dtype, layout, shape and
  /// bytes of out.fields[f].rows[r] for each row of `in`, and leaves data as nullptr. Fields of
  /// fixed size are already set.
  virtual Status shape(const DeviceWork& work) {
    (void)work;
    return {};
  }
  /// Fills work.hostParams with the draws, addresses and sizes of each row. An error ends the run.
  virtual Status prepare(const DeviceWork& work) = 0;
  /// Enqueues the kernels without allocating. An error ends the run.
  virtual Status launch(Stream& stream, const DeviceWork& work) = 0;
};

}  // namespace millrace
