// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/data_path.h"
#include "core/formats/io/file_reader.h"
#include "core/formats/real_labels.h"
#include "core/nodes/sources/manifest_params.h"
#include "core/spec/label_sets.h"

namespace millrace::nodes::manifest {

namespace {

namespace fs = std::filesystem;

std::vector<FieldSpec> fieldsOf(const Params& p, std::int64_t classes) {
  const auto file = [](const char* name, Role role) {
    return FieldSpec{name, DType::Encoded, {Shape::kUnknown}, Layout::Plain, role};
  };
  std::vector<FieldSpec> fields{file("image", Role::Image)};
  if (!p.targetColumn.empty()) fields.push_back(file("target", Role::Target));
  if (!p.maskColumn.empty()) fields.push_back(file("mask", Role::Mask));
  if (p.labels == LabelNumbers::Real)
    fields.push_back(quantityField(DType::F32));
  else if (!p.labelColumn.empty() || !p.labelColumns.empty())
    fields.push_back(p.multiLabel
                         ? FieldSpec{"label",
                                     DType::F32,
                                     {classes > 0 ? classes : Shape::kUnknown},
                                     Layout::Plain,
                                     Role::Label,
                                     classes}
                         : FieldSpec{"label", DType::I64, {}, Layout::Plain, Role::Label, classes});
  return fields;
}

class Manifest final : public Source, public KnowsLabelSets {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  Manifest(const Params& params, ManifestFiles files)
      : m_params(params), m_files(std::move(files)) {}

  std::uint32_t size() const override { return m_files.size(); }
  std::vector<FieldSpec> fields() const override {
    Params found = m_params;
    if (!m_files.hasLabel()) found.labelColumn.clear();
    if (m_files.hasQuantities()) found.labels = LabelNumbers::Real;
    return fieldsOf(found, static_cast<std::int64_t>(m_files.classes().size()));
  }
  std::string name(std::uint32_t index) const override { return m_files.path(index, 0); }
  std::int64_t labelOf(std::uint32_t index) const override {
    return m_files.hasLabel() && !m_files.hasQuantities() && !hasLabelSets()
               ? m_files.labels(index).front()
               : -1;
  }
  bool hasLabelSets() const override { return m_files.multiLabel() && m_files.hasLabel(); }
  std::vector<std::int64_t> labelsOf(std::uint32_t index) const override {
    const auto labels = m_files.labels(index);
    return {labels.begin(), labels.end()};
  }
  std::vector<std::string> classes() const override { return m_files.classes(); }
  std::vector<std::string> warnings() const override { return m_files.warnings(); }
  std::string file(std::uint32_t index) const override { return m_files.file(index, 0); }
  std::uint32_t pathOf(std::uint32_t index) const override { return m_files.manifest(index); }
  std::vector<std::string> moreFiles(std::uint32_t index) const override {
    std::vector<std::string> files;
    for (std::size_t column = 1; column < m_files.pathColumns(); ++column)
      files.push_back(m_files.file(index, column));
    return files;
  }
  std::unique_ptr<SourceReader> reader() const override;

  const ManifestFiles& files() const { return m_files; }
  ReadBy readBy() const { return m_params.readBy; }

 private:
  const Params m_params;
  const ManifestFiles m_files;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const Manifest& source) : m_source(source.files()) {
    m_files.reserve(m_source.pathColumns());
    for (std::size_t i = 0; i < m_source.pathColumns(); ++i) m_files.emplace_back(source.readBy());
  }

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    for (std::size_t i = 0; i < m_files.size(); ++i) {
      const char* path = m_source.path(index, i);
      Status done = m_files[i].readInto(sample, i, m_source.folder(index), path, counters);
      if (!done)
        return Error{fmt::format("{}{} ({})", i > 0 ? "`" + validUtf8(path) + "`: " : std::string(),
                                 done.error().message, m_source.place(index, i))};
    }
    if (m_source.hasLabel()) readLabel(index, sample);
    return {};
  }

 private:
  void readLabel(std::uint32_t index, Sample& sample) const {
    if (m_source.hasQuantities()) {
      *sample.replace(m_files.size(), DType::F32, {}, Layout::Plain).as<float>() =
          static_cast<float>(m_source.quantity(index));
      return;
    }
    const std::span<const std::int32_t> labels = m_source.labels(index);
    if (!m_source.multiLabel()) {
      *sample.replace(m_files.size(), DType::I64, {}, Layout::Plain).as<std::int64_t>() =
          labels.front();
      return;
    }
    const std::size_t classes = m_source.classes().size();
    auto* const hot = sample
                          .replace(m_files.size(), DType::F32, {static_cast<std::int64_t>(classes)},
                                   Layout::Plain)
                          .as<float>();
    std::fill_n(hot, classes, 0.0F);
    for (const std::int32_t label : labels) hot[label] = 1.0F;
  }

