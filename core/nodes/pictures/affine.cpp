// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/kernels/affine.h"
#include "core/kernels/device/device_affine.h"
#include "core/node_parts/array_text.h"
#include "core/node_parts/mask_fill.h"
#include "core/node_parts/picture_op.h"
#include "core/node_parts/short_text.h"
#include "core/node_parts/torch_text.h"
#include "core/pass/device_fields.h"
#include "core/pass/object_moves.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::affine {

namespace {

struct Params {
  double rotation = 10;
  double shiftX = 0;
  double shiftY = 0;
  double shear = 0;
  double zoomMin = 1;
  double zoomMax = 1;
  Filter filter = Filter::Bilinear;
  Border border = Border::Constant;
  RealList fill{0};
  RealList maskFill{0};
  TextList fields;
};

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// One draw, shared by all fields of a sample, relative to their sizes.
struct Motion {
  double angle = 0;
  double shear = 0;
  double zoom = 1;
  double shiftX = 0;
  double shiftY = 0;
};

/// Maps the result back to the picture: the inverse of torchvision's affine matrix, which zooms,
/// shears along x, rotates clockwise around the centre, and then shifts.
AffineMap mapBack(const Motion& motion, int width, int height) {
  const double cosine = std::cos(motion.angle);
  const double sine = std::sin(motion.angle);
  const double slope = std::tan(motion.shear);
  AffineMap map;
  map.xx = (cosine - sine * slope) / motion.zoom;
  map.xy = (sine + cosine * slope) / motion.zoom;
  map.yx = -sine / motion.zoom;
  map.yy = cosine / motion.zoom;
  const double centreX = width / 2.0;
  const double centreY = height / 2.0;
  const double fromX = centreX + motion.shiftX * width;
  const double fromY = centreY + motion.shiftY * height;
  map.x0 = centreX - map.xx * fromX - map.xy * fromY;
  map.y0 = centreY - map.yx * fromX - map.yy * fromY;
  return map;
}

/// Maps the picture to the result: the inverse of mapBack().
PointMap mapForward(const Motion& motion, const TensorView& picture) {
  const auto width = static_cast<int>(picture.width());
  const auto height = static_cast<int>(picture.height());
  const AffineMap back = mapBack(motion, width, height);
  const double determinant = back.xx * back.yy - back.xy * back.yx;
  PointMap map;
  map.xx = back.yy / determinant;
  map.xy = -back.xy / determinant;
  map.yx = -back.yx / determinant;
  map.yy = back.xx / determinant;
  map.x0 = -map.xx * back.x0 - map.xy * back.y0;
  map.y0 = -map.yx * back.x0 - map.yy * back.y0;
  map.shown = {0, 0, static_cast<double>(width), static_cast<double>(height)};
  return map;
}

Motion drawMotion(const Params& params, Draw& draw) {
  Motion motion;
  motion.angle = radians(draw.uniform(-params.rotation, params.rotation));
  motion.shiftX = draw.uniform(-params.shiftX, params.shiftX);
  motion.shiftY = draw.uniform(-params.shiftY, params.shiftY);
  motion.shear = radians(draw.uniform(-params.shear, params.shear));
  motion.zoom = draw.uniform(params.zoomMin, params.zoomMax);
  return motion;
}

class Affine final : public SampleOp {
 public:
  Affine(const Params& params, const StreamType& in)
      : m_params(params),
        m_fields(geometryFields(in, params.fields)),
        m_objects(in.fields, m_fields),
        m_fill(padFill(params.border, params.fill, params.maskFill)) {
    for (const std::size_t i : m_fields) m_isMask.push_back(in.fields[i].role == Role::Mask);
  }

  std::vector<std::size_t> replaces() const override { return m_fields; }

  Status process(Sample& sample, const OpContext& context) override {
    Draw draw = context.draw(sample.key());
    const Motion motion = drawMotion(m_params, draw);
    if (!m_objects.empty()) m_objects.apply(mapForward(motion, sample[m_objects.image()]), sample);
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
      const TensorView from = sample[m_fields[f]];
      const TensorView to = sample.replace(m_fields[f], from.dtype, from.shape, from.layout);
      if (from.dtype == DType::F32) {
        warpFloatPicture(from, motion, to);
        continue;
      }
      const MutableImageView image = pixelsOf(from);
      const auto& fill = m_isMask[f] ? m_fill.mask : m_fill.colour;
      warpAffine(readOnly(image), mapBack(motion, image.width, image.height),
                 m_isMask[f] ? Filter::Nearest : m_params.filter, m_params.border, fill,
                 pixelsOf(to));
    }
    return {};
  }

