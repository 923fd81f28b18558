// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/folder/file_list.h"
#include "core/formats/folder/pair_table.h"
#include "core/formats/io/data_path.h"
#include "core/formats/io/data_place.h"
#include "core/formats/io/file_reader.h"
#include "core/formats/io/unique_fd.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/node_parts/short_text.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::paired_folders {

namespace {

namespace fs = std::filesystem;

enum class PairOf : std::uint8_t { Target, Mask };

struct Params {
  std::string input;
  std::string target;
  std::string inputSuffix;
  std::string targetSuffix;
  PairOf pair = PairOf::Target;
  Junk junk = Junk::Skip;
  Pages pages = Pages::First;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

std::vector<FieldSpec> fieldsOf(const Params& p) {
  const Role role = p.pair == PairOf::Mask ? Role::Mask : Role::Target;
  return {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image},
          {std::string(nameOf(role)), DType::Encoded, {Shape::kUnknown}, Layout::Plain, role}};
}

/// A list of files and its open root folder.
struct Side {
  FileList files;
  UniqueFd folder;
};

Result<Side> openSide(const std::string& text, const fs::path& base, Junk junk) {
  MILLRACE_ASSIGN_OR_RETURN(const auto path, resolveDataPath(text, base));
  MILLRACE_ASSIGN_OR_RETURN(auto files, listFiles(path, {}, {junk, true, kKeepJunk}));
  MILLRACE_ASSIGN_OR_RETURN(auto folder, openFolder(path));
  return Side{std::move(files), std::move(folder)};
}

class PairedFolders final : public Source {
 public:
  PairedFolders(const Params& params, std::vector<Side> sides, PairTable table)
      : m_params(params), m_sides(std::move(sides)), m_table(std::move(table)) {}

  std::uint32_t size() const override { return static_cast<std::uint32_t>(m_table.pairs.size()); }
  std::vector<FieldSpec> fields() const override { return fieldsOf(m_params); }
  std::string name(std::uint32_t index) const override { return input(index); }
  std::vector<std::string> warnings() const override {
    std::vector<std::string> all;
    for (const Side& side : m_sides)
      for (const std::string& note : side.files.notes())
        all.push_back(m_sides.size() == 1
                          ? validUtf8(note)
                          : fmt::format("`{}`: {}",
                                        visibleName(side.files.root().filename().native()), note));
    all.insert(all.end(), m_table.notes.begin(), m_table.notes.end());
    return all;
  }
  std::string file(std::uint32_t index) const override {
    return m_sides.front().files.absolute(m_table.pairs[index].input);
  }
  std::vector<std::string> moreFiles(std::uint32_t index) const override {
    return {m_sides.back().files.absolute(m_table.pairs[index].target)};
  }
  std::unique_ptr<SourceReader> reader() const override;

  std::string input(std::uint32_t index) const {
    return m_sides.front().files.path(m_table.pairs[index].input);
  }
  std::string target(std::uint32_t index) const {
    return m_sides.back().files.path(m_table.pairs[index].target);
  }
  // The same in a string whose memory is used again.
  void input(std::uint32_t index, std::string& into) const {
    m_sides.front().files.path(m_table.pairs[index].input, into);
  }
  void target(std::uint32_t index, std::string& into) const {
    m_sides.back().files.path(m_table.pairs[index].target, into);
  }
  int inputFolder() const { return m_sides.front().folder.get(); }
  int targetFolder() const { return m_sides.back().folder.get(); }
  ReadBy readBy() const { return m_params.readBy; }

 private:
  const Params m_params;
  const std::vector<Side> m_sides;  ///< inputs and targets; a single one if they share a folder
  const PairTable m_table;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const PairedFolders& source)
      : m_source(source), m_input(source.readBy()), m_target(source.readBy()) {}

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    m_source.input(index, m_path);
    MILLRACE_TRY(m_input.readInto(sample, 0, m_source.inputFolder(), m_path.c_str(), counters));
    m_source.target(index, m_path);
    if (Status done =
            m_target.readInto(sample, 1, m_source.targetFolder(), m_path.c_str(), counters);
        !done)
      return Error{fmt::format("target {}: {}", validUtf8(m_path), done.error().message)};
    return {};
  }

 private:
  const PairedFolders& m_source;
  FileReader m_input;
  FileReader m_target;
  std::string m_path;
};

