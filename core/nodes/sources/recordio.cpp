// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/class_names.h"
#include "core/formats/folder/growing_listing.h"
#include "core/formats/io/container_file.h"
#include "core/formats/io/data_place.h"
#include "core/formats/recordio/record_io_part.h"
#include "core/formats/shard_files.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/node_parts/fields/recordio_fields.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/node_parts/record_text.h"
#include "core/spec/describe.h"
#include "core/spec/source.h"
#include "core/spec/stored_names.h"

namespace millrace::nodes::recordio {

namespace {

namespace fs = std::filesystem;

struct Params {
  TextList paths;
  RecordIoContent content = RecordIoContent::Auto;
  RecordIoLabels labels = RecordIoLabels::Auto;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

/// The number of records that are examined to determine their content.
constexpr std::uint32_t kExamined = 16;

/// The records of one or more files.
class RecordIoSamples final : public Source, public KeepsNames {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  RecordIoSamples(std::vector<ContainerFile> files, bool pictures, ReadBy readBy,
                  std::vector<std::string> notes)
      : m_readBy(readBy),
        m_files(std::move(files)),
        m_notes(std::move(notes)),
        m_listing(m_files.size(), [this, pictures](std::size_t file) {
          return RecordIoPart(m_files[file], pictures);
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
    std::vector<std::string> all = m_notes;
    for (const auto& [file, note] : m_listing.notes())
      all.push_back(validUtf8(m_files[file].name()) + ": " + note);
    return all;
  }
  std::string file(std::uint32_t index) const override {
    return m_files[find(index).file].path.native();
  }
  std::uint32_t pathOf(std::uint32_t index) const override {
    return m_files[find(index).file].entry;
  }
  std::unique_ptr<StoredNames> storedNames() const override;
  std::unique_ptr<SourceReader> reader() const override;
  /// im2rec's list of the file's pictures.
  fs::path listOf(std::size_t file) const {
    return fs::path(m_files[file].path).replace_extension(".lst");
  }

  struct Found {
    std::size_t file;
    std::uint64_t key;
    RecordIoIndex::Place place;
  };
  Found find(std::uint32_t index) const {
    return m_listing.at(index,
                        [](const RecordIoPart& part, std::size_t file, std::uint32_t record) {
                          return Found{file, part.key(record), part.place(record)};
                        });
  }
  int descriptor(std::size_t file) const { return m_files[file].file.fd.get(); }
  ReadBy readBy() const { return m_readBy; }

 private:
  Status scanFirst();
  Status learnFields(const Params& params);

  // Constant after opening.
  const ReadBy m_readBy;
  const std::vector<ContainerFile> m_files;
  std::vector<std::string> m_notes;
  std::vector<FieldSpec> m_fields;

  const GrowingListing<RecordIoPart> m_listing;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const RecordIoSamples& source)
      : m_source(source), m_fields(source.fields()), m_reader(source.readBy()) {}

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    const RecordIoSamples::Found found = m_source.find(index);
    MILLRACE_ASSIGN_OR_RETURN(
        const auto record,
        m_reader.read(m_source.descriptor(found.file), found.place, counters, sample.recordRoom()));
    const Status put = putRecordIo(record, m_fields, sample);
    if (!put)
      return Error{fmt::format("the record at byte {}: {}", grouped(found.place.offset),
                               put.error().message)};
    return {};
  }

 private:
  const RecordIoSamples& m_source;
  const std::vector<FieldSpec> m_fields;
  RecordIoReader m_reader;
};

std::unique_ptr<SourceReader> RecordIoSamples::reader() const {
  return std::make_unique<Reader>(*this);
}

/// The names in the .lst files next to the files, by the records' keys.
class ListedNames final : public StoredNames {
 public:
  explicit ListedNames(const RecordIoSamples& source) : m_source(source) {}

  std::string name(std::uint32_t index) override {
    const RecordIoSamples::Found found = m_source.find(index);
    if (m_file != found.file) load(found.file);
    const auto known = m_names.find(found.key);
    return known == m_names.end() ? std::string() : known->second;
  }

 private:
  void load(std::size_t file) {
    m_file = file;
    m_names.clear();
    std::ifstream lines(m_source.listOf(file), std::ios::binary);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t tab = line.rfind('\t');
      if (tab == std::string::npos) continue;
      m_names.emplace(std::strtoull(line.c_str(), nullptr, 10), trimmed(line.substr(tab + 1)));
    }
  }

