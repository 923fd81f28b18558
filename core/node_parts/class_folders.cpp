// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/class_folders.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/folder/file_list.h"
#include "core/formats/folder/held_out_names.h"
#include "core/formats/io/data_place.h"

namespace millrace::nodes {

namespace {

namespace fs = std::filesystem;

/// The value of a name that is a number.
std::optional<std::uint64_t> numberIn(std::string_view name) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

void sortNames(std::vector<std::string>& names, ClassOrder order) {
  std::sort(names.begin(), names.end());
  if (order == ClassOrder::Bytes) return;
  std::ranges::stable_sort(names, [](const std::string& a, const std::string& b) {
    const auto first = numberIn(a);
    const auto second = numberIn(b);
    return first && (!second || *first < *second);
  });
}

}  // namespace

Result<DividedFolder> divideFolder(const fs::path& path, Subset subset) {
  std::string validation;
  for (const std::string_view name : kHeldOutNames)
    if (validation.empty() && isFolderAt(pathIn(path, std::string(name)))) validation = name;
  if (validation.empty() || !isFolderAt(pathIn(path, "train"))) {
    if (subset == Subset::Validation && isFolderAt(path))
      return Error{
          fmt::format("`{}` has no folder `train` next to one named {}; set the validation folder "
                      "itself with subset `train`, or divide the data with a split node",
                      path.native(), "`val`, `validation`, `valid`, `test` or `dev`")};
    return DividedFolder{path, {""}, ""};
  }
  switch (subset) {
    case Subset::Train: return DividedFolder{path, {"train"}, "train"};
    case Subset::Validation: return DividedFolder{path, {validation}, "train"};
    case Subset::All: break;
  }
  return DividedFolder{path, {"train", validation}, "train"};
}

ClassFolders::ClassFolders(const std::vector<DividedFolder>& roots, const fs::path& classesFrom,
                           Settings settings)
    : m_settings(settings) {
  std::vector<std::string> training;
  const auto append = [this](std::vector<std::string>& names, const fs::path& folder) {
    for (std::string& name : listFolders(folder, m_settings.junk)) names.push_back(std::move(name));
  };
  if (!classesFrom.empty())
    append(training, classesFrom);
  else
    for (const DividedFolder& root : roots) append(training, root.path / root.trainPart);
  addSorted(std::move(training));
  noteNumbers();
  const std::size_t known = m_names.size();
  std::vector<std::string> all;
  for (const DividedFolder& root : roots)
    for (const std::string& part : root.parts) append(all, root.path / part);
  addSorted(std::move(all));
  if (m_names.size() > known)
    m_notes.push_back(
        fmt::format("{} class folders are not among the training classes; first: {}; they get the "
                    "following numbers",
                    m_names.size() - known, validUtf8(m_names[known])));
  if (classesFrom.empty())
    for (const DividedFolder& root : roots) {
      noteTrainingSet(root);
      noteHeldOutSet(root);
    }
}

std::int32_t ClassFolders::add(const std::string& name) {
  const auto [at, added] = m_numbers.emplace(name, static_cast<std::int32_t>(m_names.size()));
  if (added) m_names.push_back(name);
  return at->second;
}

void ClassFolders::addSorted(std::vector<std::string> names) {
  sortNames(names, m_settings.order);
  for (const std::string& name : names) add(name);
}

/// Names that are numbers are easily taken for the class numbers.
void ClassFolders::noteNumbers() {
  constexpr std::size_t kNamed = 6;
  bool equal = true;
  bool sorted = true;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < m_names.size(); ++i) {
    const auto number = numberIn(m_names[i]);
    if (!number) return;
    equal = equal && *number == i;
    sorted = sorted && (i == 0 || *numberIn(m_names[i - 1]) < *number);
    if (i < kNamed) texts.push_back(fmt::format("class {} is folder {}", i, m_names[i]));
  }
  if (equal) return;
  m_notes.push_back(
      fmt::format("names of class folders are numbers, but not the numbers of the classes: {}{}{}",
                  join(texts, ", "), m_names.size() > kNamed ? ", and so on" : "",
                  sorted ? "" : "; to sort them by value, set `class_order` to `numeric`"));
}

/// A held-out set whose classes are not those that are trained.
void ClassFolders::noteHeldOutSet(const DividedFolder& root) {
  if (root.parts.size() != 1 || root.trainPart.empty() || root.parts[0] != root.trainPart) return;
  const std::vector<std::string> trained = listFolders(root.path / root.trainPart, m_settings.junk);
  const auto without = [](const std::vector<std::string>& names,
                          const std::vector<std::string>& others) {
    const auto found = std::ranges::find_if(names, [&](const std::string& name) {
      return std::ranges::find(others, name) == others.end();
    });
    return found == names.end() ? std::string() : *found;
  };
  for (const std::string_view name : kHeldOutNames) {
    const std::vector<std::string> own = listFolders(root.path / name, m_settings.junk);
    const bool common = std::ranges::any_of(own, [&](const std::string& folder) {
      return std::ranges::find(trained, folder) != trained.end();
    });
    if (!common) continue;  // It is not divided into class folders.
    if (const std::string missing = without(trained, own); !missing.empty())
      m_notes.push_back(fmt::format(
          "the folder `{}` has no class `{}`, which is trained; `subset` = `validation` reads it "
          "with the numbers of the training classes",
          name, validUtf8(missing)));
    if (const std::string other = without(own, trained); !other.empty())
      m_notes.push_back(fmt::format("the folder `{}` has a class `{}`, which is not trained", name,
                                    validUtf8(other)));
    return;
  }
}

/// Another set next to a training set numbers its classes alone.
void ClassFolders::noteTrainingSet(const DividedFolder& root) {
  if (root.parts.size() != 1 || !root.parts[0].empty()) return;
  for (const char* name : {"train", "training"}) {
    const fs::path train = root.path.parent_path() / name;
    std::error_code ignored;
    if (fs::equivalent(train, root.path, ignored)) return;
    std::vector<std::string> trained = listFolders(train, m_settings.junk);
    sortNames(trained, m_settings.order);
    const std::vector<std::string> own = listFolders(root.path, m_settings.junk);
    const auto isTrained = [&](const std::string& folder) {
      return std::ranges::find(trained, folder) != trained.end();
    };
    if (trained == m_names || std::ranges::none_of(own, isTrained)) continue;
    const auto missing = std::ranges::find_if(trained, [&](const std::string& folder) {
      return std::ranges::find(own, folder) == own.end();
    });
    m_notes.push_back(fmt::format(
        "the folder `{}` next to this one has {} classes{}, so a class has another number there; "
        "to use its numbers, set `classes_from` to `{}`",
        name, trained.size(),
        missing == trained.end()
            ? std::string()
            : fmt::format(", and `{}` is not among the {} here", validUtf8(*missing), own.size()),
        validUtf8(train.native())));
    return;
  }
}

}  // namespace millrace::nodes
