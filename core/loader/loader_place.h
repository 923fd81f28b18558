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

/// Where a program takes its batches. Value type.
struct LoaderPlace {
  Place place = Place::Host;
  int gpu = 0;  ///< with Place::Device: which one, as openDevice counts them

  /// "cpu", "pinned", "cuda:N", or "cuda", which is "cuda:0".
  static Result<LoaderPlace> parse(const std::string& text);
  /// As `parse` reads it.
  std::string text() const;
  /// What batches lie on, opened; nullptr in the host's usual memory. Pinned ones are on the
  /// thread's current device, else the first that can be used. The error names the place.
  Result<std::shared_ptr<Device>> open() const;
};

/// A pipeline whose batches reach a GPU.
struct OnDevice {
  Graph graph;
  std::string changed;  ///< what had to be, as a sentence without full stop; empty: nothing
};

/// Switches a bypassed transfer node on, and puts one in front of the consumer where there is none.
/// What is wrong with the pipeline itself is left to the check.
Result<OnDevice> withTransfer(Graph graph, const Catalog& catalog);

}  // namespace millrace
