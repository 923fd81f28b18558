// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/formats/container_file.h"
#include "core/formats/dataset_writer.h"
#include "core/formats/example_fields.h"
#include "core/formats/growing_listing.h"
#include "core/formats/record_io.h"
#include "core/formats/shard_files.h"
#include "core/nodes/path_literal.h"
#include "core/nodes/reading_params.h"
#include "core/nodes/record_text.h"
#include "core/spec/describe.h"
#include "core/spec/source.h"

namespace millrace::nodes {

namespace {

namespace fs = std::filesystem;

enum class Content : std::uint8_t { Auto, Images, Bytes };
enum class Labels : std::uint8_t { Auto, Classes, Numbers, None };

struct Params {
  TextList paths;
  Content content = Content::Auto;
  Labels labels = Labels::Auto;
  std::int64_t readAhead = 0;
};

/// Records that are looked at to learn what they hold.
constexpr std::uint32_t kLookedAt = 16;
/// Whole numbers up to here are exact in a float.
constexpr float kMostClasses = 16777216.0F;

FieldSpec bytesField(std::string name, Role role) {
  return {std::move(name), DType::Encoded, {Shape::kUnknown}, Layout::Plain, role};
}
FieldSpec classField() { return {"label", DType::I64, {}, Layout::Plain, Role::Label}; }

bool isClass(float label) {
  return label >= -1 && label <= kMostClasses && label == std::floor(label);
}

/// The records of one file: those that its .idx names, else those that are found.
class Part {
 public:
  Part(const ContainerFile& file, bool pictures)
      : m_file(file), m_pictures(pictures), m_scan(std::in_place, fd(), file.file.size) {}

  Status advance(std::size_t most) {
    if (!m_begun) {
      m_begun = true;
      takeIdx();
    }
    return m_done ? Status() : m_scan->advance(most, m_index);
  }
  bool done() const { return m_done || m_scan->done(); }
  std::size_t size() const { return m_index.places.size(); }
  std::vector<std::string> finish() {
    m_notes.insert(m_notes.end(), m_scan->damage().begin(), m_scan->damage().end());
    m_scan.reset();
    m_done = true;
    return std::move(m_notes);
  }
  const RecordIoIndex::Place& place(std::uint32_t record) const { return m_index.places[record]; }
  std::uint64_t key(std::uint32_t record) const {
    return m_index.keys.empty() ? record : m_index.keys[record];
  }

 private:
  int fd() const { return m_file.file.fd.get(); }

  void takeIdx() {
    fs::path path = m_file.path;
    path.replace_extension(".idx");
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return;
    auto index = readRecordIoIdx(path, m_file.file.size);
    const std::string wrong = index ? wrongPlace(*index) : index.error().message;
    if (!wrong.empty()) {
      m_notes.push_back(fmt::format("`{}` is not used: {}; the records were looked for instead",
                                    validUtf8(path.filename().native()), wrong));
      return;
    }
    m_index = index.take();
    m_done = true;
    if (m_pictures) leaveOutFaces();
  }

  /// Whether records begin where the index says, at a few places.
  std::string wrongPlace(const RecordIoIndex& index) const {
    if (index.places.empty()) return "it is empty";
    const std::size_t last = index.places.size() - 1;
    for (const std::size_t i : {std::size_t{0}, last / 2, last}) {
      std::uint32_t magic = 0;
      const auto got = readAt(fd(), index.places[i].offset, &magic, sizeof magic);
      if (!got || *got < sizeof magic || magic != kRecordIoMagic)
        return fmt::format("no record begins at byte {}", grouped(index.places[i].offset));
    }
    return {};
  }

