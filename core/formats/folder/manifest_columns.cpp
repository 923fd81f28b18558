// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/manifest_columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/folder/manifest_table.h"
#include "core/formats/real_labels.h"

namespace millrace {

namespace {

using ColumnNames = std::span<const std::string_view>;

// Usual names of columns in order of preference: lower case, without spaces, `_` and `-`.
constexpr std::array<std::string_view, 24> kImageNames = {
    "image",   "imagepath", "imagefile",   "imagefilename", "imagename", "filename",
    "file",    "filepath",  "path",        "img",           "imgpath",   "imgname",
    "relpath", "picture",   "picturepath", "photo",         "input",     "inputpath",
    "fname",   "name",      "imageid",     "imgid",         "id",        "lr"};
constexpr std::array<std::string_view, 25> kLabelNames = {
    "label",  "labels",      "class",    "classes",    "classname",    "classid", "classidx",
    "target", "targets",     "category", "categoryid", "categoryname", "labelid", "labelname",
    "y",      "tag",         "tags",     "species",    "breed",        "variety", "diagnosis",
    "dx",     "groundtruth", "gt",       "annotation"};
/// Words of longer names.
constexpr std::array<std::string_view, 6> kLabelWords = {"label",   "labels",   "class",
                                                         "classes", "category", "categories"};
constexpr std::array<std::string_view, 8> kMaskNames = {
    "mask", "maskpath", "maskfile", "masks", "segmentation", "seg", "labelpath", "annotation"};
constexpr std::array<std::string_view, 8> kTargetNames = {
    "target", "targetpath", "hr", "gt", "groundtruth", "sharp", "clean", "output"};

std::string plainName(std::string_view text) {
  std::string name = lowerCase(trimmed(text));
  std::erase_if(name, [](char c) { return c == ' ' || c == '_' || c == '-' || c == '.'; });
  return name;
}

/// Flags that divide a data set instead of naming a class.
constexpr std::array<std::string_view, 12> kSplitNames = {
    "train",   "training", "val",     "valid",  "validation",   "test",
    "testing", "istrain",  "isvalid", "istest", "isvalidation", "isval"};

/// A number that is not a whole one, with a decimal point or a decimal comma.
bool isFraction(std::string_view text) {
  const auto value = realNumberIn(text, true);
  return value && !std::isnan(*value) && *value != std::floor(*value);
}

/// Four words or more; numbers are none.
bool isSentence(std::string_view text) {
  constexpr std::ptrdiff_t kWords = 4;
  return std::ranges::count_if(split(text, ' '), [](const std::string& word) {
           return !word.empty() && word.find_first_of("0123456789") == std::string::npos;
         }) >= kWords;
}

/// Looks at the columns by name and by their cells.
class Columns {
 public:
  Columns(const std::vector<std::string>& header, const ManifestRows& rows) : m_header(header) {
    for (std::size_t column = 0; column < header.size(); ++column) {
      Seen seen;
      std::set<std::string_view> distinct;
      std::optional<std::int64_t> before;
      for (const auto& row : rows) {
        if (column >= row.size() || row[column].empty()) continue;
        ++seen.cells;
        if (isPicturePath(row[column])) ++seen.pictures;
        if (isFraction(row[column])) ++seen.fractions;
        if (realNumberIn(row[column], true)) ++seen.numbers;
        if (isSentence(row[column])) ++seen.sentences;
        if (oneHotCell(row[column])) ++seen.flags;
        distinct.insert(row[column]);
        const auto number = classNumber(row[column]);
        if (number && before && *number == *before + 1) ++seen.following;
        before = number;
      }
      seen.distinct = distinct.size();
      m_seen.push_back(seen);
    }
  }

  /// A column that is named exactly, or the only one with that name in another spelling.
  Result<std::size_t> named(const std::string& name) const {
    const auto exact = std::ranges::find(m_header, name);
    if (exact != m_header.end()) return static_cast<std::size_t>(exact - m_header.begin());
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < m_header.size(); ++i)
      if (plainName(m_header[i]) == plainName(name)) found = found ? m_header.size() : i;
    if (found && *found < m_header.size()) return *found;
    return Error{fmt::format("no column `{}` in the header row; it has {}", visibleName(name),
                             shownColumns(m_header))};
  }