  const ManifestFiles& m_source;
  std::vector<FileReader> m_files;
};

std::unique_ptr<SourceReader> Manifest::reader() const { return std::make_unique<Reader>(*this); }

Result<std::shared_ptr<const Source>> Manifest::open(const Params& params, const fs::path& base) {
  fs::path root;
  if (!params.root.empty()) {
    MILLRACE_ASSIGN_OR_RETURN(root, resolveDataPath(params.root, base));
  }
  if (params.paths.empty()) return resolveDataPath("", base).error();
  std::vector<fs::path> paths;
  for (const std::string& text : params.paths) {
    MILLRACE_ASSIGN_OR_RETURN(auto path, resolveDataPath(text, base));
    paths.push_back(std::move(path));
  }
  MILLRACE_ASSIGN_OR_RETURN(
      auto files, ManifestFiles::open(paths, {hintsOf(params, root), params.labels, params.classes,
                                              params.multiLabel}));
  return std::shared_ptr<const Source>(std::make_shared<Manifest>(params, std::move(files)));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no manifest is set", "set at least one");
  if (params.imageColumn.empty())
    context.error("image_column", "the column with the pictures is not set",
                  "set it to a column of the header row, or to `auto`");
  if (params.labelColumns.size() == 1)
    context.error("label_columns", "one column alone cannot be one-hot",
                  "set label_column instead, or give a column for each class");
  StreamType out;
  const TextList& classes = params.classes.empty() ? params.labelColumns : params.classes;
  out.fields = fieldsOf(params, static_cast<std::int64_t>(classes.size()));
  return out;
}

void describeColumns(Describe<Params>& d) {
  d.text("image_column", &Params::imageColumn)
      .label("Image column")
      .help(
          "Column with the paths of the pictures: its name in the header row, or its number from 1 "
          "without a header row. auto: found by its name and its cells.");
  d.text("label_column", &Params::labelColumn)
      .label("Label column")
      .optional()
      .help(
          "Column with the classes. auto: found by its name and its cells. Empty: samples have no "
          "label.");
  d.texts("label_columns", &Params::labelColumns)
      .label("One-hot columns")
      .optional()
      .help(
          "Columns of 0 and 1, one for each class, in the order of the class numbers. The column "
          "that is 1 is the class; rows with several or none are left out, unless `multi_label` is "
          "set. Set, it takes the place of `label_column`, whose auto finds such columns too.");
  d.boolean("multi_label", &Params::multiLabel)
      .label("Several labels")
      .help(
          "A sample can have several classes or none. Its label is then a vector of f32 with a 1 "
          "for each of its classes and 0 for all others (multi-hot).");
  d.choice<LabelSeparator>("label_separator", &Params::labelSeparator,
                           {{LabelSeparator::Auto, "auto", "Found from the cells."},
                            {LabelSeparator::Pipe, "pipe", "`cat|dog`"},
                            {LabelSeparator::Semicolon, "semicolon", "`cat;dog`"},
                            {LabelSeparator::Comma, "comma", "`cat,dog`"},
                            {LabelSeparator::Space, "space", "`cat dog`"},
                            {LabelSeparator::List, "list", "`[\"cat\", \"dog\"]`"}})
      .label("Label separator")
      .help("What divides several labels in a cell of the label column.")
      .usedWith("multi_label");
  d.text("target_column", &Params::targetColumn)
      .label("Target column")
      .optional()
      .help("Column with the paths of the target pictures.");
  d.text("mask_column", &Params::maskColumn)
      .label("Mask column")
      .optional()
      .help("Column with the paths of the masks.");
}

/// Where the files of the cells are.
void describeFiles(Describe<Params>& d) {
  d.path("root", &Params::root)
      .label("Root")
      .folder()
      .optional()
      .help(
          "Where relative paths in the manifest start. Empty: the manifest's folder, or the folder "
          "next to it that has the files.");
  d.choice<FindBy>(
       "find_by", &Params::findBy,
       {{FindBy::Auto, "auto", "By path, or by name if that finds more of the first pictures."},
        {FindBy::Path, "path", "A cell is the path from the root."},
        {FindBy::Name, "name",
         "A cell has the picture's name, and the picture may be in any folder below the root. "
         "Names "
         "that several files have are left out. All names are listed at the start."}})
      .label("Find by")
      .help("How the files of the cells are found.");
}

