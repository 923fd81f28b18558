// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/manifest_files.h"

#include <fcntl.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/folder/label_lists.h"
#include "core/formats/folder/manifest_columns.h"
#include "core/formats/io/data_place.h"
#include "core/formats/io/file_reader.h"
#include "core/formats/real_labels.h"

namespace millrace::nodes {

namespace fs = std::filesystem;

struct ManifestFiles::NumberRange {
  std::int64_t least = kMostIntegerClasses;
  std::int64_t greatest = -1;

  static std::optional<NumberRange> of(const std::vector<std::string>& labels) {
    NumberRange range;
    for (const std::string& text : labels) {
      const auto number = classNumber(text);
      if (!number) return std::nullopt;
      range.least = std::min(range.least, *number);
      range.greatest = std::max(range.greatest, *number);
    }
    if (labels.empty()) return std::nullopt;
    return range;
  }
};

Result<ManifestFiles> ManifestFiles::open(const std::vector<fs::path>& files, Settings settings) {
  ManifestFiles opened(std::move(settings));
  for (const fs::path& file : files) {
    MILLRACE_ASSIGN_OR_RETURN(auto table, opened.read(file));
    MILLRACE_TRY(opened.add(std::move(table)));
  }
  if (opened.hasLabel() && opened.hasQuantities())
    opened.readQuantities();
  else if (opened.hasLabel())
    opened.numberClasses();
  return opened;
}

std::span<const std::int32_t> ManifestFiles::labels(std::uint32_t index) const {
  if (!hasLabel()) return {};
  const Table& table = tableOf(index);
  const std::uint32_t text = table.rows.label(row(index));
  const std::uint32_t begin = text == 0 ? 0 : table.classEnd[text - 1];
  return std::span(table.classes).subspan(begin, table.classEnd[text] - begin);
}

/// The labels of a text of ManifestTable::labelTexts().
std::vector<std::string> ManifestFiles::labelsOf(const std::string& text) const {
  return multiLabel() ? labelsIn(text, kLabelEnd) : std::vector<std::string>{text};
}

template <class NumberOf>
void ManifestFiles::giveNumbers(NumberOf numberOf) {
  for (Table& table : m_tables)
    for (const std::string& text : table.rows.labelTexts()) {
      for (const std::string& label : labelsOf(text)) table.classes.push_back(numberOf(label));
      table.classEnd.push_back(static_cast<std::uint32_t>(table.classes.size()));
    }
}

std::string ManifestFiles::place(std::uint32_t index, std::size_t column) const {
  const Table& table = tableOf(index);
  return fmt::format("{}, line {}, column `{}`", validUtf8(table.file.filename().native()),
                     table.rows.line(row(index)), validUtf8(table.columns.paths[column]));
}

ManifestColumns ManifestFiles::columnsOf(ManifestForm form) const {
  ManifestColumns columns;
  columns.paths.push_back(form.image);
  if (!form.target.empty()) columns.paths.push_back(form.target);
  if (!form.mask.empty()) columns.paths.push_back(form.mask);
  columns.multiLabel = multiLabel();
  columns.labels = form.oneHot;
  if (multiLabel() && form.oneHot.empty() && form.label.empty()) columns.labels = form.several;
  if (columns.labels.empty() && !form.label.empty()) columns.labels = {form.label};
  columns.classes = m_settings.classes;
  columns.integerLabels =
      m_settings.classes.empty() &&
      (m_settings.labels == LabelNumbers::Integer || m_settings.labels == LabelNumbers::OneBased);
  columns.realLabels = columns.labels.size() == 1 && !multiLabel() && m_settings.classes.empty() &&
                       (m_settings.labels == LabelNumbers::Real ||
                        (m_settings.labels == LabelNumbers::Auto && form.quantities));
  columns.form = std::move(form);
  return columns;
}

Result<ManifestFiles::Table> ManifestFiles::read(const fs::path& file) const {
  FileReader reader;
  ReadCounters ignored;
  const auto inFile = [&](const Error& error) {
    return Error{fmt::format("manifest `{}`: {}", validUtf8(file.native()), error.message)};
  };
  const auto read = reader.read(AT_FDCWD, file.c_str(), ignored);
  if (!read) return inFile(read.error());
  const std::string_view bytes(reinterpret_cast<const char*>(read->data()), read->size());
  auto form = findManifestForm(bytes, file, m_settings.hints);
  if (!form) return inFile(form.error());
  Table table;
  table.file = file;
  table.folder = form->root;
  table.columns = columnsOf(form.take());
  auto rows = ManifestTable::parse(utf8Text(bytes, table.columns.form.encoding), table.columns);
  if (!rows) return inFile(rows.error());
  table.rows = rows.take();
  return table;
}

/// All manifests of a source have labels, or none has; one-hot columns are the same in all.
Status ManifestFiles::checkAlike(const Table& table) const {
  const std::vector<std::string>& labels = table.columns.labels;
  if (!m_tables.empty() && std::max(labels.size(), m_tables.front().columns.labels.size()) > 1 &&
      labels != m_tables.front().columns.labels)
    return Error{fmt::format("`{}` and `{}` differ: their columns of labels are not the same",
                             validUtf8(m_tables.front().file.native()),
                             validUtf8(table.file.native()))};
  if (!m_tables.empty() && table.columns.realLabels != hasQuantities())
    return Error{fmt::format(
        "`{}` and `{}` differ: only one of them has labels that are real numbers; set `labels`",
        validUtf8(m_tables.front().file.native()), validUtf8(table.file.native()))};
  if (m_tables.empty() || labels.empty() != hasLabel()) return {};
  return Error{fmt::format(
      "`{}` and `{}` differ: only one of them has a column of labels; set label_column, or leave "
      "one of them out",
      validUtf8(m_tables.front().file.native()), validUtf8(table.file.native()))};
}

Status ManifestFiles::add(Table table) {
  MILLRACE_TRY(checkAlike(table));
  MILLRACE_ASSIGN_OR_RETURN(table.fd, openFolder(table.folder));
  for (const std::string& problem : table.rows.problems())
    m_warnings.push_back(fmt::format("{}: {}", validUtf8(table.file.filename().native()), problem));
  if (const std::string twice = table.rows.contradictions(); !twice.empty())
    m_warnings.push_back(fmt::format("{}: {}", validUtf8(table.file.filename().native()), twice));
  const std::uint64_t total = std::uint64_t{m_starts.back()} + table.rows.rows();
  if (total > std::numeric_limits<std::uint32_t>::max())
    return Error{"more than 4 294 967 295 rows; use fewer manifests"};
  m_starts.push_back(static_cast<std::uint32_t>(total));
  m_tables.push_back(std::move(table));
  return {};
}

void ManifestFiles::readQuantities() {
  for (Table& table : m_tables)
    for (const std::string& text : table.rows.labelTexts())
      table.quantities.push_back(realNumberIn(text, true).value_or(0));
}

/// The given classes, or the labels' numbers, or names in byte order.
void ManifestFiles::numberClasses() {
  std::vector<std::string> names;
  for (const Table& table : m_tables)
    for (const std::string& text : table.rows.labelTexts())
      for (std::string& label : labelsOf(text)) names.push_back(std::move(label));
  m_classes = m_settings.classes;
  // The order of one-hot columns is that of the numbers in other programs.
  if (const auto& columns = m_tables.front().columns.labels;
      m_classes.empty() && columns.size() > 1)
    m_classes = columns;
  if (m_classes.empty() && m_settings.labels != LabelNumbers::Text)
    if (const auto range = NumberRange::of(names)) return takeNumbers(*range);
  if (m_classes.empty()) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    m_classes = std::move(names);
    if (m_settings.labels != LabelNumbers::Text) noteNumbersAsNames();
  }
  std::map<std::string, std::int32_t> places;
  for (const std::string& name : m_classes)
    places.emplace(name, static_cast<std::int32_t>(places.size()));
  giveNumbers([&](const std::string& label) { return places.at(label); });
}

