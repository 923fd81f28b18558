// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/codecs/codec.h"
#include "core/data/object_fields.h"
#include "core/node_parts/fields/field_places.h"
#include "core/node_parts/object_text.h"
#include "core/spec/describe.h"

namespace millrace::nodes::to_boxes {

namespace {

enum class Form : std::uint8_t { Edges, Corner, Centre };

struct Params {
  TextList from{"xmin", "ymin", "xmax", "ymax"};
  Form form = Form::Edges;
  bool relative = false;
  TextList with;
};

constexpr std::size_t kNumbers = 4;

/// Left, top, right and bottom edge.
std::array<float, kNumbers> edgesOf(const std::array<float, kNumbers>& n, Form form) {
  switch (form) {
    case Form::Edges: break;
    case Form::Corner: return {n[0], n[1], n[0] + n[2], n[1] + n[3]};
    case Form::Centre: return {n[0] - n[2] / 2, n[1] - n[3] / 2, n[0] + n[2] / 2, n[1] + n[3] / 2};
  }
  return n;
}

/// Where the numbers of the boxes are: in one field, or a field for each.
struct Places {
  std::vector<std::size_t> from;
  std::size_t image = 0;
};

Result<Places> placesOf(const Params& p, const StreamType& in) {
  if (p.from.size() != 1 && p.from.size() != kNumbers)
    return Error{"the numbers of a box are in one field or in four"};
  Places places;
  for (const std::string& name : p.from) {
    const auto place = fieldIndex(in, name);
    if (!place) return Error{fmt::format("there is no field `{}` here", singleLine(name))};
    if (in.fields[*place].dtype != DType::F32)
      return Error{
          fmt::format("`{}` is not f32 but {}", singleLine(name), nameOf(in.fields[*place].dtype))};
    places.from.push_back(*place);
  }
  const auto image = std::ranges::find(in.fields, Role::Image, &FieldSpec::role);
  if (image == in.fields.end()) return Error{"there is no image whose boxes they are"};
  places.image = static_cast<std::size_t>(image - in.fields.begin());
  return places;
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  const Result<Places> places = placesOf(p, in);
  if (!places) {
    context.error("from", places.error().message,
                  "name the f32 fields of left, top, right and bottom, or one field of n x 4");
    return in;
  }
  StreamType out = in;
  for (const std::string& name : p.with) {
    const auto place = fieldIndex(in, name);
    if (!place) {
      context.error("with", fmt::format("there is no field `{}` here", singleLine(name)),
                    "list fields with a value for each box");
      return in;
    }
    FieldSpec& field = out.fields[*place];
    if (field.role != Role::Label) field.role = Role::Objects;
  }
  out.fields[places->from.front()] = {
      "boxes", DType::F32, {Shape::kUnknown, kNumbers}, Layout::Plain, Role::Boxes};
  std::vector<std::size_t> others(places->from.begin() + 1, places->from.end());
  std::ranges::sort(others, std::greater<>());
  for (const std::size_t other : others)
    out.fields.erase(out.fields.begin() + static_cast<std::ptrdiff_t>(other));
  return out;
}

class ToBoxes final : public SampleOp {
 public:
  ToBoxes(const Params& params, Places places, std::size_t fieldsIn)
      : m_params(params), m_places(std::move(places)), m_fieldsIn(fieldsIn) {
    m_others.assign(m_places.from.begin() + 1, m_places.from.end());
    std::ranges::sort(m_others, std::greater<>());
  }

  bool rearranges() const override { return true; }
  std::vector<std::string> counterNames() const override { return {"boxes without area"}; }

  Status process(Sample& sample, const OpContext& context) override {
    MILLRACE_ASSIGN_OR_RETURN(const std::size_t count, countIn(sample));
    MILLRACE_ASSIGN_OR_RETURN(const Size size, sizeOf(sample[m_places.image]));
    m_numbers.clear();
    for (std::size_t i = 0; i < count; ++i) addBox(sample, i, size, context);
    const TensorView to =
        sample.replace(m_places.from.front(), DType::F32,
                       {static_cast<std::int64_t>(count), kNumbers}, Layout::Plain);
    std::ranges::copy(m_numbers, to.as<float>());
    std::size_t fields = m_fieldsIn;
    for (const std::size_t other : m_others) openPlaces(sample, other, fields--, 0);
    clearPlaces(sample, fields);
    return {};
  }

