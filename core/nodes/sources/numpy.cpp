// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/class_names.h"
#include "core/formats/folder/held_out_names.h"
#include "core/formats/io/container_file.h"
#include "core/formats/io/range_reader.h"
#include "core/formats/npy/npy_array.h"
#include "core/formats/real_labels.h"
#include "core/formats/shard_files.h"
#include "core/node_parts/fields/array_content.h"
#include "core/node_parts/fields/array_fields.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/node_parts/record_text.h"

namespace millrace::nodes::numpy {

namespace {

namespace fs = std::filesystem;

struct Params {
  TextList paths;
  std::string labels;
  ArrayContent content = ArrayContent::Auto;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

bool isArrayName(std::string_view name) { return name.ends_with(".npy") || name.ends_with(".npz"); }

/// A field of the samples and its array in each file.
struct Field {
  FieldSpec spec;
  std::string member;           ///< in a .npz; empty for a .npy
  std::vector<NpyArray> parts;  ///< one per file
};

std::string nameFor(std::string_view member) { return fieldNameOf(member, "array_"); }

/// The label that an array holds, if it has one number per sample: a class or a quantity. Of
/// reals, the first ones decide.
std::optional<FieldSpec> labelIn(const NpyArray& array) {
  constexpr std::uint64_t kExaminedLabels = 4096;
  FieldSpec classes{"label", DType::I64, {}, Layout::Plain, Role::Label};
  if (array.head.row.elements() != 1 || !storesLabels(array.head.dtype)) return std::nullopt;
  if (isInteger(array.head.dtype)) return classes;
  RealLabels numbers;
  RangeReader reader;
  ReadCounters counters;
  for (std::uint64_t row = 0; row < std::min(array.head.rows, kExaminedLabels); ++row) {
    const auto size = static_cast<std::size_t>(array.head.rowBytes());
    const auto bytes = reader.read(array.fd, array.offset + row * size, size, counters);
    if (!bytes) return std::nullopt;
    numbers.add(realAt(bytes->data(), array.head.dtype));
  }
  if (numbers.areQuantities()) return quantityField(array.head.dtype);
  return numbers.areClasses() ? std::optional(classes) : std::nullopt;
}

FieldSpec specOf(const NpyArray& array, ArrayContent content) {
  FieldSpec spec{nameFor(array.name), array.head.dtype, array.head.row, Layout::Plain,
                 Role::Features};
  if (const auto label = isLabelName(array.name) ? labelIn(array) : std::nullopt) return *label;
  const SampleForm form = formOf(array.head.row, array.head.dtype, content);
  spec.layout = form.layout;
  spec.shape = form.shape;
  if (spec.layout != Layout::Plain) spec.role = pictureRoleOf(array.name);
  if (array.name.empty()) spec.name = spec.role == Role::Image ? "image" : "features";
  return spec;
}

class Arrays final : public Source {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  std::uint32_t size() const override { return m_starts.back(); }
  std::vector<FieldSpec> fields() const override {
    std::vector<FieldSpec> specs;
    for (const Field& field : m_fields) specs.push_back(field.spec);
    return specs;
  }
  std::string name(std::uint32_t index) const override {
    const std::size_t file = fileOf(index);
    return fmt::format("{}#{}", m_files[file].name(), index - m_starts[file]);
  }
  std::vector<std::string> warnings() const override { return m_warnings; }
  std::string file(std::uint32_t index) const override {
    return m_files[fileOf(index)].path.native();
  }
  std::uint32_t pathOf(std::uint32_t index) const override { return m_files[fileOf(index)].entry; }
  std::unique_ptr<SourceReader> reader() const override;

  const std::vector<Field>& arrays() const { return m_fields; }
  ReadBy readBy() const { return m_readBy; }
  std::size_t fileOf(std::uint32_t index) const {
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), index);
    return static_cast<std::size_t>(after - m_starts.begin()) - 1;
  }
  std::uint32_t row(std::uint32_t index, std::size_t file) const { return index - m_starts[file]; }

 private:
  Status addFile(const fs::path& path, std::vector<NpyArray> arrays, ArrayContent content);
  Status openFile(const ShardFile& shard, std::vector<NpyArray>& arrays);
  Status addLabels(const fs::path& path);
  Status addArrays(std::vector<NpyArray> arrays, ArrayContent content, const std::string& file);
  void leaveOutSplits(std::vector<NpyArray>& arrays, const std::string& file);
  void warn(const std::string& file, const NpyArray& array);
  void warnOfLonePictures();

