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

/// What of an axis is wanted, as places on it: 0 is its lower end, 1 its upper one.
struct AxisBrush {
  double from = 0;
  double to = 1;
  bool operator==(const AxisBrush&) const = default;
};

/// How many runs lie on parallel axes (Inselberg, "The plane with parallel coordinates", The Visual
/// Computer 1985): which axes, in which order and direction, and what a person marked on them. What
/// was chosen for an axis stays with its id when the runs are others. Value.
class ParallelAxes {
 public:
  struct Axis {
    std::size_t value = 0;  ///< place in CloudRun::values
    QString id;
    QString title;
    bool isNumber = true;
    double low = 0;  ///< of numbers; log10 of them where it is logarithmic
    double high = 1;
    QStringList words;  ///< of texts, ascending
    bool canBeLog = false;
    bool log = false;
    bool flipped = false;
    std::optional<AxisBrush> brush;
    QString lowWord;
    QString highWord;
  };

  void setCloud(const RunCloud& cloud);
  const std::vector<Axis>& axes() const { return m_axes; }

  bool hidesConstants() const { return m_hideConstants; }
  void setHideConstants(bool hide);
  void flip(std::size_t axis);
  /// Nothing happens where a value is 0 or less.
  void toggleLog(std::size_t axis);
  void move(std::size_t from, std::size_t to);
  void setBrush(std::size_t axis, std::optional<AxisBrush> brush);
  void clearBrushes();
  bool isBrushed() const { return !m_brushes.empty(); }

  /// Where a run lies on an axis, 0 below to 1 above; absent where it has no such value.
  std::optional<double> placeOf(const CloudRun& run, std::size_t axis) const;
  /// Whether it lies in every brush.
  bool isWanted(const CloudRun& run) const;
  std::vector<RunNumber> wanted(const RunCloud& cloud) const;

 private:
  void rebuild();
  Axis axisFor(std::size_t value) const;

  RunCloud m_cloud;
  std::vector<Axis> m_axes;
  bool m_hideConstants = true;
  QStringList m_order;  ///< ids as a person arranged them
  std::set<QString> m_flipped;
  std::set<QString> m_log;
  std::map<QString, AxisBrush> m_brushes;
};

}  // namespace millrace
