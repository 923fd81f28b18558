// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace {

enum class Severity { Warning, Error };

/// Something wrong with a pipeline: where it is and how to fix it.
struct Problem {
  Severity severity = Severity::Error;
  std::string node;     ///< id; empty: the whole pipeline
  std::string field;    ///< parameter or key; empty: the whole node
  std::string message;  ///< what is wrong, a sentence without full stop
  std::string remedy;   ///< what to do about it, without full stop

  /// "error: decode.form: ...; remedy".
  std::string text() const;
};

/// All problems that a check found, in chain order; a check never stops at the first one.
class Problems {
 public:
  void add(Problem problem) { m_all.push_back(std::move(problem)); }
  void error(std::string node, std::string field, std::string message, std::string remedy);
  void warning(std::string node, std::string field, std::string message, std::string remedy);
  const std::vector<Problem>& all() const { return m_all; }
  bool anyError() const;

 private:
  std::vector<Problem> m_all;
};

}  // namespace millrace