  ReadBy m_readBy = ReadBy::Cache;
  std::vector<ContainerFile> m_files;
  ContainerFile m_labels;
  std::vector<Field> m_fields;
  std::vector<std::uint32_t> m_starts{0};  ///< first sample of each file, and the end
  std::vector<std::string> m_warnings;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const Arrays& source) : m_source(source) {
    m_ranges.reserve(source.arrays().size());
    for (std::size_t f = 0; f < source.arrays().size(); ++f) m_ranges.emplace_back(source.readBy());
  }

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    const std::size_t file = m_source.fileOf(index);
    const std::uint64_t row = m_source.row(index, file);
    for (std::size_t f = 0; f < m_ranges.size(); ++f) {
      const Field& field = m_source.arrays()[f];
      // Labels in a separate file are indexed over all samples.
      const bool own = field.parts.size() == 1;
      const NpyArray& array = own ? field.parts.front() : field.parts[file];
      const std::uint64_t at = array.offset + (own ? index : row) * array.head.rowBytes();
      MILLRACE_TRY(read(field, array, at, f, sample, counters));
    }
    return {};
  }

 private:
  /// Rows shorter than this are read in larger pieces.
  static constexpr std::uint64_t kShort = 16384;

  Status read(const Field& field, const NpyArray& array, std::uint64_t at, std::size_t f,
              Sample& sample, ReadCounters& counters) {
    const auto bytes = static_cast<std::size_t>(array.head.rowBytes());
    const TensorView to = sample.replace(f, field.spec.dtype, field.spec.shape, field.spec.layout);
    const bool label = field.spec.role == Role::Label;
    if (bytes >= kShort && !label)
      return m_ranges[f].readTo(array.fd, at, {to.data, bytes}, counters);
    MILLRACE_ASSIGN_OR_RETURN(const auto row, m_ranges[f].read(array.fd, at, bytes, counters));
    if (!label) {
      std::memcpy(to.data, row.data(), bytes);
      return {};
    }
    const auto number = labelAt(row.data(), array.head.dtype);
    if (!number) return Error{"the label is not a whole number from 0"};
    *to.as<std::int64_t>() = *number;
    return {};
  }

  const Arrays& m_source;
  std::vector<RangeReader> m_ranges;
};

std::unique_ptr<SourceReader> Arrays::reader() const { return std::make_unique<Reader>(*this); }

void Arrays::warn(const std::string& file, const NpyArray& array) {
  if (array.note.empty()) return;
  m_warnings.push_back(fmt::format("{}{}{}: {}", validUtf8(file), array.name.empty() ? "" : "#",
                                   validUtf8(array.name), array.note));
}

/// Whether an array belongs to a split that is not trained on: `x_test`, `val_images`.
bool isHeldOut(std::string_view array) {
  for (const std::string& word : split(lowerCase(array), '_'))
    if (std::ranges::find(kHeldOutNames, word) != kHeldOutNames.end()) return true;
  return false;
}

/// What a file with one picture looks like: its rows are read as samples.
bool isLonePicture(const NpyArray& array) {
  constexpr std::int64_t kLeastSide = 8;
  const Shape& row = array.head.row;
  return array.name.empty() && array.head.dtype == DType::U8 && row.rank() == 2 &&
         array.head.rows >= kLeastSide && row[0] >= kLeastSide &&
         (row[1] == 1 || row[1] == 3 || row[1] == 4);
}

/// Files with all splits, such as Keras' `mnist.npz`: the arrays to train on remain.
void Arrays::leaveOutSplits(std::vector<NpyArray>& arrays, const std::string& file) {
  const bool differ = std::ranges::any_of(
      arrays, [&](const NpyArray& array) { return array.head.rows != arrays.front().head.rows; });
  std::set<std::string> all;
  for (const NpyArray& array : arrays) all.insert(lowerCase(array.name));
  const auto isTrain = [&](const NpyArray& array) {
    return differ ? !isHeldOut(array.name) : !hasTrainingTwin(array.name, all);
  };
  if (std::ranges::none_of(arrays, isTrain)) return;
  std::vector<std::string> names;
  for (const NpyArray& array : arrays)
    if (!isTrain(array)) names.push_back("`" + validUtf8(array.name) + "`");
  std::erase_if(arrays, [&](const NpyArray& array) { return !isTrain(array); });
  if (!names.empty())
    m_warnings.push_back(fmt::format("{}: {} {} left out, as another split", validUtf8(file),
                                     joinWords(names), names.size() == 1 ? "is" : "are"));
}

