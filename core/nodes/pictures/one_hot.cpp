// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/node_parts/colour_csv.h"
#include "core/node_parts/fields/label_text.h"
#include "core/node_parts/one_hot_op.h"
#include "core/node_parts/path_literal.h"
#include "core/node_parts/short_text.h"
#include "core/pass/one_hot_on_device.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::one_hot {

namespace {

struct Params {
  std::int64_t classes = 0;
  std::string colours;
  MaskResult masks = MaskResult::OneHot;
  std::int64_t ignoreIndex = -1;
  UnknownValues unknown = UnknownValues::Error;
  DType dtype = DType::F32;
  Layout layout = Layout::Hwc;
  TextList fields;
};

std::vector<std::size_t> acts(const Params& p, const StreamType& in) {
  return actedFields(in, p.fields, {Role::Label, Role::Mask});
}

bool isMask(const FieldSpec& field) { return field.layout != Layout::Plain; }

std::filesystem::path tablePath(const Params& p, const std::filesystem::path& base) {
  return base / p.colours;
}

bool holdsLabel(DType type) { return !isFloat(type) && type != DType::Encoded; }

void inferLabel(const Params& p, FieldSpec& field, InferContext& context) {
  // Numbers of one length are something else: often one for each class already.
  const bool numbers = isLabelList(field) || field.shape.elements() == 1;
  if (field.oneHot || !holdsLabel(field.dtype) || !numbers) {
    context.error("fields",
                  fmt::format("`{}` is not a class number but {}", field.name, field.text()),
                  field.oneHot ? "remove the second one_hot" : "remove it from the list");
    return;
  }
  if (p.classes > 0) field.classes = p.classes;
  if (field.classes == 0)
    context.error("classes", fmt::format("the number of classes of `{}` is unknown", field.name),
                  "set classes");
  field.dtype = p.dtype;
  field.oneHot = true;
  field.shape = {field.classes > 0 ? field.classes : Shape::kUnknown};
}

/// The number of classes of a mask; if it is unknown reports why and returns 0.
std::int64_t maskClasses(const Params& p, const FieldSpec& field, InferContext& context) {
  if (p.colours.empty()) {
    if (field.channels() != 1)
      context.error("colours", fmt::format("`{}` holds colours", field.name),
                    "set a table with lines `name,r,g,b`, or set decode.mask to index");
    const std::int64_t classes = p.classes > 0 ? p.classes : field.classes;
    if (classes == 0)
      context.error("classes", fmt::format("the number of classes of `{}` is unknown", field.name),
                    "set classes, or set a colour table");
    return std::min<std::int64_t>(classes, 256);
  }
  if (field.channels() != 3)
    context.error("colours", fmt::format("`{}` holds indices, not colours", field.name),
                  "set decode.mask to rgb, or leave colours empty");
  const Result<ColourClasses> table = readColourClasses(tablePath(p, context.base()));
  if (!table) {
    context.error("colours", table.error().message,
                  "a colour table is a text file with a line `name,r,g,b` or `r g b name` for each "
                  "class, and no colour twice");
    return 0;
  }
  return table->table.classes();
}

/// The table fixes the number of classes of masks; `classes` is then that of labels.
void checkTable(const Params& p, std::int64_t tableClasses, const StreamType& in,
                InferContext& context) {
  const bool forLabels =
      std::ranges::any_of(acts(p, in), [&](std::size_t i) { return !isMask(in.fields[i]); });
  if (p.colours.empty() || p.classes == 0 || forLabels || tableClasses == 0) return;
  if (p.classes != tableClasses)
    context.error("classes",
                  fmt::format("{} classes, but the colour table has {}", p.classes, tableClasses),
                  fmt::format("set classes to {}, or to 0 to take the table's", tableClasses));
}

void inferMask(const Params& p, FieldSpec& field, InferContext& context) {
  field.classes = maskClasses(p, field, context);
  if (p.ignoreIndex >= 0 && p.ignoreIndex < field.classes)
    context.error("ignore_index",
                  fmt::format("index {} is one of the {} classes", p.ignoreIndex, field.classes),
                  "decrease classes, or choose an index above them");
  if (p.masks == MaskResult::Index) {
    field.shape = {field.height(), field.width(), 1};
    return;
  }
  field.dtype = p.dtype;
  field.oneHot = true;
  field.shape = pictureShape(field.height(), field.width(),
                             field.classes > 0 ? field.classes : Shape::kUnknown, p.layout);
  field.layout = p.layout;
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (!checkFields(in, p.fields, {Role::Label, Role::Mask}, context)) return out;
  for (const std::size_t i : acts(p, in)) {
    if (!isMask(in.fields[i]) && in.fields[i].dtype != DType::Encoded) {
      inferLabel(p, out.fields[i], context);
    } else if (checkPictures(in, {i}, PictureNeed::U8, context)) {
      inferMask(p, out.fields[i], context);
      checkTable(p, out.fields[i].classes, in, context);
    }
  }
  return out;
}

Result<std::unique_ptr<SampleOp>> make(const Params& p, const BuildContext& context) {
  std::optional<ColourClasses> colours;
  if (!p.colours.empty()) {
    Result<ColourClasses> read = readColourClasses(tablePath(p, context.base));
    if (!read) return read.error();
    colours = read.take();
  }
  std::vector<OneHotOp::Field> fields;
  for (const std::size_t i : acts(p, context.in))
    fields.push_back({i, context.in.fields[i].name, isMask(context.in.fields[i]),
                      static_cast<int>(context.out.fields[i].classes)});
  return std::unique_ptr<SampleOp>(std::make_unique<OneHotOp>(
      OneHotOp::Settings{p.masks, p.ignoreIndex, p.unknown, p.dtype, p.layout}, std::move(fields),
      std::move(colours)));
}

Result<std::unique_ptr<DeviceOp>> makeOnDevice(const Params& p, const BuildContext& context) {
  if (!p.colours.empty())
    return Error{
        "colours can only be looked up on the CPU; move this node before the transfer, or set "
        "decode.mask to index"};
  if (p.unknown == UnknownValues::Error)
    return Error{
        "values that are not a class can only be detected on the CPU; set unknown to ignore, or "
        "move this node before the transfer"};
  std::vector<OneHotField> fields;
  for (const std::size_t i : acts(p, context.in)) {
    if (isLabelList(context.in.fields[i]))
      return Error{"a list of classes can only become a vector on the CPU; move this node there"};
    const bool mask = isMask(context.in.fields[i]);
    // Index masks are not changed if indices are wanted.
    if (!mask || p.masks == MaskResult::OneHot)
      fields.push_back({i, mask, static_cast<int>(context.out.fields[i].classes)});
  }
  return oneHotOnDevice(std::move(fields), p.dtype, p.layout);
}

void describeMasks(Describe<Params>& d) {
  d.path("colours", &Params::colours)
      .label("Colour table")
      .file()
      .optional()
      .help("For colour masks: a text file with one line per class, `name,r,g,b` or `r g b name`.");
  d.choice<MaskResult>("masks", &Params::masks,
                       {{MaskResult::OneHot, "one_hot", "one plane of 0 and 1 per class"},
                        {MaskResult::Index, "index", "one channel of class numbers, u8"}})
      .label("Masks")
      .help(
          "Format of the resulting masks. PyTorch's cross entropy accepts indices, which take a "
          "fraction of the memory.");
  d.integer("ignore_index", &Params::ignoreIndex)
      .label("Ignored index")
      .help("Index in masks that is not a class and is ignored, often 255. -1: none.")
      .range(-1, 255);
  d.choice<UnknownValues>(
       "unknown", &Params::unknown,
       {{UnknownValues::Error, "error",
         "the sample fails; the error states the number of pixels and the first position"},
        {UnknownValues::Ignore, "ignore", "all classes are 0, or the ignored index is used"}})
      .label("Unknown values")
      .help(
          "What happens to indices and colours that are not a class. On a GPU they are not "
          "checked, so only ignore is possible there.");
  d.choice<Layout>("layout", &Params::layout,
                   {{Layout::Hwc, "nhwc", "the classes of a pixel are adjacent"},
                    {Layout::Chw, "nchw", "one plane per class"}})
      .label("Layout")
      .help("Order of the axes of one-hot masks.")
      .usedWith("masks", {"one_hot"});
}

/// The values that are not a class but not an error either, as a tuple; None: any.
std::string ignoredText(const Params& p) {
  if (p.unknown == UnknownValues::Ignore) return ", ignore=None";
  return p.ignoreIndex < 0 ? std::string() : fmt::format(", ignore=({},)", p.ignoreIndex);
}

/// Both steps of a colour mask: indices from the table, then planes.
void colourStep(const Params& p, const std::string& fields, const ExportContext& context,
                ExportText& text) {
  const bool strict = p.unknown == UnknownValues::Error;
  text.needs("colours_to_indices")
      .option("COLOURS", pathLiteral(p.colours, context), "class table: name,r,g,b")
      .step(fmt::format("ColoursToIndices({}, colour_table(COLOURS){}{})", fields,
                        p.ignoreIndex < 0 ? "" : fmt::format(", none={}", p.ignoreIndex),
                        strict ? "" : ", strict=False"));
}

std::string classesText(const Params& p, const FieldSpec& field, bool mask) {
  if (mask && !p.colours.empty()) return "len(colour_table(COLOURS))";
  if (p.classes > 0)
    return std::to_string(mask ? std::min<std::int64_t>(p.classes, 256) : p.classes);
  if (mask && field.classes > 0) return std::to_string(field.classes);
  return "len(source.classes)";
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  ExportText text;
  text.import("import torch");
  const std::string dtype = p.dtype == DType::U8 ? "torch.uint8" : "torch.float32";
  for (const std::size_t i : acts(p, context.in)) {
    const FieldSpec& field = context.in.fields[i];
    const bool mask = isMask(field);
    const std::string fields = pythonTexts(TextList{field.name});
    if (mask && !p.colours.empty()) colourStep(p, fields, context, text);
    if (mask && !p.colours.empty() && p.masks == MaskResult::Index) continue;
    const bool anyIndex = mask && !p.colours.empty();
    text.needs(mask ? "one_hot_masks" : "one_hot_labels")
        .step(fmt::format("{}({}, {}, {}{}{})", mask ? "OneHotMasks" : "OneHotLabels", fields,
                          classesText(p, field, mask), dtype,
                          anyIndex ? ", ignore=None" : ignoredText(p),
                          mask && p.masks == MaskResult::Index ? ", planes=False" : ""));
  }
  return text;
}

ExportText arrays(const Params& p, const ExportContext& context, bool checks) {
  const char* dtype = p.dtype == DType::U8 ? "\"uint8\"" : "\"float32\"";
  const std::string known =
      checks && p.unknown == UnknownValues::Error ? fmt::format(", allowed={}", p.ignoreIndex) : "";
  ExportText text;
  if (!p.colours.empty())
    text.needs("colour_table").option("COLOURS", pathLiteral(p.colours, context));
  for (const std::size_t i : acts(p, context.in)) {
    const std::string name = pythonText(context.in.fields[i].name);
    const std::int64_t classes = context.out.fields[i].classes;
    if (!isMask(context.in.fields[i])) {
      text.needs("one_hot").step(
          fmt::format("one_hot_label(sample, {}, {}, {}{})", name, classes, dtype, known));
      continue;
    }
    if (!p.colours.empty())
      text.needs("colour_mask")
          .step(fmt::format(
              "colours_to_indices(sample, {}, colour_table(COLOURS), {}{})", name,
              p.ignoreIndex < 0 ? 255 : p.ignoreIndex,
              checks ? ", strict=" + pythonBool(p.unknown == UnknownValues::Error) : ""));
    if (p.masks == MaskResult::OneHot)
      text.needs("one_hot").step(fmt::format("one_hot_mask(sample, {}, {}, {}, axis={}{})", name,
                                             classes, dtype, p.layout == Layout::Chw ? 0 : -1,
                                             p.colours.empty() ? known : ""));
  }
  return text;
}

ExportText tfdata(const Params& p, const ExportContext& context) {
  return arrays(p, context, true);
}

ExportText dali(const Params& p, const ExportContext& context) {
  ExportText text = arrays(p, context, false);
  if (p.unknown == UnknownValues::Error)
    text.limit("DALI does not detect numbers and colours without a class: they become zeros.");
  return text;
}

/// Whether every number is a class and becomes one-hot; the short forms do nothing else.
bool onlyNumbers(const Params& p) {
  return p.colours.empty() && p.masks == MaskResult::OneHot && p.ignoreIndex < 0;
}

void limitUnknown(const Params& p, ExportText& text) {
  if (p.unknown == UnknownValues::Error)
    text.limit("Numbers without a class become zeros. In Millrace such a sample fails.");
}

ExportText shortTf(const Params& p, const ExportContext& context) {
  if (!onlyNumbers(p)) return longForm("it has colours, or an index to ignore");
  ExportText text;
  for (const std::size_t i : acts(p, context.in)) {
    const std::int64_t classes = context.out.fields[i].classes;
    const char* type = p.dtype == DType::U8 ? ", dtype=tf.uint8" : "";
    const bool mask = isMask(context.in.fields[i]);
    text.value(context.names({i}),
               mask ? fmt::format("tf.one_hot({{}}[..., 0], {}{}{})", classes,
                                  p.layout == Layout::Chw ? ", axis=0" : "", type)
                    : fmt::format("tf.one_hot({{}}, {}{})", classes, type));
  }
  limitUnknown(p, text);
  return text;
}

ExportText shortTorch(const Params& p, const ExportContext& context) {
  if (!onlyNumbers(p) || p.layout != Layout::Chw)
    return longForm("it has colours, an index to ignore, or channels last");
  const char* type = p.dtype == DType::U8 ? "torch.uint8" : "torch.float32";
  ExportText text;
  text.import("import torch");
  for (const std::size_t i : acts(p, context.in)) {
    if (!isMask(context.in.fields[i])) return longForm("it codes labels");
    text.local(fmt::format("classes = torch.arange({}, dtype=torch.uint8)[:, None, None]",
                           context.out.fields[i].classes))
        .value(context.names({i}), fmt::format("({{}} == classes).to({})", type));
  }
  limitUnknown(p, text);
  return text;
}

ExportText shortDali(const Params& p, const ExportContext& context) {
  if (!onlyNumbers(p)) return longForm("it has colours, or an index to ignore");
  const char* type = p.dtype == DType::U8 ? "UINT8" : "FLOAT";
  ExportText text;
  for (const std::size_t i : acts(p, context.in)) {
    const bool mask = isMask(context.in.fields[i]);
    if (mask) text.value(context.names({i}), "fn.squeeze({}, axes=[2])");
    text.value(
        context.names({i}),
        fmt::format("fn.one_hot({{}}, num_classes={}, axis={}, dtype=types.{})",
                    context.out.fields[i].classes, mask && p.layout == Layout::Chw ? 0 : -1, type));
  }
  limitUnknown(p, text);
  return text;
}

ExportText shortGrain(const Params& p, const ExportContext& context) {
  ExportText text;
  text.import("import numpy as np");
  for (const std::size_t i : acts(p, context.in)) {
    const std::int64_t classes = context.out.fields[i].classes;
    if (!onlyNumbers(p) || !isMask(context.in.fields[i]) || classes > 256)
      return longForm("it has colours, an index to ignore, labels, or many classes");
    const bool planes = p.layout == Layout::Chw;
    text.local(fmt::format("classes = np.arange({}, dtype=np.uint8){}", classes,
                           planes ? "[:, None, None]" : ""))
        .value(context.names({i}),
               fmt::format("({{}}{} == classes).astype(np.{})", planes ? "[..., 0]" : "",
                           p.dtype == DType::U8 ? "uint8" : "float32"));
  }
  limitUnknown(p, text);
  return text;
}

using Exporter = ExportText (*)(const Params&, const ExportContext&);

/// What `exporter` writes, unless a label is a list of classes.
template <Exporter exporter>
ExportText ofNumbers(const Params& p, const ExportContext& context) {
  for (const std::size_t i : acts(p, context.in)) {
    if (!isLabelList(context.in.fields[i])) continue;
    ExportText text;
    text.missing =
        "one_hot of a list of classes is not exported: set the element of each class to 1 in the "
        "dataset, or export the pipeline as Python that runs Millrace.";
    return text;
  }
  return exporter(p, context);
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("one_hot", Category::Tensor, NodeRole::Sample);
  d.label("One-hot").help(
      "Converts class numbers to vectors of zeros with a single 1: labels, masks of class indices, "
      "and colour masks with a table. A label that is a list of classes gets a 1 for each of them. "
      "mixup and cutmix need it. Put it after geometric nodes.");
  d.example(R"({"classes": 10})");
  d.tags({"onehot", "to_categorical", "labels", "segmentation", "palette", "class table"});
  d.integer("classes", &Params::classes)
      .label("Classes")
      .help("Number of classes. 0: as stated by the source or the colour table.")
      .range(0, 100000);
  describeMasks(d);
  d.choice<DType>("dtype", &Params::dtype,
                  {{DType::F32, "f32", "required by mixup and cutmix"},
                   {DType::U8, "u8", "a quarter of the memory"}})
      .label("Type")
      .help("Type of the elements.");
  d.fields(&Params::fields);
  d.infer(infer);
  d.sample(make);
  d.deviceOp(makeOnDevice);
  d.exporter("pytorch", ofNumbers<pytorch>);
  d.exporter("tfdata", ofNumbers<tfdata>);
  d.exporter("dali", ofNumbers<dali>);
  d.exporter("grain", ofNumbers<tfdata>);
  d.exporter("tfdata.short", ofNumbers<shortTf>);
  d.exporter("pytorch.short", ofNumbers<shortTorch>);
  d.exporter("dali.short", ofNumbers<shortDali>);
  d.exporter("grain.short", ofNumbers<shortGrain>);
  return d.take();
}

}  // namespace millrace::nodes::one_hot
