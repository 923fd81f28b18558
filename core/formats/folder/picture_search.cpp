// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/picture_search.h"

#include <algorithm>
#include <utility>

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/folder/file_list.h"
#include "core/formats/folder/files_by_name.h"
#include "core/formats/folder/loose_names.h"
#include "core/formats/folder/manifest_columns.h"
#include "core/formats/io/data_place.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// Cells whose pictures are looked for in each place.
constexpr std::size_t kSearched = 32;
/// Of these, cells whose ends are looked for if none of the paths exists.
constexpr std::size_t kEndsSearched = 4;
/// Folders next to the table that paths may start in.
constexpr std::size_t kMostRoots = 64;
/// Folders, and folders in them, where pictures are looked for by their names.
constexpr std::size_t kMostFolders = 256;

/// The folder, those in it, and those in these: relative to it.
std::vector<std::string> foldersBelow(const fs::path& folder) {
  std::vector<std::string> all{""};
  for (const std::string& name : listFolders(folder)) all.push_back(name + "/");
  const std::size_t near = std::min(all.size(), kMostFolders);
  for (std::size_t i = 1; i < near && all.size() < kMostFolders; ++i)
    for (const std::string& name : listFolders(folder / all[i])) all.push_back(all[i] + name + "/");
  if (all.size() > kMostFolders) all.resize(kMostFolders);
  return all;
}

}  // namespace

PictureSearch::PictureSearch(const std::vector<std::string>& cells, const fs::path& table)
    : m_folder(table.parent_path()), m_table(table.filename().native()) {
  const std::size_t searched = std::min(cells.size(), kSearched);
  for (std::size_t i = 0; i < searched; ++i)
    if (const std::string& cell = cells[i * cells.size() / searched]; !cell.empty())
      m_cells.push_back(cell);
}

void PictureSearch::find(ManifestForm& form, const ManifestHints& hints) const {
  form.backslashes = std::ranges::any_of(m_cells, [](const std::string& cell) {
    return cell.find('\\') != std::string::npos && cell.find('/') == std::string::npos;
  });
  form.rows = m_cells.size();
  form.byName = false;
  if (isAtServer()) return takeAsWritten(form, hints);
  findRoot(form, hints);
  form.foundFiles = found(form);
  if (form.foundFiles == 0) {
    findPrefix(form, hints);
    form.foundFiles = found(form);
  }
  LooseNames names(form.root);
  if (form.foundFiles < form.rows) findLoose(form, names);
  if (hints.byName.value_or(form.foundFiles < form.rows && areNames())) findByName(form, hints);
  if (!form.byName) takeExamples(form, names);
}

void PictureSearch::takeExamples(ManifestForm& form, LooseNames& names) const {
  for (const std::string& cell : m_cells) {
    std::string path = manifestPath(cell, form);
    if (form.looseNames) path = names.pathOf(path);
    if (isFileAt(form.root / path))
      form.examples.push_back(std::move(path));
    else if (form.firstMissing.empty())
      form.firstMissing = cell;
  }
}

/// Then no paths are tried: a server would be asked for each.
bool PictureSearch::isAtServer() const {
  return isRemotePath(m_folder.native()) ||
         (!m_cells.empty() &&
          std::ranges::all_of(m_cells, [](const std::string& cell) { return isRemotePath(cell); }));
}

void PictureSearch::takeAsWritten(ManifestForm& form, const ManifestHints& hints) const {
  form.root = hints.root.empty() ? m_folder : hints.root;
  form.extension = hints.extension.value_or("");
  for (const std::string& cell : m_cells) {
    std::string path = manifestPath(cell, form);
    if (isPicturePath(path) && (!isRemotePath(cell) || parseRemotePath(cell).ok()))
      form.examples.push_back(std::move(path));
    else if (form.firstMissing.empty())
      form.firstMissing = cell;
  }
  form.foundFiles = form.examples.size();
}

std::size_t PictureSearch::found(const ManifestForm& form) const {
  return static_cast<std::size_t>(std::ranges::count_if(m_cells, [&](const std::string& cell) {
    return isFileAt(form.root / manifestPath(cell, form));
  }));
}

std::vector<fs::path> PictureSearch::roots(const ManifestHints& hints) const {
  if (!hints.root.empty()) return {hints.root};
  std::vector<fs::path> all{m_folder};
  const auto addFolders = [&](const fs::path& parent) {
    for (const std::string& name : foldersFor(m_table, parent))
      if (all.size() < kMostRoots) all.push_back(parent / name);
  };
  addFolders(m_folder);
  // `labels/train.csv` next to `images`. Elsewhere, the folders next to it are other data.
  const fs::path parent = m_folder.parent_path();
  if (isListFolder(m_folder.filename().native()) && parent != m_folder && !parent.empty() &&
      all.size() < kMostRoots) {
    all.push_back(parent);
    addFolders(parent);
  }
  return all;
}

