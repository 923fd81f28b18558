// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/formats/class_names.h"
#include "core/formats/folder/growing_listing.h"
#include "core/formats/io/container_file.h"
#include "core/formats/io/data_path.h"
#include "core/formats/io/open_file.h"
#include "core/formats/io/range_reader.h"
#include "core/formats/real_labels.h"
#include "core/formats/shard_files.h"
#include "core/formats/tar/web_shard.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/node_parts/fields/class_list_fields.h"
#include "core/node_parts/fields/json_member.h"
#include "core/node_parts/fields/label_text.h"
#include "core/node_parts/fields/text_classes.h"
#include "core/node_parts/fields/web_fields.h"
#include "core/node_parts/fields/web_labels.h"
#include "core/node_parts/fields/web_survey.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/node_parts/record_text.h"
#include "core/node_parts/short_text.h"
#include "core/spec/class_lists.h"
#include "core/spec/describe.h"
#include "core/spec/field_keys.h"
#include "core/spec/python_literal.h"
#include "core/spec/source.h"

namespace millrace::nodes::webdataset {

namespace {

namespace fs = std::filesystem;

struct Params {
  TextList paths;
  TextList parts;
  Junk junk = Junk::Skip;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

/// The number of samples that are examined to determine their parts.
constexpr std::size_t kExamined = 64;

bool isTarName(std::string_view name) {
  return name.ends_with(".tar") || name.ends_with(".tar.gz") || name.ends_with(".tgz");
}

/// The samples of one file.
class Part {
 public:
  Part(const OpenFile& file, const std::vector<WebShard::Alternatives>& parts, bool labelled,
       Junk junk)
      : m_walk(std::in_place, file.fd.get(), file.size),
        m_shard(parts, junk),
        m_labelled(labelled) {}
  Status advance(std::size_t most) { return m_shard.advance(*m_walk, most); }
  bool done() const { return m_shard.done(); }
  std::size_t size() const { return m_shard.samples(); }
  std::vector<std::string> finish() {
    std::vector<std::string> notes = m_walk->damage();
    notes.insert(notes.end(), m_shard.notes().begin(), m_shard.notes().end());
    for (std::string& note : m_shard.missingParts()) notes.push_back(std::move(note));
    if (const std::string folders = m_shard.foldersNote(); !m_labelled && !folders.empty())
      notes.push_back(folders);
    if (m_shard.junk().count() > 0) notes.push_back(m_shard.junk().note(kKeepJunk));
    if (m_walk->links() > 0)
      notes.push_back(
          fmt::format("{} links are left out; links are not followed", grouped(m_walk->links())));
    m_walk.reset();
    return notes;
  }
  const WebShard& shard() const { return m_shard; }

 private:
  std::optional<TarWalk> m_walk;
  WebShard m_shard;
  bool m_labelled;  ///< a part is the class
};

class WebSamples final : public Source, public FindsClassLists, public HasFieldKeys {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  WebSamples(const Params& params, std::vector<ContainerFile> files,
             std::vector<ExampleField> fields, std::vector<std::string> notes, WebLabel label)
      : m_readBy(params.readBy),
        m_junk(params.junk),
        m_files(std::move(files)),
        m_fields(std::move(fields)),
        m_notes(std::move(notes)),
        m_label(std::move(label)),
        m_listing(m_files.size(), [this](std::size_t file) {
          std::vector<WebShard::Alternatives> parts;
          for (const ExampleField& field : m_fields) parts.push_back(webKey(field.key).extensions);
          const bool labelled = std::ranges::any_of(
              m_fields, [](const ExampleField& field) { return field.spec.role == Role::Label; });
          return Part(m_files[file].file, parts, labelled, m_junk);
        }) {}

