// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>
#include <span>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/folder/csv.h"
#include "core/formats/folder/label_lists.h"
#include "core/formats/folder/manifest_columns.h"
#include "core/formats/folder/manifest_form.h"
#include "core/formats/io/open_file.h"
#include "core/inspect/scan.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// Of a longer table, only its beginning is examined.
constexpr std::size_t kTableBytes = std::size_t{1} << 24U;
constexpr std::array<std::string_view, 3> kEndings = {".csv", ".tsv", ".psv"};
/// Texts that may be tables of pictures and classes.
constexpr std::array<std::string_view, 3> kListEndings = {".txt", ".lst", ".list"};
/// A folder with more of them has one for each picture.
constexpr std::size_t kMostLists = 16;
/// Of several tables, the one with the training samples.
constexpr std::array<std::string_view, 4> kPreferred = {"train", "labels", "manifest", "data"};

struct TableText {
  std::string text;
  bool all = true;

  std::size_t lines() const {
    const auto ends = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    return ends + (!text.empty() && text.back() != '\n' ? 1 : 0);
  }
};

Result<TableText> readTable(const fs::path& file) {
  MILLRACE_ASSIGN_OR_RETURN(const auto opened, openForReading(file));
  TableText table{std::string(std::min<std::uint64_t>(opened.size, kTableBytes), '\0'),
                  opened.size <= kTableBytes};
  MILLRACE_ASSIGN_OR_RETURN(const auto got,
                            readAt(opened.fd.get(), 0, table.text.data(), table.text.size()));
  table.text.resize(got);
  return table;
}

/// "7 columns `MEL` to `VASC`".
std::string rangeText(const std::vector<std::string>& columns) {
  return fmt::format("{} columns `{}` to `{}`", columns.size(), visibleName(columns.front()),
                     visibleName(columns.back()));
}

std::string columnsText(const ManifestForm& form) {
  std::vector<std::string> texts;
  texts.push_back(fmt::format("pictures in column `{}`", visibleName(form.image)));
  if (!form.mask.empty())
    texts.push_back(fmt::format("masks in column `{}`", visibleName(form.mask)));
  if (!form.label.empty())
    texts.push_back(form.labelSeparator == kNoSeparator
                        ? fmt::format("{} in column `{}`", form.quantities ? "numbers" : "classes",
                                      visibleName(form.label))
                        : fmt::format("several classes a sample in column `{}`, divided by {}",
                                      visibleName(form.label), separatorText(form.labelSeparator)));
  if (!form.oneHot.empty())
    texts.push_back(fmt::format("one-hot classes in the {}", rangeText(form.oneHot)));
  if (!form.several.empty())
    texts.push_back(fmt::format("several classes a sample in the {}", rangeText(form.several)));
  return joinWords(texts);
}

/// "`age` and `sex`", with the first few names.
std::string othersText(const std::vector<std::string>& others) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kMost, others.size()); ++i)
    names.push_back("`" + visibleName(others[i]) + "`");
  if (others.size() > kMost) names.push_back(fmt::format("{} more", others.size() - kMost));
  return joinWords(names);
}

/// A sentence if columns are the sides of boxes.
std::string boxesText(const std::vector<std::string>& others) {
  return std::ranges::any_of(others, isBoxColumn) ? " Boxes are not read from such a table: save "
                                                    "them in the format of COCO, Pascal VOC, "
                                                    "YOLO or Open Images."
                                                  : "";
}

/// A sentence that names the servers of pictures that are not on this machine.
std::string serversText(const ManifestForm& form) {
  constexpr std::size_t kNamed = 3;
  std::set<std::string> servers;
  for (const std::string& example : form.examples)
    if (const auto path = parseRemotePath(example); isRemotePath(example) && path)
      servers.insert(visibleName(path->host));
  std::vector<std::string> names(servers.begin(), servers.end());
  if (names.size() > kNamed) {
    names.resize(kNamed);
    names.push_back(fmt::format("{} more", servers.size() - kNamed));
  }
  return names.empty() ? "" : fmt::format(" The pictures are read from {}.", joinWords(names));
}

