// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace convert`: writes a data set in another format.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/common/pipeline_input.h"
#include "app/cli/common/refusal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/convert/convert_page.h"
#include "app/cli/convert/convert_progress.h"
#include "app/cli/run/run_control.h"
#include "app/cli/run/run_flags.h"
#include "app/cli/sweep/sweep_arguments.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/base/whole_file.h"
#include "core/events/jobs/conversion_json.h"
#include "core/events/stream/steady_seconds.h"
#include "core/formats/io/data_place.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/common/amount.h"
#include "core/jobs/convert/convert_job.h"
#include "core/nodes/builtin.h"
#include "core/spec/did_you_mean.h"
#include "core/storage/remote_path.h"

namespace millrace::cli {

namespace {

namespace fs = std::filesystem;

using ConvertSource = decltype(ConvertJob::Options::source);

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
  bool lossy = false;
  bool resume = false;
  bool force = false;
  bool json = false;
  bool events = false;
  FailureFlag maxFailures;
  std::string again;  ///< the same command that also writes a pipeline
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
      fmt::format("--resize {}: use the shorter side, such as 256, or WIDTHxHEIGHT, such as "
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
  // With --resize alone, the quality for pictures that were JPEG.
  if (a.jpegQuality > 0) options.jpegQuality = a.jpegQuality;
  if (a.jpegQuality > 0) options.form = PictureOptions::Form::Jpeg;
  options.check = !a.trust;
  if (a.patch == 0 && (a.stride > 0 || a.downscale > 1))
    return Error{"--stride and --downscale only apply to patches: add --patch"};
  options.patch = a.patch;
  options.stride = a.stride > 0 ? a.stride : a.patch;
  options.downscale = a.downscale;
  return options;
}

std::vector<std::string> writtenFormats() {
  std::vector<std::string> names;
  for (const Format& format : allFormats())
    if (format.openWriter != nullptr) names.emplace_back(format.name);
  return names;
}

Result<const Format*> formatOf(const ConvertArguments& a) {
  const std::vector<std::string> names = writtenFormats();
  if (a.to.empty()) {
    if (const Format* format = formatOfTarget(a.target)) return format;
    return Error{
        fmt::format("`{}` does not imply a format: add --to {}", a.target, join(names, ", --to "))};
  }
  const Format* format = formatNamed(a.to);
  if (format != nullptr && format->openWriter != nullptr) return format;
  return Error{fmt::format("--to {}: there is no such format; {}", a.to, didYouMean(a.to, names))};
}

/// The names of the formats of which `has` is true.
std::vector<std::string> formatsWith(bool Format::* has) {
  std::vector<std::string> names;
  for (const Format& format : allFormats())
    if (format.openWriter != nullptr && format.*has) names.emplace_back(format.name);
  return names;
}

/// The source as named: a path of data, or a pipeline.
Result<ConvertSource> sourceOf(const ConvertArguments& a) {
  std::error_code error;
  const fs::path path = typedPath(a.source);
  if (isRemotePath(a.source)) return ConvertSource(path);
  if (fs::exists(path, error) && path.extension() != ".json") return ConvertSource(path);
  PipelineArguments pipeline;
  pipeline.pipeline = a.source;
  Problems problems;
  if (auto loaded = loadPipeline(pipeline, problems)) return ConvertSource(std::move(*loaded));
  if (problems.all().empty()) return Error{fmt::format("{} does not exist", path.native())};
  return Error{fmt::format("`{}` is neither data nor a pipeline: {}", a.source,
                           problems.all().front().message)};
}

Result<ConvertOptions> conversionOf(const ConvertArguments& a) {
  ConvertOptions options;
  MILLRACE_ASSIGN_OR_RETURN(options.format, formatOf(a));
  MILLRACE_ASSIGN_OR_RETURN(options.pictures, picturesOf(a));
  if (isRemotePath(a.target))
    return Error{"data is converted to a folder on a disk; then copy that to the server"};
  options.target = typedPath(a.target);
  if (options.target.filename().empty()) options.target = options.target.parent_path();
  if (!a.shardSize.empty()) {
    if (isOneFile(options.target, *options.format) || !options.format->shards)
      return Error{
          fmt::format("--shard-size: this target has no shards; use a folder as target, and give "
                      "--to one of {}",
                      joinWords(formatsWith(&Format::shards)))};
    const auto bytes = parseBytes(a.shardSize);
    if (!bytes) return Error{"--shard-size: " + bytes.error().message};
    options.shardBytes = *bytes;
  }
  if (a.gzip > 0 && !options.format->packsRows)
    return Error{
        "--gzip: only HDF5 compresses rows; for other formats, compress the finished files"};
  options.gzip = a.gzip;
  if (a.lz4 && !options.format->packsValues)
    return Error{"--lz4: only LMDB compresses values with LZ4; for HDF5 use --gzip"};
  options.lz4 = a.lz4;
  options.lossy = a.lossy;
  options.workers = a.workers > 0 ? a.workers : std::max(1U, std::thread::hardware_concurrency());
  options.ifThere = a.force ? IfThere::Replace : IfThere::Refuse;
  options.resume = a.resume;
  options.verify = a.verify;
  return options;
}

/// Whether the written data does not contain what a reader must know, so that no inspection of it
/// finds the arrays.
bool lacksTypes(const Format& format, const ConvertOutcome& out) {
  return (format.bytesOnly || format.oneValue) &&
         std::ranges::any_of(out.fields, [](const FieldSpec& field) {
           return field.dtype != DType::Encoded && field.role != Role::Label;
         });
}

std::string nextCommand(const ConvertArguments& a, const ConvertOutcome& out) {
  if (!a.output.empty()) return "millrace run " + shownShellWord(a.output);
  if (const auto format = formatOf(a); format && lacksTypes(**format, out)) return a.again;
  return fmt::format("millrace inspect {} -o data.millrace.json", shownShellWord(a.target));
}

int report(const ConvertArguments& a, Converted done) {
  const ConvertOutcome& out = done.outcome;
  if (!a.output.empty()) {
    if (!out.proposal)
      return fail("no pipeline can read this format, so none was written", kFailed);
    const Status kept = writeWholeFile(a.output, graphText(out.proposal->graph, builtinCatalog()),
                                       a.force ? IfThere::Replace : IfThere::Refuse);
    if (!kept)
      return fail("the data was written, but the pipeline was not: " + kept.error().message,
                  kFailed);
  }
  done.source = a.source;
  done.next = nextCommand(a, out);
  print("{}", a.events ? convertedEvent(steadySeconds(), done) + "\n"
              : a.json ? convertedJson(done) + "\n"
                       : convertedPage(done));
  return kDone;
}

int interrupted(const ConvertArguments& a, const ConvertOutcome& out) {
  printMessage(
      "interrupted: {}",
      wrapped(fmt::format("{} of {} samples are done, {} does not exist yet; run the same command "
                          "with --resume to continue",
                          grouped(out.samples), grouped(out.sourceSamples), visibleName(a.target)),
              4, 13));
  return kInterrupted;
}

int convertCommand(const ConvertArguments& a) {
  auto conversion = conversionOf(a);
  if (!conversion) return fail(conversion.error().message);
  const auto limit = a.maxFailures.limit();
  if (!limit) return fail(limit.error().message);
  if (!a.output.empty())
    if (Status may = mayWrite(a.output, conversion->ifThere); !may)
      return fail(may.error().message, kFailed);
  if (Status apart = ConvertJob::checkApart(a.source, conversion->target); !apart)
    return fail(apart.error().message);
  auto source = sourceOf(a);
  if (!source) return fail(source.error().message);
  ConvertJob job({source.take(), conversion.take(), *limit});
  const InterruptWatch watch([&job] { job.stop(); });
  ConvertReport progress(a.events);
  auto done = job.run(progress);
  progress.clear();
  if (!done) return fail(done.error().message, kFailed);
  return done->outcome.interrupted ? interrupted(a, done->outcome) : report(a, done.take());
}

void addPictureFlags(CLI::App& convert, ConvertArguments& a) {
  convert.add_option("--resize", a.resize, "Resize pictures to this shorter side, or WIDTHxHEIGHT")
      ->type_name("SIZE");
  convert
      .add_option("--jpeg-quality", a.jpegQuality, "Encode pictures again as JPEG; masks as PNG")
      ->transform(whole(1, 100));
  convert.add_flag("--png", a.png, "Encode pictures again as PNG");
  convert.add_flag("--raw", a.raw, "Store pixels; all pictures must have the same size");
  convert.add_option("--patch", a.patch, "Cut pictures into squares of this side, on a grid")
      ->transform(whole(1, 16384));
  convert.add_option("--stride", a.stride, "Distance between squares (that of --patch)")
      ->transform(whole(1, 16384));
  convert
      .add_option("--downscale", a.downscale,
                  "Pair each square with a copy this many times smaller")
      ->transform(whole(1, 16));
}

std::string withPipeline(const CLI::App& command) {
  std::string text = "millrace " + command.get_name();
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->check_name("--force") || option->check_name("--resume") ||
        option->check_name("--json") || option->check_name("--events"))
      continue;
    if (!option->get_positional()) text += " --" + option->get_lnames().front();
    if (option->get_expected_max() > 0) text += " " + shownShellWord(option->results().back());
  }
  return text + " --force -o data.millrace.json";
}

}  // namespace

