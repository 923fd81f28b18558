// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/junk_names.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/sample_data/sample_cache.h"

namespace millrace {

namespace {

using JunkKind = JunkRule::Kind;

constexpr std::array kJunkRules = {
    // Hidden: `.DS_Store`, AppleDouble `._1.jpg`, `.ipynb_checkpoints`, `.git`.
    JunkRule{JunkKind::Begins, "."},
    // Files of an open office document.
    JunkRule{JunkKind::Begins, "~$"},
    JunkRule{JunkKind::Begins, "_committed_"},
    JunkRule{JunkKind::Begins, "events.out.tfevents."},
    JunkRule{JunkKind::Begins, "_started_"},
    // Backups, unfinished downloads, locks.
    JunkRule{JunkKind::Ends, "~"},
    JunkRule{JunkKind::Ends, ".part"},
    JunkRule{JunkKind::Ends, ".partial"},
    JunkRule{JunkKind::Ends, ".crdownload"},
    JunkRule{JunkKind::Ends, ".download"},
    JunkRule{JunkKind::Ends, ".filepart"},
    JunkRule{JunkKind::Ends, ".aria2"},
    JunkRule{JunkKind::Ends, ".incomplete"},
    JunkRule{JunkKind::Ends, ".opdownload"},
    JunkRule{JunkKind::Ends, ".!qb"},
    JunkRule{JunkKind::Ends, ".!ut"},
    JunkRule{JunkKind::Ends, ".torrent"},
    JunkRule{JunkKind::Ends, ".dvc"},
    JunkRule{JunkKind::Ends, ".tmp"},
    JunkRule{JunkKind::Ends, ".temp"},
    JunkRule{JunkKind::Ends, ".bak"},
    JunkRule{JunkKind::Ends, ".swp"},
    JunkRule{JunkKind::Ends, ".swo"},
    JunkRule{JunkKind::Ends, ".lock"},
    JunkRule{JunkKind::Ends, ".lck"},
    // Checksums and signatures.
    JunkRule{JunkKind::Ends, ".md5"},
    JunkRule{JunkKind::Ends, ".sha1"},
    JunkRule{JunkKind::Ends, ".sha224"},
    JunkRule{JunkKind::Ends, ".sha256"},
    JunkRule{JunkKind::Ends, ".sha384"},
    JunkRule{JunkKind::Ends, ".sha512"},
    JunkRule{JunkKind::Ends, ".md5sum"},
    JunkRule{JunkKind::Ends, ".sha1sum"},
    JunkRule{JunkKind::Ends, ".sha256sum"},
    JunkRule{JunkKind::Ends, ".sha512sum"},
    JunkRule{JunkKind::Ends, ".crc"},
    JunkRule{JunkKind::Ends, ".sfv"},
    JunkRule{JunkKind::Ends, ".asc"},
    JunkRule{JunkKind::Ends, ".sig"},
    // Streams of NTFS that a copy has made files: `1.jpg:Zone.Identifier`.
    JunkRule{JunkKind::Ends, ".identifier"},
    JunkRule{JunkKind::Is, "thumbs.db:encryptable"},
    JunkRule{JunkKind::Is, "md5sum"},
    JunkRule{JunkKind::Is, "md5sums"},
    JunkRule{JunkKind::Is, "md5sums.txt"},
    JunkRule{JunkKind::Is, "sha1sums"},
    JunkRule{JunkKind::Is, "sha1sums.txt"},
    JunkRule{JunkKind::Is, "sha256sum"},
    JunkRule{JunkKind::Is, "sha256sums"},
    JunkRule{JunkKind::Is, "sha256sums.txt"},
    JunkRule{JunkKind::Is, "sha512sums"},
    JunkRule{JunkKind::Is, "sha512sums.txt"},
    JunkRule{JunkKind::Is, "b2sums"},
    JunkRule{JunkKind::Is, "checksum"},
    JunkRule{JunkKind::Is, "checksums"},
    JunkRule{JunkKind::Is, "checksums.txt"},
    // Windows, macOS, file servers, tools.
    JunkRule{JunkKind::Is, "thumbs.db"},
    JunkRule{JunkKind::Is, "ehthumbs.db"},
    JunkRule{JunkKind::Is, "ehthumbs_vista.db"},
    JunkRule{JunkKind::Is, "desktop.ini"},
    JunkRule{JunkKind::Is, "folder.ini"},
    JunkRule{JunkKind::Is, "autorun.inf"},
    JunkRule{JunkKind::Is, "picasa.ini"},
    JunkRule{JunkKind::Is, "icon\r"},
    JunkRule{JunkKind::Is, "$recycle.bin"},
    JunkRule{JunkKind::Is, "recycler"},
    JunkRule{JunkKind::Is, "found.000"},
    JunkRule{JunkKind::Is, "system volume information"},
    JunkRule{JunkKind::Is, "network trash folder"},
    JunkRule{JunkKind::Is, "temporary items"},
    JunkRule{JunkKind::Is, "zbthumbnail.info"},
    JunkRule{JunkKind::Is, "_gsdata_"},
    JunkRule{JunkKind::Is, "__macosx"},
    JunkRule{JunkKind::Is, "@eadir"},
    JunkRule{JunkKind::Is, "@__thumb"},
    JunkRule{JunkKind::Is, "@tmp"},
    JunkRule{JunkKind::Is, "@recycle"},
    JunkRule{JunkKind::Is, "@recently-snapshot"},
    JunkRule{JunkKind::Is, "#recycle"},
    JunkRule{JunkKind::Is, "#snapshot"},
    JunkRule{JunkKind::Is, "lost+found"},
    JunkRule{JunkKind::Is, "__pycache__"},
    JunkRule{JunkKind::Is, "cvs"},
    JunkRule{JunkKind::Is, "wandb"},
    JunkRule{JunkKind::Is, "mlruns"},
    JunkRule{JunkKind::Is, "lightning_logs"},
    JunkRule{JunkKind::Is, "venv"},
    JunkRule{JunkKind::Is, "node_modules"},
    JunkRule{JunkKind::Is, "_temporary"},
    JunkRule{JunkKind::Is, "_success"},
    JunkRule{JunkKind::Is, "_metadata"},
    JunkRule{JunkKind::Is, "_common_metadata"},
    // Texts about the data.
    JunkRule{JunkKind::Document, "readme"},
    JunkRule{JunkKind::Document, "license"},
    JunkRule{JunkKind::Document, "licence"},
    JunkRule{JunkKind::Document, "copying"},
    JunkRule{JunkKind::Document, "copyright"},
    JunkRule{JunkKind::Document, "notice"},
    JunkRule{JunkKind::Document, "citation"},
    JunkRule{JunkKind::Document, "attribution"},
    JunkRule{JunkKind::Document, "authors"},
    JunkRule{JunkKind::Document, "credits"},
    JunkRule{JunkKind::Document, "changelog"},
    // Files that a class folder may contain, and that are not pictures.
    JunkRule{JunkKind::Text, "txt"},
    JunkRule{JunkKind::Text, "md"},
    JunkRule{JunkKind::Text, "rst"},
    JunkRule{JunkKind::Text, "rtf"},
    JunkRule{JunkKind::Text, "pdf"},
    JunkRule{JunkKind::Text, "doc"},
    JunkRule{JunkKind::Text, "docx"},
    JunkRule{JunkKind::Text, "xls"},
    JunkRule{JunkKind::Text, "xlsx"},
    JunkRule{JunkKind::Text, "csv"},
    JunkRule{JunkKind::Text, "tsv"},
    JunkRule{JunkKind::Text, "json"},
    JunkRule{JunkKind::Text, "jsonl"},
    JunkRule{JunkKind::Text, "xml"},
    JunkRule{JunkKind::Text, "yaml"},
    JunkRule{JunkKind::Text, "yml"},
    JunkRule{JunkKind::Text, "toml"},
    JunkRule{JunkKind::Text, "ini"},
    JunkRule{JunkKind::Text, "cfg"},
    JunkRule{JunkKind::Text, "log"},
    JunkRule{JunkKind::Text, "html"},
    JunkRule{JunkKind::Text, "htm"},
    JunkRule{JunkKind::Text, "url"},
    JunkRule{JunkKind::Text, "lnk"},
    JunkRule{JunkKind::Text, "py"},
    JunkRule{JunkKind::Text, "sh"},
    JunkRule{JunkKind::Text, "ipynb"},
    JunkRule{JunkKind::Text, "db"},
    JunkRule{JunkKind::Text, "sqlite"},
    JunkRule{JunkKind::Text, "zip"},
    JunkRule{JunkKind::Text, "tar"},
    JunkRule{JunkKind::Text, "gz"},
    JunkRule{JunkKind::Text, "npy"},
    JunkRule{JunkKind::Text, "npz"},
    JunkRule{JunkKind::Text, "parquet"},
    JunkRule{JunkKind::Text, "tfrecord"},
    JunkRule{JunkKind::Text, "h5"},
    JunkRule{JunkKind::Text, "hdf5"},
    JunkRule{JunkKind::Text, "mdb"},
    JunkRule{JunkKind::Text, "arrow"},
    JunkRule{JunkKind::Text, "pt"},
    JunkRule{JunkKind::Text, "pth"},
    JunkRule{JunkKind::Text, "ckpt"},
    JunkRule{JunkKind::Text, "onnx"},
    JunkRule{JunkKind::Text, "safetensors"},
    JunkRule{JunkKind::Text, "mat"},
    JunkRule{JunkKind::Text, "pts"},
    JunkRule{JunkKind::Text, "pkl"},
    JunkRule{JunkKind::Text, "xmp"},
    JunkRule{JunkKind::Text, "aae"},
    // LMDB's records about the database; other keys with two underscores at both ends are, too.
    JunkRule{JunkKind::Record, "__len__"},
    JunkRule{JunkKind::Record, "__keys__"},
    JunkRule{JunkKind::Record, "length"},
    JunkRule{JunkKind::Record, "len"},
    JunkRule{JunkKind::Record, "num_samples"},
    JunkRule{JunkKind::Record, "num-samples"},
    JunkRule{JunkKind::Record, "nsamples"},
    JunkRule{JunkKind::Record, "size"},
    JunkRule{JunkKind::Record, "count"},
    JunkRule{JunkKind::Record, "keys"},
    JunkRule{JunkKind::Record, "meta"},
    JunkRule{JunkKind::Record, "metadata"},
    JunkRule{JunkKind::Record, "meta_info"},
};

/// Longer names are compared only by their beginning and their extension.
constexpr std::size_t kLongestName = 40;
using JunkWords = std::unordered_set<std::string_view>;

JunkWords wordsOf(JunkKind kind) {
  JunkWords words;
  for (const JunkRule& rule : kJunkRules)
    if (rule.kind == kind) words.insert(rule.text);
  return words;
}

const JunkWords& wordsFor(JunkKind kind) {
  static const std::array<JunkWords, 6> words{
      wordsOf(JunkKind::Begins),   wordsOf(JunkKind::Ends), wordsOf(JunkKind::Is),
      wordsOf(JunkKind::Document), wordsOf(JunkKind::Text), wordsOf(JunkKind::Record)};
  return words[static_cast<std::size_t>(kind)];
}

/// A name in lower case, without allocation for the usual short ones.
class LowName {
 public:
  explicit LowName(std::string_view name) : m_text(name.substr(0, kLongestName)) {
    for (char& letter : m_text)
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  std::string_view text() const { return m_text; }

 private:
  std::string m_text;
};

/// With the dot; empty if there is none.
std::string_view endingOf(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : name.substr(dot);
}

bool begins(std::string_view name) {
  return std::ranges::any_of(wordsFor(JunkKind::Begins),
                             [&](std::string_view text) { return name.starts_with(text); });
}

/// A document's first word ends where the letters end: `LICENSE-CC0.txt`.
bool isDocument(std::string_view low, std::string_view ending) {
  if (ending.size() > 1 && !wordsFor(JunkKind::Text).contains(ending.substr(1))) return false;
  std::size_t letters = 0;
  while (letters < low.size() && low[letters] >= 'a' && low[letters] <= 'z') ++letters;
  return wordsFor(JunkKind::Document).contains(low.substr(0, letters));
}

}  // namespace

std::span<const JunkRule> junkRules() { return kJunkRules; }

bool isJunkFolder(std::string_view name) {
  const LowName low(name);
  return begins(low.text()) ||
         (name.size() <= kLongestName && wordsFor(JunkKind::Is).contains(low.text()));
}

bool isJunkFile(std::string_view name) {
  if (name.empty()) return false;
  const LowName beginning(name);
  const std::string_view low = beginning.text();
  if (begins(low) || wordsFor(JunkKind::Ends).contains(std::string_view(&name.back(), 1)))
    return true;
  const LowName end(endingOf(name));
  if (!end.text().empty() && wordsFor(JunkKind::Ends).contains(end.text())) return true;
  const bool whole = name.size() <= kLongestName;
  return (whole && wordsFor(JunkKind::Is).contains(low)) || isDocument(low, end.text());
}

bool isJunkAmongPictures(std::string_view name) {
  const LowName end(endingOf(name));
  return isJunkFile(name) ||
         (end.text().size() > 1 && wordsFor(JunkKind::Text).contains(end.text().substr(1)));
}

bool isJunkPath(std::string_view path) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/')) {
    const std::string_view folder = path.substr(0, slash);
    path.remove_prefix(slash + 1);
    if (folder != "." && folder != ".." && isJunkFolder(folder)) return true;
  }
  return isJunkFile(path);
}

