// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/translate/loader_translation.h"
#include "core/translate/translation_proof.h"

namespace millrace {

/// What to translate, and where the document goes. Value.
struct TranslateSettings {
  OwnLoader loader;
  std::string word;         ///< the loader as the user named it
  std::string interpreter;  ///< the same of the interpreter
  std::filesystem::path output;
  IfThere ifThere = IfThere::Refuse;
  std::size_t samples = 16;  ///< that are compared; 0: none

  /// Where the list of files is written if the translation needs one: `mine.millrace.csv`
  /// for `mine.millrace.json`, a name that a table of the user does not have.
  std::filesystem::path manifest() const;
};

struct TranslateOutcome {
  LoaderTranslation translation;
  std::optional<TranslationProof> proof;
  std::string noProof;   ///< why samples could not be compared; empty if they were
  bool stopped = false;  ///< before all samples were compared
};

/// Translates a user's loader, writes the document, and compares samples. `run` once, on one
/// thread; `stop` from any, at any time.
class TranslateJob {
 public:
  explicit TranslateJob(TranslateSettings settings);

  /// Blocks. The error says why there is no document; nothing is written then.
  Result<TranslateOutcome> run();
  void stop() MILLRACE_EXCLUDES(m_mutex);
  bool wasStopped() MILLRACE_EXCLUDES(m_mutex);

 private:
  Result<LoaderTranslation> translate();

  const TranslateSettings m_settings;
  LoaderTranslator m_translator;
  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
};

}  // namespace millrace