void addConvert(CLI::App& app, Action& action) {
  auto a = std::make_shared<ConvertArguments>();
  CLI::App* convert = app.add_subcommand("convert", "Write a data set in another format");
  convert->footer(
      "Examples: photos to shards; smaller photos; pairs for super-resolution\n"
      "  millrace convert photos shards --to tfrecord\n"
      "  millrace convert photos small.tar --resize 256 --jpeg-quality 90\n"
      "  millrace convert photos pairs --to folder --patch 128 --stride 64 --downscale 4\n"
      "Pictures are copied byte for byte unless a flag changes them. The target is created "
      "completely or not at all; after a stop or kill, --resume continues.");
  convert
      ->add_option("source", a->source,
                   "A folder, a container, or a pipeline: its source and `decode` are used")
      ->required();
  convert->add_option("target", a->target, "A new file or folder; its suffix may imply the format")
      ->required();
  convert->add_option("--to", a->to, join(writtenFormats(), ", "))->type_name("FORMAT");
  convert->add_option("--shard-size", a->shardSize, "Size of each file of a folder (256M)")
      ->type_name("BYTES");
  convert
      ->add_option("--gzip", a->gzip,
                   "Compress rows of numbers and raw pixels in HDF5, at this level")
      ->transform(whole(1, 9));
  convert->add_flag("--lz4", a->lz4,
                    "Compress pixels, or each sample's only array, in LMDB; drops labels");
  addPictureFlags(*convert, *a);
  convert->add_option("--workers", a->workers, "Number of threads (one per core)")
      ->transform(whole(1, 1024));
  convert->add_flag("--lossy", a->lossy, "Leave out fields that the target cannot store");
  convert->add_flag("--verify", a->verify, "Read every sample back and compare it");
  convert->add_flag("--trust", a->trust,
                    "Copy pictures without decoding them, so damage is not found");
  a->maxFailures.addTo(*convert);
  convert->add_flag("--resume", a->resume, "Continue a stopped conversion");
  convert->add_flag("--force", a->force, "Replace an existing target");
  convert->add_option("-o,--output", a->output, "Write a pipeline for the result to this file");
  auto* json = convert->add_flag("--json", a->json, "Print one JSON object");
  convert->add_flag("--events", a->events, "Print progress and result as JSON Lines")
      ->excludes(json);
  convert->callback([a, convert, &action] {
    a->again = withPipeline(*convert);
    action = [a] { return convertCommand(*a); };
  });
}

}  // namespace millrace::cli