  /// Sets of faces begin with a record without a picture, whose first label is the first key of
  /// more such records (insightface, recognition/arcface_mxnet/image_iter.py).
  void leaveOutFaces() {
    RecordIoReader reader;
    ReadCounters counters;
    const auto record = reader.read(fd(), m_index.places.front(), counters);
    const auto image = record ? parseRecordIoImage(*record) : Error{"damaged"};
    if (!image || !image->content.empty() || image->labelCount() < 2 || image->label(0) < 1) return;
    const auto end = static_cast<double>(image->label(0));
    const std::uint64_t head = m_index.keys.front();
    RecordIoIndex kept;
    for (std::size_t i = 0; i < m_index.places.size(); ++i) {
      if (m_index.keys[i] == head || static_cast<double>(m_index.keys[i]) >= end) continue;
      kept.places.push_back(m_index.places[i]);
      kept.keys.push_back(m_index.keys[i]);
    }
    m_notes.push_back(fmt::format("{} records about the others hold no picture and are left out",
                                  grouped(m_index.places.size() - kept.places.size())));
    m_index = std::move(kept);
  }

  const ContainerFile& m_file;
  const bool m_pictures;
  std::optional<RecordIoScan> m_scan;
  RecordIoIndex m_index;
  std::vector<std::string> m_notes;
  bool m_begun = false;
  bool m_done = false;
};

/// Records of one file or of many.
class RecordIoSamples final : public Source {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  RecordIoSamples(std::vector<ContainerFile> files, bool pictures)
      : m_files(std::move(files)), m_listing(m_files.size(), [this, pictures](std::size_t file) {
          return Part(m_files[file], pictures);
        }) {}

  std::uint32_t size() const override { return m_listing.whole(); }
  std::uint32_t atLeast(std::uint32_t count) const override { return m_listing.atLeast(count); }
  bool listed() const override { return m_listing.complete(); }
  std::vector<FieldSpec> fields() const override { return m_fields; }
  std::string name(std::uint32_t index) const override {
    const Found found = find(index);
    return fmt::format("{}#{}", m_files[found.file].name(), found.key);
  }
  std::vector<std::string> warnings() const override {
    std::vector<std::string> all;
    for (const auto& [file, note] : m_listing.notes())
      all.push_back(validUtf8(m_files[file].name()) + ": " + note);
    return all;
  }
  std::string file(std::uint32_t index) const override {
    return m_files[find(index).file].path.native();
  }
  std::unique_ptr<SourceReader> reader() const override;

  struct Found {
    std::size_t file;
    std::uint64_t key;
    RecordIoIndex::Place place;
  };
  Found find(std::uint32_t index) const {
    return m_listing.at(index, [](const Part& part, std::size_t file, std::uint32_t record) {
      return Found{file, part.key(record), part.place(record)};
    });
  }
  int descriptor(std::size_t file) const { return m_files[file].file.fd.get(); }

 private:
  Status look();
  Status learnFields(const Params& params);
  std::optional<FieldSpec> labelField(Labels labels, bool classes, std::int64_t count) const;

  const std::vector<ContainerFile> m_files;
  std::vector<FieldSpec> m_fields;
  const GrowingListing<Part> m_listing;
};

TensorView borrowed(std::span<const std::byte> bytes) {
  return {DType::Encoded,
          Layout::Plain,
          {static_cast<std::int64_t>(bytes.size())},
          const_cast<std::byte*>(bytes.data()),
          bytes.size()};
}

class Reader final : public SourceReader {
 public:
  explicit Reader(const RecordIoSamples& source) : m_source(source), m_fields(source.fields()) {}

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    const RecordIoSamples::Found found = m_source.find(index);
    const auto record = m_reader.read(m_source.descriptor(found.file), found.place, counters);
    if (!record) return record.error();
    if (m_fields.front().name == "record") return sample.borrow(0, borrowed(*record)), Status();
    const auto image = parseRecordIoImage(*record);
    if (!image) return at(found, image.error().message);
    if (image->content.empty()) return at(found, "it holds a label and no picture");
    sample.borrow(0, borrowed(image->content));
    if (m_fields.size() == 1) return {};
    if (Status put = putLabels(*image, sample); !put) return at(found, put.error().message);
    return {};
  }

