// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/class_names.h"
#include "core/formats/parquet/parquet_reader.h"
#include "core/formats/shard_files.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/node_parts/fields/parquet_fields.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/node_parts/record_text.h"
#include "core/spec/class_lists.h"
#include "core/spec/describe.h"
#include "core/spec/field_keys.h"
#include "core/spec/source.h"
#include "core/spec/stored_names.h"

namespace millrace::nodes::parquet {

namespace {

namespace fs = std::filesystem;

struct Params {
  TextList paths;
  TextList columns;
  std::int64_t pageCache = 256;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

/// The number of rows that are examined to determine the columns' content.
constexpr std::uint32_t kExamined = 16;
/// Larger pages with several rows, and their dictionaries, are noted.
constexpr std::uint64_t kLargePage = std::uint64_t{4} << 20U;

bool isParquetName(std::string_view name) { return name.ends_with(".parquet"); }

struct File {
  fs::path path;
  std::unique_ptr<ParquetFile> content;
  std::vector<std::size_t> columns;  ///< that of each field
  std::uint32_t entry;               ///< as ShardFile::entry
};

/// The rows of Parquet files.
class ParquetSamples final : public Source,
                             public KeepsNames,
                             public FindsClassLists,
                             public HasFieldKeys {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);
  explicit ParquetSamples(const Params& params)
      : m_readBy(params.readBy), m_cache(static_cast<std::size_t>(params.pageCache) << 20U) {}

  std::uint32_t size() const override { return m_starts.back(); }
  std::vector<FieldSpec> fields() const override {
    std::vector<FieldSpec> specs;
    for (const ParquetField& field : m_fields) specs.push_back(field.spec);
    return specs;
  }
  std::vector<std::string> fieldKeys() const override {
    std::vector<std::string> keys;
    for (const ParquetField& field : m_fields)
      keys.push_back(m_files.front().content->footer().columns[field.column].name);
    return keys;
  }
  std::string name(std::uint32_t index) const override {
    const std::size_t number = fileOf(index);
    return fmt::format("{}#{}", m_files[number].path.filename().native(), row(index, number));
  }
  std::vector<std::string> classes() const override { return m_classes; }
  std::vector<std::string> warnings() const override { return m_notes; }
  std::string file(std::uint32_t index) const override {
    return m_files[fileOf(index)].path.native();
  }
  std::uint32_t pathOf(std::uint32_t index) const override { return m_files[fileOf(index)].entry; }
  std::unique_ptr<StoredNames> storedNames() const override;
  std::optional<ClassLists> classLists() const override { return m_classLists; }
  std::unique_ptr<SourceReader> reader() const override;

  std::size_t fileOf(std::uint32_t index) const {
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), index);
    return static_cast<std::size_t>(after - m_starts.begin()) - 1;
  }
  std::uint32_t row(std::uint32_t index, std::size_t file) const { return index - m_starts[file]; }
  const File& content(std::size_t file) const { return m_files[file]; }
  const std::vector<ParquetField>& taken() const { return m_fields; }
  const std::optional<std::size_t>& namesColumn() const { return m_namesColumn; }
  const TextClasses& textClasses() const { return m_textClasses; }
  ParquetReader pages(std::size_t columns) const { return {m_cache, columns, m_readBy}; }

 private:
  Status addFile(const ShardFile& shard);
  Status learnFields(const Params& params);
  void examine(std::size_t column, ParquetFieldDetector& detector, std::string& first);
  Status useColumns(File& file);
  Status learnTextClasses(const Params& params, const fs::path& base);
  Status collectTexts(std::size_t field);
  std::string pathColumn(const ParquetFooter& footer) const;
  void findNames();
  void noteCosts();

