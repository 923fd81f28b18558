// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Data sets whose labels are files next to the pictures that are not read: annotations of other
// formats than those of core/formats/annotations, spreadsheets, JSON.
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/inspect/scan.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

struct Annotations {
  std::string_view folder;  ///< in lower case
  std::string_view ending;
  std::string_view text;
};

constexpr std::array<Annotations, 3> kAnnotations{{
    {"annotations", ".json", "JSON files that are not COCO's instances or keypoints"},
    {"annotations", ".xml", "XML files that are not Pascal VOC's"},
    {"labels", ".txt", "text files that are not YOLO's"},
}};

/// The names of files in a folder and in the folders in it.
std::vector<std::string> filesOf(const fs::path& folder, const Scan& scan) {
  constexpr std::size_t kFolders = 8;
  const auto seen = scan.probe(folder);
  if (!seen) return {};
  std::vector<std::string> files = seen->files;
  for (std::size_t i = 0; i < std::min(kFolders, seen->folders.size()); ++i)
    if (const auto inner = scan.probe(folder / seen->folders[i]))
      files.insert(files.end(), inner->files.begin(), inner->files.end());
  return files;
}

/// What a file is that may hold labels and is not read, by its name in lower case; empty: nothing.
std::string_view labelFileOf(std::string_view name) {
  for (const std::string_view ending : {".xlsx", ".xls", ".ods", ".numbers"})
    if (name.ends_with(ending)) return "a spreadsheet, which is not read";
  if (name.ends_with(".pts")) return "a list of landmarks, which is not read";
  if (!name.ends_with(".json") && !name.ends_with(".jsonl")) return {};
  for (const std::string_view word : {"label", "annot", "metadata", "class", "train"})
    if (name.find(word) != std::string_view::npos) return "JSON, which is not read";
  return {};
}

bool isTableName(std::string_view name) { return name.ends_with(".csv") || name.ends_with(".tsv"); }

}  // namespace

void noteLabelFiles(const FolderProbe& seen, bool unread, FolderContent& content) {
  for (const std::string& name : seen.files) {
    const std::string low = lowerCase(name);
    std::string_view kind;
    if (unread && isTableName(low))
      kind = "a table, but its rows do not name the pictures here";
    else if (content.classFolders <= 1)  // otherwise the labels are known
      kind = labelFileOf(low);
    if (kind.empty()) continue;
    content.details += fmt::format(
        "{}`{}` is {}: if it holds the labels, save them as a table (CSV) with a column of files "
        "and one of labels.",
        content.details.empty() ? "" : " ", visibleName(name), kind);
    describe(content);
    return;
  }
}

void notePrefixes(const std::vector<std::string>& names, FolderContent& content) {
  constexpr std::size_t kMostWords = 100;
  std::map<std::string, std::size_t> words;
  std::size_t pictures = 0;
  for (const std::string& name : names) {
    if (!isPictureName(name)) continue;
    ++pictures;
    const std::string word = name.substr(0, name.find_first_of("._-0123456789"));
    if (!word.empty()) ++words[word];
    if (words.size() > kMostWords) return;
  }
  std::size_t several = 0;
  for (const auto& [word, count] : words)
    if (count > 1) several += count;
  if (words.size() < 2 || several < pictures) return;
  content.details += fmt::format(
      "{}Names begin with `{}` and `{}`{}, which may be the classes: these are not read from "
      "names. "
      "Move the pictures to a folder for each class, or write a table (CSV) with a column of files "
      "and one of labels.",
      content.details.empty() ? "" : " ", visibleName(words.begin()->first),
      visibleName(std::next(words.begin())->first), words.size() > 2 ? " and others" : "");
  describe(content);
}

std::string archiveNote(const FolderProbe& seen) {
  for (const std::string& name : seen.files)
    for (const std::string_view ending : {".zip", ".7z", ".rar"})
      if (lowerCase(name).ends_with(ending))
        return fmt::format("`{}` is an archive, which is not read: unpack it first. ",
                           visibleName(name));
  return {};
}

std::string annotationNote(const fs::path& folder, const FolderProbe& seen, const Scan& scan) {
  for (const std::string& name : seen.folders)
    for (const Annotations& kind : kAnnotations) {
      if (lowerCase(name) != kind.folder || scan.stopped()) continue;
      const std::vector<std::string> files = filesOf(folder / name, scan);
      const auto ends = [&](const std::string& file) { return file.ends_with(kind.ending); };
      if (std::ranges::any_of(files, isPictureName) || std::ranges::none_of(files, ends)) continue;
      return fmt::format(
          "`{}` holds {}. Millrace does not read these labels: write them to a table (CSV) with a "
          "column of files and one of labels, or use the pictures alone.",
          visibleName(name), kind.text);
    }
  return {};
}

std::string folderOfOtherFiles(const fs::path& folder, const FolderProbe& seen, const Scan& scan) {
  std::vector<std::string> found;
  for (const std::string& name : seen.folders) {
    const auto inner = scan.probe(folder / name);
    if (inner && !inner->files.empty() && inner->folders.empty() && picturesIn(*inner) == 0)
      found.push_back(name);
  }
  const auto labels = std::ranges::find_if(found, [](const std::string& name) {
    const std::string low = lowerCase(name);
    return low.find("label") != low.npos || low.find("annot") != low.npos;
  });
  if (labels != found.end()) return *labels;
  return found.empty() ? std::string() : found.front();
}

std::string sampleFoldersNote(const fs::path& folder, const FolderProbe& seen, const Scan& scan) {
  constexpr std::size_t kExamined = 4;
  if (seen.folders.size() < 2) return {};
  for (std::size_t i = 0; i < std::min(kExamined, seen.folders.size()); ++i) {
    const auto inner = scan.probe(folder / seen.folders[i]);
    const auto holds = [&](const char* name) {
      return std::ranges::find(inner->folders, name) != inner->folders.end();
    };
    if (!inner || !holds("images") || !holds("masks")) return {};
  }
  return fmt::format(
      "Each folder, such as `{}`, holds `images` and `masks` of one sample, which are not read: "
      "put "
      "all pictures into one folder `images`, and for each of them one mask with the number of a "
      "class in each pixel into one folder `masks`.",
      visibleName(seen.folders.front()));
}

}  // namespace millrace