  std::uint32_t size() const override { return m_listing.whole(); }
  std::uint32_t atLeast(std::uint32_t count) const override { return m_listing.atLeast(count); }
  bool listed() const override { return m_listing.complete(); }
  std::vector<FieldSpec> fields() const override { return specsOf(m_fields); }
  std::vector<std::string> fieldKeys() const override {
    std::vector<std::string> keys;
    for (const ExampleField& field : m_fields) keys.push_back(field.key);
    return keys;
  }
  std::string name(std::uint32_t index) const override {
    return m_listing.at(index, [this](const Part& part, std::size_t file, std::size_t sample) {
      return fmt::format("{}#{}", m_files[file].name(), part.shard().key(sample));
    });
  }
  std::vector<std::string> warnings() const override {
    std::vector<std::string> all = m_notes;
    for (const auto& [file, note] : m_listing.notes())
      all.push_back(validUtf8(m_files[file].name()) + ": " + note);
    return all;
  }
  std::string file(std::uint32_t index) const override {
    return m_listing.at(index, [this](const Part&, std::size_t file, std::size_t) {
      return m_files[file].path.native();
    });
  }
  std::uint32_t pathOf(std::uint32_t index) const override {
    return m_listing.at(
        index, [this](const Part&, std::size_t file, std::size_t) { return m_files[file].entry; });
  }
  std::optional<ClassLists> classLists() const override { return m_label.lists; }
  std::unique_ptr<SourceReader> reader() const override;

  const std::vector<ExampleField>& parts() const { return m_fields; }
  ReadBy readBy() const { return m_readBy; }
  /// The numbers of the classes of field `place`; nullptr if they are not texts.
  const TextClasses* textClasses(std::size_t place) const {
    return m_label.texts == place ? &m_textClasses : nullptr;
  }
  std::vector<std::string> classes() const override { return m_textClasses.names(); }
  /// Finds the parts of a sample and returns the descriptor of its file.
  int find(std::uint32_t index, std::vector<WebShard::Place>& places) const {
    return m_listing.at(index, [&](const Part& part, std::size_t file, std::size_t sample) {
      for (std::size_t i = 0; i < places.size(); ++i) places[i] = part.shard().place(sample, i);
      return m_files[file].file.fd.get();
    });
  }

 private:
  Status learnTextClasses(std::vector<std::string> given);
  Status collectTexts(TextClasses& classes) const;

  // Constant after opening.
  const ReadBy m_readBy;
  const Junk m_junk;
  const std::vector<ContainerFile> m_files;
  std::vector<ExampleField> m_fields;
  std::vector<std::string> m_notes;
  const WebLabel m_label;
  TextClasses m_textClasses;

  const GrowingListing<Part> m_listing;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const WebSamples& source) : m_source(source), m_places(source.parts().size()) {
    m_ranges.reserve(m_places.size());
    for (std::size_t i = 0; i < m_places.size(); ++i) m_ranges.emplace_back(source.readBy());
    for (const ExampleField& part : source.parts()) m_members.push_back(webKey(part.key).member);
    m_values.resize(m_members.size());
  }

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    const int fd = m_source.find(index, m_places);
    for (std::size_t i = 0; i < m_places.size(); ++i) {
      const ExampleField& part = m_source.parts()[i];
      if (!m_places[i].present()) return Error{fmt::format("it has no part {}", part.key)};
      if (m_members[i].empty() && isLongArray(part.spec, m_places[i].size)) {
        const TensorView to = sample.replace(i, part.spec.dtype, part.spec.shape, part.spec.layout);
        MILLRACE_TRY(m_ranges[i].readTo(fd, m_places[i].offset, {to.data, to.bytes}, counters));
        continue;
      }
      MILLRACE_ASSIGN_OR_RETURN(const auto bytes, bytesOf(i, fd, sample, counters));
      if (Status put = putPart(bytes, i, sample); !put)
        return Error{fmt::format("part {}: {}", part.key, put.error().message)};
    }
    return {};
  }

 private:
  Status putPart(std::span<std::byte> bytes, std::size_t i, Sample& sample) {
    const FieldSpec& spec = m_source.parts()[i].spec;
    if (m_members[i].empty()) return put(bytes, spec, sample, i);
    MILLRACE_ASSIGN_OR_RETURN(m_values[i], jsonMember(bytes, m_members[i]));
    const auto value = std::as_writable_bytes(std::span(m_values[i]));
    const bool real = spec.dtype == DType::F32 || spec.dtype == DType::F64;
    if (real && spec.shape.rank() == 0) return putLabelText(value, spec, sample, i);
    return put(value, spec, sample, i);
  }

  static bool isLongArray(const FieldSpec& spec, std::uint64_t size) {
    return spec.dtype != DType::Encoded && spec.shape.rank() > 0 && size > RangeReader::kLong &&
           spec.shape.elements() * static_cast<std::int64_t>(sizeOf(spec.dtype)) ==
               static_cast<std::int64_t>(size);
  }

