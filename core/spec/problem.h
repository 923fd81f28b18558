// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace {

enum class Severity { Warning, Error };

/// Something wrong with a pipeline, at a place, with what to do about it.
struct Problem {
  Severity severity = Severity::Error;
  std::string node;     ///< id; empty: the pipeline as a whole
  std::string field;    ///< parameter or key; empty: the node as a whole
  std::string message;  ///< what is wrong, in a sentence without full stop
  std::string remedy;   ///< what to do, likewise

  /// "error: decode.form: ...; remedy".
  std::string text() const;
};

/// Every problem of a check, in the order of the chain. Never stops at the first.
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
