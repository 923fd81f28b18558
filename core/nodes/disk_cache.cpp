// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cache/disk_cache.h"

#include <fmt/format.h>

#include "core/base/user_folder.h"
#include "core/cache/data_digest.h"
#include "core/spec/describe.h"

namespace millrace::nodes {

namespace {

struct Params {
  std::string path;
  std::int64_t limit = std::int64_t{32} << 30U;
};

/// Counted up with every change of what is in a cache's files, or of what a node makes of the same
/// samples within one version of the engine.
constexpr int kCacheVersion = 1;

Result<std::shared_ptr<SampleCache>> open(const Params& params, const BuildContext& context) {
  if (context.source == nullptr) return Error{"samples cannot be kept before the data is open"};
  DiskCacheSettings settings;
  settings.root = params.path.empty() ? userCacheFolder() / "cache" : (context.base / params.path);
  settings.key = fmt::format("millrace cache {}\ndata {:016x}, {} samples\n{}\n", kCacheVersion,
                             dataDigest(*context.source), context.source->size(), context.madeBy);
  settings.samples = context.source->size();
  settings.fields = context.in.fields.size();
  settings.limitBytes = static_cast<std::uint64_t>(params.limit);
  auto cache = DiskCache::open(settings);
  if (!cache) return cache.error();
  return std::shared_ptr<SampleCache>(cache.take());
}

StreamType infer(const Params&, const StreamType& in, InferContext&) { return in; }

/// For every target: none of them knows whether what lies on the disk is still what it would make.
ExportText keepsNothing(const Params&, const ExportContext& context) {
  ExportText text;
  return text.limit(context.node +
                    ": nothing is kept on the disk, every epoch reads and decodes its files "
                    "again. What a cache of the target's own keeps has to be removed by hand when "
                    "data or parameters change.");
}

}  // namespace

NodeSpec disk_cache() {
  Describe<Params> d("disk_cache", Category::Cache, NodeRole::Cache);
  d.label("Disk cache")
      .help(
          "Keeps samples on the disk as they are here, so that a later run, or another that goes "
          "on meanwhile, need not make them again. They are found again as long as the data and "
          "every node in front, with its parameters, are the same; files count as changed when "
          "their size or their times are others. Each sample is compared with its check sum when "
          "it is read, and made anew where it is damaged. Best behind what makes pictures small.");
  d.example(R"({"path": "/scratch/cache", "limit": 200000000000})");
  d.tags({"cache", "disk", "ssd", "nvme", "persistent"});
  // A text: what a path names has to be there when the pipeline is checked.
  d.text("path", &Params::path)
      .label("Folder")
      .folder()
      .optional()
      .help(
          "Where caches are kept, each pipeline's in a folder of its own; made when it is not "
          "there. A relative one starts at the pipeline file. Empty: "
          "$XDG_CACHE_HOME/millrace/cache.");
  d.integer("limit", &Params::limit)
      .label("Limit")
      .range(1 << 20, 1e15)
      .unit("bytes")
      .help(
          "What all caches in that folder may take together. At the limit those of other "
          "pipelines go, the one opened longest ago first; then nothing more is kept. Some of the "
          "disk is always left free.");
  d.infer(infer);
  d.cache(open);
  d.exporter("pytorch", keepsNothing);
  d.exporter("tfdata", keepsNothing);
  d.exporter("dali", keepsNothing);
  return d.take();
}

}  // namespace millrace::nodes
