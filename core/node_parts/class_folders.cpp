// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/class_folders.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/folded_name.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
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

std::set<std::string> foldedNames(const std::vector<std::string>& names) {
  std::set<std::string> folded;
  for (const std::string& name : names) folded.insert(foldedName(name));
  return folded;
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
  std::vector<std::string> others;
  for (const DividedFolder& root : roots)
    for (const std::string& part : root.parts) {
      std::vector<std::string> names;
      append(names, root.path / part);
      takeLookAlikes(names, known);
      others.insert(others.end(), names.begin(), names.end());
    }
  addSorted(std::move(others));
  if (m_names.size() > known)
    m_notes.push_back(fmt::format(
        "{} not among the training classes; first: {}; {} the following number{}",
        m_names.size() - known == 1 ? std::string("1 class folder is")
                                    : fmt::format("{} class folders are", m_names.size() - known),
        visibleName(m_names[known]), m_names.size() - known == 1 ? "it gets" : "they get",
        m_names.size() - known == 1 ? "" : "s"));
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

/// A folder whose name only looks like that of one of the first `known` classes is this class,
/// unless another folder next to it could be, too.
void ClassFolders::takeLookAlikes(const std::vector<std::string>& names, std::size_t known) {
  std::multimap<std::string, std::size_t> classes;
  for (std::size_t i = 0; i < known; ++i) classes.emplace(foldedName(m_names[i]), i);
  std::multiset<std::string> here;
  for (const std::string& name : names) here.insert(foldedName(name));
  std::vector<std::string> taken;
  for (const std::string& name : names) {
    const std::string folded = foldedName(name);
    if (m_numbers.contains(name) || classes.count(folded) != 1 || here.count(folded) != 1) continue;
    const std::size_t number = classes.find(folded)->second;
    m_numbers.emplace(name, static_cast<std::int32_t>(number));
    taken.push_back(fmt::format("`{}` is class `{}`", validUtf8(name), validUtf8(m_names[number])));
  }
  if (taken.empty()) return;
  m_notes.push_back(fmt::format(
      "{} {} stored with another case or Unicode form than in the training set: {}",
      counted(taken.size(), "class name"), taken.size() == 1 ? "is" : "are", joinWords(taken)));
}

void ClassFolders::addSorted(std::vector<std::string> names) {
  sortNames(names, m_settings.order);
  for (const std::string& name : names) add(name);
}

/// Names that are numbers are easily taken for the class numbers, also next to a few other names.
void ClassFolders::noteNumbers() {
  constexpr std::size_t kNamed = 6;
  bool equal = true;
  bool sorted = true;
  std::size_t others = 0;
  std::string firstOther;
  std::optional<std::uint64_t> before;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < m_names.size(); ++i) {
    const auto number = numberIn(m_names[i]);
    if (!number) {
      if (others++ == 0) firstOther = visibleName(m_names[i]);
      continue;
    }
    equal = equal && *number == i;
    sorted = sorted && (!before || *before < *number);
    before = number;
    if (texts.size() < kNamed) texts.push_back(fmt::format("class {} is folder {}", i, m_names[i]));
  }
  const std::size_t numbers = m_names.size() - others;
  if (equal || numbers < 2 || others > numbers) return;
  m_notes.push_back(fmt::format(
      "names of class folders are numbers{}, but not the numbers of the classes: {}{}{}",
      others == 0 ? std::string()
                  : fmt::format(" except {}{}", firstOther, others == 1 ? "" : " and others"),
      join(texts, ", "), numbers > texts.size() ? ", and so on" : "",
      sorted ? "" : "; to sort them by value, use `class_order=numeric`"));
}

/// A held-out set whose classes are not those that are trained.
void ClassFolders::noteHeldOutSet(const DividedFolder& root) {
  if (root.parts.size() != 1 || root.trainPart.empty() || root.parts[0] != root.trainPart) return;
  const std::vector<std::string> trained = listFolders(root.path / root.trainPart, m_settings.junk);
  const std::set<std::string> trainedNames = foldedNames(trained);
  const auto without = [](const std::vector<std::string>& names,
                          const std::set<std::string>& others) {
    const auto found = std::ranges::find_if(
        names, [&](const std::string& name) { return !others.contains(foldedName(name)); });
    return found == names.end() ? std::string() : *found;
  };
  for (const std::string_view name : kHeldOutNames) {
    const std::vector<std::string> own = listFolders(root.path / name, m_settings.junk);
    const std::set<std::string> ownNames = foldedNames(own);
    if (std::ranges::none_of(
            ownNames, [&](const std::string& folder) { return trainedNames.contains(folder); }))
      continue;  // It is not divided into class folders.
    if (const std::string missing = without(trained, ownNames); !missing.empty())
      m_notes.push_back(fmt::format(
          "the folder `{}` has no class `{}`, which is trained; `subset=validation` reads it "
          "with the numbers of the training classes",
          name, validUtf8(missing)));
    if (const std::string other = without(own, trainedNames); !other.empty())
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
    const std::set<std::string> trainedNames = foldedNames(trained);
    const auto isTrained = [&](const std::string& folder) {
      return trainedNames.contains(foldedName(folder));
    };
    if (trained == m_names || std::ranges::none_of(own, isTrained)) continue;
    const std::set<std::string> ownNames = foldedNames(own);
    const auto missing = std::ranges::find_if(
        trained, [&](const std::string& folder) { return !ownNames.contains(foldedName(folder)); });
    bool moved = false;
    for (std::size_t i = 0; i < m_names.size() && !moved; ++i) {
      const auto there = std::ranges::find(trained, foldedName(m_names[i]), foldedName);
      moved = there != trained.end() && there != trained.begin() + static_cast<std::ptrdiff_t>(i);
    }
    m_notes.push_back(fmt::format(
        "the folder `{}` next to this one has {} classes{}{}, give `classes_from={}`", name,
        trained.size(),
        missing == trained.end()
            ? std::string()
            : fmt::format(", and `{}` is not among the {} here", validUtf8(*missing), own.size()),
        moved ? ", so a class has another number there; to use its numbers"
              : "; classes of the same name have the same number; to have all of its classes",
        validUtf8(train.native())));
    return;
  }
}

}  // namespace millrace::nodes
