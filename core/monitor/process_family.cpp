// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/process_family.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include <unistd.h>

#include "core/monitor/proc_text.h"
#include "core/monitor/small_file.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// Of a chain of parents. Longer ones, and circles in what was read while processes ended, are cut.
constexpr int kMostGenerations = 32;

std::optional<int> parentOf(const fs::path& proc, const std::string& id) {
  const auto parent = parseParent(readSmallFile(proc / id / "stat"));
  if (!parent || *parent <= 1) return std::nullopt;
  return static_cast<int>(*parent);
}

/// The processes that a process started, by any of its threads.
std::vector<int> childrenOf(const fs::path& process) {
  std::vector<int> children;
  std::error_code failed;
  for (fs::directory_iterator at(process / "task", failed), end; !failed && at != end;
       at.increment(failed))
    std::ranges::copy(parseChildren(readSmallFile(at->path() / "children")),
                      std::back_inserter(children));
  return children;
}

std::string baseName(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == path.npos ? path : path.substr(slash + 1));
}

std::vector<std::string> wordsOfCommand(const fs::path& proc, int id) {
  std::vector<std::string> words;
  std::string text = readSmallFile(proc / std::to_string(id) / "cmdline");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool isInterpreter(std::string_view name) {
  constexpr std::array<std::string_view, 7> kNames = {"python", "bash", "sh",  "perl",
                                                      "node",   "ruby", "java"};
  return std::ranges::any_of(kNames, [&](std::string_view known) {
    return name.starts_with(known) &&
           name.find_first_not_of("0123456789.", known.size()) == name.npos;
  });
}

/// The script or module that an interpreter runs; empty if the code itself is an argument.
std::string scriptOf(const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word[0] != '-') return baseName(word);
    if (word == "-c" || word == "-e") return {};
    if (word == "-W" || word == "-X" || word == "-o") ++i;  // options with a value
  }
  return {};
}

/// The file that runs. Its link says "(deleted)" once it was replaced.
std::string fileName(const fs::path& proc, int id) {
  std::error_code failed;
  const fs::path file = fs::read_symlink(proc / std::to_string(id) / "exe", failed);
  if (failed) return {};
  const std::string name = baseName(file.string());
  return name.substr(0, name.find(" (deleted)"));
}

}  // namespace

std::vector<ProcessCpu> ancestors(const fs::path& proc, double ticksPerSecond) {
  std::vector<ProcessCpu> all;
  std::optional<int> id = parentOf(proc, "self");
  for (int i = 0; id && i < kMostGenerations; ++i) {
    const std::string name = std::to_string(*id);
    if (const auto times = parseProcessTimes(readSmallFile(proc / name / "stat"), ticksPerSecond))
      all.push_back({*id, times->cpuSeconds});
    id = parentOf(proc, name);
  }
  return all;
}

double cpuSecondsBetween(const std::vector<ProcessCpu>& earlier,
                         const std::vector<ProcessCpu>& later) {
  double seconds = 0;
  for (const ProcessCpu& process : later) {
    const auto before = std::ranges::find(earlier, process.id, &ProcessCpu::id);
    if (before != earlier.end()) seconds += std::max(0.0, process.seconds - before->seconds);
  }
  return seconds;
}

bool isDescendant(const fs::path& proc, int id) {
  const int own = getpid();
  std::optional<int> parent = parentOf(proc, std::to_string(id));
  for (int i = 0; parent && i < kMostGenerations; ++i) {
    if (*parent == own) return true;
    parent = parentOf(proc, std::to_string(*parent));
  }
  return false;
}

std::vector<int> descendants(const fs::path& proc) {
  constexpr std::size_t kMostDescendants = 4096;
  std::vector<int> all = childrenOf(proc / "self");
  for (std::size_t i = 0; i < all.size() && all.size() < kMostDescendants; ++i)
    std::ranges::copy(childrenOf(proc / std::to_string(all[i])), std::back_inserter(all));
  return all;
}

std::string programName(const fs::path& proc, int id, const std::string& kernelName) {
  const std::vector<std::string> words = wordsOfCommand(proc, id);
  std::string name = words.empty() ? kernelName : baseName(words.front());
  // A program that starts itself again does so by this link.
  if (name == "exe") name = fileName(proc, id);
  if (name.empty()) return kernelName;
  if (words.empty() || !isInterpreter(name)) return name;
  const std::string script = scriptOf(words);
  return script.empty() ? name : name + ' ' + script;
}

}  // namespace millrace