std::vector<std::string> PictureSearch::extensions(const ManifestHints& hints) const {
  if (hints.extension) return {*hints.extension};
  std::vector<std::string> all{""};
  const bool named =
      std::ranges::all_of(m_cells, [](const std::string& cell) { return isPicturePath(cell); });
  if (named) return all;
  for (const std::string& extension : split(pictureExtensions(";"), ';'))
    all.push_back("." + extension);
  for (const char* extension : {".JPG", ".JPEG", ".PNG"}) all.emplace_back(extension);
  return all;
}

/// Whether the table's name has the folder's in it: `train.csv` belongs to `train`.
bool PictureSearch::isNamed(const fs::path& folder) const {
  return folder != m_folder &&
         lowerCase(m_table).find(lowerCase(folder.filename().native())) != std::string::npos;
}

/// The folder that the table's name names, if it has more than half of the files, even if another
/// one has more: that may hold the test pictures, which have the same names. Else the first of the
/// places that has most of them; the manifest's own folder if none has any.
void PictureSearch::findRoot(ManifestForm& form, const ManifestHints& hints) const {
  form.root = hints.root.empty() ? m_folder : hints.root;
  form.extension = hints.extension.value_or("");
  std::size_t most = 0;
  ManifestForm tried = form;
  for (const fs::path& root : roots(hints))
    for (const std::string& extension : extensions(hints))
      for (const bool latin1 : {false, true}) {
        if (latin1 && form.encoding != TextEncoding::Latin1) continue;
        tried.root = root;
        tried.extension = extension;
        tried.latin1Paths = latin1;
        const std::size_t here = found(tried);
        if (here <= most) continue;
        most = here;
        form = tried;
        if (most == m_cells.size() || (isNamed(root) && 2 * most > m_cells.size())) return;
      }
}

/// Paths of another machine: the longest end of a path that exists below one of the places.
void PictureSearch::findPrefix(ManifestForm& form, const ManifestHints& hints) const {
  for (std::size_t i = 0; i < std::min(m_cells.size(), kEndsSearched); ++i) {
    const std::string path = manifestPath(m_cells[i], form);
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1))
      for (const fs::path& root : roots(hints)) {
        if (!isFileAt(root / path.substr(slash + 1))) continue;
        form.root = root;
        form.prefix = path.substr(0, slash + 1);
        return;
      }
  }
}

/// Whether the cells have no folders.
bool PictureSearch::areNames() const {
  return std::ranges::none_of(m_cells, [](const std::string& cell) {
    return cell.find_first_of("/\\") != std::string::npos;
  });
}

/// Pictures in several folders, of which the table has only the names: taken if more are found, and
/// if most names are those of one file.
void PictureSearch::findByName(ManifestForm& form, const ManifestHints& hints) const {
  std::vector<fs::path> tops{hints.root.empty() ? m_folder : hints.root};
  if (hints.root.empty() && isListFolder(m_folder.filename().native()))
    tops.push_back(m_folder.parent_path());
  ManifestForm best = form;
  if (hints.byName) best.foundFiles = 0;
  for (const fs::path& root : tops) {
    const std::vector<std::string> folders = foldersBelow(root);
    for (const std::string& extension : extensions(hints)) {
      ManifestForm tried = form;
      tried.root = root;
      tried.extension = extension;
      tried.byName = true;
      tried.looseNames = false;
      tried.prefix.clear();
      tried.examples.clear();
      tried.firstMissing.clear();
      std::size_t several = 0;
      for (const std::string& cell : m_cells) {
        const std::string name = FilesByName::nameOf(manifestPath(cell, tried));
        const auto isThere = [&](const std::string& folder) {
          return isFileAt(root / (folder + name));
        };
        const auto place = std::ranges::find_if(folders, isThere);
        if (place == folders.end()) {
          if (tried.firstMissing.empty()) tried.firstMissing = cell;
          continue;
        }
        tried.examples.push_back(*place + name);
        if (std::any_of(place + 1, folders.end(), isThere)) ++several;
      }
      tried.foundFiles = tried.examples.size();
      const bool unique = hints.byName || 2 * several < m_cells.size();
      if (unique && tried.foundFiles > best.foundFiles) best = std::move(tried);
      if (best.foundFiles == m_cells.size()) break;
    }
  }
  form = std::move(best);
  if (hints.byName) form.byName = true;
}

/// Whether more files are found under names that look the same.
void PictureSearch::findLoose(ManifestForm& form, LooseNames& names) const {
  const auto loose =
      static_cast<std::size_t>(std::ranges::count_if(m_cells, [&](const std::string& cell) {
        return isFileAt(form.root / names.pathOf(manifestPath(cell, form)));
      }));
  if (loose <= form.foundFiles) return;
  form.foundFiles = loose;
  form.looseNames = true;
}

}  // namespace millrace