 private:
  static Error at(const RecordIoSamples::Found& found, const std::string& message) {
    return Error{fmt::format("the record at byte {}: {}", grouped(found.place.offset), message)};
  }

  Status putLabels(const RecordIoImage& image, Sample& sample) const {
    const FieldSpec& spec = m_fields[1];
    const std::size_t count = image.labelCount();
    if (spec.role == Role::Label) {
      if (count != 1 || !isClass(image.label(0)))
        return Error{
            count == 1
                ? fmt::format("label {} is no class; set labels to numbers", image.label(0))
                : fmt::format("{} labels are no class; set labels to numbers", grouped(count))};
      *sample.replace(1, DType::I64, {}, Layout::Plain).as<std::int64_t>() =
          static_cast<std::int64_t>(image.label(0));
      return {};
    }
    const auto found = static_cast<std::int64_t>(count);
    const std::int64_t wanted = spec.shape.elements();
    if (wanted != Shape::kUnknown && wanted != found)
      return Error{fmt::format("{} labels where the first records have {}", found, wanted)};
    const Shape shape = spec.shape.rank() == 0 ? Shape{} : Shape{found};
    const TensorView to = sample.replace(1, DType::F32, shape, Layout::Plain);
    if (count > 0) std::memcpy(to.data, image.labels.data(), image.labels.size());
    return {};
  }

  const RecordIoSamples& m_source;
  const std::vector<FieldSpec> m_fields;
  RecordIoReader m_reader;
};

std::unique_ptr<SourceReader> RecordIoSamples::reader() const {
  return std::make_unique<Reader>(*this);
}

Status RecordIoSamples::look() {
  m_listing.begin();
  if (atLeast(1) > 0) return {};
  const std::vector<std::string> why = warnings();
  return Error{fmt::format("no RecordIO record in `{}`{}: {}",
                           validUtf8(m_files.front().path.native()),
                           m_files.size() > 1 ? " and the others" : "",
                           why.empty() ? "nothing but empty files" : why.back())};
}

/// `count`: labels of each record looked at, kUnknown where they differ.
std::optional<FieldSpec> RecordIoSamples::labelField(Labels labels, bool classes,
                                                     std::int64_t count) const {
  if (labels == Labels::None) return std::nullopt;
  if (labels == Labels::Classes || (labels == Labels::Auto && classes && count == 1))
    return classField();
  const Shape shape = count == 1 ? Shape{} : Shape{count};
  return FieldSpec{count == 1 ? "label" : "labels", DType::F32, shape, Layout::Plain,
                   Role::Features};
}

/// By the first records, unless the parameters say it.
Status RecordIoSamples::learnFields(const Params& params) {
  RecordIoReader reader;
  ReadCounters counters;
  std::uint32_t seen = 0;
  std::uint32_t images = 0;
  std::uint32_t pictures = 0;
  bool classes = true;
  std::int64_t count = 0;
  for (std::uint32_t i = 0; i < std::min(atLeast(kLookedAt), kLookedAt); ++i) {
    const Found found = find(i);
    const auto record = reader.read(descriptor(found.file), found.place, counters);
    if (!record) continue;
    ++seen;
    const auto image = parseRecordIoImage(*record);
    if (!image || image->content.empty()) continue;
    const auto labels = static_cast<std::int64_t>(image->labelCount());
    count = images++ == 0 || count == labels ? labels : Shape::kUnknown;
    classes = classes && labels == 1 && isClass(image->label(0));
    if (extensionOf(image->content) != "bin") ++pictures;
  }
  if (seen == 0 && params.content == Content::Auto)
    return Error{fmt::format("none of the first records of `{}` can be read; the file is damaged",
                             validUtf8(m_files.front().path.native()))};
  const bool asImages =
      params.content == Content::Images || (params.content == Content::Auto && 2 * pictures > seen);
  if (!asImages) {
    m_fields = {bytesField("record", Role::Features)};
    return {};
  }
  const bool files = images == 0 || 2 * pictures > images;
  m_fields = {files ? bytesField("image", Role::Image) : bytesField("content", Role::Features)};
  if (images == 0) count = 1;
  if (const auto label = labelField(params.labels, classes, count)) m_fields.push_back(*label);
  return {};
}

Result<std::shared_ptr<const Source>> RecordIoSamples::open(const Params& params,
                                                            const fs::path& base) {
  const auto paths = shardFiles(params.paths, base, isRecordIoName);
  if (!paths) return paths.error();
  std::vector<ContainerFile> files;
  for (const fs::path& path : *paths) {
    auto opened = openForReading(path);
    if (!opened)
      return Error{fmt::format("`{}`: {}", validUtf8(path.native()), opened.error().message)};
    files.push_back({path, opened.take()});
  }
  auto source =
      std::make_shared<RecordIoSamples>(std::move(files), params.content != Content::Bytes);
  MILLRACE_TRY(source->look());
  MILLRACE_TRY(source->learnFields(params));
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no RecordIO file is given", "name one");
  const bool wanted = params.labels == Labels::Classes || params.labels == Labels::Numbers;
  if (params.content == Content::Bytes && wanted)
    context.error("labels", "records taken as bytes have no labels", "set content to auto");
  StreamType out;
  if (params.content == Content::Bytes) {
    out.fields = {bytesField("record", Role::Features)};
    return out;
  }
  out.fields = {bytesField("image", Role::Image)};
  if (params.labels == Labels::Numbers)
    out.fields.push_back({"labels", DType::F32, {Shape::kUnknown}, Layout::Plain, Role::Features});
  else if (params.labels != Labels::None)
    out.fields.push_back(classField());
  return out;
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  std::vector<ExampleField> fields;
  for (const FieldSpec& spec : context.out.fields) fields.push_back({spec.name, spec});
  return recordSource(target, "recordio", "RecordIo(DATA, " + fieldLiterals(fields) + ")")
      .option("DATA", pathListLiteral(p.paths, context))
      .limit(
          "A damaged file without an .idx stops the program. Millrace goes on at the next record.");
}

}  // namespace

