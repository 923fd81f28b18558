// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/jobs/inspect/report_job.h"

namespace millrace::cli {

/// What `--list` asks for.
struct ListRequest {
  std::vector<Finding> findings;
  bool clean = false;  ///< the samples of the first set that have none of the findings of isLeftOut
  bool csv = false;

  bool isWanted() const { return clean || !findings.empty(); }
};

/// `text`: names of findings with commas, `all` or `clean`. The error names the valid ones.
Result<ListRequest> listRequestOf(const std::string& text, bool csv);

/// One sample on each line, by its path if it is a file, else by its name; with `csv` a table. A
/// table of `clean` samples is a manifest: columns `image`, `label` and, of pairs, `target`.
struct WrittenList {
  std::string text;
  std::uint64_t rows = 0;  ///< samples or findings, without the header row
  bool clean = false;      ///< as ListRequest::clean
};
/// The error says why a table cannot be written.
Result<WrittenList> listText(const DataReportJob& job, const DataReport& report,
                             const ListRequest& request);

}  // namespace millrace::cli
