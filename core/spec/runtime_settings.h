// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/data/image_view.h"

namespace millrace {

/// What a worker takes at a time. Batch: a whole batch, as other loaders do it.
enum class WorkUnit : std::uint8_t { Sample, Batch };
/// Ready: a sample takes the next free row when it is finished, so no batch waits for a slow one.
enum class DeliveryOrder : std::uint8_t { Strict, Ready };

struct WorkersSettings {
  std::int64_t count = 1;
  WorkUnit unit = WorkUnit::Sample;
  DeliveryOrder order = DeliveryOrder::Strict;
};

/// What happens to a batch with failed samples (CONTRACT §4).
enum class OnFailure : std::uint8_t { Shorten, Fill };

struct BatchSettings {
  std::int64_t size = 1;
  bool dropLast = false;
  OnFailure onFailure = OnFailure::Shorten;
  /// Pictures smaller than this are padded with zeros at the right and below; {0, 0}: no padding,
  /// and pictures keep their sizes.
  Size padTo;
};

/// Where a person wants a node to run.
enum class PlaceWish : std::uint8_t { Auto, Cpu, Gpu };

struct TransferSettings {
  /// The slots that batches are made in are page-locked, so that the device copies straight out of
  /// them; else the driver stages each copy.
  bool pinned = true;
  std::int64_t deviceSlots = 3;  ///< batches that there is device memory for
};

struct PrefetchSettings {
  std::int64_t batches = 2;
};

/// Of a source: samples that are read before a worker asks for them. 0: workers read themselves.
struct ReadAheadSettings {
  /// Reads under way at once: each takes a thread, which every snapshot looks at.
  static constexpr std::int64_t kMostAtOnce = 64;

  std::int64_t samples = 0;
};

}  // namespace millrace