  // Constant after opening.
  const ReadBy m_readBy;
  std::vector<File> m_files;
  std::vector<std::uint32_t> m_starts{0};  ///< first sample of each file, and the end
  std::vector<ParquetField> m_fields;
  std::optional<ClassLists> m_classLists;
  std::optional<std::size_t> m_namesColumn;  ///< of the first file: the names of the pictures
  std::vector<std::string> m_classes;
  TextClasses m_textClasses;
  std::vector<std::string> m_notes;
  std::vector<std::string> m_unreadable;

  mutable ParquetCache m_cache;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const ParquetSamples& source)
      : m_source(source), m_pages(source.pages(source.taken().size())) {}

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    const std::size_t number = m_source.fileOf(index);
    const File& file = m_source.content(number);
    const std::uint32_t row = m_source.row(index, number);
    for (std::size_t f = 0; f < file.columns.size(); ++f) {
      const std::size_t c = file.columns[f];
      const ParquetColumn& column = file.content->footer().columns[c];
      const auto cell = m_pages.read(f, {file.content.get(), static_cast<std::uint32_t>(number), c},
                                     row, counters);
      if (!cell)
        return Error{fmt::format("column `{}`: {}", validUtf8(column.name), cell.error().message)};
      MILLRACE_TRY(putParquetCell(column, m_source.taken()[f].spec, *cell, m_source.textClasses(),
                                  sample, f));
    }
    return {};
  }
  std::size_t keptBytes() const override { return m_pages.keptBytes(); }

 private:
  const ParquetSamples& m_source;
  ParquetReader m_pages;
};

std::unique_ptr<SourceReader> ParquetSamples::reader() const {
  return std::make_unique<Reader>(*this);
}

/// The names of the pictures' files, next to the pictures.
class PathNames final : public StoredNames {
 public:
  explicit PathNames(const ParquetSamples& source) : m_source(source), m_pages(source.pages(1)) {}

  std::string name(std::uint32_t index) override {
    const std::size_t number = m_source.fileOf(index);
    const File& file = m_source.content(number);
    const auto cell = m_pages.read(
        0, {file.content.get(), static_cast<std::uint32_t>(number), *m_source.namesColumn()},
        m_source.row(index, number), m_counters);
    if (!cell || cell->null) return {};
    return {reinterpret_cast<const char*>(cell->bytes.data()), cell->bytes.size()};
  }

 private:
  const ParquetSamples& m_source;
  ParquetReader m_pages;
  ReadCounters m_counters;
};

std::unique_ptr<StoredNames> ParquetSamples::storedNames() const {
  if (!m_namesColumn) return nullptr;
  return std::make_unique<PathNames>(*this);
}

Status ParquetSamples::addFile(const ShardFile& shard) {
  const fs::path& path = shard.path;
  auto opened = ParquetFile::open(path);
  if (!opened) {
    m_unreadable.push_back(
        fmt::format("`{}`: {}", validUtf8(path.native()), opened.error().message));
    return {};
  }
  const std::uint32_t rows = (*opened)->rows();
  if (rows > std::numeric_limits<std::uint32_t>::max() - m_starts.back())
    return Error{fmt::format("more than {} samples; use fewer files",
                             grouped(std::numeric_limits<std::uint32_t>::max()))};
  if (rows == 0) return {};
  m_files.push_back({path, opened.take(), {}, shard.entry});
  m_starts.push_back(m_starts.back() + rows);
  return {};
}

/// The columns of which values are examined: all that can be read, or those that are wanted.
std::vector<std::size_t> examined(const Params& params, const ParquetFooter& footer) {
  const auto keys = parseExampleKeys(params.columns);
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < footer.columns.size(); ++c) {
    const ParquetColumn& column = footer.columns[c];
    const bool wanted = params.columns.empty() ||
                        (keys && std::ranges::any_of(*keys, [&](const ExampleField& field) {
                           return field.key == column.name;
                         }));
    if (wanted && column.whyNot.empty()) columns.push_back(c);
  }
  return columns;
}