 private:
  void warpFloatPicture(const TensorView& from, const Motion& motion, const TensorView& to) const {
    const Size size{static_cast<int>(from.width()), static_cast<int>(from.height())};
    const auto channels = static_cast<int>(from.channels());
    const auto* const values = from.as<const float>();
    const FloatImageView view = from.layout == Layout::Chw
                                    ? FloatImageView::chw(values, size, channels)
                                    : FloatImageView::hwc(values, size, channels);
    warpFloats(view, mapBack(motion, size.width, size.height), m_params.filter, m_params.border,
               m_fill.values, to.as<float>());
  }

  Params m_params;
  std::vector<std::size_t> m_fields;
  ObjectMoves m_objects;
  std::vector<bool> m_isMask;
  PadFill m_fill;
};

/// The device side.
class AffineOnDevice final : public DeviceOp {
 public:
  AffineOnDevice(const Params& params, const StreamType& in)
      : m_params(params),
        m_fields(geometryFields(in, params.fields)),
        m_fill(padFill(params.border, params.fill, params.maskFill)) {}

  std::vector<std::size_t> replaces() const override { return m_fields; }
  std::size_t paramBytes(std::size_t rows) const override {
    return m_fields.size() * rows * sizeof(DeviceAffineRow);
  }

  Status shape(const DeviceWork& work) override {
    keepShapes(work, m_fields);
    return {};
  }

  Status prepare(const DeviceWork& work) override {
    auto* const params = reinterpret_cast<DeviceAffineRow*>(work.hostParams);
    m_largest.assign(m_fields.size(), Size{});
    for (std::size_t r = 0; r < work.in.rows; ++r) {
      Draw draw = work.nodes.front().draw(work.in.keys[r]);
      const Motion motion = drawMotion(m_params, draw);
      for (std::size_t f = 0; f < m_fields.size(); ++f) {
        const BatchField& field = work.in.fields[m_fields[f]];
        const TensorView& picture = field.rows[r];
        DeviceAffineRow& row = params[f * work.in.rows + r];
        row = {deviceAddress(picture.data),
               deviceAddress(work.out.fields[m_fields[f]].rows[r].data),
               static_cast<int>(picture.width()),
               static_cast<int>(picture.height()),
               {},
               {}};
        row.map = mapBack(motion, row.width, row.height);
        const bool isMask = field.spec.role == Role::Mask;
        std::ranges::copy(isMask ? m_fill.mask : m_fill.colour, row.fill);
        m_largest[f] = {std::max(m_largest[f].width, row.width),
                        std::max(m_largest[f].height, row.height)};
      }
    }
    return {};
  }

  Status launch(Stream& stream, const DeviceWork& work) override {
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
      const FieldSpec& field = work.in.fields[m_fields[f]].spec;
      DeviceAffine affine;
      affine.rows = reinterpret_cast<const DeviceAffineRow*>(work.deviceParams) + f * work.in.rows;
      affine.rowCount = static_cast<int>(work.in.rows);
      affine.channels = static_cast<int>(field.channels());
      affine.width = m_largest[f].width;
      affine.height = m_largest[f].height;
      affine.border = m_params.border;
      affine.nearest = field.role == Role::Mask || m_params.filter == Filter::Nearest;
      MILLRACE_TRY(launchAffine(stream, affine));
    }
    return {};
  }

 private:
  Params m_params;
  std::vector<std::size_t> m_fields;
  PadFill m_fill;
  std::vector<Size> m_largest;  ///< for the current batch, between `prepare` and `launch`
};

bool isRandom(const Params& p) {
  return p.rotation > 0 || p.shiftX > 0 || p.shiftY > 0 || p.shear > 0 || p.zoomMin < p.zoomMax;
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (p.zoomMin > p.zoomMax)
    context.error("zoom_min", "it is larger than zoom_max", "swap the two");
  if (!checkFields(in, p.fields, {Role::Image, Role::Target, Role::Mask}, context)) return out;
  checkPictures(in, geometryFields(in, p.fields), PictureNeed::Fillable, context);
  checkFill(in, geometryFields(in, p.fields), p.fill, p.maskFill, context);
  if (isRandom(p)) out.randomFrom = context.node();
  return out;
}

