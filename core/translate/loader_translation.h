// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/own_loader/own_loader.h"

namespace millrace {

class TrialProcess;

/// What became of a part of a loader.
enum class Translated : std::uint8_t {
  Exact,    ///< nodes do the same
  Differs,  ///< nodes do nearly the same; the note says what differs
  Yours,    ///< a node calls the user's object
  LeftOut   ///< nothing does it; the note says why
};
/// "exact", "differs", "yours", "left out".
const char* nameOf(Translated how);

struct TranslatedPart {
  std::string was;                  ///< "RandomCrop(size=224)"
  std::vector<std::string> became;  ///< kinds of nodes
  Translated how = Translated::Exact;
  std::string note;
};

/// A user's loader as a pipeline. Value.
struct LoaderTranslation {
  std::string what;                                           ///< "PyTorch DataLoader"
  std::vector<std::pair<std::string, std::string>> versions;  ///< of the interpreter and packages
  std::vector<TranslatedPart> parts;                          ///< in the loader's order
  Graph graph;  ///< a chain from source to consumer; relative paths start at `base`
  std::filesystem::path base;
  std::string dataset;  ///< path of the dataset in the file: "loader.dataset"
  /// What a sample of it consists of: the key or the place of each part, and the field that it is.
  std::vector<std::pair<std::string, std::string>> fields;
  /// The samples that the loader's sampler selects, by their numbers in the dataset; nullopt: all.
  std::optional<std::vector<std::int64_t>> chosen;
  std::vector<std::string> own;  ///< ids of nodes that call the user's code
  bool centred = true;           ///< the user's dataset is not called by a node
  bool hasManifest = false;      ///< the list of files was written
};

/// Translates a loader in a process of the user's interpreter, which ends with everything that it
/// has started. `run` once, on one thread; `stop` from any.
class LoaderTranslator {
 public:
  /// The document will lie in the folder `base`. If the samples need a list of files, the document
  /// names `manifest`, and the list is written to that name with `.part` added.
  LoaderTranslator(OwnLoader loader, std::filesystem::path base, std::filesystem::path manifest);

  /// Blocks until the process has ended. The error is a sentence, then lines with the user's
  /// frames.
  Result<LoaderTranslation> run();
  void stop() MILLRACE_EXCLUDES(m_mutex);

 private:
  const OwnLoader m_loader;
  const std::filesystem::path m_base;
  const std::filesystem::path m_manifest;
  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  TrialProcess* m_process MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
