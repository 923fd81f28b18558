// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/random.h"
#include "core/kernels/colour_acts.h"

namespace millrace {

/// A colour node as a list of numbers for each sample, which a device's pixel pass makes with the
/// nodes around it. Constant; any thread.
class ColourChange {
 public:
  virtual ~ColourChange() = default;
  /// Appends what this sample's draws make, at most mostActs().
  virtual void draw(Draw& draw, std::vector<ColourAct>& acts) const = 0;
  virtual std::size_t mostActs() const = 0;
  /// Whether a Contrast may be among them, at most one: it needs the whole picture as it is then.
  virtual bool hasContrast() const { return false; }
};

}  // namespace millrace
