// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/translate/translate_job.h"

#include <fmt/format.h>

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

fs::path beside(const fs::path& file) {
  fs::path path = file;
  path += ".part";
  return path;
}

fs::path folderOf(const fs::path& file) {
  return fs::absolute(file).lexically_normal().parent_path();
}

}  // namespace

fs::path TranslateSettings::manifest() const {
  const std::string full = output.filename().string();
  std::string_view name = full;
  for (const std::string_view end : {".json", ".millrace"})
    if (name.ends_with(end)) name.remove_suffix(end.size());
  return folderOf(output) / (std::string(name) + ".millrace.csv");
}

TranslateJob::TranslateJob(TranslateSettings settings)
    : m_settings(std::move(settings)),
      m_translator(m_settings.loader, folderOf(m_settings.output), m_settings.manifest()) {}

Result<TranslateOutcome> TranslateJob::run() {
  MILLRACE_TRY(mayWrite(m_settings.output, m_settings.ifThere));
  TranslateOutcome outcome;
  MILLRACE_ASSIGN_OR_RETURN(outcome.translation, translate());
  if (m_settings.samples == 0) return outcome;
  auto proof = proveTranslation(outcome.translation, m_settings.loader, m_settings.samples,
                                [this] { return !wasStopped(); });
  if (proof)
    outcome.proof = proof.take();
  else
    outcome.noProof = proof.error().message;
  outcome.stopped = wasStopped();
  return outcome;
}

/// Writes the document and the manifest, or nothing.
Result<LoaderTranslation> TranslateJob::translate() {
  const fs::path manifest = m_settings.manifest();
  std::error_code ignored;
  auto translation = m_translator.run();
  if (!translation) {
    fs::remove(beside(manifest), ignored);
    return translation;
  }
  if (translation->hasManifest) {
    Status kept = mayWrite(manifest, m_settings.ifThere);
    std::error_code error;
    if (kept) fs::rename(beside(manifest), manifest, error);
    if (error)
      kept = Error{fmt::format("{} cannot be written: {}", manifest.string(), error.message())};
    if (!kept) {
      fs::remove(beside(manifest), ignored);
      return kept.error();
    }
  }
  MILLRACE_TRY(writeWholeFile(m_settings.output, graphText(translation->graph, builtinCatalog()),
                              m_settings.ifThere));
  return translation;
}

void TranslateJob::stop() {
  {
    const MutexLock lock(m_mutex);
    m_stopped = true;
  }
  m_translator.stop();
}

bool TranslateJob::wasStopped() {
  const MutexLock lock(m_mutex);
  return m_stopped;
}

}  // namespace millrace