void Arrays::warnOfLonePictures() {
  if (m_fields.empty() || !std::ranges::all_of(m_fields.front().parts, isLonePicture)) return;
  const NpyHead& head = m_fields.front().parts.front().head;
  m_warnings.push_back(fmt::format(
      "{} of {}x{} numbers looks like one picture, whose rows are read as samples: stack the "
      "pictures in one file, as in np.save(\"images.npy\", np.stack(pictures))",
      m_files.size() == 1 ? "the file" : "each file", head.rows, head.row.text()));
}

/// The arrays of the first file define the samples; those of the others must match.
Status Arrays::addArrays(std::vector<NpyArray> arrays, ArrayContent content,
                         const std::string& file) {
  const bool first = m_fields.empty();
  leaveOutSplits(arrays, file);
  const std::uint64_t rows = arrays.front().head.rows;
  const std::string firstName = arrays.front().name;
  for (NpyArray& array : arrays) {
    warn(file, array);
    if (array.head.rows != rows)
      return Error{fmt::format("`{}` has {} samples, but `{}` has {}; they must have equally many",
                               validUtf8(firstName), grouped(rows), validUtf8(array.name),
                               grouped(array.head.rows))};
    auto field = std::find_if(m_fields.begin(), m_fields.end(),
                              [&](const Field& known) { return known.member == array.name; });
    if (first) {
      field = m_fields.insert(m_fields.end(), {specOf(array, content), array.name, {}});
      const auto same = [&](const Field& other) { return other.spec.name == field->spec.name; };
      if (std::find_if(m_fields.begin(), field, same) != field)
        field->spec.name = nameFor(array.name) + "_array";
    }
    if (field == m_fields.end()) continue;
    const NpyHead& known = first ? array.head : field->parts.front().head;
    if (known.dtype != array.head.dtype || known.row != array.head.row)
      return Error{fmt::format(
          "its samples are {} {}, but those of the first file are {} {}; "
          "give arrays of one kind, and those of their labels in `labels`",
          nameOf(array.head.dtype), array.head.row.text(), nameOf(known.dtype), known.row.text())};
    field->parts.push_back(std::move(array));
  }
  for (const Field& field : m_fields)
    if (field.parts.size() < m_files.size())
      return Error{field.member.empty()
                       ? "its arrays have names, but the first file is one array without a name"
                       : fmt::format("it has no array `{}`, unlike the first file",
                                     validUtf8(field.member))};
  const std::uint64_t total = m_starts.back() + rows;
  if (total > std::numeric_limits<std::uint32_t>::max())
    return Error{"more than 4 294 967 295 samples; use fewer files"};
  m_starts.push_back(static_cast<std::uint32_t>(total));
  return {};
}

/// Adds the file if its arrays can be read.
Status Arrays::openFile(const ShardFile& shard, std::vector<NpyArray>& arrays) {
  const fs::path& path = shard.path;
  auto opened = openForReading(path);
  const auto inFile = [&](const Error& error) {
    return Error{fmt::format("`{}`: {}", validUtf8(path.native()), error.message)};
  };
  if (!opened) return inFile(opened.error());
  ContainerFile file{path, opened.take(), shard.entry};
  std::vector<std::string> notes;
  auto found = openNpyArrays(file.file, notes);
  if (!found) return inFile(found.error());
  arrays = found.take();
  m_files.push_back(std::move(file));
  for (const std::string& note : notes)
    m_warnings.push_back(validUtf8(m_files.back().name()) + ": " + note);
  return {};
}

Status Arrays::addFile(const fs::path& path, std::vector<NpyArray> arrays, ArrayContent content) {
  if (Status added = addArrays(std::move(arrays), content, m_files.back().name()); !added)
    return Error{fmt::format("`{}`: {}", validUtf8(path.native()), added.error().message)};
  return {};
}

