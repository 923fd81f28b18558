// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <map>

#include <fmt/format.h>

#include <array>

#include "core/base/text.h"
#include "core/formats/folder/manifest_table.h"
#include "core/formats/io/data_path.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/file_reader.h"
#include "core/formats/io/unique_fd.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::manifest {

namespace {

namespace fs = std::filesystem;

enum class Separator : std::uint8_t { Comma, Semicolon, Tab };
enum class Labels : std::uint8_t { Auto, Integer, Text };

struct Params {
  TextList paths;
  std::string root;
  std::string imageColumn = "image";
  std::string labelColumn = "label";
  std::string targetColumn;
  std::string maskColumn;
  Labels labels = Labels::Auto;
  TextList classes;
  Separator separator = Separator::Comma;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

std::vector<FieldSpec> fieldsOf(const Params& p, std::int64_t classes) {
  const auto file = [](const char* name, Role role) {
    return FieldSpec{name, DType::Encoded, {Shape::kUnknown}, Layout::Plain, role};
  };
  std::vector<FieldSpec> fields{file("image", Role::Image)};
  if (!p.targetColumn.empty()) fields.push_back(file("target", Role::Target));
  if (!p.maskColumn.empty()) fields.push_back(file("mask", Role::Mask));
  if (!p.labelColumn.empty())
    fields.push_back({"label", DType::I64, {}, Layout::Plain, Role::Label, classes});
  return fields;
}

ManifestColumns columnsOf(const Params& p) {
  ManifestColumns columns;
  columns.paths.push_back(p.imageColumn);
  if (!p.targetColumn.empty()) columns.paths.push_back(p.targetColumn);
  if (!p.maskColumn.empty()) columns.paths.push_back(p.maskColumn);
  columns.label = p.labelColumn;
  columns.classes = p.classes;
  columns.integerLabels = p.classes.empty() && p.labels == Labels::Integer;
  if (p.separator != Separator::Comma)
    columns.separator = p.separator == Separator::Tab ? '\t' : ';';
  return columns;
}

/// One manifest file with its rows, and the folder that its paths start at.
struct Table {
  fs::path file;
  fs::path folder;
  UniqueFd fd;
  ManifestTable rows;
  std::vector<std::int32_t> classOf;  ///< by the number of the label's text
};

class Manifest final : public Source {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  explicit Manifest(const Params& params) : m_params(params), m_columns(columnsOf(params)) {}

  std::uint32_t size() const override { return m_starts.back(); }
  std::vector<FieldSpec> fields() const override {
    return fieldsOf(m_params, static_cast<std::int64_t>(m_classes.size()));
  }
  std::string name(std::uint32_t index) const override { return path(index, 0); }
  std::int64_t labelOf(std::uint32_t index) const override {
    if (m_columns.label.empty()) return -1;
    const Table& table = tableOf(index);
    return table.classOf[table.rows.label(row(index))];
  }
  std::vector<std::string> classes() const override { return m_classes; }
  std::vector<std::string> warnings() const override { return m_warnings; }
  std::string file(std::uint32_t index) const override {
    return (tableOf(index).folder / path(index, 0)).native();
  }
  std::vector<std::string> moreFiles(std::uint32_t index) const override {
    std::vector<std::string> files;
    for (std::size_t column = 1; column < pathColumns(); ++column)
      files.push_back((tableOf(index).folder / path(index, column)).native());
    return files;
  }
  std::unique_ptr<SourceReader> reader() const override;

  std::size_t pathColumns() const { return m_columns.paths.size(); }
  bool hasLabel() const { return !m_columns.label.empty(); }
  const std::string& columnName(std::size_t column) const { return m_columns.paths[column]; }
  const char* path(std::uint32_t index, std::size_t column) const {
    return tableOf(index).rows.path(row(index), column);
  }
  int folder(std::uint32_t index) const { return tableOf(index).fd.get(); }
  ReadBy readBy() const { return m_params.readBy; }

 private:
  Status addTable(const fs::path& file, const fs::path& root);
  void numberClasses();

  std::size_t at(std::uint32_t index) const {
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), index);
    return static_cast<std::size_t>(after - m_starts.begin()) - 1;
  }
  const Table& tableOf(std::uint32_t index) const { return m_tables[at(index)]; }
  std::size_t row(std::uint32_t index) const { return index - m_starts[at(index)]; }