  Result<std::span<std::byte>> bytesOf(std::size_t i, int fd, Sample& sample,
                                       ReadCounters& counters) {
    const auto [offset, size] = m_places[i];
    for (std::size_t k = 0; k < i && size > 0; ++k)
      if (const auto held = m_ranges[k].held(fd, offset, size); !held.empty()) return held;
    return m_ranges[i].read(fd, offset, size, counters, sample.room(i), nearBehind(i));
  }

  /// The end of the later parts that follow part i closely; usually a picture's class.
  std::size_t nearBehind(std::size_t i) const {
    constexpr std::uint64_t kNear = 4096;
    const std::uint64_t end = m_places[i].offset + m_places[i].size;
    std::uint64_t last = end;
    for (std::size_t k = i + 1; k < m_places.size(); ++k) {
      const auto [offset, size] = m_places[k];
      if (offset >= end && offset + size <= end + kNear) last = std::max(last, offset + size);
    }
    return last - end;
  }

  Status put(std::span<std::byte> bytes, const FieldSpec& spec, Sample& sample, std::size_t field) {
    const auto size = static_cast<std::int64_t>(bytes.size());
    if (const TextClasses* classes = m_source.textClasses(field)) {
      MILLRACE_ASSIGN_OR_RETURN(const std::int64_t label,
                                classes->numberOf(std::as_bytes(std::span(textIn(bytes)))));
      *sample.replace(field, spec.dtype, {}, spec.layout).as<std::int64_t>() = label;
      return {};
    }
    if (isLabelText(spec, bytes.size()) || (isQuantity(spec) && realIn(bytes)))
      return putLabelText(bytes, spec, sample, field);
    if (spec.dtype == DType::Encoded) {
      sample.borrow(field, {DType::Encoded, Layout::Plain, {size}, bytes.data(), bytes.size()});
      return {};
    }
    const std::int64_t wanted =
        spec.shape.elements() * static_cast<std::int64_t>(sizeOf(spec.dtype));
    if (wanted != size)
      return Error{fmt::format("it has {} bytes, but {} {} have {}", grouped(bytes.size()),
                               spec.shape.text(), nameOf(spec.dtype),
                               grouped(static_cast<std::uint64_t>(wanted)))};
    const TensorView to = sample.replace(field, spec.dtype, spec.shape, spec.layout);
    if (to.bytes > 0) std::memcpy(to.data, bytes.data(), bytes.size());
    return {};
  }

