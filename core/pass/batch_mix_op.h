// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "core/kernels/device/device_mix.h"
#include "core/pass/batch_mix.h"
#include "core/spec/device_op.h"
#include "core/spec/sample_op.h"

namespace millrace {

/// A way to mix each row of a batch with the previous one, the first with the last, and what was
/// drawn for the current batch. One thread.
class RowMix {
 public:
  virtual ~RowMix() = default;

  /// Draws what the batch needs besides `share`, how much of each row is kept.
  virtual void draw(double share, Draw& draw) = 0;
  /// How much of each row's own label is kept.
  virtual double labelShare() const = 0;
  /// `scratch` holds one row. There are at least two rows.
  virtual void mixPictures(BatchField& field, std::size_t rows, Buffer& scratch) const = 0;
  /// The same on a device, into new memory.
  virtual Status mixPictures(Stream& stream, const DeviceMix& mix,
                             const FieldSpec& field) const = 0;
};

/// The draws of every kind: whether a batch is mixed, and the share from Beta(alpha, alpha).
struct MixDraws {
  double alpha = 1;
  double probability = 1;
};

/// The operation that mixes batches in place.
std::unique_ptr<BatchOp> batchMixOp(const MixDraws& draws, MixedFields fields,
                                    std::unique_ptr<RowMix> mix);
/// The same on a device, with the same draws. Every mixed field gets new memory, because all rows
/// are mixed in parallel and each one is also another row's partner.
std::unique_ptr<DeviceOp> deviceMixOp(const MixDraws& draws, MixedFields fields,
                                      std::unique_ptr<RowMix> mix);

}  // namespace millrace