  const Params m_params;
  const ManifestColumns m_columns;
  std::vector<Table> m_tables;
  std::vector<std::uint32_t> m_starts{0};  ///< first index of each table, and the end
  std::vector<std::string> m_classes;
  std::vector<std::string> m_warnings;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const Manifest& source) : m_source(source) {
    m_files.reserve(source.pathColumns());
    for (std::size_t i = 0; i < source.pathColumns(); ++i) m_files.emplace_back(source.readBy());
  }

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    for (std::size_t i = 0; i < m_files.size(); ++i) {
      const char* path = m_source.path(index, i);
      Status done = m_files[i].readInto(sample, i, m_source.folder(index), path, counters);
      if (!done && i > 0)
        return Error{fmt::format("{} {}: {}", m_source.columnName(i), path, done.error().message)};
      if (!done) return done;
    }
    if (m_source.hasLabel())
      *sample.replace(m_files.size(), DType::I64, {}, Layout::Plain).as<std::int64_t>() =
          m_source.labelOf(index);
    return {};
  }

 private:
  const Manifest& m_source;
  std::vector<FileReader> m_files;
};

std::unique_ptr<SourceReader> Manifest::reader() const { return std::make_unique<Reader>(*this); }

Status Manifest::addTable(const fs::path& file, const fs::path& root) {
  FileReader reader;
  ReadCounters ignored;
  const auto inFile = [&](const Error& error) {
    return Error{fmt::format("manifest `{}`: {}", validUtf8(file.native()), error.message)};
  };
  const auto text = reader.read(AT_FDCWD, file.c_str(), ignored);
  if (!text) return inFile(text.error());
  auto rows =
      ManifestTable::parse({reinterpret_cast<const char*>(text->data()), text->size()}, m_columns);
  if (!rows) return inFile(rows.error());
  Table table;
  table.file = file;
  table.folder = root.empty() ? file.parent_path() : root;
  table.rows = rows.take();
  table.fd = UniqueFd(::open(table.folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!table.fd.valid()) return folderError(table.folder, errno);
  for (const std::string& problem : table.rows.problems())
    m_warnings.push_back(file.filename().native() + ": " + problem);
  const std::uint64_t total = std::uint64_t{m_starts.back()} + table.rows.rows();
  if (total > std::numeric_limits<std::uint32_t>::max())
    return Error{"more than 4 294 967 295 rows; use fewer manifests"};
  m_starts.push_back(static_cast<std::uint32_t>(total));
  m_tables.push_back(std::move(table));
  return {};
}

/// The class names "0", "1", ... if all labels are numbers; otherwise empty.
std::vector<std::string> numbersUpTo(const std::vector<std::string>& labels) {
  std::int64_t highest = -1;
  for (const std::string& text : labels) {
    const auto number = classNumber(text);
    if (!number) return {};
    highest = std::max(highest, *number);
  }
  std::vector<std::string> names;
  for (std::int64_t i = 0; i <= highest; ++i) names.push_back(std::to_string(i));
  return names;
}

/// The given classes, or the labels' numbers, or names in byte order.
void Manifest::numberClasses() {
  std::vector<std::string> names;
  for (const Table& table : m_tables)
    names.insert(names.end(), table.rows.labelTexts().begin(), table.rows.labelTexts().end());
  m_classes = m_params.classes;
  if (m_classes.empty() && m_params.labels != Labels::Text) m_classes = numbersUpTo(names);
  const bool numbers = m_params.classes.empty() && !m_classes.empty();
  if (m_classes.empty()) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    m_classes = std::move(names);
  }
  std::map<std::string, std::int32_t> places;
  for (const std::string& name : m_classes)
    places.emplace(name, static_cast<std::int32_t>(places.size()));
  for (Table& table : m_tables)
    for (const std::string& text : table.rows.labelTexts())
      table.classOf.push_back(numbers ? static_cast<std::int32_t>(*classNumber(text))
                                      : places.at(text));
}

Result<std::shared_ptr<const Source>> Manifest::open(const Params& params, const fs::path& base) {
  fs::path root;
  if (!params.root.empty()) {
    MILLRACE_ASSIGN_OR_RETURN(root, resolveDataPath(params.root, base));
  }
  if (params.paths.empty()) return resolveDataPath("", base).error();
  auto source = std::make_shared<Manifest>(params);
  for (const std::string& text : params.paths) {
    MILLRACE_ASSIGN_OR_RETURN(const auto path, resolveDataPath(text, base));
    MILLRACE_TRY(source->addTable(path, root));
  }
  source->numberClasses();
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no manifest is set", "set at least one");
  if (params.imageColumn.empty())
    context.error("image_column", "the column with the pictures is not set",
                  "set it to a column of the header row");
  StreamType out;
  out.fields = fieldsOf(params, static_cast<std::int64_t>(params.classes.size()));
  return out;
}

