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
#include "core/formats/shard_files.h"
#include "core/formats/tar/web_shard.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/node_parts/fields/class_list_fields.h"
#include "core/node_parts/fields/label_text.h"
#include "core/node_parts/fields/web_fields.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/reading_params.h"
#include "core/node_parts/record_text.h"
#include "core/node_parts/short_text.h"
#include "core/spec/class_lists.h"
#include "core/spec/describe.h"
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
  Part(const OpenFile& file, const std::vector<WebShard::Alternatives>& parts, Junk junk)
      : m_walk(std::in_place, file.fd.get(), file.size),
        m_shard(parts, junk),
        m_labelled(std::ranges::any_of(parts, [](const WebShard::Alternatives& names) {
          return std::ranges::find(names, "cls") != names.end();
        })) {}
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

class WebSamples final : public Source, public FindsClassLists {
 public:
  static Result<std::shared_ptr<const Source>> open(const Params& params, const fs::path& base);

  WebSamples(const Params& params, std::vector<ContainerFile> files,
             std::vector<ExampleField> fields, std::vector<std::string> notes,
             std::optional<ClassLists> lists)
      : m_readBy(params.readBy),
        m_junk(params.junk),
        m_files(std::move(files)),
        m_fields(std::move(fields)),
        m_notes(std::move(notes)),
        m_classLists(std::move(lists)),
        m_listing(m_files.size(), [this](std::size_t file) {
          std::vector<WebShard::Alternatives> parts;
          for (const ExampleField& field : m_fields) parts.push_back(split(field.key, ';'));
          return Part(m_files[file].file, parts, m_junk);
        }) {}

  std::uint32_t size() const override { return m_listing.whole(); }
  std::uint32_t atLeast(std::uint32_t count) const override { return m_listing.atLeast(count); }
  bool listed() const override { return m_listing.complete(); }
  std::vector<FieldSpec> fields() const override { return specsOf(m_fields); }
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
  std::optional<ClassLists> classLists() const override { return m_classLists; }
  std::unique_ptr<SourceReader> reader() const override;

  const std::vector<ExampleField>& parts() const { return m_fields; }
  ReadBy readBy() const { return m_readBy; }
  /// Finds the parts of a sample and returns the descriptor of its file.
  int find(std::uint32_t index, std::vector<WebShard::Place>& places) const {
    return m_listing.at(index, [&](const Part& part, std::size_t file, std::size_t sample) {
      for (std::size_t i = 0; i < places.size(); ++i) places[i] = part.shard().place(sample, i);
      return m_files[file].file.fd.get();
    });
  }

 private:
  // Constant after opening.
  const ReadBy m_readBy;
  const Junk m_junk;
  const std::vector<ContainerFile> m_files;
  const std::vector<ExampleField> m_fields;
  const std::vector<std::string> m_notes;
  const std::optional<ClassLists> m_classLists;

  const GrowingListing<Part> m_listing;
};

class Reader final : public SourceReader {
 public:
  explicit Reader(const WebSamples& source) : m_source(source), m_places(source.parts().size()) {
    m_ranges.reserve(m_places.size());
    for (std::size_t i = 0; i < m_places.size(); ++i) m_ranges.emplace_back(source.readBy());
  }

  Status read(std::uint32_t index, Sample& sample, ReadCounters& counters) override {
    const int fd = m_source.find(index, m_places);
    for (std::size_t i = 0; i < m_places.size(); ++i) {
      const ExampleField& part = m_source.parts()[i];
      if (!m_places[i].present()) return Error{fmt::format("it has no part {}", part.key)};
      if (isLongArray(part.spec, m_places[i].size)) {
        const TensorView to = sample.replace(i, part.spec.dtype, part.spec.shape, part.spec.layout);
        MILLRACE_TRY(m_ranges[i].readTo(fd, m_places[i].offset, {to.data, to.bytes}, counters));
        continue;
      }
      MILLRACE_ASSIGN_OR_RETURN(const auto bytes, bytesOf(i, fd, sample, counters));
      if (Status put = this->put(bytes, part.spec, sample, i); !put)
        return Error{fmt::format("part {}: {}", part.key, put.error().message)};
    }
    return {};
  }

 private:
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
    if (isLabelText(spec, bytes.size())) return putLabelText(bytes, spec, sample, field);
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
};

