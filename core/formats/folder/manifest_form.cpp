// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/manifest_form.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/folder/csv.h"
#include "core/formats/folder/label_lists.h"
#include "core/formats/folder/manifest_columns.h"
#include "core/formats/folder/picture_search.h"
#include "core/formats/io/data_place.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::array<char, 5> kCellSeparators = {',', ';', '\t', '|', ' '};
constexpr std::size_t kRowsExamined = 200;
constexpr std::size_t kTextExamined = std::size_t{1} << 18U;
/// Places in the whole text at which a row is examined, too.
constexpr std::size_t kSpread = 24;
constexpr std::size_t kSplitsNamed = 4;

ManifestRows rowsWith(std::string_view text, char separator) {
  ManifestRows rows;
  CsvReader csv(text, separator);
  for (auto row = csv.next(); row != CsvReader::Row::End && rows.size() < kRowsExamined;
       row = csv.next()) {
    if (row == CsvReader::Row::Broken) continue;
    auto& cells = rows.emplace_back();
    for (const std::string_view cell : csv.cells()) cells.emplace_back(trimmed(cell));
  }
  return rows;
}

/// The separator that divides most rows into the same number of cells.
char findSeparator(std::string_view text) {
  char best = kCellSeparators.front();
  std::size_t most = 0;
  for (const char separator : kCellSeparators) {
    const ManifestRows rows = rowsWith(text, separator);
    if (rows.empty() || rows.front().size() < 2) continue;
    // Other tables have spaces in names and texts.
    if (separator == ' ' && !std::ranges::all_of(rows, [&](const auto& row) {
          return row.size() == rows.front().size() && std::ranges::any_of(row, isPicturePath);
        }))
      continue;
    const auto equal = static_cast<std::size_t>(std::ranges::count_if(
        rows, [&](const auto& row) { return row.size() == rows.front().size(); }));
    if (equal > most) {
      most = equal;
      best = separator;
    }
  }
  return best;
}

/// Lines from all of `bytes`, as UTF-8. Those of UTF-16 are not looked for.
std::string spreadLines(std::string_view bytes, TextEncoding encoding) {
  std::string lines;
  if (encoding == TextEncoding::Utf16) return lines;
  for (std::size_t i = 1; i < kSpread; ++i) {
    const std::size_t begin = bytes.find('\n', i * (bytes.size() / kSpread));
    const std::size_t end = begin == std::string_view::npos ? begin : bytes.find('\n', begin + 1);
    if (end == std::string_view::npos) break;
    lines += utf8Text(bytes.substr(begin + 1, end - begin), encoding);
  }
  return lines;
}

/// The cells of a column that are not empty.
std::vector<std::string> cellsOf(const ManifestRows& rows, std::size_t column) {
  std::vector<std::string> cells;
  for (const auto& row : rows)
    if (column < row.size() && !row[column].empty()) cells.push_back(row[column]);
  return cells;
}

/// Random bytes make rows, too. Only the first one is looked at, because names of files may have
/// control characters.
Status looksLikeText(const std::vector<std::string>& row) {
  const auto isControl = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  };
  for (std::size_t column = 0; column < row.size(); ++column)
    if (const auto found = std::ranges::find_if(row[column], isControl); found != row[column].end())
      return Error{
          fmt::format("row 1, column {}: it has the control character \\x{:02x}, so this is not a "
                      "table of text",
                      column + 1, static_cast<unsigned char>(*found))};
  return {};
}

Status findHeader(ManifestForm& form, const ManifestRows& rows, const ManifestHints& hints,
                  const fs::path& folder) {
  MILLRACE_TRY(looksLikeText(rows.front()));
  const bool picture = std::ranges::any_of(rows.front(), [&](const std::string& cell) {
    return isPicturePath(cell) ||
           (!cell.empty() && !isRemotePath(folder.native()) && isFileAt(folder / cell));
  });
  const bool known = std::ranges::any_of(rows.front(), isUsualColumn);
  // A table without a header row starts with data.
  const bool numbers =
      std::ranges::any_of(rows.front(), [](const std::string& cell) { return isNumber(cell); });
  const bool one = rows.size() == 1;
  form.header = hints.header.value_or(!picture && (known || (!numbers && !one)));
  form.columns = rows.front();
  if (!form.header)
    for (std::size_t i = 0; i < form.columns.size(); ++i) form.columns[i] = std::to_string(i + 1);
  return {};
}

char separatorIn(const ManifestRows& rows, std::optional<std::size_t> column) {
  std::vector<std::string> cells;
  for (const auto& row : rows)
    if (column && *column < row.size()) cells.push_back(row[*column]);
  return findLabelSeparator(cells);
}

