// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace convert`: writes a data set in another format.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/convert.h"
#include "app/cli/convert_page.h"
#include "app/cli/convert_progress.h"
#include "app/cli/pipeline_input.h"
#include "app/cli/refusal.h"
#include "app/cli/run_control.h"
#include "app/cli/run_flags.h"
#include "app/cli/sweep_arguments.h"
#include "app/cli/text_layout.h"
#include "core/base/shell_word.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

namespace fs = std::filesystem;

struct ConvertArguments {
  std::string source;
  std::string target;
  std::string to;
  std::string shardSize;
  std::string resize;
  std::string output;
  unsigned workers = 0;
  int jpegQuality = 0;
  int patch = 0;
  int stride = 0;
  int downscale = 1;
  int gzip = 0;
  bool png = false;
  bool raw = false;
  bool lz4 = false;
  bool trust = false;
  bool verify = false;
  bool resume = false;
  bool force = false;
  bool json = false;
  bool events = false;
  FailureFlag maxFailures;
};

/// "256" is the shorter side, "320x240" width and height.
Status readResize(const std::string& text, PictureOptions& options) {
  if (text.empty()) return {};
  constexpr int kMost = 16384;
  const auto number = [](std::string_view digits) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool sound = error == std::errc() && end == digits.data() + digits.size() && value > 0;
    return sound && value <= kMost ? value : 0;
  };
  const std::size_t by = text.find('x');
  if (by == std::string::npos) {
    options.shorterSide = number(text);
    if (options.shorterSide > 0) return {};
  } else {
    const Size size{number(text.substr(0, by)), number(text.substr(by + 1))};
    options.size = size;
    if (size.width > 0 && size.height > 0) return {};
  }
  return Error{
      fmt::format("--resize {}: give the shorter side, as 256, or WIDTHxHEIGHT, as "
                  "320x240; sides up to {}",
                  text, kMost)};
}

Result<PictureOptions> picturesOf(const ConvertArguments& a) {
  PictureOptions options;
  MILLRACE_TRY(readResize(a.resize, options));
  if ((a.jpegQuality > 0) + int{a.png} + int{a.raw || a.lz4} > 1)
    return Error{"--jpeg-quality, --png and --raw or --lz4 exclude each other"};
  if (a.png) options.form = PictureOptions::Form::Png;
  if (a.raw) options.form = PictureOptions::Form::Raw;
  // With --resize alone it is the quality of what was JPEG.
  if (a.jpegQuality > 0) options.jpegQuality = a.jpegQuality;
  if (a.jpegQuality > 0) options.form = PictureOptions::Form::Jpeg;
  options.check = !a.trust;
  if (a.patch == 0 && (a.stride > 0 || a.downscale > 1))
    return Error{"--stride and --downscale say how patches are cut: give --patch too"};
  options.patch = a.patch;
  options.stride = a.stride > 0 ? a.stride : a.patch;
  options.downscale = a.downscale;
  return options;
}

Result<TargetKind> kindOf(const ConvertArguments& a) {
  const std::vector<std::string> names = {"tfrecord", "webdataset", "folder",   "numpy",
                                          "lmdb",     "mds",        "recordio", "hdf5"};
  if (a.to.empty()) {
    if (const auto kind = targetKindOf(a.target)) return *kind;
    return Error{fmt::format("`{}` does not say what it is to be: give --to {}", a.target,
                             join(names, ", --to "))};
  }
  if (const auto kind = targetKindNamed(a.to)) return *kind;
  const std::string like = nearest(a.to, names);
  return Error{fmt::format("--to {}: there is no such format{}; there are {}", a.to,
                           like.empty() ? "" : ", did you mean `" + like + "`", joinWords(names))};
}

/// A path is recognised as `inspect` does; a pipeline lends its source.
Result<std::shared_ptr<const Source>> openNamed(const ConvertArguments& a, int& code) {
  std::error_code error;
  const fs::path path = fs::absolute(a.source, error).lexically_normal();
  if (fs::exists(path, error) && path.extension() != ".json") {
    LookLimits limits;
    limits.namesPerFolder = limits.folders = 100000;
    const FolderContent content = lookAt(path, limits);
    if (!isReadable(content.layout)) return Error{content.words};
    const auto proposal = proposePipeline(content, builtinCatalog());
    if (!proposal) return proposal.error();
    return openSourceOf(proposal->graph, builtinCatalog());
  }
  PipelineArguments pipeline;
  pipeline.pipeline = a.source;
  Problems problems;
  const auto loaded = loadPipeline(pipeline, problems);
  if (loaded) return openSourceOf(loaded->graph, builtinCatalog(), loaded->base);
  code = kBadUsage;
  if (problems.all().empty()) return Error{fmt::format("there is nothing at {}", path.native())};
  return Error{
      fmt::format("no data and no pipeline at `{}`: {}", a.source, problems.all().front().message)};
}

