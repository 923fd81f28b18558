// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/hdf5/hdf5_file.h"
#include "core/formats/hdf5/hdf5_rows.h"
#include "core/formats/io/file_error.h"
#include "core/formats/shard_files.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/node_parts/fields/hdf5_fields.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/node_parts/record_text.h"
#include "core/spec/field_keys.h"
#include "core/spec/python_literal.h"
#include "core/spec/source.h"

namespace millrace::nodes::hdf5 {

namespace {

namespace fs = std::filesystem;
using Access = Hdf5Dataset::Access;

struct Params {
  TextList paths;
  TextList datasets;
  ArrayContent content = ArrayContent::Auto;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

bool isHdf5Name(std::string_view name) { return name.ends_with(".h5") || name.ends_with(".hdf5"); }

/// The dataset of one file that a field is read from, and the positions of its variable-length rows
/// if they are known.
struct Part {
  const Hdf5Dataset* set = nullptr;
  std::vector<Hdf5Run> places;
};

/// A field with its dataset in each file, and its labels, which are read at opening.
struct Field {
  FieldSpec spec;
  std::string dataset;
  std::vector<Part> parts;
  std::vector<std::int64_t> labels;
};

struct File {
  fs::path path;
  std::unique_ptr<Hdf5File> content;
  std::uint32_t entry;  ///< as ShardFile::entry
};

/// The rows of the datasets of HDF5 files.
class Hdf5Samples final : public Source, public HasFieldKeys {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  std::uint32_t size() const override { return m_starts.back(); }
  std::vector<FieldSpec> fields() const override {
    std::vector<FieldSpec> specs;
    for (const Field& field : m_fields) specs.push_back(field.spec);
    return specs;
  }
  std::vector<std::string> fieldKeys() const override {
    std::vector<std::string> keys;
    for (const Field& field : m_fields) keys.push_back(field.dataset);
    return keys;
  }
  std::string name(std::uint32_t index) const override {
    const std::size_t number = fileOf(index);
    return fmt::format("{}#{}", m_files[number].path.filename().native(), index - m_starts[number]);
  }
  std::int64_t labelOf(std::uint32_t index) const override {
    for (const Field& field : m_fields)
      if (field.spec.role == Role::Label) return field.labels[index];
    return -1;
  }
  std::vector<std::string> classes() const override { return m_classes; }
  std::vector<std::string> warnings() const override { return m_notes; }
  std::string file(std::uint32_t index) const override {
    return m_files[fileOf(index)].path.native();
  }
  std::uint32_t pathOf(std::uint32_t index) const override { return m_files[fileOf(index)].entry; }
  std::unique_ptr<SourceReader> reader() const override;

  const std::vector<Field>& taken() const { return m_fields; }
  ReadBy readBy() const { return m_readBy; }
  const Hdf5File& content(std::size_t file) const { return *m_files[file].content; }
  std::size_t fileOf(std::uint32_t index) const {
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), index);
    return static_cast<std::size_t>(after - m_starts.begin()) - 1;
  }
  std::uint64_t row(std::uint32_t index, std::size_t file) const { return index - m_starts[file]; }

 private:
  Status addFile(const ShardFile& shard, const Params& params);
  Status takeFields(const Hdf5File& file, const Params& params);
  Status addPart(const Hdf5File& file, Field& field);
  Status takeLabels(const Hdf5File& file, const Hdf5Dataset& set, Field& field);
  Status addRows(std::uint64_t rows);
  void noteCosts();