  template <class Fits>
  std::optional<std::size_t> usual(ColumnNames names, Fits fits) const {
    for (const std::string_view name : names)
      for (std::size_t i = 0; i < m_header.size(); ++i)
        if (plainName(m_header[i]) == name && fits(i)) return i;
    return std::nullopt;
  }
  template <class Fits>
  std::optional<std::size_t> first(Fits fits) const {
    for (std::size_t i = 0; i < m_header.size(); ++i)
      if (fits(i)) return i;
    return std::nullopt;
  }

  /// Whether a word of the name means labels, as in "Finding Labels".
  bool saysLabel(std::size_t column) const {
    std::string name = lowerCase(m_header[column]);
    std::ranges::replace_if(name, [](char c) { return c == '_' || c == '-' || c == '.'; }, ' ');
    return std::ranges::any_of(split(name, ' '), [](const std::string& word) {
      return std::ranges::find(kLabelWords, word) != kLabelWords.end();
    });
  }
  bool holdsPictures(std::size_t column) const {
    return m_seen[column].cells > 0 && 2 * m_seen[column].pictures >= m_seen[column].cells;
  }
  /// Measurements are no classes.
  bool holdsFractions(std::size_t column) const {
    return 2 * m_seen[column].fractions > m_seen[column].cells;
  }
  /// Labels that are real numbers, or mostly.
  bool holdsQuantities(std::size_t column) const {
    const Seen& seen = m_seen[column];
    return holdsFractions(column) || (seen.fractions > 0 && seen.numbers == seen.cells);
  }
  bool isCalled(std::size_t column, std::string_view name) const {
    return plainName(m_header[column]) == name;
  }
  bool holdsBoxes(std::size_t column) const { return isBoxColumn(m_header[column]); }
  /// Captions are no classes.
  bool holdsSentences(std::size_t column) const {
    const Seen& seen = m_seen[column];
    return 2 * seen.sentences > seen.cells && 2 * seen.distinct > seen.cells;
  }
  /// Values that repeat are classes; all different ones are names or measurements.
  bool repeats(std::size_t column) const {
    return m_seen[column].cells > 1 && m_seen[column].distinct > 1 &&
           2 * m_seen[column].distinct <= m_seen[column].cells;
  }
  /// The numbers of the rows.
  bool counts(std::size_t column) const {
    constexpr std::size_t kEnough = 4;
    return m_seen[column].cells >= kEnough && m_seen[column].following + 1 == m_seen[column].cells;
  }
  bool holdsFlags(std::size_t column) const {
    return m_seen[column].cells > 0 && m_seen[column].flags == m_seen[column].cells;
  }
  /// The columns of 0 and 1, except those that divide the data set.
  std::vector<std::size_t> flags(std::size_t image) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < m_header.size(); ++i)
      if (i != image && holdsFlags(i) &&
          std::ranges::find(kSplitNames, plainName(m_header[i])) == kSplitNames.end())
        found.push_back(i);
    return found;
  }
  /// The column whose cells, or whose name and flags, divide the data set.
  std::optional<std::size_t> divides(const ManifestRows& rows) const {
    const auto isSplit = [](std::string_view text) {
      return std::ranges::find(kSplitNames, plainName(text)) != kSplitNames.end();
    };
    return first([&](std::size_t i) {
      if (m_seen[i].cells == 0) return false;
      if (isSplit(m_header[i]) && holdsFlags(i)) return true;
      return m_seen[i].distinct > 1 && std::ranges::all_of(rows, [&](const auto& row) {
               return i >= row.size() || row[i].empty() || isSplit(row[i]) || row[i] == "dev";
             });
    });
  }
  std::size_t size() const { return m_header.size(); }

 private:
  struct Seen {
    std::size_t cells = 0;
    std::size_t pictures = 0;
    std::size_t fractions = 0;
    std::size_t numbers = 0;
    std::size_t sentences = 0;
    std::size_t flags = 0;  ///< 0 or 1
    std::size_t distinct = 0;
    std::size_t following = 0;  ///< numbers that are one more than that of the row before
  };
  const std::vector<std::string>& m_header;
  std::vector<Seen> m_seen;
};

