// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/data/image_view.h"
#include "core/spec/value.h"

namespace millrace {

/// What a worker takes at a time. Batch: a whole batch, as other loaders do.
enum class WorkUnit : std::uint8_t { Sample, Batch };
/// Ready: a finished sample takes the next free row, so that no batch waits for a slow sample.
enum class DeliveryOrder : std::uint8_t { Strict, Ready };

struct WorkersSettings {
  std::int64_t count = 1;
  WorkUnit unit = WorkUnit::Sample;
  DeliveryOrder order = DeliveryOrder::Strict;
};

/// What happens to a batch that has failed samples (docs/reference/failures.md).
enum class OnFailure : std::uint8_t { Shorten, Fill };

struct BatchSettings {
  std::int64_t size = 1;
  bool dropLast = false;
  OnFailure onFailure = OnFailure::Shorten;
  /// Smaller pictures are padded with zeros on the right and at the bottom; {0, 0}: no padding, and
  /// pictures keep their sizes.
  Size padTo;
  /// The consumer takes pictures of different sizes.
  bool keepSizes = false;
};

/// Where the user wants a node to run.
enum class PlaceRequest : std::uint8_t { Auto, Cpu, Gpu };

struct TransferSettings {
  /// Page-lock the slots in which batches are assembled, so that the device copies directly from
  /// them; otherwise the driver stages each copy.
  bool pinned = true;
  std::int64_t deviceSlots = 3;  ///< the number of batches in device memory
};

struct PrefetchSettings {
  std::int64_t batches = 2;
};

/// How many of some nodes are applied to a sample, and which.
struct ChoiceSettings {
  TextList nodes;          ///< ids
  std::int64_t count = 1;  ///< how many of them are applied to a sample; 0: all
  double probability = 1;  ///< that any is
  RealList weights;        ///< of the nodes, for the draws; empty: equal
};

/// Settings of a source: the number of samples that are read before a worker asks for them. 0:
/// workers read themselves.
struct ReadAheadSettings {
  /// Maximum number of concurrent reads. Each one takes a thread, which every snapshot examines.
  static constexpr std::int64_t kMostAtOnce = 64;

  std::int64_t samples = 0;
};

}  // namespace millrace