/// What the source's parameters must say so that it reads the table in the same way later.
Values paramsOf(const ManifestForm& form, const fs::path& folder) {
  constexpr std::array<std::pair<char, const char*>, 7> kSeparators = {
      {{',', "comma"},
       {';', "semicolon"},
       {'\t', "tab"},
       {'|', "pipe"},
       {' ', "space"},
       {kAfterPath, "after_path"},
       {kFirstSpace, "first_space"}}};
  constexpr std::array<std::pair<char, const char*>, 5> kLists = {
      {{'|', "pipe"}, {';', "semicolon"}, {',', "comma"}, {' ', "space"}, {kBrackets, "list"}}};
  constexpr std::array<const char*, 4> kEncodings = {"auto", "utf8", "latin1", "utf16"};
  Values params;
  for (const auto& [separator, name] : kSeparators)
    if (separator == form.separator) params["separator"] = std::string(name);
  params["header"] = std::string(form.header ? "yes" : "no");
  params["encoding"] = std::string(kEncodings.at(static_cast<std::size_t>(form.encoding)));
  params["image_column"] = form.image;
  params["label_column"] = form.label;
  if (form.quantities) params["labels"] = std::string("real");
  if (!form.oneHot.empty()) params["label_columns"] = form.oneHot;
  if (!form.several.empty()) params["label_columns"] = form.several;
  if (!form.several.empty() || form.labelSeparator != kNoSeparator) params["multi_label"] = true;
  for (const auto& [separator, name] : kLists)
    if (separator == form.labelSeparator) params["label_separator"] = std::string(name);
  params["mask_column"] = form.mask;
  params["extension"] = form.extension;
  if (form.root != folder) params["root"] = form.root.native();
  if (form.byName) params["find_by"] = std::string("name");
  return params;
}

bool endsWithOne(std::string_view name, std::span<const std::string_view> endings) {
  const std::string low = lowerCase(name);
  return std::ranges::any_of(endings,
                             [&](std::string_view ending) { return low.ends_with(ending); });
}

/// Files of a folder that may be tables by their names.
std::vector<std::string> tableNames(const FolderProbe& seen) {
  std::vector<std::string> tables;
  std::vector<std::string> lists;
  for (const std::string& name : seen.files) {
    if (isManifestName(name)) tables.push_back(name);
    if (endsWithOne(name, kListEndings)) lists.push_back(name);
  }
  if (lists.size() <= kMostLists) tables.insert(tables.end(), lists.begin(), lists.end());
  return tables;
}

/// The error says why a table called `name` is not one of pictures that exist.
Status holdsPictures(const ManifestForm& form, const std::string& name) {
  if (form.rows == 0)
    return Error{fmt::format("`{}` has a header row and no other row with a picture.", name)};
  if (form.foundFiles == 0 && form.firstMissing.find("://") != std::string::npos)
    return Error{fmt::format(
        "`{}` lists addresses such as {}, which are not read: download the pictures and "
        "write their paths instead, or give all of them as https, s3, gs or hf.",
        name, visibleName(form.firstMissing))};
  if (form.foundFiles == 0)
    return Error{fmt::format(
        "`{}` seems to list {}, but {}. Give `root=FOLDER` to a manifest source, with the folder "
        "where the paths start.",
        name, columnsText(form),
        form.rows == 1
            ? fmt::format("its picture {} does not exist", visibleName(form.firstMissing))
            : fmt::format("none of {} pictures that were looked for exists, such as {}", form.rows,
                          visibleName(form.firstMissing)))};
  return {};
}