std::unique_ptr<SourceReader> WebSamples::reader() const { return std::make_unique<Reader>(*this); }

/// The parts of the first samples of a file.
struct Surveyed {
  WebSurvey parts;
  int fd = -1;
};

bool beginsAsTar(const ContainerFile& file) {
  std::array<std::byte, TarWalk::kBlock> head{};
  const auto got = readAt(file.file.fd.get(), 0, head.data(), head.size());
  return got && *got == head.size() && isTarHead(head.data());
}

/// Why a file has no sample: what is damaged in an archive comes first.
std::string withoutSample(const ContainerFile& file, const std::vector<std::string>& damage) {
  if (!damage.empty() && beginsAsTar(file))
    return "it has no complete sample: " + join(damage, "; ");
  return "it is not a tar archive of samples: it has no file with a name like key.extension";
}

/// Of the first file that has samples. Files without any before it are noted.
Result<Surveyed> surveyOf(const std::vector<ContainerFile>& files, Junk junk,
                          std::vector<std::string>& notes) {
  // Where the content of a damaged compressed file ends, and what else opening has noted.
  const std::string opening = notes.empty() ? std::string() : "; " + join(notes, "; ");
  std::string first;
  for (const ContainerFile& file : files) {
    std::vector<std::string> damage;
    auto survey = surveyShard(file.file.fd.get(), file.file.size, kExamined, junk, &damage);
    if (survey && !survey->empty()) return Surveyed{survey.take(), file.file.fd.get()};
    const std::string why = survey ? withoutSample(file, damage) : survey.error().message;
    if (first.empty()) first = why;
    notes.push_back(fmt::format("{}: {}", validUtf8(file.name()), why));
  }
  return Error{fmt::format("`{}`: {}{}", validUtf8(files.front().path.native()), first, opening)};
}

/// The part that is the label, if its texts are lists of classes. If they are vectors with a number
/// for each class, the field becomes one.
std::optional<ClassLists> listsIn(const Surveyed& survey, std::vector<ExampleField>& fields) {
  for (ExampleField& field : fields) {
    const auto part = survey.parts.find(field.key);
    if (field.spec.role != Role::Label || part == survey.parts.end()) continue;
    ClassListDetector classes;
    std::array<std::byte, WebExtension::kSmall> text{};
    for (const WebShard::Place& place : part->second.small) {
      const auto got = readAt(survey.fd, place.offset, text.data(), place.size);
      const auto list = classListIn(std::span(text).first(got ? *got : 0));
      list ? classes.add(*list) : classes.addOther();
    }
    if (classes.isVector()) field.spec.shape = {static_cast<std::int64_t>(classes.count())};
    if (classes.isList()) return classListsIn("parts", field.key, fields);
  }
  return std::nullopt;
}

Result<std::shared_ptr<const Source>> WebSamples::open(const Params& params, const fs::path& base) {
  std::vector<std::string> notes;
  MILLRACE_ASSIGN_OR_RETURN(const auto paths, shardFiles(params.paths, base, isTarName, notes));
  MILLRACE_ASSIGN_OR_RETURN(auto files, openContainers(paths, TarWalk::kBlock, isTarHead, notes));
  const auto survey = surveyOf(files, params.junk, notes);
  if (!survey) return survey.error();
  MILLRACE_ASSIGN_OR_RETURN(auto parts, webFields(params.parts, survey->parts, notes));
  auto lists = params.parts.empty() ? listsIn(*survey, parts) : std::nullopt;
  if (lists) notes.push_back(noteOf(*lists));
  auto source = std::make_shared<WebSamples>(params, std::move(files), std::move(parts),
                                             std::move(notes), std::move(lists));
  source->m_listing.begin();
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
  for (const FieldSpec& spec : context.out.fields) {
    if (spec.name != "image" && spec.name != "label") return std::nullopt;
    fields.push_back({spec.name == "label" ? "cls" : pictureExtensions(";"), spec});
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
  for (const fs::path& file : *files) names.push_back(file.native());
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
    if (field.spec.dtype != DType::Encoded && field.key != "cls")
      return longForm("it reads arrays, or numbers from other parts than cls");
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
          "image=jpg;png, mask=seg.png, label=cls, board=bin:u8:194. Empty: pictures and cls.");
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