/// Labels of which most are numbers, but not all are those of classes: the number of a class is
/// then another one than its label.
void ManifestFiles::noteNumbersAsNames() {
  std::size_t numbers = 0;
  std::string other;
  std::string changed;
  for (std::size_t i = 0; i < m_classes.size(); ++i) {
    const std::string& name = m_classes[i];
    const auto number = classNumber(name);
    if (millrace::isNumber(name)) ++numbers;
    if (!number && other.empty()) other = visibleName(name);
    if (number && static_cast<std::size_t>(*number) != i && changed.empty())
      changed = fmt::format("`{}` is class {}", visibleName(name), i);
  }
  if (other.empty() || changed.empty() || 2 * numbers < m_classes.size()) return;
  m_warnings.push_back(fmt::format(
      "not all labels are numbers of classes, such as `{}`, so all are names in the order of their "
      "bytes: {}; to give the order, use `classes=NAME,NAME`",
      other, changed));
}

void ManifestFiles::takeNumbers(const NumberRange& range) {
  const std::int64_t first = m_settings.labels == LabelNumbers::OneBased && range.least > 0 ? 1 : 0;
  for (std::int64_t i = first; i <= range.greatest; ++i) m_classes.push_back(std::to_string(i));
  giveNumbers([&](const std::string& label) {
    return static_cast<std::int32_t>(*classNumber(label) - first);
  });
  if (first == 0 && range.least == 1)
    m_warnings.push_back(fmt::format(
        "labels are numbers from 1 to {}, so class 0 has no sample; if they count from 1, use "
        "`labels=one_based`",
        range.greatest));
}

}  // namespace millrace::nodes