/// Shows the first values of a column of the first file to the detector. `first`: the first error.
void ParquetSamples::examine(std::size_t column, ParquetFieldDetector& detector,
                             std::string& first) {
  ParquetFile& file = *m_files.front().content;
  file.use(column);
  ParquetReader pages(m_cache, 1, m_readBy);
  ReadCounters counters;
  for (std::uint32_t row = 0; row < std::min(file.rows(), kExamined); ++row) {
    const auto cell = pages.read(0, {&file, 0, column}, row, counters);
    if (cell) {
      detector.add(column, *cell);
      continue;
    }
    if (first.empty())
      first = fmt::format("; column `{}`: {}", validUtf8(file.footer().columns[column].name),
                          cell.error().message);
    return;
  }
}

/// The first file defines the fields.
Status ParquetSamples::learnFields(const Params& params) {
  File& file = m_files.front();
  const ParquetFooter& footer = file.content->footer();
  const auto names = parquetClassNames(footer.features);
  std::vector<bool> classes;
  for (const ParquetColumn& column : footer.columns) classes.push_back(names.contains(column.name));
  ParquetFieldDetector detector(footer.columns, std::move(classes));
  std::string first;
  for (std::size_t c : examined(params, footer)) examine(c, detector, first);
  if (params.columns.empty()) {
    m_fields = detector.guess();
  } else {
    MILLRACE_ASSIGN_OR_RETURN(m_fields, detector.chosen(params.columns));
  }
  const std::vector<std::string> left = detector.leftOut(m_fields, pathColumn(footer));
  if (m_fields.empty())
    return Error{fmt::format("`{}`: no column can be read ({}){}", validUtf8(file.path.native()),
                             join(left, ", "), first)};
  if (params.columns.empty() && !left.empty())
    m_notes.push_back(
        fmt::format("unused columns: {}; select them with `columns`", join(left, ", ")));
  if (const auto lists = detector.listOfClasses(m_fields);
      params.columns.empty() && lists >= 0 && suitClassLists(fields())) {
    std::vector<ExampleField> fields;
    for (const ParquetField& field : m_fields)
      fields.push_back({footer.columns[field.column].name, field.spec});
    m_classLists =
        classListsIn("columns", footer.columns[static_cast<std::size_t>(lists)].name, fields);
    m_notes.push_back(noteOf(*m_classLists));
  }
  for (ParquetField& field : m_fields) {
    if (field.spec.role != Role::Label) continue;
    const auto named = names.find(footer.columns[field.column].name);
    if (named != names.end()) m_classes = named->second;
    field.spec.classes = static_cast<std::int64_t>(m_classes.size());
    break;
  }
  return {};
}

/// Finds the fields' columns in a file, and prepares for reading them.
Status ParquetSamples::useColumns(File& file) {
  const auto& columns = file.content->footer().columns;
  const auto& known = m_files.front().content->footer().columns;
  const auto inFile = [&](const ParquetColumn& column, std::string_view what) {
    return Error{fmt::format("`{}`: column `{}`: {}", validUtf8(file.path.native()),
                             validUtf8(column.name), what)};
  };
  for (const ParquetField& field : m_fields) {
    const ParquetColumn& wanted = known[field.column];
    const auto at = std::ranges::find(columns, wanted.name, &ParquetColumn::name);
    if (at == columns.end()) return inFile(wanted, "it is missing, unlike in the first file");
    if (!at->whyNot.empty()) return inFile(*at, at->whyNot);
    if (at->kind != wanted.kind)
      return inFile(*at,
                    fmt::format("it holds {}, but {} in the first file", at->kind, wanted.kind));
    const auto number = static_cast<std::size_t>(at - columns.begin());
    for (const ParquetGroup& group : file.content->footer().groups)
      if (const Status can = checkParquetCodec(group.chunks[number].codec); !can)
        return inFile(*at, can.error().message);
    file.columns.push_back(number);
    file.content->use(number);
  }
  return {};
}

