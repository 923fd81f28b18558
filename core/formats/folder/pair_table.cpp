// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/pair_table.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/text/folded_name.h"
#include "core/base/text/text.h"

namespace millrace {

namespace {

constexpr std::array<UsualSuffixes, 10> kUsual = {{{"_LR", "_HR"},
                                                   {"_lr", "_hr"},
                                                   {"_input", "_target"},
                                                   {"_blur", "_sharp"},
                                                   {"_noisy", "_clean"},
                                                   {"_image", "_mask", true},
                                                   {"_img", "_mask", true},
                                                   {"_sat", "_mask", true},
                                                   {"", "_mask", true},
                                                   {"", "_label", true}}};

std::string_view withoutExtension(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos || dot <= name ? path : path.substr(0, dot);
}

struct Named {
  std::uint32_t index;
  bool used;
};
using Keys = std::unordered_map<std::string_view, Named>;

struct Counted {
  std::size_t count = 0;
  std::string_view first;

  void add(std::string_view path) {
    if (count++ == 0) first = path;
  }
  void noteIn(std::vector<std::string>& notes, const char* one, const char* several) const {
    if (count > 0)
      notes.push_back(
          fmt::format("{} {}; first: {}", count, count == 1 ? one : several, validUtf8(first)));
  }
};

/// The paths of a list in memory, where keys can refer to them.
class Paths {
 public:
  explicit Paths(const FileList& files) {
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string path = files.path(i);
      m_text.insert(m_text.end(), path.begin(), path.end());
      m_ends.push_back(m_text.size());
    }
  }
  std::size_t size() const { return m_ends.size(); }
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : m_ends[i - 1];
    return {m_text.data() + begin, m_ends[i] - begin};
  }

 private:
  std::vector<char> m_text;
  std::vector<std::size_t> m_ends;
};

/// The files of one side. `rival`: files with this suffix belong to the other side.
class Side {
 public:
  Side(const Paths& files, std::string_view suffix, std::string_view rival = {})
      : m_files(files), m_suffix(suffix), m_rival(rival) {}

  std::string_view key(std::uint32_t i) const {
    const std::string_view path = m_files[i];
    if (m_rival.size() > m_suffix.size() && !pairKey(path, m_rival).empty()) return {};
    return pairKey(path, m_suffix);
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(m_files.size()); }
  std::string_view path(std::uint32_t i) const { return m_files[i]; }

 private:
  const Paths& m_files;
  std::string_view m_suffix;
  std::string_view m_rival;
};

Keys keysOf(const Side& targets, std::vector<std::string>& notes) {
  Keys keys;
  Counted doubles;
  for (std::uint32_t i = 0; i < targets.size(); ++i) {
    const std::string_view key = targets.key(i);
    if (!key.empty() && !keys.emplace(key, Named{i, false}).second) doubles.add(targets.path(i));
  }
  doubles.noteIn(notes, "target has the same name as another one and is left out",
                 "targets have the same name as another one and are left out");
  return keys;
}

/// Files of one side by folded name; two files with the same one have none.
class LookAlikes {
 public:
  void add(std::string_view key, std::uint32_t index) {
    const auto [at, added] = m_files.emplace(looseName(key), index);
    if (!added) at->second = std::nullopt;
  }
  std::optional<std::uint32_t> find(const std::string& folded) const {
    const auto found = m_files.find(folded);
    return found == m_files.end() ? std::nullopt : found->second;
  }

 private:
  std::unordered_map<std::string, std::optional<std::uint32_t>> m_files;
};

/// Pairs inputs that have no counterpart with exactly the same name. Marks the targets it uses.
void pairLookAlikes(const Side& inputs, const std::vector<std::uint32_t>& alone,
                    const Side& targets, Keys& keys, PairTable& table) {
  if (alone.empty()) return;
  LookAlikes byName;
  for (const auto& [key, named] : keys)
    if (!named.used) byName.add(key, named.index);
  LookAlikes asked;
  for (const std::uint32_t i : alone) asked.add(inputs.key(i), i);
  Counted alike;
  for (const std::uint32_t i : alone) {
    const std::string folded = looseName(inputs.key(i));
    const auto target = byName.find(folded);
    if (!target || asked.find(folded) != i) continue;
    keys.find(targets.key(*target))->second.used = true;
    table.pairs.push_back({i, *target});
    alike.add(inputs.path(i));
  }
  std::ranges::sort(table.pairs, {}, &PairTable::Pair::input);
  alike.noteIn(table.notes,
               "pair has names that differ by case, by zeros before numbers or by how accents are "
               "stored, and look alike",
               "pairs have names that differ by case, by zeros before numbers or by how accents "
               "are stored, and look alike");
}