/// The column whose cells are names of pictures without their endings; nullopt if no such files
/// exist.
std::optional<std::string> columnOfNames(const ManifestForm& form, const ManifestRows& rows,
                                         const ManifestHints& hints, const fs::path& table) {
  constexpr std::size_t kMostColumns = 3;
  if (hints.image != kAnyColumn) return std::nullopt;
  for (std::size_t column = 0; column < std::min(kMostColumns, form.columns.size()); ++column) {
    const bool names = std::ranges::all_of(rows, [&](const auto& row) {
      return column < row.size() && row[column].find(' ') == std::string::npos;
    });
    if (!names) continue;
    ManifestForm tried = form;
    PictureSearch(cellsOf(rows, column), table).find(tried, hints);
    if (2 * tried.foundFiles > tried.rows) return form.columns[column];
  }
  return std::nullopt;
}

/// Removes the rows that ManifestTable leaves out, unless all are of that kind.
void leaveOutOddRows(std::size_t columns, ManifestRows& rows) {
  const auto isOdd = [columns](const std::vector<std::string>& row) {
    return row.size() < columns ||
           std::any_of(
               row.begin() + static_cast<std::ptrdiff_t>(columns), row.end(),
               [](const std::string& cell) { return !cell.empty(); });
  };
  if (!std::ranges::all_of(rows, isOdd)) std::erase_if(rows, isOdd);
}

/// Why no row was read.
Error withoutRows(std::string_view text, char separator) {
  if (trimmed(text).empty()) return Error{"the file is empty; it needs a header row"};
  CsvReader csv(text, separator);
  if (csv.next() == CsvReader::Row::Broken)
    return Error{fmt::format("line {}: {} in the first row", csv.line(), csv.problem())};
  return Error{"the file has no row of cells; it needs a header row"};
}

/// Names the chosen columns in the form, with what the examined rows say about them.
void nameColumns(ManifestForm& form, const ChosenColumns& chosen, const ManifestRows& rows,
                 const ManifestHints& hints) {
  form.image = form.columns[chosen.image];
  const auto name = [&](std::optional<std::size_t> column) {
    return column ? form.columns[*column] : std::string();
  };
  form.label = name(chosen.label);
  for (const std::size_t column : chosen.oneHot) form.oneHot.push_back(form.columns[column]);
  form.quantities = chosen.quantities;
  form.labelSeparator = hints.labelSeparator ? *hints.labelSeparator
                        : form.quantities    ? kNoSeparator
                                             : separatorIn(rows, chosen.label);
  for (const std::size_t column : chosen.several) form.several.push_back(form.columns[column]);
  for (const auto& flags : {chosen.oneHot, chosen.several})
    for (const std::size_t column : flags)
      form.minusOnes = form.minusOnes || std::ranges::any_of(rows, [&](const auto& row) {
                         return column < row.size() && isMinusOne(row[column]);
                       });
  form.target = name(chosen.target);
  form.mask = name(chosen.mask);
  for (const std::size_t column : chosen.fractions) form.fractions.push_back(form.columns[column]);
  form.sentences = name(chosen.sentences);
  form.split = name(chosen.split);
  form.others = columnsNotRead(form.columns, chosen);
  for (const auto& row : rows)
    if (chosen.split && *chosen.split < row.size() && form.splitNames.size() < kSplitsNamed &&
        !row[*chosen.split].empty() &&
        std::ranges::find(form.splitNames, row[*chosen.split]) == form.splitNames.end())
      form.splitNames.push_back(row[*chosen.split]);
}

/// Finds everything else of a form whose encoding and separator are known. `text` is the beginning
/// of the table, `spread` has lines from all of it.
Result<ManifestForm> completed(ManifestForm form, std::string_view text, std::string_view spread,
                               const fs::path& file, const ManifestHints& hints) {
  ManifestRows rows = rowsWith(text, form.separator);
  if (rows.empty()) return withoutRows(text, form.separator);
  const bool more = rows.size() == kRowsExamined;
  const fs::path folder = file.parent_path();
  MILLRACE_TRY(findHeader(form, rows, hints, folder));
  if (form.header) {
    rows.erase(rows.begin());
    leaveOutOddRows(form.columns.size(), rows);
  }
  auto columns = chooseColumns(form.columns, rows, hints);
  if (!columns) {
    ManifestHints named = hints;
    if (auto image = columnOfNames(form, rows, hints, file)) {
      named.image = std::move(*image);
      columns = chooseColumns(form.columns, rows, named);
    }
  }
  if (!columns) return columns.error();
  const ChosenColumns& chosen = *columns;
  nameColumns(form, chosen, rows, hints);
  // The rows may be those of the first of several folders.
  if (more)
    for (auto& row : rowsWith(spread, form.separator))
      if (row.size() == form.columns.size()) rows.push_back(std::move(row));
  const auto cells = [&](std::size_t column) { return cellsOf(rows, column); };
  PictureSearch(cells(chosen.image), file).find(form, hints);
  if (chosen.mask) {
    ManifestForm masks = form;
    masks.examples.clear();
    PictureSearch(cells(*chosen.mask), file).find(masks, hints);
    for (const std::string& mask : masks.examples) form.masks.push_back(masks.root / mask);
  }
  return form;
}

}  // namespace

