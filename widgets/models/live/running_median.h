// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <queue>
#include <vector>

namespace millrace {

/// The median of all values so far, in logarithmic time for each value: the lower half in one heap,
/// the upper half in the other. Agrees with median() of core/analysis. Value.
class RunningMedian {
 public:
  void add(double value) {
    if (m_low.empty() || value <= m_low.top())
      m_low.push(value);
    else
      m_high.push(value);
    if (m_low.size() > m_high.size() + 1) {
      m_high.push(m_low.top());
      m_low.pop();
    } else if (m_high.size() > m_low.size()) {
      m_low.push(m_high.top());
      m_high.pop();
    }
  }
  /// 0 if there are no values.
  double value() const {
    if (m_low.empty()) return 0;
    return m_low.size() > m_high.size() ? m_low.top() : (m_low.top() + m_high.top()) / 2;
  }

 private:
  std::priority_queue<double> m_low;
  std::priority_queue<double, std::vector<double>, std::greater<>> m_high;
};

}  // namespace millrace
