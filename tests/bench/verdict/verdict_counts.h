// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/verdict.h"

namespace millrace::bench {

/// Verdicts of one form about one pair of pipelines.
struct Counts {
  int faster = 0;
  int slower = 0;
  int same = 0;
  int tooFew = 0;
  std::vector<double> smallest;  ///< detectable differences
  std::vector<double> repeats;   ///< blocks, or repeats of each side

  int all() const { return faster + slower + same + tooFew; }
  void add(const Verdict& verdict);
};

/// By form ("together") and pair ("equal"), in order of first occurrence.
class VerdictCounts {
 public:
  Counts& of(const std::string& form, const std::string& pair);
  /// Lines of a Markdown table or of a CSV file, each preceded by `condition`.
  std::string markdown(const std::string& condition) const;
  std::string csv(const std::string& condition) const;

 private:
  std::vector<std::pair<std::pair<std::string, std::string>, Counts>> m_counts;
};

/// Wilson's 95 % interval of a share: "Probable inference", J. Am. Stat. Assoc. 1927.
Interval shareInterval(int count, int of);

}  // namespace millrace::bench
