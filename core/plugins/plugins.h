// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "core/spec/catalog.h"

namespace millrace {

/// Where a plug-in may be, in the order in which they are searched: the files and folders of
/// MILLRACE_NODES, the user's folder, the folder of the installation. `asked`: the user named it,
/// so it must exist.
struct PluginPlace {
  std::filesystem::path path;
  bool asked = false;
};
std::vector<PluginPlace> pluginPlaces();

/// Makes the paths in MILLRACE_NODES absolute, for child processes in other folders. To be called
/// before any thread starts.
void fixPluginPaths();

/// Opens the plug-ins there and adds their kinds; notes with Catalog::refuse() what cannot be used.
/// They stay loaded to the end of the process.
void addPlugins(const std::vector<PluginPlace>& places, Catalog& catalog);

}  // namespace millrace
