// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/convert/convert_job.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/clock.h"
#include "core/jobs/common/decoding.h"
#include "core/jobs/inspect/inspect_job.h"
#include "core/jobs/run/reduction_warnings.h"
#include "core/nodes/builtin.h"

namespace millrace {

Status ConvertJob::checkApart(const std::filesystem::path& source,
                              const std::filesystem::path& target) {
  std::error_code error;
  const auto a = std::filesystem::weakly_canonical(source, error);
  const auto b = std::filesystem::weakly_canonical(target, error);
  const auto within = [](const std::filesystem::path& inner, const std::filesystem::path& outer) {
    const auto at = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    return at.first == outer.end();
  };
  if (!std::filesystem::exists(source, error) || (!within(a, b) && !within(b, a))) return {};
  if (a == b) return Error{fmt::format("source and target are the same: `{}`", a.native())};
  return Error{fmt::format("source and target must not contain each other: `{}` and `{}`",
                           a.native(), b.native())};
}

Result<LoadedPipeline> ConvertJob::pipeline() const {
  if (const auto* pipeline = std::get_if<LoadedPipeline>(&m_options.source)) return *pipeline;
  const auto& path = std::get<std::filesystem::path>(m_options.source);
  const FolderContent content = detectContent(path, thoroughScan(), &m_stop);
  if (!isReadable(content)) return Error{content.description};
  MILLRACE_ASSIGN_OR_RETURN(
      auto proposal, proposePipeline(content, builtinCatalog(), {}, ListsOfClasses::LeaveOut));
  return LoadedPipeline{std::move(proposal.graph), {}};
}

Result<Converted> ConvertJob::run(ConvertObserver& observer) {
  ConvertOptions options = m_options.conversion;
  MILLRACE_ASSIGN_OR_RETURN(const LoadedPipeline pipeline, this->pipeline());
  MILLRACE_ASSIGN_OR_RETURN(options.source,
                            openSourceOf(pipeline.graph, builtinCatalog(), pipeline.base));
  MILLRACE_ASSIGN_OR_RETURN(options.pictures.decode, decodingOf(pipeline.graph, pipeline.base));
  options.pagesOf = kindWithPages(pipeline.graph);
  options.allowedFailures = m_options.failures.allowed(options.source->size());
  observer.onStart();
  const auto begun = steadyClock().now();
  auto outcome = convertData(options, [&](const ConvertProgress& progress) {
    observer.onProgress(progress);
    return !m_stop;
  });
  if (!outcome) return outcome.error();
  Converted done;
  done.target = options.target.native();
  done.kind = options.format->name;
  done.outcome = outcome.take();
  done.seconds = toSeconds(steadyClock().now() - begun);
  done.verified = options.verify;
  return done;
}

}  // namespace millrace