void describeText(Describe<Params>& d) {
  d.choice<Header>("header", &Params::header,
                   {{Header::Auto, "auto", "Determined by the first row."},
                    {Header::Yes, "yes", "The first row names the columns."},
                    {Header::No, "no", "The first row is a sample; columns are numbered from 1."}})
      .label("Header row")
      .help("Whether the first row names the columns.");
  d.choice<TextEncoding>(
       "encoding", &Params::encoding,
       {{TextEncoding::Auto, "auto", "UTF-16 or UTF-8 if it is valid, otherwise Windows-1252."},
        {TextEncoding::Utf8, "utf8", "UTF-8, with or without a byte order mark."},
        {TextEncoding::Latin1, "latin1", "Windows-1252, which contains Latin-1."},
        {TextEncoding::Utf16, "utf16", "UTF-16, as spreadsheets export it."}})
      .label("Encoding")
      .help("How the characters of the file are stored.");
  d.text("extension", &Params::extension)
      .label("Extension")
      .optional()
      .help(
          "Added to paths that have no picture's extension, such as .jpg. auto: the one with "
          "which the files exist. Empty: nothing is added.");
}

}  // namespace

ManifestHints hintsOf(const Params& p, const fs::path& root) {
  ManifestHints hints;
  if (p.separator != Separator::Auto)
    hints.separator = kSeparators[static_cast<std::size_t>(p.separator)];
  if (p.header != Header::Auto) hints.header = p.header == Header::Yes;
  hints.encoding = p.encoding;
  hints.image = p.imageColumn;
  hints.label = p.labelColumn;
  hints.oneHot = p.labelColumns;
  if (p.labelSeparator != LabelSeparator::Auto)
    hints.labelSeparator = kListSeparators[static_cast<std::size_t>(p.labelSeparator)];
  hints.target = p.targetColumn;
  hints.mask = p.maskColumn;
  hints.root = root;
  if (p.findBy != FindBy::Auto) hints.byName = p.findBy == FindBy::Name;
  if (p.extension != kAnyExtension) hints.extension = p.extension;
  return hints;
}

NodeSpec describe() {
  Describe<Params> d("manifest", Category::Source, NodeRole::Source);
  d.label("Manifest")
      .help(
          "Reads samples that are listed in a CSV file: paths of pictures, targets and masks, and "
          "classes. Separator, encoding, header row, columns and the folder where paths start are "
          "found from the file's first rows, unless they are set. Invalid rows are left out and "
          "reported with line and column.");
  d.example(R"({"paths": ["train.csv"], "image_column": "file", "label_column": "class"})");
  d.tags({"csv", "table", "list", "annotations"});
  d.paths("paths", &Params::paths)
      .label("Manifests")
      .file()
      .data()
      .help(
          "CSV files. Several files form one data set. Relative paths start at the pipeline file.");
  describeFiles(d);
  describeColumns(d);
  d.choice<LabelNumbers>(
       "labels", &Params::labels,
       {{LabelNumbers::Auto, "auto",
         "Class numbers if all labels are whole numbers, quantities if they have fractions, "
         "otherwise "
         "names."},
        {LabelNumbers::Integer, "integer", "The label is the class number, starting at 0."},
        {LabelNumbers::OneBased, "one_based", "The same, starting at 1."},
        {LabelNumbers::Text, "text", "The label is a name; classes are sorted by bytes."},
        {LabelNumbers::Real, "real", "The label is a quantity, such as an age or a price."}})
      .label("Labels")
      .help("How labels are converted to classes.");
  d.texts("classes", &Params::classes)
      .label("Classes")
      .optional()
      .help("Class names in order. Empty: the names in the manifest.");
  d.choice<Separator>("separator", &Params::separator,
                      {{Separator::Auto, "auto", "The one that divides most rows equally."},
                       {Separator::Comma, "comma", ","},
                       {Separator::Semicolon, "semicolon", ";"},
                       {Separator::Tab, "tab", "A tabulator."},
                       {Separator::Pipe, "pipe", "|"},
                       {Separator::Space, "space", "A space."},
                       {Separator::AfterPath, "after_path",
                        "The space after the path of a picture, or else the last one: paths may "
                        "have spaces, and a class follows."},
                       {Separator::FirstSpace, "first_space",
                        "The first space: a class, then a path that may have spaces."}})
      .label("Separator")
      .help("Character between cells.");
  describeText(d);
  describePages(d);
  describeReadAhead(d);
  describeReadBy(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return withPages(params.pages, Manifest::open(params, context.base));
  });
  addExporters(d);
  return d.take();
}

}  // namespace millrace::nodes::manifest
