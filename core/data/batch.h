// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/buffer.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"

namespace millrace {

class Event;

/// The memory of one field of a batch. Dense: rows of equal size, contiguous. Ragged (byte strings,
/// or pictures of different sizes): one arena, with an offset and a shape per row. For a batch on a
/// device the rows hold device addresses and `memory` is empty; the vector `rows` is always in host
/// memory.
struct BatchField {
  FieldSpec spec;
  bool ragged = false;
  std::size_t rowBytes = 0;  ///< dense only
  Buffer memory;
  std::vector<TensorView> rows;  ///< one view per row; valid for the first Batch::rows entries

  TensorView row(std::size_t i) const { return rows[i]; }
  /// Shape of the first `count` rows of a dense field as one array.
  Shape shapeOf(std::size_t count) const {
    const Shape& row = spec.padded && count > 0 ? rows.front().shape : spec.shape;
    return row.batched(static_cast<std::int64_t>(count));
  }
};

/// A finished batch as a consumer sees it, in host memory unless `place` is Device. Only the slot's
/// owner writes to it; readers may use it between taking and releasing the slot.
struct Batch {
  std::uint64_t sequence = 0;  ///< counted from the start of the run, starts at 0
  std::uint32_t epoch = 0;
  std::uint32_t indexInEpoch = 0;
  std::size_t rows = 0;
  std::vector<BatchField> fields;
  std::vector<SampleKey> keys;  ///< one per row
  Place place = Place::Host;
  /// On a device: signalled once the rows are filled. Readers wait for it on the host or in a
  /// stream. Owned by the slot; nullptr for host batches.
  const Event* ready = nullptr;
};

}  // namespace millrace
