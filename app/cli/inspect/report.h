// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace millrace::cli {

/// The arguments of `millrace inspect --all`.
struct ReportArguments {
  bool all = false;
  std::string path;
  std::string against;
  std::string list;  ///< names of findings with commas, `all` or `clean`; empty: the report
  std::string output;
  unsigned workers = 0;
  bool csv = false;
  bool restart = false;
  bool force = false;
  bool json = false;
  bool events = false;

  /// The flags that `inspect` does not have without `--all`.
  void addTo(CLI::App& inspect);
};

/// Examines every sample; returns the exit code.
int reportCommand(const ReportArguments& arguments);

}  // namespace millrace::cli