void noteAlone(const Side& inputs, const std::vector<std::uint32_t>& alone, const Side& targets,
               const Keys& keys, PairTable& table) {
  Counted inputsAlone;
  for (const std::uint32_t i : alone) {
    const auto found = std::ranges::lower_bound(table.pairs, i, {}, &PairTable::Pair::input);
    if (found == table.pairs.end() || found->input != i) inputsAlone.add(inputs.path(i));
  }
  inputsAlone.noteIn(table.notes, "input without a target is left out",
                     "inputs without a target are left out");
  Counted unused;
  for (std::uint32_t i = 0; i < targets.size(); ++i) {
    const std::string_view key = targets.key(i);
    if (!key.empty() && !keys.find(key)->second.used) unused.add(targets.path(i));
  }
  unused.noteIn(table.notes, "target without an input is left out",
                "targets without an input are left out");
}

PairTable matchSides(const Side& inputs, const Side& targets) {
  PairTable table;
  Keys keys = keysOf(targets, table.notes);
  std::vector<std::uint32_t> alone;
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    const std::string_view key = inputs.key(i);
    if (key.empty()) continue;
    const auto found = keys.find(key);
    if (found == keys.end()) {
      alone.push_back(i);
      continue;
    }
    found->second.used = true;
    table.pairs.push_back({i, found->second.index});
  }
  pairLookAlikes(inputs, alone, targets, keys, table);
  noteAlone(inputs, alone, targets, keys, table);
  return table;
}

}  // namespace

std::span<const UsualSuffixes> usualSuffixes() { return kUsual; }

std::string_view pairKey(std::string_view path, std::string_view suffix) {
  const std::string_view stem = withoutExtension(path);
  if (suffix.empty()) return stem;
  for (const std::string_view name : {stem, path})
    if (name.size() > suffix.size() && name.ends_with(suffix))
      return name.substr(0, name.size() - suffix.size());
  return {};
}

Result<PairTable> PairTable::match(const FileList& inputs, const FileList& targets,
                                   const PairSuffixes& suffixes) {
  const Paths inputPaths(inputs);
  const Paths targetPaths(targets);
  PairTable table =
      matchSides(Side(inputPaths, suffixes.input), Side(targetPaths, suffixes.target));
  if (!table.pairs.empty()) return table;
  return Error{fmt::format(
      "no file in `{}` has a counterpart in `{}`: the first ones are {} and {}, and names must be "
      "equal "
      "apart from the extension; set input_suffix and target_suffix to the differing ends",
      validUtf8(inputs.root().native()), validUtf8(targets.root().native()),
      validUtf8(inputs.path(0)), validUtf8(targets.path(0)))};
}

Result<PairTable> PairTable::matchWithin(const FileList& files, const PairSuffixes& suffixes) {
  const std::string folder = validUtf8(files.root().native());
  const Paths paths(files);
  const auto within = [&](std::string_view input, std::string_view target) {
    return matchSides(Side(paths, input, target), Side(paths, target, input));
  };
  if (suffixes.input != suffixes.target) {
    PairTable table = within(suffixes.input, suffixes.target);
    if (!table.pairs.empty()) return table;
    return Error{
        fmt::format("no pair in `{}`: no two file names differ only by `{}` and `{}` at the end "
                    "(the first file is {}); correct input_suffix and target_suffix, or set target",
                    folder, suffixes.input, suffixes.target, validUtf8(files.path(0)))};
  }
  if (suffixes.input.empty())
    for (const UsualSuffixes& usual : kUsual) {
      PairTable table = within(usual.input, usual.target);
      if (!table.pairs.empty()) return table;
    }
  return Error{
      fmt::format("inputs and targets in `{}` cannot be distinguished; set input_suffix and "
                  "target_suffix to the ends "
                  "of their names, or give the targets' folder as well",
                  folder)};
}

}  // namespace millrace