std::unique_ptr<SourceReader> PairedFolders::reader() const {
  return std::make_unique<Reader>(*this);
}

Result<std::shared_ptr<const Source>> open(const Params& params, const BuildContext& context) {
  const PairSuffixes suffixes{params.inputSuffix, params.targetSuffix};
  std::vector<Side> sides;
  MILLRACE_ASSIGN_OR_RETURN(auto input, openSide(params.input, context.base, params.junk));
  sides.push_back(std::move(input));
  const bool within = params.target.empty() || params.target == params.input;
  if (!within) {
    MILLRACE_ASSIGN_OR_RETURN(auto target, openSide(params.target, context.base, params.junk));
    sides.push_back(std::move(target));
  }
  MILLRACE_ASSIGN_OR_RETURN(
      auto table, within ? PairTable::matchWithin(sides.front().files, suffixes)
                         : PairTable::match(sides.front().files, sides.back().files, suffixes));
  return std::shared_ptr<const Source>(
      std::make_shared<PairedFolders>(params, std::move(sides), std::move(table)));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.input.empty()) context.error("input", "no folder is set", "set one");
  StreamType out;
  out.fields = fieldsOf(params);
  return out;
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const bool within = p.target.empty() || p.target == p.input;
  ExportText text;
  refusePages(p.pages, "paired_folders", text);
  text.needs("paired_folders").option("INPUTS", pathLiteral(p.input, context));
  std::string call = "PairedFolders(INPUTS, ";
  if (!within) text.option("TARGETS", pathLiteral(p.target, context));
  call += within ? "INPUTS" : "TARGETS";
  if (p.pair == PairOf::Mask) call += ", partner=\"mask\"";
  if (!p.inputSuffix.empty() || !p.targetSuffix.empty()) {
    text.option("INPUT_SUFFIX", pythonText(p.inputSuffix));
    text.option("TARGET_SUFFIX", pythonText(p.targetSuffix));
    call += ", suffixes=(INPUT_SUFFIX, TARGET_SUFFIX)";
  }
  if (p.junk == Junk::Keep) call += ", junk=\"keep\"";
  return text.step(call + ")");
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext& context) {
  ExportText text;
  refusePages(p.pages, "paired_folders", text);
  text.needs("paired_folders")
      .option("INPUTS", pathLiteral(p.input, context))
      .option("TARGETS", pathLiteral(p.target, context));
  std::string call =
      fmt::format("paired_folders({}, INPUTS, TARGETS",
                  pythonText(nameOf(p.pair == PairOf::Mask ? Role::Mask : Role::Target)));
  if (!p.inputSuffix.empty()) call += ", input_suffix=" + pythonText(p.inputSuffix);
  if (!p.targetSuffix.empty()) call += ", target_suffix=" + pythonText(p.targetSuffix);
  if (p.junk == Junk::Keep) call += ", junk=\"keep\"";
  return text.step(call + ")");
}

/// Whether the pairs of a source are the files of both folders in the order of their names.
bool isGlobbed(const PairedFolders& source, const fs::path& inputs, const fs::path& targets) {
  const std::vector<std::string> first = globbed(inputs, 1);
  const std::vector<std::string> second = globbed(targets, 1);
  if (first.size() != source.size() || second.size() != source.size()) return false;
  for (std::uint32_t i = 0; i < source.size(); ++i)
    if (source.input(i) != first[i] || source.target(i) != second[i] ||
        validUtf8(first[i]) != first[i] || validUtf8(second[i]) != second[i])
      return false;
  return true;
}

