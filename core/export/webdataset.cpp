// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Pipelines of the package `webdataset`, with the transforms of PyTorch's short form. Texts of
// kinds under "webdataset.short": the source gives an expression for the list of shards, then the
// stage that names the parts; an order node gives the size of a buffer.
#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/export/pytorch_file.h"
#include "core/export/short_form.h"

namespace millrace {

namespace {

constexpr const char* kWebKind = "webdataset";

std::string webLoader(PythonFile& file, const ShortLoader& parts) {
  file.import("import webdataset as wds");
  file.snippet("web_collate");
  file.limit(
      "Each worker reads separate shards into separate batches: with several workers the order "
      "differs, and each ends the epoch with a smaller batch, or without it if batch.drop_last is "
      "set.");
  file.limit("There must be a shard for each rank.");
  const bool shuffles = !parts.order.empty();
  std::vector<std::string> stages{
      fmt::format("wds.WebDataset(shards, shardshuffle={}, nodesplitter=wds.split_by_node)",
                  shuffles ? "len(shards), detshuffle=True, seed=SEED" : "False")};
  for (const std::string& buffer : parts.order)
    stages.push_back(fmt::format(".compose(wds.detshuffle({}, seed=SEED))", buffer));
  stages.insert(stages.end(), parts.stages.begin(), parts.stages.end());
  stages.emplace_back(".map(load)");
  stages.push_back(fmt::format(".batched(BATCH_SIZE, collate{})",
                               parts.runtime.batch.dropLast ? ", partial=False" : ""));
  std::vector<std::string> body{"shards = " + parts.source, "dataset = ("};
  for (const std::string& stage : stages) body.push_back("    " + stage);
  body.insert(body.end(), {")", "return wds.WebLoader(", "    dataset,", "    batch_size=None,",
                           "    num_workers=min(WORKERS, len(shards)),"});
  if (parts.prefetch > 0) body.emplace_back("    prefetch_factor=PREFETCH_PER_WORKER,");
  for (const char* line : {"persistent_workers=True,", "pin_memory=torch.cuda.is_available(),",
                           "generator=torch.Generator().manual_seed(SEED),"})
    body.push_back(std::string("    ") + line);
  body.emplace_back(")");
  return "def make_loader():\n    \"\"\"Return the loader; torchrun tells it its rank.\"\"\"" +
         bodyText(body);
}

Status addMain(PythonFile& file, const ExportSubject& /*subject*/, bool /*isShort*/) {
  file.defineSnippet("plain_main");
  return {};
}

constexpr CodeEnding kWebDataset = {
    "WebDataset", "Tested with webdataset 1.0, torch 2.15, torchvision 0.29 and torchcodec 0.17.",
    addMain, "webdataset"};

Result<Exported> writeWebDataset(const ExportSubject& subject) {
  const CheckedNode& source = subject.pipeline->nodes.front();
  if (source.spec->kind == kWebKind) return writePyTorch(subject, kWebDataset, webLoader);
  return Error{fmt::format(
      "{}: {} reads shards of tar only, not the kind {}: write them with `millrace convert SOURCE "
      "TARGET --to webdataset`, and read them with a node of kind {}",
      source.id, kWebDataset.label, source.spec->kind, kWebKind)};
}

}  // namespace

namespace targets {

Exporter webdataset() {
  Exporter exporter;
  exporter.name = kWebDataset.own;
  exporter.label = kWebDataset.label;
  exporter.about = "tar shards by the package webdataset, torchvision transforms";
  exporter.extension = ".py";
  exporter.builtOn = kPyTorchTarget;
  exporter.reads = kWebKind;
  exporter.shortOnly = true;
  exporter.write = writeWebDataset;
  return exporter;
}

}  // namespace targets

}  // namespace millrace
