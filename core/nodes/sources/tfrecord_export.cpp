// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/data_path.h"
#include "core/formats/shard_files.h"
#include "core/formats/tfrecord/tfrecord.h"
#include "core/node_parts/fields/text_classes.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/record_text.h"
#include "core/node_parts/short_text.h"
#include "core/nodes/sources/tfrecord_params.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::tfrecord {

namespace {

namespace fs = std::filesystem;

/// How the label is stored, if other readers do not read it as a class.
std::string oddLabel(const Params& p, const ExportContext& context) {
  const bool label = std::ranges::any_of(
      context.out.fields, [](const FieldSpec& field) { return isClassNumber(field); });
  return label && context.dataKnown ? labelStoredAs(p, context.base) : std::string();
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  const auto fields = fieldsSaid(p.keys, context);
  const bool bytes =
      p.content == Content::Bytes || (context.dataKnown && context.out.fields == recordField());
  if (!bytes && !fields) return fieldsNotSaid("keys");
  ExportText text;
  if (const std::string stored = oddLabel(p, context); !stored.empty()) {
    text.missing = fmt::format(
        "Labels that are stored as {} are not exported: write them as int64, or export the "
        "pipeline as Python over the engine.",
        stored);
    return text;
  }
  const bool parses = target == "dali" || target == "grain";  // in the reader
  if (!bytes && parses)
    text = recordSource(target, "parsed_examples",
                        "ParsedExamples(TfRecords(DATA), " + fieldLiterals(*fields) + ")")
               .needs("tfrecord");
  else
    text = recordSource(target, "tfrecord", "TfRecords(DATA)");
  if (!bytes && !parses) addExampleStep(target, "record", *fields, text);
  text.option("DATA", pathListLiteral(p.paths, context));
  // tf.data states it only if its own reader, which verifies checksums, is not used.
  if (p.checkSums && target != "tfdata") text.limit(kNoCheckSums);
  return text.limit(
      "Files compressed with gzip or zlib are not read, and after a damaged place the rest of a "
      "file is left out. Millrace decompresses them, and continues with the next record.");
}

/// Whether the files are `sorted(glob("*.tfrec*"))` in the folder, and none is compressed.
bool isGlobbed(const Params& p, const ExportContext& context, const fs::path& folder) {
  std::vector<std::string> notes;
  const auto files = shardFiles(p.paths, context.base, isTfRecordName, notes);
  if (!files) return false;
  std::vector<std::string> names = globbed(folder, 1);
  std::erase_if(names, [](const std::string& name) {
    return name.find(".tfrec") == std::string::npos || validUtf8(name) != name;
  });
  const auto isPlain = [&](const ShardFile& file, const std::string& name) {
    std::ifstream stream(file.path, std::ios::binary);
    std::array<char, 2> start{};
    stream.read(start.data(), start.size());
    return file.path == folder / name && start != std::array{'\x1f', '\x8b'};
  };
  return std::equal(files->begin(), files->end(), names.begin(), names.end(), isPlain);
}

ExportText shortText(const Params& p, const ExportContext& context, std::string_view form) {
  const bool torch = form.starts_with("pytorch");
  const auto fields = fieldsSaid(p.keys, context);
  const bool bytes =
      p.content == Content::Bytes || (context.dataKnown && context.out.fields == recordField());
  if (p.paths.size() != 1 || (!bytes && (torch || !fields)))
    return longForm("it reads several paths, or parses records into fields");
  const auto folder = resolveDataPath(p.paths.front(), context.base);
  if (!folder) return longForm(folder.error().message);
  if (!bytes && !oddLabel(p, context).empty()) return longForm("its labels are not int64");
  if (context.dataKnown && !isGlobbed(p, context, *folder))
    return longForm("its files are compressed, or are not *.tfrec* in one folder");
  ExportText text;
  text.needs("record_files").option("DATA", pythonText(folder->native()), "holds *.tfrec* files");
  if (torch && p.checkSums) text.limit(kNoCheckSums);
  if (torch) return text.step("Records()");
  text.step("tf.data.TFRecordDataset(list_files())").step("sample = {\"record\": record}");
  if (!bytes) addShortExample("record", *fields, false, text);
  return text;
}

}  // namespace

void addExporters(Describe<Params>& d) {
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, exported);
  d.exporters({"pytorch.short", "tfdata.short"}, shortText);
}

}  // namespace millrace::nodes::tfrecord