  ReadBy m_readBy = ReadBy::Cache;
  std::vector<File> m_files;
  std::vector<Field> m_fields;
  std::vector<std::uint32_t> m_starts{0};  ///< first sample of each file, and the end
  std::vector<std::string> m_classes;
  std::vector<std::string> m_notes;
  std::vector<Error> m_unreadable;  ///< why files are left out, while opening
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const Hdf5Samples& source) : m_source(source) {
    m_rows.reserve(source.taken().size());
    for (const Field& field : source.taken())
      m_rows.emplace_back(source.readBy(), field.parts.front().set->variable);
  }

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    const std::size_t number = m_source.fileOf(index);
    const std::uint64_t row = m_source.row(index, number);
    for (std::size_t f = 0; f < m_rows.size(); ++f) {
      const Field& field = m_source.taken()[f];
      if (field.spec.role == Role::Label) {
        *sample.replace(f, DType::I64, {}, Layout::Plain).as<std::int64_t>() = field.labels[index];
        continue;
      }
      const Status done = field.parts[number].set->variable
                              ? readRun(field, number, row, f, sample, counters)
                              : readRow(field, number, row, f, sample, counters);
      if (!done)
        return Error{
            fmt::format("dataset `{}`: {}", validUtf8(field.dataset), done.error().message)};
    }
    return {};
  }
  std::size_t keptBytes() const override {
    std::size_t bytes = 0;
    for (const Hdf5RowReader& rows : m_rows) bytes += rows.keptBytes();
    return bytes;
  }

 private:
  Status readRun(const Field& field, std::size_t number, std::uint64_t row, std::size_t f,
                 Sample& sample, ReadCounters& counters) {
    const Hdf5File& file = m_source.content(number);
    const Part& part = field.parts[number];
    MILLRACE_ASSIGN_OR_RETURN(
        const auto run, part.places.empty()
                            ? m_rows[f].readRun(file, *part.set, row, counters, sample.room(f))
                            : m_rows[f].readRun(file, part.places, row, counters, sample.room(f)));
    const DType dtype = part.set->dtype;
    const Shape shape{static_cast<std::int64_t>(run.size() / sizeOf(dtype))};
    sample.borrow(f, {dtype, field.spec.layout, shape, run.data(), run.size()});
    return {};
  }

  Status readRow(const Field& field, std::size_t number, std::uint64_t row, std::size_t f,
                 Sample& sample, ReadCounters& counters) {
    const Hdf5Dataset& set = *field.parts[number].set;
    const TensorView to = sample.replace(f, field.spec.dtype, field.spec.shape, field.spec.layout);
    return m_rows[f].read(m_source.content(number), set, row, {to.data, set.rowBytes()}, counters);
  }

  const Hdf5Samples& m_source;
  std::vector<Hdf5RowReader> m_rows;
};

std::unique_ptr<SourceReader> Hdf5Samples::reader() const {
  return std::make_unique<Reader>(*this);
}

/// The first file defines the samples.
Status Hdf5Samples::takeFields(const Hdf5File& file, const Params& params) {
  MILLRACE_ASSIGN_OR_RETURN(auto choice, chooseHdf5Fields(file, params.datasets, params.content));
  for (Hdf5Field& field : choice.fields)
    m_fields.push_back({std::move(field.spec), std::move(field.dataset), {}, {}});
  if (choice.leftOut.empty()) return {};
  const std::size_t listed = std::min(choice.leftOut.size(), kMostDamageNotes);
  const std::vector<std::string> first(
      choice.leftOut.begin(), choice.leftOut.begin() + static_cast<std::ptrdiff_t>(listed));
  m_notes.push_back(fmt::format(
      "unused datasets: {}{}; select them with `datasets`", join(first, ", "),
      choice.leftOut.size() > listed ? fmt::format(" and {} more", choice.leftOut.size() - listed)
                                     : ""));
  return {};
}

Status Hdf5Samples::addPart(const Hdf5File& file, Field& field) {
  const std::string name = validUtf8(field.dataset);
  const Hdf5Dataset* set = datasetNamed(file, field.dataset);
  if (set == nullptr)
    return Error{fmt::format("it has no dataset `{}`, unlike the first file", name)};
  if (!set->whyNot.empty()) return Error{fmt::format("dataset `{}`: {}", name, set->whyNot)};
  const Hdf5Dataset& known = field.parts.empty() ? *set : *field.parts.front().set;
  if (known.dtype != set->dtype || known.row != set->row || known.variable != set->variable)
    return Error{fmt::format(
        "the samples of dataset `{}` are {} {}, but those of the first file are {} {}", name,
        nameOf(set->dtype), set->row.text(), nameOf(known.dtype), known.row.text())};
  field.parts.push_back({set, set->variable ? readHdf5Places(file, *set) : std::vector<Hdf5Run>()});
  if (!set->note.empty()) m_notes.push_back(fmt::format("{}: {}", name, set->note));
  return field.spec.role == Role::Label ? takeLabels(file, *set, field) : Status();
}

