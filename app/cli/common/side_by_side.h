// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

/// Rows of a page with one column for each run, for up to four runs, within pageColumns(). If cells
/// are too long for their columns, a row is written run by run below its name. With more runs, each
/// row lists its values, each with the runs that have it. Nothing is cut.
class SideBySide {
 public:
  /// `changes`: with two runs, adds a last column for the change.
  SideBySide(std::vector<std::string> runNumbers, bool changes);

  /// Whether there is a column for each run.
  bool columns() const { return m_column > 0; }
  /// An empty line, then "title             run 9      run 12".
  std::string heading(const std::string& title) const;
  /// One or more lines. `changes` has one entry for each run, empty for the first; it follows the
  /// cells of two runs and is below those of more. A cell of "-" is empty.
  std::string row(const std::string& name, const std::vector<std::string>& cells,
                  const std::vector<std::string>& changes = {}) const;

 private:
  std::string runByRun(const std::string& name, const std::vector<std::string>& cells,
                       const std::vector<std::string>& changes) const;
  std::string valueByValue(const std::string& name, const std::vector<std::string>& cells) const;

  std::vector<std::string> m_numbers;
  std::size_t m_name = 26;
  std::size_t m_column = 0;
  bool m_changeBeside = false;
};

/// "run 9", "runs 9, 12 and 15".
std::string runsText(const std::vector<std::string>& numbers);

}  // namespace millrace::cli