void describeMotion(Describe<Params>& d) {
  d.real("rotation", &Params::rotation)
      .label("Rotation")
      .help("Maximum rotation in either direction.")
      .range(0, 180)
      .unit("degrees")
      .live();
  d.real("shift_x", &Params::shiftX)
      .label("Horizontal shift")
      .help("Maximum shift in either direction, as a fraction of the width.")
      .range(0, 1)
      .live();
  d.real("shift_y", &Params::shiftY)
      .label("Vertical shift")
      .help("Maximum shift in either direction, as a fraction of the height.")
      .range(0, 1)
      .live();
  d.real("shear", &Params::shear)
      .label("Shear")
      .help("Maximum shear in either direction.")
      .range(0, 80)
      .unit("degrees")
      .live();
  d.real("zoom_min", &Params::zoomMin)
      .label("Smallest zoom")
      .help("Minimum zoom factor. 0.8 shrinks the content to four fifths.")
      .range(0.05, 20)
      .live();
  d.real("zoom_max", &Params::zoomMax)
      .label("Largest zoom")
      .help("Maximum zoom factor. 1.2 enlarges the content by a fifth.")
      .range(0.05, 20)
      .live();
}

void describeOutside(Describe<Params>& d) {
  d.choice<Filter>("filter", &Params::filter,
                   {{Filter::Nearest, "nearest", "one pixel, hard edges"},
                    {Filter::Bilinear, "bilinear", "the usual choice"}})
      .label("Filter")
      .help("Interpolation between pixels. Masks always use nearest.");
  d.choice<Border>("border", &Params::border,
                   {{Border::Constant, "constant", "one colour"},
                    {Border::Edge, "edge", "repeats the outermost pixel"},
                    {Border::Reflect, "reflect", "mirrored without repeating the edge pixel"},
                    {Border::Symmetric, "symmetric", "mirrored, repeating the edge pixel"},
                    {Border::Wrap, "wrap", "continues with the opposite side"}})
      .label("Border")
      .help("What is shown outside the original picture (Keras: fill_mode).");
  d.reals("fill", &Params::fill)
      .usedWith("border", {"constant"})
      .label("Fill")
      .help(
          "Colour of the border: one value, or one per channel. 0 to 255 for pictures of bytes; on "
          "the scale of the values for f32.");
  describeMaskFill(d, &Params::maskFill).usedWith("border", {"constant"});
}

/// The argument for a rotation, shift or shear in a range around 0; empty without random draws.
std::string rangeText(const char* name, double most, bool noRandom) {
  return most == 0 || noRandom ? std::string() : fmt::format("{}={}, ", name, pythonReal(most));
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  const double middle = (p.zoomMin + p.zoomMax) / 2;
  const double zoom[] = {context.noRandom ? middle : p.zoomMin,
                         context.noRandom ? middle : p.zoomMax};
  std::string shift;
  if (!context.noRandom && (p.shiftX > 0 || p.shiftY > 0))
    shift = fmt::format("shift=({}, {}), ", pythonReal(p.shiftX), pythonReal(p.shiftY));
  ExportText text;
  if (p.filter != Filter::Nearest)
    text.limit("Transformed pictures differ by up to one level of 255, because of rounding.");
  text.missing = floatsToFill(context, acted);
  return text.needs("random_affine")
      .step(fmt::format(
          "RandomAffine({}, {}{}{}zoom={}, mode=\"{}\", border=\"{}\", fill={}, "
          "mask_fill={})",
          pythonTexts(context.names(acted)), rangeText("rotation", p.rotation, context.noRandom),
          shift, rangeText("shear", p.shear, context.noRandom), pythonReals(zoom),
          p.filter == Filter::Nearest ? "nearest" : "bilinear", torchBorder(p.border),
          torchColour(fillLevels(context.in, acted, p.fill)), torchColour(p.maskFill)));
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext& context, const std::string& border) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  ExportText text;
  const std::string draw = drawIn(context, text);
  text.missing = floatsToFill(context, acted);
  return text.needs("random_affine")
      .step(fmt::format(
          "random_affine(sample, {}, {}, rotation={}, shift={}, shear={}, zoom={}, "
          "method=\"{}\", border=\"{}\", fill={}, mask_fill={})",
          fieldList(context, acted), draw, pythonReal(p.rotation), realPair(p.shiftX, p.shiftY),
          pythonReal(p.shear), realPair(p.zoomMin, p.zoomMax),
          p.filter == Filter::Nearest ? "nearest" : "bilinear", border,
          pythonReals(fillLevels(context.in, acted, p.fill)), pythonReals(p.maskFill)));
}

ExportText tfdata(const Params& p, const ExportContext& context) {
  constexpr std::array<const char*, 5> kBorders = {"CONSTANT", "NEAREST", "REFLECT", "", "WRAP"};
  ExportText text = arrays(p, context, kBorders.at(static_cast<std::size_t>(p.border)));
  text.limit(
      "Pictures are transformed by tf.raw_ops.ImageProjectiveTransformV3, the operation inside "
      "Keras' random layers: TensorFlow has no public function for it.");
  if (p.border == Border::Reflect)
    text.missing = "TensorFlow cannot mirror at the border without repeating the edge.";
  return text;
}

