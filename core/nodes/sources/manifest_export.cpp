// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <array>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/folder/csv.h"
#include "core/formats/folder/label_lists.h"
#include "core/formats/io/data_path.h"
#include "core/formats/io/file_reader.h"
#include "core/node_parts/path_literal.h"
#include "core/nodes/sources/manifest_params.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::manifest {

namespace {

namespace fs = std::filesystem;

/// The label's column, or the list of one-hot columns.
std::string labelLiteral(const ManifestForm& form) {
  if (!form.oneHot.empty()) return pythonTexts(form.oneHot);
  return form.label.empty() ? std::string("None") : pythonText(form.label);
}

/// The classes that the program is given; empty: it finds them.
TextList givenClasses(const Params& p, const ManifestForm& form) {
  return p.classes.empty() ? form.oneHot : p.classes;
}

/// What the parameters say without the manifest.
ManifestForm formWithoutFile(const Params& p) {
  ManifestForm form;
  if (p.separator != Separator::Auto)
    form.separator = kSeparators[static_cast<std::size_t>(p.separator)];
  form.image = p.imageColumn == kAnyColumn ? "image" : p.imageColumn;
  form.label = p.labelColumn == kAnyColumn ? "label" : p.labelColumn;
  form.oneHot = p.labelColumns;
  if (p.labelSeparator != LabelSeparator::Auto)
    form.labelSeparator = kListSeparators[static_cast<std::size_t>(p.labelSeparator)];
  form.target = p.targetColumn;
  form.mask = p.maskColumn;
  form.header = p.header != Header::No;
  if (p.encoding != TextEncoding::Auto) form.encoding = p.encoding;
  if (p.extension != kAnyExtension) form.extension = p.extension;
  return form;
}

/// The form of the first manifest as an exported program needs it.
ManifestForm formForExport(const Params& p, const ExportContext& context) {
  ManifestForm form = formWithoutFile(p);
  if (p.paths.empty()) return form;
  const auto file = resolveDataPath(p.paths.front(), context.base);
  const auto root =
      p.root.empty() ? Result<fs::path>(fs::path()) : resolveDataPath(p.root, context.base);
  if (!file || !root) return form;
  FileReader reader;
  ReadCounters ignored;
  const auto read = reader.read(AT_FDCWD, file->c_str(), ignored);
  if (!read) return form;
  const std::string_view bytes(reinterpret_cast<const char*>(read->data()), read->size());
  auto found = findManifestForm(bytes, *file, hintsOf(p, *root));
  if (!found) return form;
  form = found.take();
  if (p.multiLabel && form.oneHot.empty() && form.label.empty()) form.oneHot = form.several;
  // A table of names needs its folder, which is searched.
  if (form.root == file->parent_path() && !form.byName) form.root.clear();
  return form;
}

/// Arguments for what differs from a plain CSV file.
std::string formArguments(const ManifestForm& form) {
  constexpr std::array<const char*, 4> kEncodings = {"utf-8-sig", "utf-8-sig", "cp1252", "utf-16"};
  std::string text;
  if (form.separator != ',')
    text +=
        fmt::format(", separator=\"{}\"",
                    form.separator == '\t' ? std::string("\\t") : std::string(1, form.separator));
  if (!form.header) text += ", header=False";
  if (form.encoding != TextEncoding::Utf8)
    text +=
        fmt::format(", encoding=\"{}\"", kEncodings.at(static_cast<std::size_t>(form.encoding)));
  if (!form.extension.empty()) text += ", extension=" + pythonText(form.extension);
  if (form.backslashes) text += ", backslashes=True";
  if (!form.prefix.empty()) text += ", prefix=" + pythonText(form.prefix);
  if (form.byName) text += ", find=files_by_name(ROOT)";
  return text;
}

void findByName(const ManifestForm& form, ExportText& text) {
  if (!form.byName) return;
  text.needs("files_by_name")
      .limit(
          "A name in the table that several files have ends the program. Millrace leaves out the "
          "row.");
}

/// Python's csv does not divide lines whose paths have spaces.
void refuseForms(const ManifestForm& form, ExportText& text) {
  if (form.separator == kAfterPath || form.separator == kFirstSpace)
    text.missing =
        "manifest.separator is not exported for paths with spaces; write the list with commas or "
        "tabs, or export the pipeline as Python over the engine.";
}

/// How the program reads labels: as the first manifest has them.
std::string labelsText(const Params& p, const ManifestForm& form) {
  constexpr std::array<const char*, 5> kLabels = {"auto", "integer", "one_based", "text", "real"};
  const bool real = p.labels == LabelNumbers::Auto && form.quantities && p.classes.empty();
  return real ? "real" : kLabels.at(static_cast<std::size_t>(p.labels));
}

/// The root as a literal; empty: the folder of the manifest.
std::string rootLiteral(const Params& p, const ManifestForm& form, const ExportContext& context) {
  if (!p.root.empty()) return pathLiteral(p.root, context);
  return form.root.empty() ? std::string() : pathLiteral(form.root.native(), context);
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const ManifestForm form = formForExport(p, context);
  ExportText text;
  refusePages(p.pages, "manifest", text);
  refuseForms(form, text);
  findByName(form, text);
  text.needs(p.multiLabel ? "multi_label_manifest" : "manifest")
      .option("DATA", pathListLiteral(p.paths, context));
  std::string call = p.multiLabel ? "MultiLabelManifest(DATA" : "Manifest(DATA";
  if (const std::string root = rootLiteral(p, form, context); !root.empty()) {
    text.option("ROOT", root);
    call += ", root=ROOT";
  }
  call += fmt::format(", image={}, label={}", pythonText(form.image), labelLiteral(form));
  if (!form.target.empty()) call += ", target=" + pythonText(form.target);
  if (!form.mask.empty()) call += ", mask=" + pythonText(form.mask);
  if (const std::string labels = labelsText(p, form); labels != "auto")
    call += fmt::format(", labels=\"{}\"", labels);
  if (const TextList classes = givenClasses(p, form); !classes.empty())
    call += ", classes=" + pythonTexts(classes);
  if (p.multiLabel)
    call += fmt::format(", separator_of_labels=\"{}\"", form.labelSeparator == kNoSeparator
                                                            ? std::string()
                                                            : std::string(1, form.labelSeparator));
  return text.step(call + formArguments(form) + ")");
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext& context) {
  const ManifestForm form = formForExport(p, context);
  std::vector<std::string> columns{"\"image\": " + pythonText(form.image)};
  if (!form.target.empty()) columns.push_back("\"target\": " + pythonText(form.target));
  if (!form.mask.empty()) columns.push_back("\"mask\": " + pythonText(form.mask));
  const std::string root = rootLiteral(p, form, context);
  const TextList classes = givenClasses(p, form);
  ExportText text;
  refusePages(p.pages, "manifest", text);
  refuseForms(form, text);
  findByName(form, text);
  if (p.multiLabel)
    text.missing =
        "manifest.multi_label is not exported for this target; export the pipeline for PyTorch, or "
        "as Python over the engine.";
  if (labelsText(p, form) == "real")
    text.missing =
        "manifest.labels = real is not exported for this target; export the pipeline for PyTorch, "
        "or as Python over the engine.";
  text.needs("manifest")
      .option("DATA", pathListLiteral(p.paths, context))
      .option("ROOT", root.empty() ? "None" : root, "None: paths start at their manifest")
      .option("CLASSES", classes.empty() ? "None" : pythonTexts(classes));
  return text.step(fmt::format(
      "manifest(DATA, ROOT, columns={{{}}}, label={}, numbers=\"{}\", classes=CLASSES{})",
      join(columns, ", "), labelLiteral(form), labelsText(p, form), formArguments(form)));
}

}  // namespace

void addExporters(Describe<Params>& d) {
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
}

}  // namespace millrace::nodes::manifest