/// No column has pictures: a table of numbers is data of another kind.
Error withoutPictures(const std::vector<std::string>& header, const ManifestRows& rows) {
  const bool numbers = !rows.empty() && std::ranges::all_of(rows, [](const auto& row) {
    return std::ranges::all_of(
        row, [](const std::string& cell) { return cell.empty() || isNumber(cell); });
  });
  if (numbers)
    return Error{
        "it is a table of numbers, which is not read: save it with `numpy.save`, or as "
        "Parquet"};
  return Error{
      fmt::format("no column has the paths of pictures; if one has them in another form, give "
                  "`image_column=NAME` to a manifest source, with one of {}",
                  shownColumns(header))};
}

Result<std::size_t> imageColumn(const Columns& columns, const std::vector<std::string>& header,
                                const ManifestRows& rows, const ManifestHints& hints) {
  if (hints.image != kAnyColumn) return columns.named(hints.image);
  const auto pictures = [&](std::size_t i) { return columns.holdsPictures(i); };
  if (const auto found = columns.usual(kImageNames, pictures)) return *found;
  if (const auto found = columns.first(pictures)) return *found;
  if (const auto found = columns.usual(kImageNames, [](std::size_t) { return true; }))
    return *found;
  return withoutPictures(header, rows);
}

/// Whether nearly every row has exactly one 1 in these columns.
bool isOneHot(const std::vector<std::size_t>& columns, const ManifestRows& rows) {
  if (columns.size() < 2) return false;
  const auto single = std::ranges::count_if(rows, [&](const auto& row) {
    return std::ranges::count_if(columns, [&](std::size_t column) {
             return column < row.size() && oneHotCell(row[column]).value_or(false);
           }) == 1;
  });
  return 10 * static_cast<std::size_t>(single) >= 9 * rows.size();
}

void chooseLabel(const Columns& columns, const ManifestRows& rows, ChosenColumns& chosen) {
  const std::size_t image = chosen.image;
  const auto mayBe = [&](std::size_t i) {
    return i != image && !columns.holdsPictures(i) && !columns.holdsSentences(i) &&
           !columns.holdsBoxes(i);
  };
  const auto fits = [&](std::size_t i) { return mayBe(i) && !columns.holdsFractions(i); };
  std::size_t fractions = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) fractions += columns.holdsFractions(i) ? 1 : 0;
  chosen.label = columns.usual(kLabelNames, [&](std::size_t i) {
    // Next to other measurements, `y` is a place.
    return fits(i) || (mayBe(i) && (fractions == 1 || !columns.isCalled(i, "y")));
  });
  if (!chosen.label)
    chosen.label = columns.first([&](std::size_t i) { return fits(i) && columns.saysLabel(i); });
  if (chosen.label) return;
  const std::vector<std::size_t> flags = columns.flags(image);
  if (isOneHot(flags, rows)) {
    chosen.oneHot = flags;
    return;
  }
  std::size_t others = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) others += fits(i) ? 1 : 0;
  const auto isClass = [&](std::size_t i) {
    return fits(i) && !columns.counts(i) &&
           (others == 1 || (columns.repeats(i) && !columns.holdsFlags(i)));
  };
  constexpr std::size_t kSeveral = 3;
  std::size_t words = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) words += isClass(i) ? 1 : 0;
  // Findings or attributes next to a few facts about the picture, as its patient's sex.
  const bool areMost = flags.size() >= kSeveral && flags.size() >= 2 * words;
  if (words > 0 && !(words > 1 && areMost)) {
    chosen.label = columns.first(isClass);
    return;
  }
  if (flags.size() >= kSeveral)
    chosen.several = flags;
  else
    chosen.label = columns.first([&](std::size_t i) { return fits(i) && columns.repeats(i); });
}

/// A column of pictures other than the image's: one with a usual name.
Result<std::optional<std::size_t>> pictureColumn(const Columns& columns, const std::string& hint,
                                                 ColumnNames names, std::size_t image) {
  if (hint.empty()) return std::optional<std::size_t>();
  if (hint != kAnyColumn) {
    MILLRACE_ASSIGN_OR_RETURN(const std::size_t column, columns.named(hint));
    return std::optional(column);
  }
  return columns.usual(names,
                       [&](std::size_t i) { return i != image && columns.holdsPictures(i); });
}

}  // namespace