/// Adds the texts of all rows to the classes.
Status ParquetSamples::collectTexts(std::size_t field) {
  ParquetReader pages(m_cache, 1, m_readBy);
  ReadCounters counters;
  for (std::size_t f = 0; f < m_files.size(); ++f) {
    const File& file = m_files[f];
    const std::size_t column = file.columns[field];
    for (std::uint32_t row = 0; row < file.content->rows(); ++row) {
      const auto cell =
          pages.read(0, {file.content.get(), static_cast<std::uint32_t>(f), column}, row, counters);
      // A damaged row fails when it is read as a sample.
      if (cell && !cell->null) MILLRACE_TRY(m_textClasses.add(cell->bytes));
    }
  }
  return {};
}

/// Numbers the classes of a label that is text: as the names next to the data say, or by reading
/// the whole column.
Status ParquetSamples::learnTextClasses(const Params& params, const fs::path& base) {
  const auto& columns = m_files.front().content->footer().columns;
  const auto label = std::ranges::find_if(m_fields, [&](const ParquetField& field) {
    return hasTextClasses(columns[field.column], field.spec);
  });
  if (label == m_fields.end()) return {};
  const auto place = label - m_fields.begin();
  Status learned = m_textClasses.learn(
      "column", validUtf8(columns[label->column].name), classNamesFor(params.paths, base),
      [&] { return collectTexts(static_cast<std::size_t>(place)); }, m_notes);
  if (!learned) {
    if (!params.columns.empty() || m_fields.size() == 1) return learned;
    m_notes.push_back(learned.error().message);
    m_fields.erase(label);
    for (File& file : m_files) file.columns.erase(file.columns.begin() + place);
    return {};
  }
  m_classes = m_textClasses.names();
  label->spec.classes = static_cast<std::int64_t>(m_classes.size());
  return {};
}

/// struct{bytes, path} has the path next to the bytes.
std::string ParquetSamples::pathColumn(const ParquetFooter& footer) const {
  return m_fields.empty() ? std::string() : footer.columns[m_fields.front().column].name + ".path";
}

void ParquetSamples::findNames() {
  const auto& columns = m_files.front().content->footer().columns;
  const std::string wanted = pathColumn(m_files.front().content->footer());
  const auto at = std::ranges::find(columns, wanted, &ParquetColumn::name);
  if (at == columns.end() || !at->whyNot.empty()) return;
  const auto number = static_cast<std::size_t>(at - columns.begin());
  for (File& file : m_files) {
    const auto& theirs = file.content->footer().columns;
    if (number >= theirs.size() || theirs[number].name != wanted || !theirs[number].whyNot.empty())
      return;
    file.content->use(number);
  }
  m_namesColumn = number;
}

/// Notes what makes reading slower than necessary.
void ParquetSamples::noteCosts() {
  const File& file = m_files.front();
  ParquetUnpacker unpacker;
  for (std::size_t f = 0; f < m_fields.size(); ++f) {
    const auto parts = file.content->parts(file.columns[f], 0, unpacker);
    if (!parts || (*parts)->data.empty()) continue;
    const ParquetPart& page = (*parts)->data.back();
    const auto& dictionary = (*parts)->dictionary;
    const std::uint64_t bytes = page.bytes + (dictionary ? dictionary->bytes : 0);
    if (page.rows < 2 || bytes < kLargePage) continue;
    m_notes.push_back(fmt::format(
        "column `{}` has pages of {} and {}: with shuffling, each sample costs reading and "
        "decompressing a page that is not in `page_cache` (pyarrow: smaller data_page_size, "
        "write_batch_size and use_dictionary=False)",
        validUtf8(file.content->footer().columns[file.columns[f]].name), counted(page.rows, "row"),
        humanBytes(static_cast<double>(bytes))));
  }
}

