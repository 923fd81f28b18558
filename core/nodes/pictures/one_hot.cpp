// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/data/buffer.h"
#include "core/node_parts/colour_csv.h"
#include "core/node_parts/path_literal.h"
#include "core/pass/one_hot_on_device.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::one_hot {

namespace {

enum class MaskResult : std::uint8_t { OneHot, Index };
enum class Unknown : std::uint8_t { Error, Ignore };

struct Params {
  std::int64_t classes = 0;
  std::string colours;
  MaskResult masks = MaskResult::OneHot;
  std::int64_t ignoreIndex = -1;
  Unknown unknown = Unknown::Error;
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

std::int64_t labelValue(const TensorView& value) {
  switch (value.dtype) {
    case DType::U8: return *value.as<const std::uint8_t>();
    case DType::I8: return *value.as<const std::int8_t>();
    case DType::U16: return *value.as<const std::uint16_t>();
    case DType::I16: return *value.as<const std::int16_t>();
    case DType::I32: return *value.as<const std::int32_t>();
    default: return *value.as<const std::int64_t>();
  }
}

bool holdsLabel(DType type) { return !isFloat(type) && type != DType::Encoded; }

class OneHot final : public SampleOp {
 public:
  OneHot(const Params& params, const StreamType& in, const StreamType& out,
         std::optional<ColourClasses> colours)
      : m_params(params), m_colours(std::move(colours)) {
    for (const std::size_t i : acts(params, in))
      m_fields.push_back(
          {i, in.fields[i].name, isMask(in.fields[i]), static_cast<int>(out.fields[i].classes)});
  }

  std::vector<std::size_t> replaces() const override {
    std::vector<std::size_t> indices;
    for (const Field& field : m_fields) indices.push_back(field.index);
    return indices;
  }

  std::vector<std::string> counterNames() const override {
    return {"unknown labels ignored", "unknown pixels ignored"};
  }

  Status process(Sample& sample, const OpContext& context) override {
    for (const Field& field : m_fields)
      MILLRACE_TRY(field.isMask ? mask(field, sample, context) : label(field, sample, context));
    return {};
  }

 private:
  struct Field {
    std::size_t index = 0;
    std::string name;
    bool isMask = false;
    int classes = 0;
  };

  enum Counted : std::size_t { kLabels, kPixels };

  Status label(const Field& field, Sample& sample, const OpContext& context) const {
    const std::int64_t value = labelValue(sample[field.index]);
    const TensorView to =
        sample.replace(field.index, m_params.dtype, {field.classes}, Layout::Plain);
    const bool known = oneHotLabel(value, field.classes, m_params.dtype, to.data);
    if (known || value == m_params.ignoreIndex) return {};
    if (m_params.unknown == Unknown::Ignore) {
      context.count(kLabels);
      return {};
    }
    return Error{
        fmt::format("{}: {} is not a class; there are {}", field.name, value, field.classes)};
  }

  Status mask(const Field& field, Sample& sample, const OpContext& context) {
    const MutableImageView from = pixelsOf(sample[field.index]);
    if (!m_colours) return fromIndices(field, readOnly(from), sample, context);
    const Size size = from.size();
    const bool asIndex = m_params.masks == MaskResult::Index;
    std::byte* memory =
        asIndex
            ? sample.replace(field.index, DType::U8, {size.height, size.width, 1}, Layout::Hwc).data
            : m_indices.reserve(static_cast<std::size_t>(size.width) *
                                static_cast<std::size_t>(size.height));
    const MutableImageView indices{reinterpret_cast<std::uint8_t*>(memory), size.width, size.height,
                                   1, size.width};
    const std::uint8_t none =
        m_params.ignoreIndex < 0 ? 255 : static_cast<std::uint8_t>(m_params.ignoreIndex);
    const UnknownPixels unknown = m_colours->table.toIndices(readOnly(from), none, indices);
    if (unknown.count > 0 && m_params.unknown == Unknown::Error)
      return Error{fmt::format(
          "{}: {} pixels have a colour that is not a class, the first one is #{:06x} at ({}, {})",
          field.name, unknown.count, unknown.value, unknown.x, unknown.y)};
    if (unknown.count > 0) context.count(kPixels, static_cast<std::uint64_t>(unknown.count));
    if (!asIndex) write(field, readOnly(indices), sample);
    return {};
  }

  Status fromIndices(const Field& field, ImageView indices, Sample& sample,
                     const OpContext& context) const {
    if (write(field, indices, sample).count == 0) return {};
    const UnknownIndices unknown = unknownIndices(field, indices);
    if (unknown.count == 0) return {};
    if (m_params.unknown == Unknown::Ignore) {
      context.count(kPixels, static_cast<std::uint64_t>(unknown.count));
      return {};
    }
    return Error{
        fmt::format("{}: {} pixels are not one of the {} classes, the first one is {} at ({}, {}); "
                    "increase classes, or set ignore_index or unknown",
                    field.name, unknown.count, field.classes, indices.data[unknown.first],
                    unknown.first % indices.width, unknown.first / indices.width)};
  }