Result<ConvertJob> jobOf(const ConvertArguments& a) {
  ConvertJob job;
  auto kind = kindOf(a);
  if (!kind) return kind.error();
  job.kind = *kind;
  auto pictures = picturesOf(a);
  if (!pictures) return pictures.error();
  job.pictures = pictures.take();
  std::error_code error;
  job.target = fs::absolute(a.target, error).lexically_normal();
  if (job.target.filename().empty()) job.target = job.target.parent_path();
  if (!a.shardSize.empty()) {
    if (isOneFile(job.target, job.kind) || job.kind == TargetKind::Folder ||
        job.kind == TargetKind::Lmdb)
      return Error{
          "--shard-size: this target is not cut into shards; name a folder, and --to "
          "tfrecord, webdataset, numpy, mds, recordio or hdf5"};
    const auto bytes = parseBytes(a.shardSize);
    if (!bytes) return Error{"--shard-size: " + bytes.error().message};
    job.shardBytes = *bytes;
  }
  if (a.gzip > 0 && job.kind != TargetKind::Hdf5)
    return Error{
        "--gzip: rows are packed in HDF5 alone; for other formats pack the finished files"};
  job.gzip = a.gzip;
  if (a.lz4 && job.kind != TargetKind::Lmdb)
    return Error{"--lz4: values are packed so in LMDB alone; --gzip packs rows of HDF5"};
  job.lz4 = a.lz4;
  job.workers = a.workers > 0 ? a.workers : std::max(1U, std::thread::hardware_concurrency());
  job.ifThere = a.force ? IfThere::Replace : IfThere::Refuse;
  job.resume = a.resume;
  job.verify = a.verify;
  return job;
}

/// One within the other would be read while it is written.
Status keepApart(const fs::path& source, const fs::path& target) {
  std::error_code error;
  const fs::path a = fs::weakly_canonical(source, error);
  const fs::path b = fs::weakly_canonical(target, error);
  const auto within = [](const fs::path& inner, const fs::path& outer) {
    const auto at = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    return at.first == outer.end();
  };
  if (!fs::exists(source, error) || (!within(a, b) && !within(b, a))) return {};
  return Error{
      fmt::format("source and target lie in each other: `{}` and `{}`", a.native(), b.native())};
}

std::string nextCommand(const ConvertArguments& a) {
  if (!a.output.empty()) return "millrace run " + shellWord(a.output);
  return fmt::format("millrace inspect {} -o data.millrace.json", shellWord(a.target));
}

int report(const ConvertArguments& a, Converted done) {
  const ConvertOutcome& out = done.outcome;
  if (!a.output.empty()) {
    if (!out.proposal) return refuseData("there is no pipeline for it to write", kFailed);
    const Status kept = writeWholeFile(a.output, graphText(out.proposal->graph, builtinCatalog()),
                                       a.force ? IfThere::Replace : IfThere::Refuse);
    if (!kept)
      return refuseData("the data is written, the pipeline is not: " + kept.error().message,
                        kFailed);
  }
  fmt::print("{}", a.json || a.events ? convertedJson(done, a.events) : convertedPage(done));
  return kDone;
}

int interrupted(const ConvertArguments& a, const ConvertOutcome& out) {
  fmt::print(
      stderr, "interrupted: {}",
      wrapped(fmt::format("{} of {} samples are done, {} is not there yet; the same command "
                          "with --resume goes on",
                          grouped(out.samples), grouped(out.sourceSamples), validUtf8(a.target)),
              4, 13));
  return kInterrupted;
}