Status Arrays::addLabels(const fs::path& path) {
  const auto inFile = [&](const std::string& message) {
    return Error{fmt::format("labels `{}`: {}", validUtf8(path.native()), message)};
  };
  auto opened = openForReading(path);
  if (!opened) return inFile(opened.error().message);
  m_labels = {path, opened.take()};
  std::vector<std::string> notes;
  auto arrays = openNpyArrays(m_labels.file, notes);
  if (!arrays) return inFile(arrays.error().message);
  NpyArray& array = arrays->front();
  warn(m_labels.name(), array);
  auto label = labelIn(array);
  const bool grey = array.head.row.rank() == 2;
  if (const SampleForm form = formOf(array.head.row, array.head.dtype,
                                     grey ? ArrayContent::ImageGrey : ArrayContent::Auto);
      !label && form.layout != Layout::Plain) {
    const bool mask = lowerCase(path.filename().native()).find("mask") != std::string::npos;
    const Role role = mask ? Role::Mask : Role::Target;
    label = FieldSpec{std::string(nameOf(role)), array.head.dtype, form.shape, form.layout, role};
  }
  if (!label)
    return inFile(fmt::format(
        "each label is {} {}, not one number{}", nameOf(array.head.dtype), array.head.row.text(),
        array.head.row.rank() == 1
            ? "; save the numbers of one-hot classes, as in np.save(\"labels.npy\", y.argmax(1))"
            : ""));
  if (array.head.rows != size())
    return inFile(fmt::format("there are {} labels but {} samples", grouped(array.head.rows),
                              grouped(size())));
  std::erase_if(m_fields, [&](const Field& field) { return field.spec.name == label->name; });
  Field field{*std::move(label), array.name, {}};
  field.parts.push_back(std::move(array));
  m_fields.push_back(std::move(field));
  return {};
}

Result<std::shared_ptr<const Source>> Arrays::open(const Params& params, const fs::path& base) {
  auto source = std::make_shared<Arrays>();
  std::vector<std::string>& notes = source->m_warnings;
  MILLRACE_ASSIGN_OR_RETURN(const auto shards, shardFiles(params.paths, base, isArrayName, notes));
  source->m_readBy = params.readBy;
  source->m_files.reserve(shards.size());
  std::optional<Error> firstBad;
  for (const ShardFile& shard : shards) {
    std::vector<NpyArray> arrays;
    if (Status opened = source->openFile(shard, arrays); !opened) {
      // One damaged file among others does not hide them.
      source->m_warnings.push_back("left out: " + opened.error().message);
      if (!firstBad) firstBad = opened.error();
    } else {
      MILLRACE_TRY(source->addFile(shard.path, std::move(arrays), params.content));
    }
  }
  if (source->m_files.empty() && firstBad) return *firstBad;
  putQuantityLast(source->m_fields);
  if (params.content == ArrayContent::Auto) source->warnOfLonePictures();
  if (!params.labels.empty()) {
    MILLRACE_ASSIGN_OR_RETURN(const auto labels,
                              shardFiles({params.labels}, base, isArrayName, notes));
    MILLRACE_TRY(source->addLabels(labels.front().path));
  }
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no array is set", "set at least one");
  StreamType out;
  out.fields = expectedFields(params.content);
  return out;
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  std::string call = "NumpyRows(DATA";
  if (!p.labels.empty()) call += ", labels=LABELS";
  call += contentArgument(p.content);
  ExportText text = recordSource(target, "numpy_rows", call + ")");
  text.option("DATA", pathListLiteral(p.paths, context));
  if (!p.labels.empty()) text.option("LABELS", pathLiteral(p.labels, context));
  return text.limit("Members of a .npz are loaded completely. Millrace reads row by row.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("numpy", Category::Source, NodeRole::Source);
  d.label("NumPy").help(
      "Reads arrays in .npy and .npz files whose first axis is the samples. Rows are read directly "
      "into the batch without memory mapping, so a file that shrinks fails a sample and not the "
      "run. The members of a .npz are fields.");
  d.example(R"({"paths": ["x_train.npy"], "labels": "y_train.npy"})");
  d.tags({"npy", "npz", "array", "tensor", "raw"});
  d.paths("paths", &Params::paths)
      .label("Files")
      .data()
      .help(
          "Files, names with braces such as {000..127} or {a,b}, and folders of arrays. Several "
          "files form one data set. Relative paths start at the pipeline file.");
  d.path("labels", &Params::labels)
      .label("Labels")
      .file()
      .optional()
      .help(
          "A .npy file for all files, with one number per sample, which is a class or a quantity "
          "such as an age, or with one mask or target picture per sample.");
  describeContent(d);
  describeReadAhead(d);
  describeReadBy(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return withClassNames(Arrays::open(params, context.base), params.paths, context.base);
  });
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, exported);
  return d.take();
}

}  // namespace millrace::nodes::numpy