/// Reads the numbers, and the class names if they are equal in every file.
Status Hdf5Samples::takeLabels(const Hdf5File& file, const Hdf5Dataset& set, Field& field) {
  const auto labels = readHdf5Labels(file, set);
  if (!labels)
    return Error{fmt::format("dataset `{}`: {}", validUtf8(field.dataset), labels.error().message)};
  field.labels.insert(field.labels.end(), labels->begin(), labels->end());
  auto names = file.classNames(set);
  const auto named = static_cast<std::int64_t>(names.size());
  if (std::any_of(labels->begin(), labels->end(),
                  [named](std::int64_t label) { return label >= named; }))
    names.clear();
  if (field.parts.size() == 1) {
    m_classes = std::move(names);
  } else if (names != m_classes) {
    if (!m_classes.empty())
      m_notes.push_back(
          fmt::format("the class names of dataset `{}` differ between files and are not used",
                      validUtf8(field.dataset)));
    m_classes.clear();
  }
  field.spec.classes = static_cast<std::int64_t>(m_classes.size());
  return {};
}

Status Hdf5Samples::addRows(std::uint64_t rows) {
  for (const Field& field : m_fields)
    if (field.parts.back().set->rows != rows)
      return Error{fmt::format("`{}` has {} samples, but `{}` has {}; they must have equally many",
                               validUtf8(m_fields.front().dataset), grouped(rows),
                               validUtf8(field.dataset), grouped(field.parts.back().set->rows))};
  const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (rows > most - m_starts.back())
    return Error{fmt::format("more than {} samples; use fewer files", grouped(most))};
  m_starts.push_back(m_starts.back() + static_cast<std::uint32_t>(rows));
  return {};
}

Status Hdf5Samples::addFile(const ShardFile& shard, const Params& params) {
  const fs::path& path = shard.path;
  const auto inFile = [&](const Error& error) {
    return Error{fmt::format("`{}`: {}", validUtf8(path.native()), error.message)};
  };
  auto opened = Hdf5File::open(path);
  if (!opened) {
    m_unreadable.push_back(inFile(opened.error()));
    return {};
  }
  m_files.push_back({path, opened.take(), shard.entry});
  const Hdf5File& file = *m_files.back().content;
  if (m_fields.empty())
    if (Status taken = takeFields(file, params); !taken) {
      m_unreadable.push_back(inFile(taken.error()));
      m_fields.clear();
      m_files.pop_back();
      return {};
    }
  for (Field& field : m_fields)
    if (Status added = addPart(file, field); !added) return inFile(added.error());
  if (Status added = addRows(m_fields.front().parts.back().set->rows); !added)
    return inFile(added.error());
  return {};
}

Error noneReadable(const std::vector<Error>& reasons) {
  constexpr std::size_t kMostNamed = 4;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kMostNamed, reasons.size()); ++i)
    texts.push_back(reasons[i].message);
  if (reasons.size() > kMostNamed)
    texts.push_back(fmt::format("and {} more", reasons.size() - kMostNamed));
  return Error{join(texts, "; ")};
}

/// Notes what makes reading slower than necessary.
void Hdf5Samples::noteCosts() {
  for (const Field& field : m_fields) {
    const Hdf5Dataset& set = *field.parts.front().set;
    if (field.spec.role == Role::Label || !field.parts.front().places.empty()) continue;
    if (set.access == Access::Library)
      m_notes.push_back(
          fmt::format("`{}` is read by libhdf5, which allows one thread at a time and uses the "
                      "page cache; contiguous datasets, and chunks with gzip, LZF, shuffle and "
                      "fletcher32, are read without it",
                      validUtf8(field.dataset)));
    else if (set.access == Access::Chunks && !set.chunks.filters.empty() && set.chunks.sides[0] > 1)
      m_notes.push_back(
          fmt::format("`{}` has chunks of {} samples: with shuffling or reading ahead, each sample "
                      "costs unpacking all of them (h5py: chunks=(1, ...) for shuffled reading)",
                      validUtf8(field.dataset), grouped(set.chunks.sides[0])));
  }
}