  const WebSamples& m_source;
  /// One per part, because all parts are lent at the same time.
  std::vector<RangeReader> m_ranges;
  std::vector<WebShard::Place> m_places;
  std::vector<std::string> m_members;  ///< of the parts that are JSON
  std::vector<std::string> m_values;   ///< of these members; lent, too
};

std::unique_ptr<SourceReader> WebSamples::reader() const { return std::make_unique<Reader>(*this); }

/// Adds the classes of all samples.
Status WebSamples::collectTexts(TextClasses& classes) const {
  std::vector<WebShard::Place> places(m_fields.size());
  const std::string member = webKey(m_fields[*m_label.texts].key).member;
  const std::size_t most = member.empty() ? TextClasses::kMostBytes + 1 : RangeReader::kLargest;
  std::vector<std::byte> text;
  for (std::uint32_t i = 0; i < size(); ++i) {
    const int fd = find(i, places);
    const WebShard::Place& place = places[*m_label.texts];
    // Longer texts are no classes, and a sample without one fails when it is read.
    if (!place.present()) continue;
    text.resize(std::min<std::size_t>(place.size, most));
    const auto value = webText(fd, place.offset, text, member);
    if (value) MILLRACE_TRY(classes.add(std::as_bytes(std::span(*value))));
  }
  return {};
}

/// Numbers the classes of a label that is text: as `given`, or by reading all labels.
Status WebSamples::learnTextClasses(std::vector<std::string> given) {
  if (!m_label.texts) return {};
  ExampleField& label = m_fields[*m_label.texts];
  Status learned = m_textClasses.learn(
      "part", label.key, std::move(given), [&] { return collectTexts(m_textClasses); }, m_notes);
  if (!learned)
    return Error{learned.error().message + "; list what you need in `parts`, as in image=jpg"};
  label.spec.classes = static_cast<std::int64_t>(m_textClasses.names().size());
  return {};
}

Result<std::shared_ptr<const Source>> WebSamples::open(const Params& params, const fs::path& base) {
  std::vector<std::string> notes;
  MILLRACE_ASSIGN_OR_RETURN(const auto paths, shardFiles(params.paths, base, isTarName, notes));
  MILLRACE_ASSIGN_OR_RETURN(auto files, openContainers(paths, TarWalk::kBlock, isTarHead, notes));
  const auto survey = surveyShards(files, kExamined, params.junk, notes);
  if (!survey) return survey.error();
  MILLRACE_ASSIGN_OR_RETURN(auto parts, webFields(params.parts, survey->parts,
                                                  labelPartIn(survey->parts, survey->fd), notes));
  WebLabel label = webLabelIn(survey->parts, survey->fd, parts);
  if (!params.parts.empty()) label.lists.reset();
  if (label.lists) notes.push_back(noteOf(*label.lists));
  noteMembers(parts, notes);
  auto source = std::make_shared<WebSamples>(params, std::move(files), std::move(parts),
                                             std::move(notes), std::move(label));
  source->m_listing.begin();
  MILLRACE_TRY(source->learnTextClasses(classNamesFor(params.paths, base)));
  return std::shared_ptr<const Source>(std::move(source));
}

StreamType infer(const Params& params, const StreamType&, InferContext& context) {
  if (params.paths.empty()) context.error("paths", "no shard is set", "set at least one");
  const auto parts = parseExampleKeys(params.parts);
  if (!parts) context.error("parts", parts.error().message, "use NAME=EXTENSION");
  StreamType out;
  out.fields = specsOf(parts && !parts->empty() ? *parts : usualWebFields());
  return out;
}

/// The names of a folder's files as `sorted(glob("*.tar"))` gives them.
std::vector<std::string> tarsIn(const fs::path& folder) {
  std::vector<std::string> names;
  for (const std::string& name : globbed(folder, 1))
    if (name.ends_with(".tar")) names.push_back((folder / name).native());
  return names;
}

/// The fields that guessedWebFields() finds in ordinary shards.
std::optional<std::vector<ExampleField>> usualPartsIn(const ExportContext& context) {
  std::vector<ExampleField> fields;
  const bool found = context.keys.size() == context.out.fields.size();
  for (std::size_t i = 0; i < context.out.fields.size(); ++i) {
    const FieldSpec& spec = context.out.fields[i];
    if (spec.name != "image" && spec.name != "label") return std::nullopt;
    fields.push_back({spec.name == "image" ? pictureExtensions(";")
                      : found              ? context.keys[i]
                                           : "cls",
                      spec});
  }
  return fields;
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  const auto fields = p.parts.empty() ? usualPartsIn(context) : fieldsSaid(p.parts, context);
  if (!fields) return fieldsNotSaid("parts");
  const char* junk = p.junk == Junk::Keep ? ", junk=\"keep\"" : "";
  return recordSource(target, "webdataset",
                      "WebSamples(DATA, " + fieldLiterals(*fields) + junk + ")")
      .option("DATA", pathListLiteral(p.paths, context))
      .limit(
          "Shards compressed with gzip are not read, and a damaged one stops the program. Millrace "
          "decompresses them, and continues after the damage.");
}

/// Whether the label's classes are names.
bool hasTextClasses(const Params& p, const ExportContext& context) {
  std::vector<std::string> notes;
  const auto paths = shardFiles(p.paths, context.base, isTarName, notes);
  if (!paths) return false;
  const auto files = openContainers(*paths, TarWalk::kBlock, isTarHead, notes);
  if (!files) return false;
  const auto survey = surveyShards(*files, kExamined, p.junk, notes);
  if (!survey) return false;
  auto parts = webFields(p.parts, survey->parts, labelPartIn(survey->parts, survey->fd), notes);
  return parts && webLabelIn(survey->parts, survey->fd, *parts).texts;
}

/// Adds DATA, the shards as the package `webdataset` takes them. Sets `missing` if it cannot.
void addShards(const Params& p, const ExportContext& context, ExportText& text) {
  std::vector<std::string> notes;
  const auto files = shardFiles(p.paths, context.base, isTarName, notes);
  const auto path = resolveDataPath(p.paths.front(), context.base);
  if (!files || !path) {
    text.missing = "its shards cannot be named";
    return;
  }
  std::error_code ignored;
  const bool one = p.paths.size() == 1;
  const bool folder =
      one && (fs::is_directory(*path, ignored) ||
              (!context.dataKnown && files->size() == 1 && !isTarName(path->native())));
  std::vector<std::string> names;
  for (const ShardFile& file : *files) names.push_back(file.path.native());
  if (folder && (!context.dataKnown || names == tarsIn(*path))) {
    text.needs("web_shards").option("DATA", pythonText(path->native()), "holds *.tar files");
    text.step("list_shards()");
    return;
  }
  if (one && names.size() > 1 && !folder && validUtf8(path->native()) == path->native()) {
    text.import("from webdataset.shardlists import expand_urls");
    text.option("DATA", pythonText(path->native())).step("expand_urls(DATA)");
    return;
  }
  constexpr std::size_t kMost = 100;
  if (names.size() > kMost) text.missing = "it names more than 100 shards one by one";
  text.option("DATA", pythonTexts(names)).step("DATA");
  if (std::ranges::any_of(names, pythonTextNeedsOs)) text.import("import os");
}

/// `image="jpg;png", label="cls"`; names that could be arguments of `rename` itself, or words of
/// Python, are a dict.
std::string renamed(const std::vector<ExampleField>& fields) {
  std::vector<std::string> pairs;
  std::vector<std::string> items;
  for (const ExampleField& field : fields) {
    pairs.push_back(field.spec.name + "=" + pythonText(field.key));
    items.push_back(pythonText(field.spec.name) + ": " + pythonText(field.key));
  }
  const bool usual = std::ranges::all_of(fields, [](const ExampleField& field) {
    const std::string& name = field.spec.name;
    return name == "image" || name == "label" || name == "mask" || name == "target";
  });
  return usual ? join(pairs, ", ") : "**{" + join(items, ", ") + "}";
}

/// For the package `webdataset` itself.
ExportText shortWeb(const Params& p, const ExportContext& context) {
  const auto fields = p.parts.empty() ? usualPartsIn(context) : fieldsSaid(p.parts, context);
  if (!fields) return longForm("its parts are not known");
  if (p.junk == Junk::Keep) return longForm("it keeps hidden members");
  for (const ExampleField& field : *fields)
    if (field.spec.dtype != DType::Encoded && (field.key != "cls" || isFloat(field.spec.dtype)))
      return longForm("it reads arrays, or numbers other than integers in parts cls");
  if (context.dataKnown && hasTextClasses(p, context)) return longForm("its classes are texts");
  ExportText text;
  addShards(p, context, text);
  for (const ExampleField& field : *fields)
    if (field.key == "cls") text.step(".decode()");
  return text.step(fmt::format(".rename({}, keep=False)", renamed(*fields)));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("webdataset", Category::Source, NodeRole::Source);
  d.label("WebDataset")
      .help(
          "Reads samples from tar archives: consecutive files whose names are equal up to the "
          "first dot are the parts of a sample. Nothing is extracted to disk and links are not "
          "followed. Damaged places are skipped and reported with their offset.");
  d.example(
      R"({"paths": ["train-{000000..000999}.tar"], "parts": ["image=jpg;png", "label=cls"]})");
  d.tags({"tar", "shards", "wds", "archive"});
  d.paths("paths", &Params::paths)
      .label("Shards")
      .data()
      .help(
          "Archives, names with braces such as {000..127} or {a,b}, and folders of archives. "
          "Several archives form one data set. Relative paths start at the pipeline file.");
  d.texts("parts", &Params::parts)
      .label("Parts")
      .optional()
      .help(
          "The fields and their extensions, as NAME=EXTENSION with alternatives such as jpg;png, "
          "optionally followed by an element type, a shape and a role, each after a colon: "
          "image=jpg;png, mask=seg.png, label=cls, board=bin:u8:194. Empty: pictures and cls, or "
          "txt if its texts repeat. A label may be a number or the name of a class. A slash reads "
          "a "
          "member of a part in JSON: label=json/class, or label=json/annotation/class.");
  describeJunk(d,
               "These are hidden members and folders, files of operating systems and file "
               "managers, checksums, read-mes and licences.");
  describeReadAhead(d);
  describeReadBy(d);
  d.infer(infer);
  d.source([](const Params& params, const BuildContext& context) {
    return withClassNames(WebSamples::open(params, context.base), params.paths, context.base);
  });
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, exported);
  d.exporter("webdataset.short", shortWeb);
  return d.take();
}

}  // namespace millrace::nodes::webdataset
