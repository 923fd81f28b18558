// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/random.h"
#include "core/kernels/colour/colour_acts.h"

namespace millrace {

/// A colour node as a list of operations per sample, which a device's pixel pass executes together
/// with neighbouring nodes. Constant; any thread.
class ColourChange {
 public:
  virtual ~ColourChange() = default;
  /// Appends the operations that this sample's draws give, at most mostActs().
  virtual void draw(Draw& draw, std::vector<ColourAct>& acts) const = 0;
  virtual std::size_t mostActs() const = 0;
  /// Whether a Contrast may be among them (at most one): it needs the whole picture in its current
  /// state.
  virtual bool hasContrast() const { return false; }
};

}  // namespace millrace