int convertCommand(const ConvertArguments& a) {
  auto job = jobOf(a);
  if (!job) return refuseData(job.error().message, kBadUsage);
  const auto limit = a.maxFailures.limit();
  if (!limit) return refuseData(limit.error().message, kBadUsage);
  if (!a.output.empty())
    if (Status may = mayWrite(a.output, job->ifThere); !may)
      return refuseData(may.error().message, kFailed);
  if (Status apart = keepApart(a.source, job->target); !apart)
    return refuseData(apart.error().message, kBadUsage);
  std::atomic<bool> stop = false;
  const InterruptWatch watch([&stop] { stop = true; });
  int code = kFailed;
  auto source = openNamed(a, code);
  if (!source) return refuseData(source.error().message, code);
  job->source = source.take();
  job->allowedFailures = limit->allowed(job->source->size());
  ConvertReport progress(a.events);
  auto outcome = convertData(*job, [&](const ConvertProgress& at) {
    progress.show(at);
    return !stop;
  });
  progress.clear();
  if (!outcome) return refuseData(outcome.error().message, kFailed);
  if (outcome->interrupted) return interrupted(a, *outcome);
  return report(a, {a.source, job->target.native(), std::string(nameOf(job->kind)), outcome.take(),
                    progress.seconds(), a.verify, nextCommand(a)});
}

void addPictureFlags(CLI::App& convert, ConvertArguments& a) {
  convert.add_option("--resize", a.resize, "Shorter side (256), or WIDTHxHEIGHT")
      ->type_name("SIZE");
  convert.add_option("--jpeg-quality", a.jpegQuality, "Encode pictures anew as JPEG; masks as PNG")
      ->check(CLI::Range(1, 100));
  convert.add_flag("--png", a.png, "Encode pictures anew as PNG");
  convert.add_flag("--raw", a.raw, "Store pixels; all pictures need one size");
  convert.add_option("--patch", a.patch, "Cut pictures into squares of this side on a grid")
      ->check(CLI::Range(1, 16384));
  convert.add_option("--stride", a.stride, "From one square to the next (--patch)")
      ->check(CLI::Range(1, 16384));
  convert
      .add_option("--downscale", a.downscale,
                  "Pair each square with itself so many times smaller, for super-resolution")
      ->check(CLI::Range(1, 16));
}

}  // namespace

void addConvert(CLI::App& app, Action& action) {
  auto a = std::make_shared<ConvertArguments>();
  CLI::App* convert = app.add_subcommand("convert", "Write a data set in another format");
  convert->footer(
      "Examples: photos into shards; smaller ones; pairs for super-resolution\n"
      "  millrace convert photos shards --to tfrecord\n"
      "  millrace convert photos small.tar --resize 256 --jpeg-quality 90\n"
      "  millrace convert photos pairs --to folder --patch 128 --stride 64 --downscale 4\n"
      "Pictures are copied byte for byte unless a flag asks for more. The target appears\n"
      "whole or not at all; after a stop or a kill, --resume goes on.");
  convert
      ->add_option("source", a->source,
                   "A folder, a container, or a pipeline whose source is taken")
      ->required();
  convert->add_option("target", a->target, "A new file or folder; its ending can say the format")
      ->required();
  convert
      ->add_option("--to", a->to, "tfrecord, webdataset, folder, numpy, lmdb, mds, recordio, hdf5")
      ->type_name("FORMAT");
  convert->add_option("--shard-size", a->shardSize, "Bytes of each file of a folder (256M)")
      ->type_name("BYTES");
  convert->add_option("--gzip", a->gzip, "Pack rows of numbers and raw pixels of HDF5 (level)")
      ->check(CLI::Range(1, 9));
  convert->add_flag("--lz4", a->lz4,
                    "Pack pixels, or the one array of each sample, of LMDB; labels are left out");
  addPictureFlags(*convert, *a);
  convert->add_option("--workers", a->workers, "Threads (one a core)")
      ->check(CLI::Range(1U, 1024U));
  convert->add_flag("--verify", a->verify, "Read every sample back and compare it");
  convert->add_flag("--trust", a->trust, "Copy pictures without decoding them to find damage");
  a->maxFailures.addTo(*convert);
  convert->add_flag("--resume", a->resume, "Go on with what a stopped conversion left");
  convert->add_flag("--force", a->force, "Replace the target where it is there");
  convert->add_option("-o,--output", a->output, "Write a pipeline that reads it to this file");
  auto* json = convert->add_flag("--json", a->json, "Print one JSON object");
  convert->add_flag("--events", a->events, "Print the progress as JSON Lines")->excludes(json);
  convert->callback([a, &action] { action = [a] { return convertCommand(*a); }; });
}

}  // namespace millrace::cli
