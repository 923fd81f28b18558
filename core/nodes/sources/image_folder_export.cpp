// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/data_path.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/short_text.h"
#include "core/nodes/sources/image_folder_params.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::image_folder {

namespace {

namespace fs = std::filesystem;

/// Arguments that are not exported if they have their default.
std::string namedArguments(const Params& p) {
  std::string text;
  if (p.classOrder == ClassOrder::Numeric) text += ", class_order=\"numeric\"";
  if (p.junk == Junk::Keep) text += ", junk=\"keep\"";
  return text;
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  constexpr std::array<const char*, 3> kSubsets = {"train", "validation", "all"};
  ExportText text;
  refusePages(p.pages, "image_folder", text);
  text.needs("image_folder").option("DATA", pathListLiteral(p.paths, context));
  std::string call = "ImageFolder(DATA";
  if (p.subset != Subset::Train)
    call += fmt::format(", subset=\"{}\"", kSubsets.at(static_cast<std::size_t>(p.subset)));
  if (!p.classesFrom.empty()) {
    text.option("CLASSES_FROM", pathLiteral(p.classesFrom, context));
    call += ", classes_from=CLASSES_FROM";
  }
  return text.step(call + namedArguments(p) + ")");
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext& context) {
  constexpr std::array<const char*, 3> kSubsets = {"train", "validation", "all"};
  ExportText text;
  refusePages(p.pages, "image_folder", text);
  text.needs("image_folder").option("DATA", pathListLiteral(p.paths, context));
  std::string call =
      fmt::format("image_folder(DATA, \"{}\"", kSubsets.at(static_cast<std::size_t>(p.subset)));
  if (!p.classesFrom.empty()) {
    text.option("CLASSES_FROM", pathLiteral(p.classesFrom, context));
    call += ", CLASSES_FROM";
  }
  return text.step(call + namedArguments(p) + ")");
}

/// Whether the classes and files that a source lists are `sorted(glob("*/*"))` below `folder`.
bool isGlobbed(const Source& source, const fs::path& root, const std::string& part) {
  const std::vector<std::string> files = globbed(root / part, 2);
  if (files.size() != source.size()) return false;
  std::vector<std::string> classes;
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    const std::string& file = files[i];
    const std::string name = file.substr(0, file.find('/'));
    if (classes.empty() || classes.back() != name) classes.push_back(name);
    const bool same = source.name(i) == (fs::path(part) / file).native() &&
                      source.labelOf(i) == static_cast<std::int64_t>(classes.size()) - 1;
    if (!same || validUtf8(file) != file) return false;
  }
  return classes == source.classes();
}

/// Whether the framework's own reader of class folders lists the same files: torchvision's
/// ImageFolder and DALI's readers.file go by the endings of names.
bool isListedBy(std::string_view target, const fs::path& folder) {
  TextList endings{".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp"};
  if (target.starts_with("dali")) endings.insert(endings.end(), {".pnm", ".pbm", ".jp2"});
  return target == "tfdata" || target == "grain" || isGlobbedByEndings(folder, endings);
}

/// Whether names below a folder contain a word that Hugging Face's `datasets` takes for a split.
bool namesSplit(const fs::path& folder) {
  constexpr std::array<std::string_view, 10> kWords = {
      "train", "training", "validation", "valid", "val",
      "dev",   "test",     "testing",    "eval",  "evaluation"};
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (const std::string& file : globbed(folder, 2))
    for (auto at = file.begin(); at != file.end();) {
      const auto begin = std::find_if(at, file.end(), isLetter);
      at = std::find_if_not(begin, file.end(), isLetter);
      if (std::ranges::find(kWords, std::string_view(begin, at)) != kWords.end()) return true;
    }
  return false;
}

ExportText shortDali(ExportText text) {
  return text.import("from nvidia.dali import fn, types")
      .step("image, label = fn.readers.file(file_root=DATA, name=\"image\", **reader)")
      .step("sample = {\"image\": image, \"label\": fn.cast(label[0], dtype=types.INT64)}");
}

ExportText dynamicDali(ExportText text) {
  return text.step("self.reader = ndd.readers.File(file_root=DATA, **options)")
      .step("for image, label in self.reader.next_epoch(BATCH_SIZE, capture=True):")
      .step("label = ndd.as_batch(label.torch()[:, 0].long())")
      .step("sample = {\"image\": image, \"label\": label}");
}

ExportText shortText(const Params& p, const ExportContext& context, std::string_view target) {
  if (p.paths.size() != 1 || p.subset != Subset::Train || !p.classesFrom.empty() ||
      p.classOrder != ClassOrder::Bytes || p.junk != Junk::Skip || p.pages != Pages::First)
    return longForm("it reads several folders or pages, or numbers classes in a special way");
  const auto path = resolveDataPath(p.paths.front(), context.base);
  if (!path) return longForm(path.error().message);
  fs::path folder = *path;
  if (context.dataKnown) {
    const auto root = divideFolder(*path, p.subset);
    const auto source = openFolders(p, context.base);
    if (!root || !source) return longForm("the folder cannot be listed");
    const std::string& part = root->parts.front();
    if (!isGlobbed(**source, *path, part))
      return longForm("not every file in the folder is CLASS/FILE, or some are not pictures");
    folder /= part;
    if (target == "huggingface" && namesSplit(folder))
      return longForm("names in its folder say train or test, which `datasets` takes for splits");
    if (!isListedBy(target, folder))
      return longForm("it holds empty or hidden folders, or names without the ending of a picture");
  }
  ExportText text;
  text.option("DATA", pythonText(folder.native()), "CLASS/FILE below it");
  if (target == "dali") return shortDali(std::move(text));
  if (target == "dali-dynamic") return dynamicDali(std::move(text));
  if (target == "huggingface" && folder.native().find_first_of("*?[") != std::string::npos)
    return longForm("`datasets` takes *, ? and [ in the folder's name for a pattern");
  if (target == "huggingface") return text.needs("hf_folders").step("make_dataset()");
  text.needs("class_folders");
  if (target == "grain") return text.step("Samples()");
  if (target == "pytorch") return text.step("Samples(DATA)");
  return text.step("tf.data.Dataset.from_tensor_slices(list_files())")
      .value({"image"}, "tf.io.read_file({})");
}

}  // namespace

void addExporters(Describe<Params>& d) {
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
  for (const char* target : {"pytorch", "tfdata", "dali", "dali-dynamic", "huggingface", "grain"})
    d.exporter(std::string(target) + ".short",
               [target](const Params& p, const ExportContext& context) {
                 return shortText(p, context, target);
               });
}

}  // namespace millrace::nodes::image_folder