void describeColumns(Describe<Params>& d) {
  d.text("image_column", &Params::imageColumn)
      .label("Image column")
      .help("Column with the paths of the pictures.");
  d.text("label_column", &Params::labelColumn)
      .label("Label column")
      .optional()
      .help("Column with the classes. Empty: samples have no label.");
  d.text("target_column", &Params::targetColumn)
      .label("Target column")
      .optional()
      .help("Column with the paths of the target pictures.");
  d.text("mask_column", &Params::maskColumn)
      .label("Mask column")
      .optional()
      .help("Column with the paths of the masks.");
}

std::string columnLiteral(const std::string& name) {
  return name.empty() ? std::string("None") : pythonText(name);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  constexpr const char* kSeparators[] = {",", ";", "\\t"};
  constexpr const char* kLabels[] = {"auto", "integer", "text"};
  ExportText text;
  text.needs("manifest").option("DATA", pathListLiteral(p.paths, context));
  std::string call = "Manifest(DATA";
  if (!p.root.empty()) {
    text.option("ROOT", pathLiteral(p.root, context));
    call += ", root=ROOT";
  }
  call +=
      fmt::format(", image={}, label={}", pythonText(p.imageColumn), columnLiteral(p.labelColumn));
  if (!p.targetColumn.empty()) call += ", target=" + pythonText(p.targetColumn);
  if (!p.maskColumn.empty()) call += ", mask=" + pythonText(p.maskColumn);
  if (p.labels != Labels::Auto)
    call += fmt::format(", labels=\"{}\"", kLabels[static_cast<std::size_t>(p.labels)]);
  if (!p.classes.empty()) call += ", classes=" + pythonTexts(p.classes);
  if (p.separator != Separator::Comma)
    call += fmt::format(", separator=\"{}\"", kSeparators[static_cast<std::size_t>(p.separator)]);
  return text.step(call + ")");
}

/// For tf.data and DALI.
ExportText arrays(const Params& p, const ExportContext& context) {
  constexpr std::array<const char*, 3> kLabels = {"auto", "integer", "text"};
  constexpr std::array<const char*, 3> kSeparators = {",", ";", "\\t"};
  std::vector<std::string> columns{"\"image\": " + pythonText(p.imageColumn)};
  if (!p.targetColumn.empty()) columns.push_back("\"target\": " + pythonText(p.targetColumn));
  if (!p.maskColumn.empty()) columns.push_back("\"mask\": " + pythonText(p.maskColumn));
  ExportText text;
  text.needs("manifest")
      .option("DATA", pathListLiteral(p.paths, context))
      .option("ROOT", pathLiteral(p.root, context), "None: paths start at their manifest")
      .option("CLASSES", p.classes.empty() ? "None" : pythonTexts(p.classes));
  return text.step(
      fmt::format("manifest(DATA, ROOT, columns={{{}}}, label={}, numbers=\"{}\", classes=CLASSES, "
                  "separator=\"{}\")",
                  join(columns, ", "), p.labelColumn.empty() ? "None" : pythonText(p.labelColumn),
                  kLabels.at(static_cast<std::size_t>(p.labels)),
                  kSeparators.at(static_cast<std::size_t>(p.separator))));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("manifest", Category::Source, NodeRole::Source);
  d.label("Manifest")
      .help(
          "Reads samples that are listed in a CSV file with a header row: paths of pictures, "
          "targets and masks, and classes. Invalid rows are left out and reported with their line "
          "numbers.");
  d.example(R"({"paths": ["train.csv"], "image_column": "file", "label_column": "class"})");
  d.tags({"csv", "table", "list", "annotations"});
  d.paths("paths", &Params::paths)
      .label("Manifests")
      .file()
      .data()
      .help(
          "CSV files. Several files form one data set. Relative paths start at the pipeline file.");
  d.path("root", &Params::root)
      .label("Root")
      .folder()
      .optional()
      .help("Where relative paths in the manifest start. Empty: the manifest's folder.");
  describeColumns(d);
  d.choice<Labels>("labels", &Params::labels,
                   {{Labels::Auto, "auto", "Numbers if all labels are numbers, otherwise names."},
                    {Labels::Integer, "integer", "The label is the class number, starting at 0."},
                    {Labels::Text, "text", "The label is a name; classes are sorted by bytes."}})
      .label("Labels")
      .help("How labels are converted to classes.");
  d.texts("classes", &Params::classes)
      .label("Classes")
      .optional()
      .help("Class names in order. Empty: the names in the manifest.");
  d.choice<Separator>("separator", &Params::separator,
                      {{Separator::Comma, "comma", ","},
                       {Separator::Semicolon, "semicolon", ";"},
                       {Separator::Tab, "tab", "A tabulator."}})
      .label("Separator")
      .help("Character between cells.");
  describeReadAhead(d);
  describeReadBy(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return Manifest::open(params, context.base);
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  return d.take();
}

}  // namespace millrace::nodes::manifest
