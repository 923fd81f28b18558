// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inspect/report_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/csv_cell.h"
#include "core/base/text/text.h"

namespace millrace::cli {

namespace {

/// At the start of a manifest it says that the text is not in another encoding, even if some names
/// of files are not UTF-8.
const std::string kUtf8Mark = "\xEF\xBB\xBF";

std::vector<std::string> findingNames() {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < kFindings; ++f) names.emplace_back(nameOf(static_cast<Finding>(f)));
  return names;
}

const std::string& pathOf(const ReportedSample& sample) {
  return sample.file.empty() ? sample.name : sample.file;
}

std::string rowOf(const std::vector<std::string>& cells, std::string (*cellOf)(std::string_view)) {
  std::vector<std::string> texts;
  texts.reserve(cells.size());
  for (const std::string& cell : cells) texts.push_back(cellOf(cell));
  return join(texts, ",") + "\n";
}

WrittenList findingsList(const DataReportJob& job, const ListRequest& request) {
  WrittenList list;
  if (request.csv) list.text = "finding,set,sample,path,reason,like_set,like\n";
  for (const Finding finding : request.findings)
    job.list(finding, [&](const ReportedSample& sample) {
      ++list.rows;
      list.text += request.csv ? rowOf({std::string(nameOf(finding)), sample.set, sample.name,
                                        pathOf(sample), sample.reason, sample.likeSet, sample.like},
                                       csvCell)
                               : pathOf(sample) + "\n";
    });
  return list;
}

Result<WrittenList> cleanList(const DataReportJob& job, const DataReport& report, bool csv) {
  WrittenList list;
  list.clean = true;
  bool pairs = false;
  bool labels = false;
  job.listClean([&](const CleanSample& sample) {
    pairs = pairs || !sample.target.empty();
    labels = labels || !sample.label.empty();
  });
  if (csv && report.hasParts())
    return Error{
        "the samples are parts of files, which a table of files cannot name. A text with a name on "
        "each line can: write a .txt, without --csv, and give it to `list` of the node `filter`"};
  if (csv)
    list.text = std::string("image") + (labels ? ",label" : "") + (pairs ? ",target" : "") + "\n";
  job.listClean([&](const CleanSample& sample) {
    const std::string& path = sample.file.empty() ? sample.name : sample.file;
    std::vector<std::string> cells = {path};
    if (labels) cells.push_back(sample.label);
    if (pairs) cells.push_back(sample.target);
    ++list.rows;
    // The manifest names files by their bytes.
    list.text += csv ? rowOf(cells, csvBytes) : path + "\n";
  });
  if (csv && validUtf8(list.text) != list.text) list.text = kUtf8Mark + list.text;
  return list;
}

}  // namespace

Result<ListRequest> listRequestOf(const std::string& text, bool csv) {
  ListRequest request;
  request.csv = csv;
  if (text.empty()) {
    if (csv) return Error{"--csv only applies to a list: add --list all"};
    return request;
  }
  const std::vector<std::string> names = findingNames();
  for (const std::string& word : split(text, ',')) {
    const auto found = std::ranges::find(names, word);
    if (found != names.end()) {
      request.findings.push_back(static_cast<Finding>(found - names.begin()));
    } else if (word == "all") {
      for (std::size_t f = 0; f < names.size(); ++f)
        request.findings.push_back(static_cast<Finding>(f));
    } else if (word == "clean") {
      request.clean = true;
    } else {
      return Error{fmt::format("--list {}: there is no such finding; valid are all, clean, {}",
                               word, joinWords(names))};
    }
  }
  if (request.clean && !request.findings.empty())
    return Error{"--list clean excludes other findings"};
  return request;
}

Result<WrittenList> listText(const DataReportJob& job, const DataReport& report,
                             const ListRequest& request) {
  if (request.clean) return cleanList(job, report, request.csv);
  return findingsList(job, request);
}

}  // namespace millrace::cli