  UnknownPixels write(const Field& field, ImageView indices, Sample& sample) const {
    if (m_params.masks == MaskResult::Index) {
      const TensorView to =
          sample.replace(field.index, DType::U8, {indices.height, indices.width, 1}, Layout::Hwc);
      std::copy_n(indices.data, to.bytes, to.as<std::uint8_t>());
      UnknownPixels unknown;
      unknown.count = std::count_if(indices.data, indices.data + to.bytes,
                                    [&](std::uint8_t value) { return value >= field.classes; });
      return unknown;
    }
    const TensorView to =
        sample.replace(field.index, m_params.dtype,
                       pictureShape(indices.height, indices.width, field.classes, m_params.layout),
                       m_params.layout);
    return oneHotMask(indices, field.classes, m_params.dtype, m_params.layout, to.data);
  }

  struct UnknownIndices {
    std::int64_t count = 0;
    std::int64_t first = 0;
  };
  /// The rare case: unknown pixels other than the ignored index.
  UnknownIndices unknownIndices(const Field& field, ImageView indices) const {
    UnknownIndices unknown;
    const std::int64_t pixels = std::int64_t{indices.width} * indices.height;
    for (std::int64_t i = 0; i < pixels; ++i) {
      if (indices.data[i] < field.classes || indices.data[i] == m_params.ignoreIndex) continue;
      if (unknown.count++ == 0) unknown.first = i;
    }
    return unknown;
  }

  Params m_params;
  std::optional<ColourClasses> m_colours;
  std::vector<Field> m_fields;
  Buffer m_indices;
};

void inferLabel(const Params& p, FieldSpec& field, InferContext& context) {
  if (field.oneHot || !holdsLabel(field.dtype) || field.shape.elements() != 1) {
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
    context.error("colours", table.error().message, "each line must be name,r,g,b");
    return 0;
  }
  return table->table.classes();
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
  return std::unique_ptr<SampleOp>(
      std::make_unique<OneHot>(p, context.in, context.out, std::move(colours)));
}

Result<std::unique_ptr<DeviceOp>> makeOnDevice(const Params& p, const BuildContext& context) {
  if (!p.colours.empty())
    return Error{
        "colours can only be looked up on the CPU; move this node before the transfer, or set "
        "decode.mask to index"};
  if (p.unknown == Unknown::Error)
    return Error{
        "values that are not a class can only be detected on the CPU; set unknown to ignore, or "
        "move this node before the transfer"};
  std::vector<OneHotField> fields;
  for (const std::size_t i : acts(p, context.in)) {
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
      .help("For colour masks: a CSV file with one line `name,r,g,b` per class.");
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
  d.choice<Unknown>(
       "unknown", &Params::unknown,
       {{Unknown::Error, "error",
         "the sample fails; the error states the number of pixels and the first position"},
        {Unknown::Ignore, "ignore", "all classes are 0, or the ignored index is used"}})
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
  if (p.unknown == Unknown::Ignore) return ", ignore=None";
  return p.ignoreIndex < 0 ? std::string() : fmt::format(", ignore=({},)", p.ignoreIndex);
}

/// Both steps of a colour mask: indices from the table, then planes.
void colourStep(const Params& p, const std::string& fields, const ExportContext& context,
                ExportText& text) {
  const bool strict = p.unknown == Unknown::Error;
  text.needs("colours_to_indices")
      .option("COLOURS", pathLiteral(p.colours, context), "class table: name,r,g,b")
      .step(fmt::format("ColoursToIndices({}, read_colours(COLOURS){}{})", fields,
                        p.ignoreIndex < 0 ? "" : fmt::format(", none={}", p.ignoreIndex),
                        strict ? "" : ", strict=False"));
}

std::string classesText(const Params& p, const FieldSpec& field, bool mask) {
  if (mask && !p.colours.empty()) return "len(read_colours(COLOURS))";
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
      checks && p.unknown == Unknown::Error ? fmt::format(", allowed={}", p.ignoreIndex) : "";
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
          .step(fmt::format("colours_to_indices(sample, {}, colour_table(COLOURS), {}{})", name,
                            p.ignoreIndex < 0 ? 255 : p.ignoreIndex,
                            checks ? ", strict=" + pythonBool(p.unknown == Unknown::Error) : ""));
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
  if (p.unknown == Unknown::Error)
    text.limit("DALI does not detect numbers and colours without a class: they become zeros.");
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("one_hot", Category::Tensor, NodeRole::Sample);
  d.label("One-hot").help(
      "Converts class numbers to vectors of zeros with a single 1: labels, masks of class indices, "
      "and colour masks with a table. mixup and cutmix need it. Put it after geometric nodes.");
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
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  return d.take();
}

}  // namespace millrace::nodes::one_hot
