// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/manifest_table.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/folder/csv.h"
#include "core/formats/folder/files_by_name.h"
#include "core/formats/folder/label_lists.h"
#include "core/formats/folder/loose_names.h"
#include "core/formats/folder/manifest_columns.h"
#include "core/formats/real_labels.h"

namespace millrace {

namespace {

/// Index of the column in the header row.
Result<std::size_t> findColumn(const std::vector<std::string>& header, const std::string& name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  return Error{
      fmt::format("no column `{}` in the header row; it has {}", name, shownColumns(header))};
}

/// Without a header row, columns are named by their number.
Result<std::vector<std::string>> numberedColumns(std::string_view text, char separator) {
  CsvReader csv(text, separator);
  if (csv.next() != CsvReader::Row::Cells) return Error{"the file has no row of cells"};
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= csv.cells().size(); ++i) names.push_back(std::to_string(i));
  return names;
}

Result<std::vector<std::string>> readHeader(CsvReader& csv) {
  const CsvReader::Row row = csv.next();
  if (row == CsvReader::Row::End) return Error{"the file is empty; it needs a header row"};
  if (row == CsvReader::Row::Broken)
    return Error{fmt::format("line {}: {} in the header row", csv.line(), csv.problem())};
  std::vector<std::string> header;
  for (const std::string_view cell : csv.cells()) header.emplace_back(trimmed(cell));
  return header;
}

Error inColumn(const std::string& column, const std::string& reason) {
  return {fmt::format("column `{}`: {}", validUtf8(column), reason)};
}

/// The names of the columns with a 1.
Result<std::vector<std::string>> onesOf(const std::vector<std::string_view>& cells,
                                        const std::vector<std::size_t>& places,
                                        const std::vector<std::string>& names) {
  std::vector<std::string> ones;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::optional<bool> isOne = oneHotCell(trimmed(cells[places[i]]));
    if (!isOne)
      return inColumn(names[i],
                      fmt::format("`{}` is neither 0 nor 1", validUtf8(trimmed(cells[places[i]]))));
    if (*isOne) ones.push_back(names[i]);
  }
  return ones;
}

/// The name of the only column with a 1.
Result<std::string> oneHotLabel(const std::vector<std::string_view>& cells,
                                const std::vector<std::size_t>& places,
                                const std::vector<std::string>& names) {
  MILLRACE_ASSIGN_OR_RETURN(std::vector<std::string> ones, onesOf(cells, places, names));
  if (ones.empty()) return Error{"no label column is 1"};
  if (ones.size() == 1) return std::move(ones.front());
  for (std::string& name : ones) name = "`" + validUtf8(name) + "`";
  return Error{fmt::format(
      "{} label columns are 1, {}, but a sample has one class unless `multi_label` is set",
      ones.size(), joinWords(ones))};
}

/// Why a label is not allowed; empty if it is.
std::string whyNot(const std::string& label, const ManifestColumns& columns) {
  const std::vector<std::string>& classes = columns.classes;
  if (!classes.empty() && std::find(classes.begin(), classes.end(), label) == classes.end())
    return fmt::format("the label `{}` is not among `classes`", validUtf8(label));
  if (columns.integerLabels && !classNumber(label))
    return fmt::format("the label `{}` is not a number from 0 to {}", validUtf8(label),
                       kMostIntegerClasses - 1);
  if (columns.realLabels && !realNumberIn(label, true))
    return fmt::format("the label `{}` is not a number", validUtf8(label));
  return {};
}

}  // namespace

/// The files that cells mean.
struct ManifestTable::Files {
  const ManifestForm& form;
  LooseNames loose;
  std::optional<FilesByName> byName;

  static Result<Files> of(const ManifestForm& form) {
    Files files{form, LooseNames(form.root), {}};
    if (form.byName) {
      MILLRACE_ASSIGN_OR_RETURN(files.byName, FilesByName::below(form.root));
    }
    return files;
  }

  Result<std::string> pathOf(std::string_view cell, const std::string& column) {
    if (trimmed(cell).empty()) return inColumn(column, "the path is empty");
    if (cell.find('\0') != std::string_view::npos)
      return inColumn(column, "the path contains a zero byte");
    std::string path = manifestPath(cell, form);
    if (form.looseNames) return loose.pathOf(path);
    if (!byName) return path;
    auto found = byName->pathOf(path);
    return found ? std::move(found) : inColumn(column, found.error().message);
  }
};

void ManifestTable::leaveOut(std::size_t line, const std::string& reason) {
  ++m_leftOut;
  std::vector<Lines>& lines = m_bad[reason];
  if (!lines.empty() && lines.back().last + 1 == line)
    lines.back().last = line;
  else
    lines.push_back({line, line});
}

std::optional<std::int64_t> classNumber(std::string_view text) {
  if (const std::size_t dot = text.find_first_of(".,");
      dot != std::string_view::npos && dot > 0 && dot + 1 < text.size() &&
      text.find_first_not_of('0', dot + 1) == std::string_view::npos)
    text = text.substr(0, dot);
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || at != end || number < 0 || number >= kMostIntegerClasses)
    return std::nullopt;
  return number;
}

void ManifestTable::takeLabel(std::string_view text) {
  auto known = m_labelNumbers.find(text);
  if (known == m_labelNumbers.end()) {
    const auto number = static_cast<std::uint32_t>(m_labelTexts.size());
    known = m_labelNumbers.emplace(std::string(text), number).first;
    m_labelTexts.emplace_back(text);
  }
  m_labels.push_back(known->second);
}