Result<std::shared_ptr<const Source>> ParquetSamples::open(const Params& params,
                                                           const fs::path& base) {
  auto source = std::make_shared<ParquetSamples>(params);
  MILLRACE_ASSIGN_OR_RETURN(const auto shards,
                            shardFiles(params.paths, base, isParquetName, source->m_notes));
  for (const ShardFile& shard : shards) MILLRACE_TRY(source->addFile(shard));
  if (source->m_files.empty())
    return Error{source->m_unreadable.empty() ? "no rows" : join(source->m_unreadable, "; ")};
  for (const std::string& why : source->m_unreadable)
    source->m_notes.push_back(why + "; the file is left out");
  MILLRACE_TRY(source->learnFields(params));
  for (File& file : source->m_files) MILLRACE_TRY(source->useColumns(file));
  MILLRACE_TRY(source->learnTextClasses(params, base));
  source->findNames();
  source->noteCosts();
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no Parquet file is set", "set at least one");
  StreamType out;
  const auto columns = parseExampleKeys(params.columns);
  if (!columns)
    context.error("columns", columns.error().message,
                  "use NAME=COLUMN, see `millrace nodes parquet`");
  else
    for (const ExampleField& field : *columns) out.fields.push_back(field.spec);
  if (out.fields.empty())
    out.fields = {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image},
                  {"label", DType::I64, {}, Layout::Plain, Role::Label}};
  return out;
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  const auto fields = fieldsSaid(p.columns, context);
  if (!fields) return fieldsNotSaid("columns");
  return recordSource(target, "parquet_rows", "ParquetRows(DATA, " + fieldLiterals(*fields) + ")")
      .option("DATA", pathListLiteral(p.paths, context))
      .limit(
          "Rows are read by the package pyarrow, a row group at a time: with shuffling, each row "
          "costs decompressing its row group. Millrace reads single pages.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("parquet", Category::Source, NodeRole::Source);
  d.label("Parquet").help(
      "Reads rows of Apache Parquet files, such as Hugging Face's data sets: numbers, strings and "
      "bytes, lists of numbers, and pictures as struct{bytes, path}. Pages are read and "
      "decompressed one by one, uncompressed or with Snappy, zstd, gzip, LZ4 or Brotli; "
      "checksums are compared. Maps, lists of lists, lists of structs, decimals, INT96 and "
      "encrypted columns are not supported; the other columns of such a file are read. A null "
      "fails its sample.");
  d.example(
      R"({"paths": ["train-{00000..00001}-of-00002.parquet"], "columns": ["image", "label"]})");
  d.tags(
      {"arrow", "pyarrow", "hugging face", "datasets", "column", "row group", "snappy", "table"});
  d.paths("paths", &Params::paths)
      .label("Files")
      .data()
      .help(
          "Files, names with braces such as {000..127} or {a,b}, and folders of .parquet files. "
          "Several files form one data set and must have the same columns. Relative paths start at "
          "the pipeline file.");
  d.texts("columns", &Params::columns)
      .optional()
      .label("Columns")
      .help(
          "The fields and their columns, as NAME=COLUMN; members of structs are separated by dots. "
          "Bytes can have an element type, a shape and a role, each after a colon: image=img, "
          "label=class_id, pixels=raw:u8:32x32x3. Empty: pictures and labels, or else everything "
          "that has a fixed size, or else lists and bytes.");
  d.integer("page_cache", &Params::pageCache)
      .label("Page cache")
      .range(0, 65536)
      .unit("MiB")
      .speedOnly()
      .help(
          "Memory for decoded pages, which all workers share. A page is decoded again if it is no "
          "longer in it: a shuffled run is fast if all pages fit, or if the order stays within a "
          "few pages.");
  describeReadAhead(d);
  describeReadBy(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return withClassNames(ParquetSamples::open(params, context.base), params.paths, context.base);
  });
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, exported);
  return d.take();
}

}  // namespace millrace::nodes::parquet
