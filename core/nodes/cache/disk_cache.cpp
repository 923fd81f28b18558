// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cache/disk_cache.h"

#include <fmt/format.h>

#include "core/base/user_folder.h"
#include "core/cache/data_digest.h"
#include "core/spec/describe.h"
#include "core/spec/untracked_data.h"

namespace millrace::nodes::disk_cache {

namespace {

struct Params {
  std::string path;
  std::int64_t limit = std::int64_t{32} << 30U;
};

/// Increase it whenever the format of a cache's files changes, or what a node makes of the same
/// samples within one version of the engine.
constexpr int kCacheVersion = 1;

Result<std::shared_ptr<SampleCache>> open(const Params& params, const BuildContext& context) {
  if (context.source == nullptr) return Error{"the cache needs the open data"};
  if (dynamic_cast<const UntrackedData*>(context.source.get()) != nullptr)
    return Error{
        "the cache cannot tell whether the data of the user's dataset has changed: use "
        "memory_cache"};
  DiskCacheSettings settings;
  settings.root = params.path.empty() ? userCacheFolder() / "cache" : (context.base / params.path);
  settings.key =
      fmt::format("millrace cache {}\ndata {:016x}, {} samples\n{}\n", kCacheVersion,
                  dataDigest(*context.source), context.source->size(), context.provenance);
  settings.samples = context.source->size();
  settings.fields = context.in.fields.size();
  settings.limitBytes = static_cast<std::uint64_t>(params.limit);
  MILLRACE_ASSIGN_OR_RETURN(auto cache, DiskCache::open(settings));
  return std::shared_ptr<SampleCache>(std::move(cache));
}

StreamType infer(const Params&, const StreamType& in, InferContext&) { return in; }

/// For every target: none of them can tell whether files on the disk are still valid.
ExportText keepsNothing(const Params&, const ExportContext& context) {
  ExportText text;
  return text.limit(context.node +
                    ": nothing is kept on the disk, every epoch reads and decodes its files "
                    "again. If you add one of the target's caches, empty it yourself when "
                    "data or parameters change.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("disk_cache", Category::Cache, NodeRole::Cache);
  d.label("Disk cache")
      .help(
          "Keeps samples on disk in the state they have here, so that a later run, or another one "
          "at the same time, need not make them again. They are reused as long as the data and all "
          "upstream nodes with their parameters are unchanged; a file counts as changed if its "
          "size or its times differ. The checksum of each sample is verified on reading, and "
          "damaged samples are made again. Best placed after the nodes that make pictures small.");
  d.example(R"({"path": "/scratch/cache", "limit": 200000000000})");
  d.tags({"cache", "disk", "ssd", "nvme", "persistent"});
  // A text and not a path, because a path must exist when the pipeline is checked.
  d.text("path", &Params::path)
      .label("Folder")
      .folder()
      .optional()
      .help(
          "Folder for the caches, with a subfolder per pipeline; created if it does not exist. A "
          "relative folder starts at the pipeline file. Empty: $XDG_CACHE_HOME/millrace/cache.");
  d.integer("limit", &Params::limit)
      .label("Limit")
      .range(1 << 20, 1e15)
      .unit("bytes")
      .help(
          "Limit for all caches in that folder together. At the limit, caches of other pipelines "
          "are deleted, least recently opened first; after that no more samples are stored. Some "
          "of the disk is always left free.");
  d.infer(infer);
  d.cache(open);
  d.exporter("pytorch", keepsNothing);
  d.exporter("tfdata", keepsNothing);
  d.exporter("dali", keepsNothing);
  d.exporter("grain", keepsNothing);
  return d.take();
}

}  // namespace millrace::nodes::disk_cache
