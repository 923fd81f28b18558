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

/// Memory of one field for the rows of a batch. Dense: equal rows one behind the other. Ragged
/// (bytes, or pictures of different size): one arena with an offset and a shape a row. Rows of a
/// batch on a device are device addresses and `memory` is empty; `rows` itself is always the
/// host's.
struct BatchField {
  FieldSpec spec;
  bool ragged = false;
  std::size_t rowBytes = 0;  ///< dense only
  Buffer memory;
  std::vector<TensorView> rows;  ///< what each row holds; valid for the batch's first `rows` rows

  TensorView row(std::size_t i) const { return rows[i]; }
};

/// A finished batch as a consumer sees it, in host memory unless `place` is Device. The slot's
/// owner alone writes it; readers have it between take and release of its slot.
struct Batch {
  std::uint64_t sequence = 0;  ///< since the start of the run, from 0
  std::uint32_t epoch = 0;
  std::uint32_t indexInEpoch = 0;
  std::size_t rows = 0;
  std::vector<BatchField> fields;
  std::vector<SampleKey> keys;  ///< one a row
  Place place = Place::Host;
  /// On a device: passes when the rows are filled. Whoever reads them waits for it, on the host or
  /// in a stream. The slot's; nullptr on the host.
  const Event* ready = nullptr;
};

}  // namespace millrace