Status ManifestTable::addLabel(const std::vector<std::string_view>& cells, const Places& places,
                               const ManifestColumns& columns) {
  const std::string& column = columns.labels.front();
  std::string label;
  if (columns.labels.size() == 1) {
    label = trimmed(cells[places.labels.front()]);
  } else {
    MILLRACE_ASSIGN_OR_RETURN(label, oneHotLabel(cells, places.labels, columns.labels));
  }
  if (label.empty()) return inColumn(column, "the label is empty");
  if (lowerCase(label) == "nan") return inColumn(column, "the label is missing (NaN)");
  if (const std::string why = whyNot(label, columns); !why.empty()) return inColumn(column, why);
  takeLabel(label);
  return {};
}

Status ManifestTable::addLabels(const std::vector<std::string_view>& cells, const Places& places,
                                const ManifestColumns& columns) {
  std::vector<std::string> labels;
  if (columns.labels.size() == 1) {
    labels = labelsIn(cells[places.labels.front()], columns.form.labelSeparator);
  } else {
    MILLRACE_ASSIGN_OR_RETURN(labels, onesOf(cells, places.labels, columns.labels));
  }
  std::string text;
  for (std::string& label : labels) {
    std::ranges::replace(label, kLabelEnd, ' ');
    if (columns.labels.size() == 1)
      if (const std::string why = whyNot(label, columns); !why.empty())
        return inColumn(columns.labels.front(), why);
    text += label + kLabelEnd;
  }
  takeLabel(text);
  return {};
}

Status ManifestTable::addRow(const std::vector<std::string_view>& cells, const Places& places,
                             const ManifestColumns& columns, Files& files) {
  // Spreadsheets may end rows with more empty cells.
  std::size_t count = cells.size();
  while (count > places.cells && cells[count - 1].empty()) --count;
  if (count != places.cells)
    return Error{fmt::format("{} cell{}, but the {} has {}", cells.size(),
                             cells.size() == 1 ? "" : "s",
                             columns.form.header ? "header" : "first row", places.cells)};
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < places.paths.size(); ++i) {
    MILLRACE_ASSIGN_OR_RETURN(paths.emplace_back(),
                              files.pathOf(cells[places.paths[i]], columns.paths[i]));
  }
  if (m_hasLabel)
    MILLRACE_TRY(columns.multiLabel ? addLabels(cells, places, columns)
                                    : addLabel(cells, places, columns));
  for (const std::string& path : paths) {
    m_paths.push_back(m_text.size());
    m_text.insert(m_text.end(), path.begin(), path.end());
    m_text.push_back('\0');
  }
  return {};
}

Result<ManifestTable> ManifestTable::parse(std::string_view text, const ManifestColumns& columns) {
  CsvReader csv(text, columns.form.separator);
  MILLRACE_ASSIGN_OR_RETURN(const auto header, columns.form.header
                                                   ? readHeader(csv)
                                                   : numberedColumns(text, columns.form.separator));
  ManifestTable table;
  table.m_columns = columns.paths.size();
  table.m_hasLabel = !columns.labels.empty();
  Places places;
  places.cells = header.size();
  for (const std::string& name : columns.paths) {
    MILLRACE_ASSIGN_OR_RETURN(const auto place, findColumn(header, name));
    places.paths.push_back(place);
  }
  for (const std::string& name : columns.labels) {
    MILLRACE_ASSIGN_OR_RETURN(const auto place, findColumn(header, name));
    places.labels.push_back(place);
  }
  MILLRACE_ASSIGN_OR_RETURN(Files files, Files::of(columns.form));
  for (CsvReader::Row row = csv.next(); row != CsvReader::Row::End; row = csv.next()) {
    const Status added = row == CsvReader::Row::Broken
                             ? Status(Error{csv.problem()})
                             : table.addRow(csv.cells(), places, columns, files);
    if (added)
      table.m_rowLines.push_back(static_cast<std::uint32_t>(csv.line()));
    else
      table.leaveOut(csv.line(), added.error().message);
  }
  if (table.rows() > 0) return table;
  const std::vector<std::string> problems = table.problems();
  return Error{problems.empty() ? "there is no row of data" : "no usable row: " + problems[0]};
}

std::string ManifestTable::contradictions() const {
  // Of larger tables, the memory would be that of a copy.
  constexpr std::size_t kMostRows = 2'000'000;
  if (!m_hasLabel || rows() > kMostRows) return {};
  std::unordered_map<std::string_view, std::uint32_t> first;
  first.reserve(rows());
  std::size_t count = 0;
  std::size_t at = 0;
  for (std::size_t row = 0; row < rows(); ++row) {
    const auto [known, added] = first.emplace(path(row, 0), label(row));
    if (added || known->second == label(row)) continue;
    if (count++ == 0) at = row;
  }
  if (count == 0) return {};
  return fmt::format("{} {} a picture again with another label; first: line {}, {}", grouped(count),
                     count == 1 ? "row lists" : "rows list", line(at), visibleName(path(at, 0)));
}

std::vector<std::string> ManifestTable::problems() const {
  constexpr std::size_t kMostRanges = 1000;
  std::vector<std::string> sentences;
  for (const auto& [reason, ranges] : m_bad) {
    std::vector<std::string> lines;
    for (const Lines& range : ranges) {
      if (lines.size() == kMostRanges) {
        lines.emplace_back("and more");
        break;
      }
      lines.push_back(range.first == range.last ? std::to_string(range.first)
                                                : fmt::format("{} to {}", range.first, range.last));
    }
    const bool one = ranges.size() == 1 && ranges[0].first == ranges[0].last;
    sentences.push_back(
        fmt::format("line{} {} left out: {}", one ? "" : "s", join(lines, ", "), reason));
  }
  return sentences;
}

}  // namespace millrace