bool isListFolder(const std::string& name) {
  constexpr std::array<std::string_view, 19> kNames = {
      "label", "labels", "annotation", "annotations", "annot", "list",     "lists",
      "split", "splits", "csv",        "csvs",        "meta",  "metadata", "index",
      "table", "tables", "manifest",   "manifests",   "gt"};
  return std::ranges::find(kNames, lowerCase(name)) != kNames.end();
}

std::string manifestPath(std::string_view cell, const ManifestForm& form) {
  std::string path(trimmed(cell));
  if (form.backslashes) std::ranges::replace(path, '\\', '/');
  while (path.starts_with("./")) path.erase(0, 2);
  if (path.starts_with(form.prefix)) path.erase(0, form.prefix.size());
  if (!form.extension.empty() && !isPicturePath(path)) path += form.extension;
  if (form.latin1Paths)
    if (const auto bytes = latin1Text(path)) path = *bytes;
  return path;
}

std::string ManifestForm::text(const fs::path& folder) const {
  std::vector<std::string> parts;
  if (separator != ',')
    parts.push_back(separator == '\t'         ? std::string("separated by tabs")
                    : separator == ' '        ? std::string("separated by spaces")
                    : separator == kAfterPath ? std::string("separated by the space after the path")
                    : separator == kFirstSpace ? std::string("separated by the first space")
                                               : fmt::format("separated by `{}`", separator));
  if (!header) parts.emplace_back("no header row");
  if (encoding == TextEncoding::Latin1)
    parts.emplace_back(foreignText ? "read as Windows-1252, which it does not seem to be (save the "
                                     "table as UTF-8)"
                                   : "encoded in Windows-1252");
  if (encoding == TextEncoding::Utf16) parts.emplace_back("encoded in UTF-16");
  if (backslashes) parts.emplace_back("paths with backslashes");
  if (byName) parts.emplace_back("pictures found by their names in the folders below");
  if (looseNames) parts.emplace_back("files with another case or Unicode form of the names");
  if (!prefix.empty()) parts.push_back(fmt::format("`{}` left out of paths", validUtf8(prefix)));
  if (!extension.empty()) parts.push_back(fmt::format("`{}` added to names", extension));
  if (minusOnes) parts.emplace_back("-1 counts as 0");
  if (root != folder)
    parts.push_back(
        fmt::format("paths start in `{}`", validUtf8(root.lexically_proximate(folder).native())));
  return join(parts, ", ");
}

Result<ManifestForm> findManifestForm(std::string_view bytes, const fs::path& file,
                                      const ManifestHints& hints) {
  ManifestForm form;
  form.encoding = hints.encoding == TextEncoding::Auto ? encodingOf(bytes) : hints.encoding;
  form.foreignText =
      form.encoding == TextEncoding::Latin1 && isForeignText(bytes.substr(0, kTextExamined));
  const std::string text = utf8Text(bytes.substr(0, kTextExamined), form.encoding);
  form.separator = hints.separator ? *hints.separator : findSeparator(text);
  const std::string spread = spreadLines(bytes, form.encoding);
  auto found = completed(form, text, spread, file, hints);
  const bool spaces = form.separator == ' ' || (found && found->columns.size() == 1) || !found;
  if (hints.separator || !spaces || (found && found->foundFiles == found->rows)) return found;
  // Paths with spaces: the files that exist tell where a path ends.
  for (const char separator : {kAfterPath, kFirstSpace}) {
    form.separator = separator;
    auto other = completed(form, text, spread, file, hints);
    if (other && other->columns.size() == 2 &&
        other->foundFiles > (found ? found->foundFiles : std::size_t{0}))
      found = std::move(other);
  }
  return found;
}

}  // namespace millrace