/// What is read, how the table is written, and what is not read, in sentences.
std::string detailsOf(const ManifestForm& form, const fs::path& folder) {
  std::string details = columnsText(form);
  details[0] = 'P';
  if (const std::string more = form.text(folder); !more.empty()) details += "; " + more;
  details += ".";
  details += serversText(form);
  if (!form.fractions.empty())
    details += fmt::format(
        " Columns {} hold numbers, and none of them is named as the label: for one of them, set "
        "`label_column`.",
        othersText(form.fractions));
  if (!form.sentences.empty())
    details += fmt::format(
        " Column `{}` holds sentences, most of which belong to one picture each: they are not "
        "classes and are not read.",
        visibleName(form.sentences));
  if (form.header && !form.others.empty())
    details += fmt::format(" Not read: {} {}.{}", form.others.size() == 1 ? "column" : "columns",
                           othersText(form.others), boxesText(form.others));
  if (!form.split.empty())
    details += fmt::format(
        " Column `{}` divides the rows ({}), but all of them are read: write a table for each set.",
        visibleName(form.split), visibleName(join(form.splitNames, ", ")));
  if (form.foundFiles < form.rows)
    details +=
        fmt::format(" Of {} pictures that were looked for, {} {} not exist, such as {}.", form.rows,
                    form.rows - form.foundFiles, form.rows - form.foundFiles == 1 ? "does" : "do",
                    visibleName(form.firstMissing));
  return details;
}

}  // namespace

bool isManifestName(std::string_view name) { return endsWithOne(name, kEndings); }

Result<FolderContent> manifestContent(const fs::path& file, Scan& scan) {
  MILLRACE_ASSIGN_OR_RETURN(const TableText table, readTable(file));
  ManifestHints hints;
  hints.mask = kAnyColumn;
  MILLRACE_ASSIGN_OR_RETURN(const ManifestForm form, findManifestForm(table.text, file, hints));
  MILLRACE_TRY(holdsPictures(form, visibleName(file.filename().native())));
  FolderContent found;
  found.layout = DataLayout::Manifest;
  found.paths = {file};
  found.params = paramsOf(form, file.parent_path());
  found.masks = !form.mask.empty();
  const std::size_t lines = table.lines();
  found.files = lines > 0 && form.header ? lines - 1 : lines;
  found.all = table.all;
  found.details = detailsOf(form, file.parent_path());
  if (!form.masks.empty()) describeMasks(form.masks, found);
  describe(found);
  for (const std::string& example : form.examples)
    if (!scan.measure(form.root / example, found) && isRemotePath(example)) break;
  return found;
}

std::optional<FolderContent> detectManifest(const fs::path& folder, const FolderProbe& seen,
                                            Scan& scan) {
  std::vector<FolderContent> tables;
  std::vector<std::string> names;
  for (const std::string& name : tableNames(seen)) {
    if (scan.stopped()) break;
    auto table = manifestContent(folder / name, scan);
    // A text without classes may be a part of the data set, or about it.
    if (!table || (!isManifestName(name) && table->params["label_column"] == Value(std::string()) &&
                   !table->params.contains("label_columns")))
      continue;
    tables.push_back(table.take());
    names.push_back(name);
  }
  if (tables.empty()) return std::nullopt;
  std::size_t best = 0;
  for (const std::string_view word : kPreferred) {
    const auto found = std::ranges::find_if(names, [&](const std::string& name) {
      return lowerCase(name).find(word) != std::string::npos;
    });
    if (found == names.end()) continue;
    best = static_cast<std::size_t>(found - names.begin());
    break;
  }
  FolderContent found = std::move(tables[best]);
  names.erase(names.begin() + static_cast<std::ptrdiff_t>(best));
  for (std::string& name : names) name = "`" + visibleName(name) + "`";
  if (!names.empty()) found.details += fmt::format(" Other tables here: {}.", joinWords(names));
  describe(found);
  return found;
}

std::optional<FolderContent> manifestBeside(const fs::path& folder, const FolderProbe& seen,
                                            Scan& scan) {
  for (const std::string& name : seen.folders) {
    if (!isListFolder(name) || scan.stopped()) continue;
    const auto inner = scan.probe(folder / name);
    if (!inner || picturesIn(*inner) > 0) continue;
    if (auto table = detectManifest(folder / name, *inner, scan)) return table;
  }
  return std::nullopt;
}

std::optional<FolderContent> manifestBelow(const fs::path& folder, const FolderProbe& seen,
                                           Scan& scan) {
  const auto train = trainFolder(folder, seen);
  if (!train && (seen.folders.size() != 1 || picturesIn(seen) > 0)) return std::nullopt;
  const fs::path below = train ? *train : folder / seen.folders.front();
  const auto inner = scan.probe(below);
  return inner && picturesIn(*inner) > 0 ? detectManifest(below, *inner, scan) : std::nullopt;
}

}  // namespace millrace
