// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include <QStringList>

#include "widgets/compare/run_cloud.h"

namespace millrace {

/// The marked range of an axis, as positions on it: 0 is the lower end, 1 the upper one.
struct AxisBrush {
  double from = 0;
  double to = 1;
  bool operator==(const AxisBrush&) const = default;
};

/// The axes of a parallel-coordinates plot of many runs (Inselberg, "The plane with parallel
/// coordinates", The Visual Computer 1985): which axes, in which order and direction, and the
/// user's brushes. An axis keeps its state, by its id, when the runs change. Value.
class ParallelAxes {
 public:
  struct Axis {
    std::size_t value = 0;  ///< index in CloudRun::values
    QString id;
    QString title;
    bool isNumber = true;
    double low = 0;  ///< the lowest number; its log10 on a logarithmic axis
    double high = 1;
    QStringList words;  ///< text values, ascending
    bool canBeLog = false;
    bool log = false;
    bool flipped = false;
    std::optional<AxisBrush> brush;
    QString lowWord;
    QString highWord;
  };

  void setCloud(const RunCloud& cloud);
  const std::vector<Axis>& axes() const { return m_axes; }

  void setHideConstants(bool hide);
  void flip(std::size_t axis);
  /// Does nothing if a value is 0 or less.
  void toggleLog(std::size_t axis);
  void move(std::size_t from, std::size_t to);
  void setBrush(std::size_t axis, std::optional<AxisBrush> brush);
  void clearBrushes();
  bool isBrushed() const { return !m_brushes.empty(); }

  /// A run's position on an axis, 0 (bottom) to 1 (top); nullopt if it has no value there.
  std::optional<double> placeOf(const CloudRun& run, std::size_t axis) const;
  /// Whether the run lies within every brush.
  bool isWanted(const CloudRun& run) const;
  std::vector<RunNumber> wanted(const RunCloud& cloud) const;

 private:
  void rebuild();
  Axis axisFor(std::size_t value) const;

  RunCloud m_cloud;
  std::vector<Axis> m_axes;
  bool m_hideConstants = true;
  QStringList m_order;  ///< ids in the user's order
  std::set<QString> m_flipped;
  std::set<QString> m_log;
  std::map<QString, AxisBrush> m_brushes;
};

}  // namespace millrace