bool isJunkRecord(std::string_view key) {
  if (key.size() > 4 && key.starts_with("__") && key.ends_with("__")) return true;
  return wordsFor(JunkKind::Record).contains(LowName(key).text());
}

void JunkCount::add(std::string_view name) {
  constexpr std::size_t kNamed = 6;
  // The program itself wrote its stamp: it is not the data's.
  if (name == samples::kStampName) return;
  ++m_count;
  const auto found = std::ranges::find(m_names, name, &Named::name);
  if (found != m_names.end())
    ++found->count;
  else if (m_names.size() < kNamed)
    m_names.push_back({std::string(name), 1});
  else
    ++m_others;
}

std::string JunkCount::note(std::string_view remedy) const {
  if (m_count == 0) return {};
  std::vector<std::string> names;
  std::vector<Named> sorted = m_names;
  std::ranges::sort(sorted, {}, &Named::name);
  for (const Named& named : sorted) {
    std::string text = visibleName(named.name);
    if (named.count > 1) text += fmt::format(" ({})", grouped(named.count));
    names.push_back(std::move(text));
  }
  if (m_others > 0) names.push_back(fmt::format("and {} more", grouped(m_others)));
  std::string text = fmt::format("{} left out, because {} not data by {} name: {}",
                                 grouped(m_count), m_count == 1 ? "it is" : "they are",
                                 m_count == 1 ? "its" : "their", join(names, ", "));
  if (!remedy.empty()) text += fmt::format("; {}", remedy);
  return text;
}

}  // namespace millrace