 private:
  /// How many boxes the fields hold.
  Result<std::size_t> countIn(const Sample& sample) const {
    const auto elements = [&](std::size_t field) { return sample[field].bytes / sizeof(float); };
    const std::size_t first = elements(m_places.from.front());
    if (m_places.from.size() == 1) {
      if (first % kNumbers != 0)
        return Error{fmt::format("it has {} numbers, not 4 for each box", first)};
      return first / kNumbers;
    }
    for (const std::size_t field : m_places.from)
      if (elements(field) != first)
        return Error{fmt::format("its boxes have {} and {} numbers for two of their edges", first,
                                 elements(field))};
    return first;
  }

  /// The size that fractions refer to.
  Result<Size> sizeOf(const TensorView& image) {
    if (!m_params.relative) return Size{1, 1};
    if (image.dtype != DType::Encoded)
      return Size{static_cast<int>(image.width()), static_cast<int>(image.height())};
    const Result<ImageInfo> info = m_decoder.open(image.content());
    if (!info) return info.error();
    return info->size;
  }

  void addBox(const Sample& sample, std::size_t i, Size size, const OpContext& context) {
    std::array<float, kNumbers> numbers{};
    for (std::size_t k = 0; k < kNumbers; ++k)
      numbers[k] = m_places.from.size() == 1
                       ? sample[m_places.from.front()].as<const float>()[i * kNumbers + k]
                       : sample[m_places.from[k]].as<const float>()[i];
    const std::array<float, kNumbers> edges = edgesOf(numbers, m_params.form);
    if (!(edges[2] > edges[0] && edges[3] > edges[1])) context.count(0);
    for (std::size_t k = 0; k < kNumbers; ++k)
      m_numbers.push_back(edges[k] * static_cast<float>(k % 2 == 0 ? size.width : size.height));
  }

  const Params m_params;
  const Places m_places;
  const std::size_t m_fieldsIn;
  std::vector<std::size_t> m_others;  ///< the fields that are removed, the last one first
  std::vector<float> m_numbers;       ///< of this sample
  ImageDecoder m_decoder;
};

Result<std::unique_ptr<SampleOp>> make(const Params& p, const BuildContext& context) {
  MILLRACE_ASSIGN_OR_RETURN(auto places, placesOf(p, context.in));
  return std::unique_ptr<SampleOp>(
      std::make_unique<ToBoxes>(p, std::move(places), context.in.fields.size()));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("to_boxes", Category::Decode, NodeRole::Sample);
  d.label("To boxes")
      .help(
          "Makes boxes of numbers that a container holds, such as TFRecord files of the Object "
          "Detection API. Geometry after it moves them with the picture. The fields of the numbers "
          "become one field `boxes`: left, top, right and bottom edge in pixels. Place it before "
          "any geometry.");
  d.example(R"({"from": ["xmin", "ymin", "xmax", "ymax"], "relative": true, "with": ["label"]})");
  d.tags({"detection", "bounding boxes", "Object Detection API", "bbox", "xywh", "cxcywh"});
  d.texts("from", &Params::from)
      .label("From")
      .help(
          "Fields of f32 with the numbers of the boxes: four fields of n numbers each, in the "
          "order "
          "of `form`, or one field of n x 4.");
  d.choice<Form>("form", &Params::form,
                 {{Form::Edges, "edges", "Left, top, right and bottom edge (xyxy)."},
                  {Form::Corner, "corner", "Left and top edge, width and height (xywh, as COCO)."},
                  {Form::Centre, "centre", "Centre, width and height (cxcywh, as YOLO)."}})
      .label("Form")
      .help("What the numbers mean.");
  d.boolean("relative", &Params::relative)
      .label("Fractions")
      .help("The numbers are fractions of the picture's width and height, not pixels.");
  d.texts("with", &Params::with)
      .label("With")
      .optional()
      .help("Other fields with a value for each box, such as its class.");
  d.infer(infer);
  d.sample(make);
  objectsNotTranslated(d);
  return d.take();
}

}  // namespace millrace::nodes::to_boxes