bool isBoxColumn(const std::string& name) {
  constexpr std::array<std::string_view, 5> kNames = {"xmin", "bbox", "bboxes", "box", "boxes"};
  return std::ranges::find(kNames, plainName(name)) != kNames.end();
}

std::vector<std::string> columnsNotRead(const std::vector<std::string>& header,
                                        const ChosenColumns& chosen) {
  std::vector<std::string> others;
  const auto among = [](const std::vector<std::size_t>& columns, std::size_t i) {
    return std::ranges::find(columns, i) != columns.end();
  };
  for (std::size_t i = 0; i < header.size(); ++i)
    if (i != chosen.image && chosen.label != i && chosen.target != i && chosen.mask != i &&
        chosen.sentences != i && chosen.split != i && !among(chosen.oneHot, i) &&
        !among(chosen.fractions, i) && !among(chosen.several, i) && !header[i].empty())
      others.push_back(header[i]);
  return others;
}

std::string shownColumns(const std::vector<std::string>& header) {
  constexpr std::size_t kMost = 12;
  constexpr std::size_t kLongest = 40;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kMost, header.size()); ++i) {
    const std::string name = visibleName(header[i]);
    names.push_back(name.size() <= kLongest ? name : validUtf8(name.substr(0, kLongest)) + "...");
  }
  if (header.size() > kMost) names.push_back(fmt::format("{} more", header.size() - kMost));
  return joinWords(names);
}

bool isPicturePath(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot != std::string_view::npos && isPictureExtension(path.substr(dot + 1));
}

bool isMinusOne(std::string_view text) {
  return text.starts_with('-') && classNumber(text.substr(1)) == 1;
}

std::optional<bool> oneHotCell(std::string_view text) {
  const std::string low = lowerCase(text);
  if (low.empty() || low == "false" || isMinusOne(low)) return false;
  if (low == "true") return true;
  const auto number = classNumber(low);
  if (!number || *number > 1) return std::nullopt;
  return *number == 1;
}

bool isNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

bool isUsualColumn(const std::string& cell) {
  const std::string name = plainName(cell);
  const auto among = [&](ColumnNames names) {
    return std::ranges::find(names, name) != names.end();
  };
  return among(kImageNames) || among(kLabelNames) || among(kMaskNames) || among(kTargetNames);
}

Result<ChosenColumns> chooseColumns(const std::vector<std::string>& header,
                                    const ManifestRows& rows, const ManifestHints& hints) {
  const Columns columns(header, rows);
  ChosenColumns chosen;
  MILLRACE_ASSIGN_OR_RETURN(chosen.image, imageColumn(columns, header, rows, hints));
  MILLRACE_ASSIGN_OR_RETURN(chosen.mask,
                            pictureColumn(columns, hints.mask, kMaskNames, chosen.image));
  MILLRACE_ASSIGN_OR_RETURN(chosen.target,
                            pictureColumn(columns, hints.target, kTargetNames, chosen.image));
  for (const std::string& name : hints.oneHot) {
    MILLRACE_ASSIGN_OR_RETURN(const std::size_t column, columns.named(name));
    chosen.oneHot.push_back(column);
  }
  chosen.split = columns.divides(rows);
  if (!chosen.oneHot.empty()) return chosen;
  if (hints.label == kAnyColumn) {
    chooseLabel(columns, rows, chosen);
    if (!chosen.label && chosen.oneHot.empty() && chosen.several.empty()) {
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns.holdsFractions(i)) chosen.fractions.push_back(i);
      // Several may be the sides of a box, or keypoints.
      if (chosen.fractions.size() == 1) chosen.label = std::exchange(chosen.fractions, {}).front();
      chosen.sentences = columns.first([&](std::size_t i) { return columns.holdsSentences(i); });
    }
  } else if (!hints.label.empty()) {
    MILLRACE_ASSIGN_OR_RETURN(const std::size_t label, columns.named(hints.label));
    chosen.label = label;
  }
  chosen.quantities = chosen.label && columns.holdsQuantities(*chosen.label);
  return chosen;
}

}  // namespace millrace
