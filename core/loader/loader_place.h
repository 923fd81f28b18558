// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/cuda/device.h"
#include "core/data/stream_type.h"
#include "core/graph/graph.h"

namespace millrace {

/// The memory in which a program takes its batches. Value type.
struct LoaderPlace {
  Place place = Place::Host;
  int gpu = 0;  ///< with Place::Device: index of the device, as for openDevice

  /// "cpu", "pinned", "cuda:N", or "cuda", which is "cuda:0".
  static Result<LoaderPlace> parse(const std::string& text);
  /// In the syntax of `parse`.
  std::string text() const;
  /// Opens the device of the batches' memory; nullptr for ordinary memory. Pinned memory uses the
  /// thread's current device, else the first usable one. The error names the place.
  Result<std::shared_ptr<Device>> open() const;
};

/// A pipeline that moves its batches to a GPU.
struct OnDevice {
  Graph graph;
  std::string changed;  ///< what was changed for that, a sentence without full stop; empty: nothing
};

/// Switches a bypassed transfer node on, or inserts one before the consumer if there is none. Other
/// errors of the pipeline are left to its check.
Result<OnDevice> withTransfer(Graph graph, const Catalog& catalog);

}  // namespace millrace