ExportText dali(const Params& p, const ExportContext& context) {
  ExportText text = arrays(p, context, p.border == Border::Edge ? "edge" : "constant");
  if (p.border != Border::Edge && p.border != Border::Constant)
    text.missing = "DALI only supports one colour or the repeated edge outside a picture.";
  return text;
}

/// Whether the short forms can do it.
bool isPlain(const Params& p, const StreamType& in, const std::vector<std::size_t>& acted) {
  return p.border == Border::Edge && p.filter != Filter::Nearest && !hasMask(in, acted) &&
         areBytes(in, acted);
}
constexpr const char* kNotPlain = "its border is not the edge, or it moves a mask or floats";

ExportText shortTf(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  if (!isPlain(p, context.in, acted)) return longForm(kNotPlain);
  ExportText text;
  text.needs("warped").local(context.noRandom ? std::string("draws = tf.fill([5], 0.5)")
                                              : "draws = tf.random.stateless_uniform([5], " +
                                                    drawText(context.node) + ")");
  return text.value(context.names(acted),
                    fmt::format("warped({{}}, draws, {}, {}, {}, {})", pythonReal(p.rotation),
                                realPair(p.shiftX, p.shiftY), pythonReal(p.shear),
                                realPair(p.zoomMin, p.zoomMax)),
                    {.anyType = true});
}

/// The ranges of the draws, for PyTorch and DALI.
std::string warpRanges(const Params& p, const ExportContext& context) {
  const double range = context.noRandom ? 0 : 1;
  const double middle = (p.zoomMin + p.zoomMax) / 2;
  return fmt::format("{}, {}, {}, {}", pythonReal(range * p.rotation),
                     realPair(range * p.shiftX, range * p.shiftY), pythonReal(range * p.shear),
                     context.noRandom ? realPair(middle, middle) : realPair(p.zoomMin, p.zoomMax));
}

ExportText shortTorch(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  if (!isPlain(p, context.in, acted)) return longForm(kNotPlain);
  ExportText text;
  text.limit("Transformed pictures differ by up to one level of 255, because of rounding.");
  return text.needs("warped")
      .local(fmt::format("motion = random_motion({})", warpRanges(p, context)))
      .value(context.names(acted), "warped({}, motion)",
             {.anyType = true,
              .computed = DType::F32,
              .stored = DType::U8,
              .whole = true,
              .inRange = true,
              .typed = true});
}

ExportText shortDali(const Params& p, const ExportContext& context) {
  const std::vector<std::size_t> acted = geometryFields(context.in, p.fields);
  if (!isPlain(p, context.in, acted)) return longForm(kNotPlain);
  ExportText text;
  text.limit("Transformed pictures differ by up to one level of 255, because of rounding.");
  return text.needs("warped_alike")
      .step(fmt::format("random_warp(sample, {}, {})", pythonTexts(context.names(acted)),
                        warpRanges(p, context)));
}

ExportText grain(const Params& p, const ExportContext& context) {
  ExportText text = arrays(p, context, "constant");
  if (p.border != Border::Constant)
    text.missing = "Pillow only supports one colour outside a picture.";
  return text.limit("Transformed pictures differ at their border, where Pillow does not blend.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("affine", Category::Geometry, NodeRole::Sample);
  d.label("Affine").help(
      "Rotates, shifts, shears and zooms pictures at random. Image, target and mask use the same "
      "draw, whatever their sizes. The size stays the same.");
  d.example(R"({"rotation": 15, "shift_x": 0.1, "zoom_min": 0.9, "zoom_max": 1.1})");
  d.tags(
      {"RandomAffine", "RandomRotation", "rotate", "translate", "shear", "zoom", "augmentation"});
  describeMotion(d);
  describeOutside(d);
  d.fields(&Params::fields);
  d.infer(infer);
  pictureOp<Affine>(d, geometryFields);
  d.deviceOp([](const Params& p, const BuildContext& context) -> Result<std::unique_ptr<DeviceOp>> {
    MILLRACE_TRY(checkBytesOnDevice(context.in, geometryFields(context.in, p.fields)));
    return std::unique_ptr<DeviceOp>(std::make_unique<AffineOnDevice>(p, context.in));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  d.exporter("grain", grain);
  d.exporter("tfdata.short", shortTf);
  d.exporter("pytorch.short", shortTorch);
  d.exporter("dali.short", shortDali);
  return d.take();
}

}  // namespace millrace::nodes::affine