Result<std::shared_ptr<const Source>> Hdf5Samples::open(const Params& params,
                                                        const fs::path& base) {
  auto source = std::make_shared<Hdf5Samples>();
  MILLRACE_ASSIGN_OR_RETURN(const auto shards,
                            shardFiles(params.paths, base, isHdf5Name, source->m_notes));
  source->m_readBy = params.readBy;
  for (const ShardFile& shard : shards) MILLRACE_TRY(source->addFile(shard, params));
  if (source->m_files.empty() && !source->m_unreadable.empty())
    return noneReadable(source->m_unreadable);
  for (const Error& error : source->m_unreadable)
    source->m_notes.push_back(error.message + "; the file is left out");
  if (source->size() == 0) return Error{"no samples"};
  source->noteCosts();
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no HDF5 file is set", "set at least one");
  StreamType out;
  const auto datasets = parseExampleKeys(params.datasets);
  if (!datasets)
    context.error("datasets", datasets.error().message,
                  "use NAME=DATASET, see `millrace nodes hdf5`");
  else
    for (const ExampleField& field : *datasets) out.fields.push_back(field.spec);
  if (!out.fields.empty()) return out;
  out.fields = expectedFields(params.content);
  return out;
}

/// `{"image": ("x_train", "image", "hwc")}`; if the layout is unknown the code determines it from
/// the data.
std::string datasetsLiteral(const std::vector<ExampleField>& fields, bool dataKnown) {
  std::vector<std::string> items;
  for (const ExampleField& field : fields) {
    const Layout layout = dataKnown ? field.spec.layout : Layout::Plain;
    items.push_back(fmt::format("{}: ({}, \"{}\", \"{}\")", pythonText(field.spec.name),
                                pythonText(field.key), nameOf(field.spec.role),
                                layout == Layout::Plain ? ""
                                : layout == Layout::Hwc ? "hwc"
                                                        : "chw"));
  }
  return "{" + join(items, ", ") + "}";
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  auto fields = parseExampleKeys(p.datasets);
  if (fields && fields->empty()) *fields = fieldsFound(context);
  if (!fields || fields->empty()) return fieldsNotSaid("datasets");
  const bool seen = context.dataKnown && context.out.fields.size() == fields->size();
  for (std::size_t i = 0; seen && i < fields->size(); ++i)
    (*fields)[i].spec = context.out.fields[i];
  std::string call = "Hdf5Rows(DATA, " + datasetsLiteral(*fields, seen);
  call += contentArgument(p.content);
  return recordSource(target, "hdf5_rows", call + ")")
      .option("DATA", pathListLiteral(p.paths, context))
      .limit("Rows are read by the package h5py. A chunk is unpacked again for each of its rows.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("hdf5", Category::Source, NodeRole::Source);
  d.label("HDF5").help(
      "Reads datasets of HDF5 files whose first axis is the samples: arrays, and byte strings of "
      "any length (encoded pictures). Contiguous datasets, and chunks with gzip, LZF, shuffle and "
      "fletcher32, are read without the HDF5 library and its lock; the library reads other filters "
      "and byte orders. Virtual datasets and external storage are not supported. Labels are read "
      "when the file is opened.");
  d.part("hdf5");
  d.example(R"({"paths": ["train.h5"], "datasets": ["image=x_train", "label=y_train"]})");
  d.tags({"h5", "h5py", "dataset", "chunk", "gzip", "lzf", "array", "matlab"});
  d.paths("paths", &Params::paths)
      .label("Files")
      .data()
      .help(
          "Files, names with braces such as {000..127} or {a,b}, and folders of .h5 and .hdf5 "
          "files. Several files form one data set and must have the same datasets. Relative paths "
          "start at the pipeline file.");
  d.texts("datasets", &Params::datasets)
      .optional()
      .label("Datasets")
      .help(
          "The fields and their datasets, as NAME=DATASET. If the name does not imply the role, "
          "append it after a colon: image=train/x, label=train/y, depth=z:target. Empty: all "
          "datasets that have the most common number of rows.");
  describeContent(d);
  describeReadAhead(d);
  describeReadBy(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return Hdf5Samples::open(params, context.base);
  });
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, exported);
  return d.take();
}

}  // namespace millrace::nodes::hdf5