/// `partner`: the name of the second field as source code.
ExportText shortDali(const std::string& partner, ExportText text, bool dynamic) {
  const std::string loop = "for name, folder in {\"image\": INPUTS, " + partner +
                           ": TARGETS}.items():\n"
                           "    files = sorted(glob(\"*\", root_dir=folder))\n";
  text.import("from glob import glob");
  if (!dynamic)
    return text.step("sample = {}")
        .step(loop +
              "    sample[name], _ = fn.readers.file(file_root=folder, files=files, name=name, "
              "**reader)");
  return text.limit("No batch is prepared ahead: DALI prepares those of a single reader only.")
      .step("self.readers = {}\n" + loop +
            "    self.reader = ndd.readers.File(file_root=folder, files=files, **options)\n"
            "    self.readers[name] = self.reader")
      .step(
          "epochs = [reader.next_epoch(BATCH_SIZE) for reader in self.readers.values()]\n"
          "for files in zip(*epochs, strict=True):")
      .step("sample = {name: file for name, (file, _) in zip(self.readers, files)}");
}

ExportText shortText(const Params& p, const ExportContext& context, std::string_view target) {
  if (p.target.empty() || p.target == p.input || p.junk != Junk::Skip || p.pages != Pages::First)
    return longForm("both pictures are in one folder, or it reads pages or keeps every file");
  const auto inputs = resolveDataPath(p.input, context.base);
  const auto targets = resolveDataPath(p.target, context.base);
  if (!inputs || !targets) return longForm("its folders are not set");
  if (context.dataKnown) {
    BuildContext build;
    build.base = context.base;
    const auto source = open(p, build);
    if (!source || !isGlobbed(dynamic_cast<const PairedFolders&>(**source), *inputs, *targets))
      return longForm("the files of both folders are not pairs in the order of their names");
  }
  const std::string partner =
      pythonText(nameOf(p.pair == PairOf::Mask ? Role::Mask : Role::Target));
  ExportText text;
  text.option("INPUTS", pythonText(inputs->native()))
      .option("TARGETS", pythonText(targets->native()), "the same order by name");
  if (target.starts_with("dali"))
    return shortDali(partner, std::move(text), target == "dali-dynamic");
  if (target == "huggingface") return text.needs("hf_pairs").step("make_dataset(" + partner + ")");
  text.needs("paired_files");
  if (target == "pytorch" || target == "grain") return text.step("Samples(" + partner + ")");
  text.step("tf.data.Dataset.from_tensor_slices(list_pairs(" + partner + "))");
  return text.step("for name in (\"image\", " + partner +
                   "):\n    sample[name] = tf.io.read_file(sample[name])");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("paired_folders", Category::Source, NodeRole::Source);
  d.label("Paired folders")
      .help(
          "Reads pictures together with target pictures or masks: in two folders with the same "
          "file names, or in one folder with different name suffixes. File extensions may differ.");
  d.example(R"({"input": "images", "target": "masks", "pair": "mask"})");
  d.tags({"pairs", "segmentation", "super-resolution", "deblurring", "mask"});
  d.path("input", &Params::input).label("Inputs").folder().data().help("Folder with the pictures.");
  d.path("target", &Params::target)
      .label("Targets")
      .folder()
      .data()
      .optional()
      .help(
          "Folder with the partners. Empty: they are in the folder of the pictures and have "
          "another suffix.");
  d.choice<PairOf>("pair", &Params::pair,
                   {{PairOf::Target, "target", "A target picture that a network should produce."},
                    {PairOf::Mask, "mask", "A mask: one class per pixel."}})
      .label("Partner is")
      .help("What the second file of a pair is.");
  d.text("input_suffix", &Params::inputSuffix)
      .label("Input suffix")
      .optional()
      .help("Suffix of the pictures' names, with or without extension: `_LR` or `_LR.png`.");
  d.text("target_suffix", &Params::targetSuffix)
      .label("Target suffix")
      .optional()
      .help("Suffix of the partners' names: `_HR` or `_HR.png`.");
  describePages(d);
  describeJunk(d, kJunkAmongPictures);
  describeReadAhead(d);
  describeReadBy(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return withPages(params.pages, open(params, context));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
  for (const char* target : {"pytorch", "tfdata", "dali", "dali-dynamic", "huggingface", "grain"})
    d.exporter(std::string(target) + ".short",
               [target](const Params& p, const ExportContext& context) {
                 return shortText(p, context, target);
               });
  return d.take();
}

}  // namespace millrace::nodes::paired_folders