  const RecordIoSamples& m_source;
  std::optional<std::size_t> m_file;
  std::unordered_map<std::uint64_t, std::string> m_names;  ///< those of one file
};

std::unique_ptr<StoredNames> RecordIoSamples::storedNames() const {
  for (std::size_t file = 0; file < m_files.size(); ++file)
    if (isFileAt(listOf(file))) return std::make_unique<ListedNames>(*this);
  return nullptr;
}

Status RecordIoSamples::scanFirst() {
  m_listing.begin();
  if (atLeast(1) > 0) return {};
  const std::vector<std::string> why = warnings();
  return Error{fmt::format("no RecordIO record in `{}`{}: {}",
                           validUtf8(m_files.front().path.native()),
                           m_files.size() > 1 ? " and the others" : "",
                           why.empty() ? "all files are empty" : why.back())};
}

/// From the first records, unless the parameters define them.
Status RecordIoSamples::learnFields(const Params& params) {
  RecordIoReader reader;
  ReadCounters counters;
  RecordIoFieldDetector detector;
  for (std::uint32_t i = 0; i < std::min(atLeast(kExamined), kExamined); ++i) {
    const Found found = find(i);
    const auto record = reader.read(descriptor(found.file), found.place, counters);
    if (record) detector.add(*record);
  }
  if (detector.records() == 0 && params.content == RecordIoContent::Auto)
    return Error{fmt::format("none of the first records of `{}` is readable; the file is damaged",
                             validUtf8(m_files.front().path.native()))};
  m_fields = detector.fields(params.content, params.labels);
  if (std::string note = detector.others(m_fields); !note.empty())
    m_notes.push_back(std::move(note));
  return {};
}

Result<std::shared_ptr<const Source>> RecordIoSamples::open(const Params& params,
                                                            const fs::path& base) {
  std::vector<std::string> notes;
  MILLRACE_ASSIGN_OR_RETURN(const auto shards,
                            shardFiles(params.paths, base, isRecordIoName, notes));
  const auto together = openRemoteTogether(shards);
  std::vector<ContainerFile> files;
  for (const auto& [path, entry] : shards) {
    auto opened = openForReading(path);
    if (!opened)
      return Error{fmt::format("`{}`: {}", validUtf8(path.native()), opened.error().message)};
    files.push_back({path, opened.take(), entry});
  }
  auto source = std::make_shared<RecordIoSamples>(
      std::move(files), params.content != RecordIoContent::Bytes, params.readBy, std::move(notes));
  MILLRACE_TRY(source->scanFirst());
  MILLRACE_TRY(source->learnFields(params));
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no RecordIO file is set", "set at least one");
  const bool wanted =
      params.labels == RecordIoLabels::Classes || params.labels == RecordIoLabels::Numbers;
  if (params.content == RecordIoContent::Bytes && wanted)
    context.error("labels", "records have no labels with content bytes", "set content to auto");
  StreamType out;
  out.fields = expectedRecordIoFields(params.content, params.labels);
  return out;
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  std::vector<ExampleField> fields;
  for (const FieldSpec& spec : context.out.fields) fields.push_back({spec.name, spec});
  return recordSource(target, "recordio", "RecordIo(DATA, " + fieldLiterals(fields) + ")")
      .option("DATA", pathListLiteral(p.paths, context))
      .limit(
          "A damaged file without an .idx stops the program. Millrace continues with the next "
          "one.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("recordio", Category::Source, NodeRole::Source);
  d.label("RecordIO")
      .help(
          "Reads records of MXNet's RecordIO files (.rec): pictures with their labels as written "
          "by im2rec, or else bytes. An .idx file next to a file lists its records and their "
          "order; without it, or if it does not match, the file is scanned. Damaged places are "
          "skipped and reported with their offset.");
  d.example(R"({"paths": ["train.rec"]})");
  d.tags({"mxnet", "rec", "im2rec", "insightface", "records", "idx"});
  d.paths("paths", &Params::paths)
      .label("Files")
      .data()
      .help(
          "Files, names with braces such as {000..127} or {a,b}, and folders of such files. "
          "Several files form one data set. Relative paths start at the pipeline file.");
  d.choice<RecordIoContent>(
       "content", &Params::content,
       {{RecordIoContent::Auto, "auto", "Pictures if the first records hold pictures."},
        {RecordIoContent::Images, "images", "A label header followed by content."},
        {RecordIoContent::Bytes, "bytes", "Records without interpretation."}})
      .label("Content")
      .help("What a record contains.");
  d.choice<RecordIoLabels>(
       "labels", &Params::labels,
       {{RecordIoLabels::Auto, "auto", "Classes if each of the first records has exactly one."},
        {RecordIoLabels::Classes, "classes", "One integer per record."},
        {RecordIoLabels::Numbers, "numbers", "All labels of a record, as f32."},
        {RecordIoLabels::None, "none", "No labels."}})
      .label("Labels")
      .help("How labels are used.");
  describeReadAhead(d);
  describeReadBy(d, "Applies to the records; without an .idx file the scan uses the page cache.");
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return withClassNames(RecordIoSamples::open(params, context.base), params.paths, context.base);
  });
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, exported);
  return d.take();
}

}  // namespace millrace::nodes::recordio