NodeSpec recordio() {
  Describe<Params> d("recordio", Category::Source, NodeRole::Source);
  d.label("RecordIO")
      .help(
          "Records of MXNet's RecordIO files (.rec), pictures with their labels as im2rec writes "
          "them, "
          "else bytes. The .idx file beside one says which records there are and in what order; "
          "without "
          "it, or where it does not fit, they are looked for. Damaged places are passed over and "
          "named "
          "with their offset.");
  d.example(R"({"paths": ["train.rec"]})");
  d.tags({"mxnet", "rec", "im2rec", "insightface", "records", "idx"});
  d.paths("paths", &Params::paths)
      .label("Files")
      .data()
      .help(
          "Files, names with braces as {000..127} or {a,b}, and folders of such files; several are "
          "one set. Relative ones start at the pipeline file.");
  d.choice<Content>("content", &Params::content,
                    {{Content::Auto, "auto", "Pictures where the first records hold them."},
                     {Content::Images, "images", "A label's head and what follows it."},
                     {Content::Bytes, "bytes", "Records as they are."}})
      .label("Content")
      .help("What a record is.");
  d.choice<Labels>("labels", &Params::labels,
                   {{Labels::Auto, "auto", "Classes where the first records have one each."},
                    {Labels::Classes, "classes", "One whole number a record."},
                    {Labels::Numbers, "numbers", "All labels of a record, as f32."},
                    {Labels::None, "none", "No labels."}})
      .label("Labels")
      .help("What to make of the labels.");
  describeReadAhead(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return RecordIoSamples::open(params, context.base);
  });
  d.exporters({"pytorch", "tfdata", "dali"}, exported);
  return d.take();
}

}  // namespace millrace::nodes
