// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <cerrno>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/formats/folder/file_list.h"
#include "core/formats/folder/pair_table.h"
#include "core/formats/io/data_path.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/file_reader.h"
#include "core/formats/io/unique_fd.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
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

Result<Side> openSide(const std::string& text, const fs::path& base) {
  MILLRACE_ASSIGN_OR_RETURN(const auto path, resolveDataPath(text, base));
  MILLRACE_ASSIGN_OR_RETURN(auto files, listFiles(path));
  UniqueFd folder(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return folderError(path, errno);
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
      for (const std::string& note : side.files.notes()) all.push_back(validUtf8(note));
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

  const char* input(std::uint32_t index) const {
    return m_sides.front().files.path(m_table.pairs[index].input);
  }
  const char* target(std::uint32_t index) const {
    return m_sides.back().files.path(m_table.pairs[index].target);
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
    MILLRACE_TRY(
        m_input.readInto(sample, 0, m_source.inputFolder(), m_source.input(index), counters));
    const char* target = m_source.target(index);
    if (Status done = m_target.readInto(sample, 1, m_source.targetFolder(), target, counters);
        !done)
      return Error{fmt::format("target {}: {}", validUtf8(target), done.error().message)};
    return {};
  }

 private:
  const PairedFolders& m_source;
  FileReader m_input;
  FileReader m_target;
};

std::unique_ptr<SourceReader> PairedFolders::reader() const {
  return std::make_unique<Reader>(*this);
}

Result<std::shared_ptr<const Source>> open(const Params& params, const BuildContext& context) {
  const PairSuffixes suffixes{params.inputSuffix, params.targetSuffix};
  std::vector<Side> sides;
  MILLRACE_ASSIGN_OR_RETURN(auto input, openSide(params.input, context.base));
  sides.push_back(std::move(input));
  const bool within = params.target.empty() || params.target == params.input;
  if (!within) {
    MILLRACE_ASSIGN_OR_RETURN(auto target, openSide(params.target, context.base));
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
  return text.step(call + ")");
}

/// For tf.data and DALI.
ExportText arrays(const Params& p, const ExportContext& context) {
  ExportText text;
  text.needs("paired_folders")
      .option("INPUTS", pathLiteral(p.input, context))
      .option("TARGETS", pathLiteral(p.target, context));
  std::string call =
      fmt::format("paired_folders({}, INPUTS, TARGETS",
                  pythonText(nameOf(p.pair == PairOf::Mask ? Role::Mask : Role::Target)));
  if (!p.inputSuffix.empty()) call += ", input_suffix=" + pythonText(p.inputSuffix);
  if (!p.targetSuffix.empty()) call += ", target_suffix=" + pythonText(p.targetSuffix);
  return text.step(call + ")");
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
  describeReadAhead(d);
  describeReadBy(d);
  d.infer(infer);
  d.source(open);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  return d.take();
}

}  // namespace millrace::nodes::paired_folders
