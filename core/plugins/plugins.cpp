// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/plugins/plugins.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include <fmt/format.h>

#include "core/base/loaded_library.h"
#include "core/base/text/text.h"
#include "core/base/user_folder.h"
#include "core/plugins/plugin_call.h"
#include "core/plugins/plugin_kind.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostKinds = 1000;
constexpr std::size_t kMostDescriptionBytes = std::size_t{1} << 20;

/// The folder of the installation that this program or library belongs to: `lib/millrace/nodes`
/// below one of the folders above its file. Empty if there is none.
fs::path installedFolder() {
  Dl_info self{};
  // The link of a program is its file; the name in `self` may be as the program was called.
  std::error_code error;
  fs::path file = fs::read_symlink("/proc/self/exe", error);
  static const int anchor = 0;
  if (::dladdr(&anchor, &self) != 0 && self.dli_fname != nullptr &&
      std::string_view(self.dli_fname).find(".so") != std::string_view::npos)
    file = fs::canonical(self.dli_fname, error);
  for (int up = 0; up < 3 && file.has_parent_path(); ++up) {
    file = file.parent_path();
    const fs::path folder = file / "lib" / "millrace" / "nodes";
    if (fs::is_directory(folder, error)) return folder;
  }
  return {};
}

/// A text of a plug-in; NULL is empty.
std::string textIn(const char* text, std::size_t most) {
  return text == nullptr ? std::string() : std::string(text, ::strnlen(text, most));
}

bool isPluginName(std::string_view name) {
  return !name.empty() && name.size() <= 40 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

class PluginLoader {
 public:
  explicit PluginLoader(Catalog& catalog) : m_catalog(catalog) {}

  void place(const PluginPlace& place) {
    std::error_code error;
    const fs::file_status status = fs::status(place.path, error);
    if (fs::is_directory(status)) return folder(place.path);
    if (fs::is_regular_file(status)) return open(place.path);
    if (place.asked)
      refuse(place.path, fs::exists(status)
                             ? "is neither a file nor a folder"
                             : "is named by MILLRACE_NODES, and there is no such file or folder");
  }

 private:
  void refuse(const fs::path& file, const std::string& why) {
    m_catalog.refuse(fmt::format("{} {}", singleLine(file.string()), why));
  }

  void folder(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> files;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      if (it->path().extension() == ".so" && it->is_regular_file(error))
        files.push_back(it->path());
    if (error) return refuse(folder, "cannot be listed: " + error.message());
    std::ranges::sort(files);
    for (const fs::path& file : files) open(file);
  }

  void open(const fs::path& path) {
    std::error_code error;
    const fs::path file = fs::canonical(path, error);
    if (error || !m_opened.insert(file).second) return;
    auto library = LoadedLibrary::open(file.string());
    if (!library) return m_catalog.refuse(singleLine(library.error().message));
    decltype(&millrace_nodes) function = nullptr;
    library->find(function, "millrace_nodes");
    if (function == nullptr)
      return refuse(file, "exports no function millrace_nodes, so it has no node kinds");
    const millrace_node_plugin* plugin = nullptr;
    const Status called = callPlugin([&](char*, std::size_t) {
      plugin = function();
      return 0;
    });
    if (!called) return refuse(file, "cannot be used: " + called.error().message);
    if (plugin == nullptr) return refuse(file, "has no table: its millrace_nodes returned NULL");
    addKinds(file, *plugin);
  }

  void addKinds(const fs::path& file, const millrace_node_plugin& plugin) {
    if (plugin.abi != MILLRACE_NODE_ABI)
      return refuse(
          file, fmt::format("is made for version {} of the interface for nodes, and this Millrace "
                            "has version {}: build it again with the millrace_node.h that is "
                            "installed with this Millrace",
                            plugin.abi, MILLRACE_NODE_ABI));
    if (plugin.kind_size != sizeof(millrace_node_kind))
      return refuse(file, fmt::format("says that a kind has {} bytes, and it has {}",
                                      plugin.kind_size, sizeof(millrace_node_kind)));
    m_plugin = textIn(plugin.name, 100);
    if (!isPluginName(m_plugin))
      return refuse(file, "has no name of at most 40 lower-case letters, digits, _ and -");
    if (plugin.kind_count == 0 || plugin.kind_count > kMostKinds || plugin.kinds == nullptr)
      return refuse(file, fmt::format("has {} kinds", plugin.kind_count));
    for (std::size_t i = 0; i < plugin.kind_count; ++i)
      if (const Status added = addKind(file, plugin.kinds[i]); !added)
        refuse(file, fmt::format("has a kind that cannot be used (number {}): {}", i + 1,
                                 added.error().message));
  }

  Status addKind(const fs::path& file, const millrace_node_kind& calls) {
    MILLRACE_ASSIGN_OR_RETURN(KindDescription kind, readKindDescription(textIn(
                                                        calls.description, kMostDescriptionBytes)));
    const std::string& name = kind.spec.kind;
    if (const NodeSpec* const there = m_catalog.find(name))
      return Error{there->plugin.empty()
                       ? fmt::format("Millrace itself has a kind `{}`", name)
                       : fmt::format("the plug-in `{}` has a kind `{}` too", there->plugin, name)};
    if (kind.batch ? calls.process_batch == nullptr : calls.process == nullptr)
      return Error{
          fmt::format("`{}` has no function {}", name, kind.batch ? "process_batch" : "process")};
    kind.spec.plugin = m_plugin;
    kind.spec.pluginFile = file.string();
    m_catalog.add(nodeSpecOf(std::move(kind), calls));
    return {};
  }

  Catalog& m_catalog;
  std::set<fs::path> m_opened;
  std::string m_plugin;  ///< the name of the one that is being added
};

}  // namespace

std::vector<PluginPlace> pluginPlaces() {
  std::vector<PluginPlace> places;
  const char* const named = std::getenv("MILLRACE_NODES");
  for (const std::string& path : split(named == nullptr ? "" : named, ':'))
    if (!path.empty()) places.push_back({path, true});
  if (const fs::path folder = userDataFolder(); !folder.empty())
    places.push_back({folder / "nodes", false});
  if (const fs::path folder = installedFolder(); !folder.empty()) places.push_back({folder, false});
  return places;
}

void fixPluginPaths() {
  const char* const named = std::getenv("MILLRACE_NODES");
  if (named == nullptr) return;
  std::vector<std::string> paths;
  std::error_code error;
  for (const std::string& path : split(named, ':'))
    if (!path.empty()) paths.push_back(fs::absolute(path, error).string());
  ::setenv("MILLRACE_NODES", join(paths, ":").c_str(), 1);
}

void addPlugins(const std::vector<PluginPlace>& places, Catalog& catalog) {
  PluginLoader loader(catalog);
  for (const PluginPlace& place : places) loader.place(place);
}

}  // namespace millrace
