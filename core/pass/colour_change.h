// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/random.h"
#include "core/kernels/change/byte_table.h"
#include "core/kernels/colour/colour_acts.h"

namespace millrace {

/// The operations of one sample.
struct DrawnColours {
  std::vector<ColourAct> acts;
  std::vector<ByteTable> tables;  ///< of ColourAct::table, which counts from 0 in each node

  void add(const ColourAct& act) { acts.push_back(act); }
  void add(const ByteTable& table) {
    ColourAct act{ColourKind::Table, 1, 0, {}};
    act.table = static_cast<std::int32_t>(tables.size());
    tables.push_back(table);
    acts.push_back(act);
  }
};

/// A colour node as a list of operations per sample, which a device's pixel pass executes together
/// with neighbouring nodes. Constant; any thread.
class ColourChange {
 public:
  virtual ~ColourChange() = default;
  /// Appends the operations that this sample's draws give, at most mostActs() with at most
  /// mostTables() tables.
  virtual void draw(Draw& draw, DrawnColours& into) const = 0;
  virtual std::size_t mostActs() const = 0;
  virtual std::size_t mostTables() const { return 0; }
  /// Whether a Contrast may be among them (at most one): it needs the whole picture in its current
  /// state.
  virtual bool hasContrast() const { return false; }
};

}  // namespace millrace
