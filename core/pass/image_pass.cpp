// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/image_pass.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/data/buffer.h"
#include "core/data/left_to_device.h"
#include "core/kernels/pad.h"
#include "core/kernels/pass/plane_pass.h"
#include "core/pass/image_pass_counts.h"
#include "core/pass/image_pass_plan.h"
#include "core/pass/object_moves.h"
#include "core/pass/picture_window.h"

namespace millrace {

namespace {

Rect whole(Size size) { return {0, 0, size.width, size.height}; }

/// The input: one of the views, and the region of it that is used.
struct Pixels {
  std::optional<FloatImageView> f32;
  ImageView u8;
  SampledPlanes planes;  ///< each plane has its own region
  Box region;            ///< for planes: that of luma
  int channels = 0;      ///< of the result
};

struct Field {
  PassField plan;
  std::optional<ImageDecoder> decoder;
  ImageInfo head;     ///< of this sample's file
  bool left = false;  ///< left to the device
  Size size;          ///< of this sample's picture
  int ratio = 1;      ///< its pixels per pixel of the coarsest field
};

/// A file without an end marker fails here as elsewhere; nvJPEG might fill the rest with grey.
bool hasEnd(std::span<const std::byte> file) {
  return file.size() >= 2 && file[file.size() - 2] == std::byte{0xff} &&
         file[file.size() - 1] == std::byte{0xd9};
}

class ImagePass final : public SampleOp {
 public:
  explicit ImagePass(ImagePassPlan plan);

  Status process(Sample& sample, const OpContext& context) override;
  std::vector<std::size_t> replaces() const override;
  std::vector<std::string> counterNames() const override;

 private:
  Status failed(const Field& field, const Error& error) const;
  Status measure(Field& field, const Sample& sample);
  void leaveFiles(Sample& sample, const OpContext& context);
  LeftPlace placeOf(const Field& field, const TensorView& file) const;
  Result<Window> window(const Sample& sample, const OpContext& context);
  Status render(Field& field, const Window& window, Sample& sample, const OpContext& context);
  Result<Pixels> pixels(Field& field, const Window& window, const Sample& sample,
                        const OpContext& context);
  DecodeRequest requestFor(const Field& field, const Window& window, Rect region) const;
  Result<DecodedImage> decode(Field& field, DecodeRequest& request, const SampleKey& key,
                              const OpContext& context);
  void write(const Field& field, const Window& window, const Pixels& from, Sample& sample);
  void writePadded(const Field& field, const Window& window, const Pixels& from, Sample& sample);
  void writePaddedValues(const Field& field, const Window& window, const Pixels& from,
                         Sample& sample);
  ImageView content(const Field& field, const Window& window, const Pixels& from);
  void resample(const Pixels& from, const PixelPassSpec& spec, const OutputForm& form,
                std::byte* out);

  std::vector<ImagePassStep> m_steps;
  std::optional<DecodeStep> m_decode;
  bool m_hasWindow = false;
  double m_gpuShare = 0;
  const OffloadShare* m_movingShare = nullptr;
  SideIndices* m_sideIndices = nullptr;
  std::vector<Field> m_fields;
  ObjectMoves m_objects;
  std::vector<WindowField> m_windowFields;  ///< scratch memory
  std::vector<Box> m_boxes;                 ///< of this sample
  std::size_t m_reference = 0;              ///< the field in whose pixels parameters are measured
  PixelPass m_pass;
  PlanePass m_planePass;
  std::vector<std::byte> m_sideIndex;  ///< of the current picture
  Buffer m_content;
  Buffer m_canvas;
};

ImagePass::ImagePass(ImagePassPlan plan) : m_objects(plan.in, plan.steps.front().fields) {
  for (PassField& passField : passFields(plan)) {
    Field field;
    field.plan = std::move(passField);
    if (field.plan.from == DType::Encoded) field.decoder.emplace();
    m_fields.push_back(std::move(field));
  }
  m_steps = std::move(plan.steps);
  m_decode = m_steps.front().step.decode;
  m_gpuShare = m_steps.front().gpuShare;
  m_movingShare = plan.offloadShare;
  m_sideIndices = plan.sideIndices;
  MILLRACE_CHECK(m_gpuShare == 0 || m_steps.size() == 1,
                 "a decode that leaves files to a device must be alone in its pass");
  m_hasWindow = std::any_of(m_steps.begin(), m_steps.end(),
                            [](const ImagePassStep& step) { return step.step.window != nullptr; });
  const auto image = std::find_if(m_fields.begin(), m_fields.end(), [](const Field& field) {
    return field.plan.role == Role::Image;
  });
  if (image != m_fields.end()) m_reference = static_cast<std::size_t>(image - m_fields.begin());
}

std::vector<std::size_t> ImagePass::replaces() const {
  std::vector<std::size_t> fields;
  for (const Field& field : m_fields) fields.push_back(field.plan.index);
  return fields;
}

std::vector<std::string> ImagePass::counterNames() const {
  return m_decode ? imagePassCounts() : std::vector<std::string>{};
}

Status ImagePass::failed(const Field& field, const Error& error) const {
  if (m_fields.size() == 1) return error;
  return Error{fmt::format("{}: {}", field.plan.name, error.message)};
}

Status ImagePass::process(Sample& sample, const OpContext& context) {
  for (Field& field : m_fields)
    if (Status measured = measure(field, sample); !measured) return failed(field, measured.error());
  if (m_gpuShare > 0) leaveFiles(sample, context);
  if (!m_hasWindow) {
    for (Field& field : m_fields) {
      if (field.left) continue;
      if (Status done = render(field, Window(field.size, 1), sample, context); !done)
        return failed(field, done.error());
    }
    return {};
  }
  const Result<Window> made = window(sample, context);
  if (!made) return made.error();
  for (Field& field : m_fields)
    if (Status done = render(field, *made, sample, context); !done)
      return failed(field, done.error());
  if (!m_objects.empty()) m_objects.apply(pointMapOf(*made, made->imageRatio()), sample);
  return {};
}

Status ImagePass::measure(Field& field, const Sample& sample) {
  const TensorView& value = sample[field.plan.index];
  field.ratio = 1;
  field.left = false;
  if (!field.decoder) {
    MILLRACE_CHECK(value.dtype == field.plan.from && value.layout == field.plan.fromLayout,
                   "a value must match its stream's type");
    field.size = {static_cast<int>(value.width()), static_cast<int>(value.height())};
    return {};
  }
  const Result<ImageInfo> info = field.decoder->open(value.content());
  if (!info) return info.error();
  const bool isSeveral =
      info->reduced.has(Reduction::Pages) || info->reduced.has(Reduction::Frames);
  if (isSeveral && m_decode->refuseSeveral)
    return Error{"it has several pages or frames, which decode.several = refuse does not allow"};
  field.head = *info;
  field.size = m_decode->applyOrientation ? info->size : info->storedSize;
  return {};
}

LeftPlace ImagePass::placeOf(const Field& field, const TensorView& file) const {
  if (field.head.format != "JPEG") return LeftPlace::NoJpeg;
  if (field.head.route != DecodeRoute::Own) return LeftPlace::Kind;
  if (field.head.storedChannels != 3) return LeftPlace::Colours;
  if (m_decode->applyOrientation && field.head.orientation != 1) return LeftPlace::Turned;
  return hasEnd(file.content()) ? LeftPlace::Left : LeftPlace::Truncated;
}

/// If the draw selects the sample for the device, leaves those of its pictures that the device
/// supports.
void ImagePass::leaveFiles(Sample& sample, const OpContext& context) {
  OpContext always = context;
  always.noRandom = false;
  Draw draw = always.draw(sample.key());
  const double share = m_movingShare == nullptr ? m_gpuShare : m_movingShare->percent();
  if (draw.uniform(0, 100) >= share) return;
  for (Field& field : m_fields) {
    if (!field.decoder || field.plan.role == Role::Mask) continue;
    if (field.plan.decodeForm == PixelForm::Stored) continue;
    TensorView& file = sample[field.plan.index];
    const LeftPlace place = placeOf(field, file);
    countLeft(place, context);
    field.left = place == LeftPlace::Left;
    if (field.left)
      leaveToDevice(file, pictureShape(field.size.height, field.size.width, field.plan.channels,
                                       Layout::Hwc));
  }
}

Result<Window> ImagePass::window(const Sample& sample, const OpContext& context) {
  m_windowFields.clear();
  for (const Field& field : m_fields)
    m_windowFields.push_back({field.plan.name, field.size, 1,
                              field.decoder.has_value() && field.size != field.head.storedSize});
  m_objects.boxesOf(sample, m_boxes);
  Result<Window> started = startWindow(m_windowFields, m_reference, m_boxes);
  if (!started) return started;
  for (std::size_t i = 0; i < m_fields.size(); ++i) m_fields[i].ratio = m_windowFields[i].ratio;
  Window& window = *started;
  for (const ImagePassStep& step : m_steps) {
    if (step.step.window == nullptr) continue;
    OpContext own = context;
    own.node = step.drawKey;
    Draw draw = own.draw(sample.key());
    MILLRACE_TRY(step.step.window->apply(window, draw));
  }
  return started;
}

Status ImagePass::render(Field& field, const Window& window, Sample& sample,
                         const OpContext& context) {
  MILLRACE_TRY(checkResultSize(window, field.ratio));
  const Result<Pixels> from = pixels(field, window, sample, context);
  if (!from) return from.error();
  if (window.padded())
    writePadded(field, window, *from, sample);
  else
    write(field, window, *from, sample);
  return {};
}

Result<Pixels> ImagePass::pixels(Field& field, const Window& window, const Sample& sample,
                                 const OpContext& context) {
  const Rect region = times(window.source(), field.ratio);
  Pixels from;
  if (!field.decoder) {
    const TensorView& value = sample[field.plan.index];
    const auto channels = static_cast<int>(value.channels());
    from.region = boxOf(region);
    from.channels = channels;
    if (value.dtype == DType::F32 && value.layout == Layout::Chw)
      from.f32 = FloatImageView::chw(value.as<const float>(), field.size, channels);
    else if (value.dtype == DType::F32)
      from.f32 = FloatImageView::hwc(value.as<const float>(), field.size, channels);
    else
      from.u8 = {value.as<const std::uint8_t>(), field.size.width, field.size.height, channels,
                 std::ptrdiff_t{field.size.width} * channels};
    return from;
  }
  DecodeRequest request = requestFor(field, window, region);
  const Result<DecodedImage> decoded = decode(field, request, sample.key(), context);
  if (!decoded) return decoded.error();
  from.channels = field.plan.channels;
  if (field.plan.decodeForm == PixelForm::Stored) {
    const ValueView& values = decoded->values;
    if (values.channels != field.plan.channels)
      return Error{fmt::format("it has {}, but decode.channels is {}",
                               counted(static_cast<std::uint64_t>(values.channels), "channel"),
                               field.plan.channels)};
    from.f32 = FloatImageView::hwc(values.data, values.size(), values.channels);
    from.region = decoded->region;
    return from;
  }
  from.planes = decoded->planes;
  if (from.planes.count > 0) {
    from.region = from.planes.plane[0].region;
    countPlanes(context);
    return from;
  }
  from.u8 = decoded->pixels;
  from.region = decoded->region;
  if (from.u8.channels != field.plan.channels)
    return Error{
        fmt::format("the mask holds colours, not class indices ({} channels); set decode.mask to "
                    "rgb and map the colours with one_hot",
                    from.u8.channels)};
  return from;
}

DecodeRequest ImagePass::requestFor(const Field& field, const Window& window, Rect region) const {
  DecodeRequest request;
  request.region = region;
  request.form = field.plan.decodeForm;
  request.applyOrientation = m_decode->applyOrientation;
  request.ownDecoder = m_decode->ownDecoder;
  const bool isMask = field.plan.role == Role::Mask;
  request.fillTruncated = m_decode->fillTruncated && !isMask;
  if (!isMask) request.background = m_decode->background;
  request.cmykProfile = m_decode->cmykProfile && !isMask;
  if (!window.resized()) return request;
  // Without averaging, the user asks for single pixels, which must be those of the file.
  const bool averages = window.antialias() && window.filter() != Filter::Nearest;
  if (m_decode->scaling && averages && !isMask)
    request.cover = times(window.resizedTo(), field.ratio);
  request.planes = m_decode->resizePlanes && !isMask && field.head.route == DecodeRoute::Own &&
                   request.form != PixelForm::Stored;
  // 4:1:1 has the coarsest chroma: one sample per four pixels of the decode.
  const double coarsest = request.planes ? 4.0 * scaleCovering(region.size(), request.cover) : 1.0;
  request.wanted =
      neededRegion(windowSpec(window, field.ratio, field.plan.role, boxOf(region)), coarsest);
  return request;
}

Result<DecodedImage> ImagePass::decode(Field& field, DecodeRequest& request, const SampleKey& key,
                                       const OpContext& context) {
  const bool indexed =
      m_sideIndices != nullptr && m_decode->ownDecoder && field.head.route == DecodeRoute::Own;
  const PictureKey picture{key.index, static_cast<std::uint32_t>(field.plan.index)};
  if (indexed) {
    m_sideIndices->load(picture, m_sideIndex);
    request.sideIndex = &m_sideIndex;
  }
  Result<DecodedImage> decoded = field.decoder->decode(request);
  if (!decoded) return decoded;
  countRoute(decoded->route, context);
  if (field.head.reduced.any()) countReductions(lostBy(request, field.head.reduced), context);
  if (indexed) {
    m_sideIndices->keep(picture, m_sideIndex, decoded->sideIndex);
    countIndex(decoded->sideIndex, context);
  }
  return decoded;
}

TensorView newValue(const PassField& field, Size size, int channels, Sample& sample) {
  return sample.replace(field.index, field.form.dtype,
                        pictureShape(size.height, size.width, channels, field.form.layout),
                        field.form.layout);
}

/// Uses the pass that fits the input.
void ImagePass::resample(const Pixels& from, const PixelPassSpec& spec, const OutputForm& form,
                         std::byte* out) {
  if (from.f32)
    m_pass.run(*from.f32, spec, form, out);
  else if (from.planes.count > 0)
    m_planePass.run(from.planes, spec, form, from.channels, out);
  else
    m_pass.run(from.u8, spec, form, out);
}

void ImagePass::write(const Field& field, const Window& window, const Pixels& from,
                      Sample& sample) {
  PixelPassSpec spec = windowSpec(window, field.ratio, field.plan.role, from.region);
  spec.flipX = window.flippedX();
  spec.flipY = window.flippedY();
  const TensorView to = newValue(field.plan, spec.cut.size(), from.channels, sample);
  resample(from, spec, field.plan.form, to.data);
}

MutableImageView viewOf(std::byte* data, Size size, int channels) {
  return {reinterpret_cast<std::uint8_t*>(data), size.width, size.height, channels,
          std::ptrdiff_t{size.width} * channels};
}

MutableImageView scratch(Buffer& buffer, Size size, int channels) {
  return viewOf(buffer.reserve(outputBytes(size, channels, {})), size, channels);
}

/// The picture to pad: a part of the source if nothing is resampled.
ImageView ImagePass::content(const Field& field, const Window& window, const Pixels& from) {
  const ImageView& source = from.u8;
  if (!window.resized()) {
    const auto x = static_cast<int>(from.region.left);
    const auto y = static_cast<int>(from.region.top);
    const Size size = times(window.cut().size(), field.ratio);
    return {source.row(y) + std::ptrdiff_t{x} * source.channels, size.width, size.height,
            source.channels, source.stride};
  }
  const PixelPassSpec spec = windowSpec(window, field.ratio, field.plan.role, from.region);
  const MutableImageView made = scratch(m_content, spec.cut.size(), from.channels);
  resample(from, spec, {}, reinterpret_cast<std::byte*>(made.data));
  return readOnly(made);
}

void ImagePass::writePadded(const Field& field, const Window& window, const Pixels& from,
                            Sample& sample) {
  if (from.f32) return writePaddedValues(field, window, from, sample);
  const ImageView inside = content(field, window, from);
  const Size canvas = times(window.canvas(), field.ratio);
  const Rect placed = times(window.placed(), field.ratio);
  const PadFill& fill = window.fill();
  const auto& colour = field.plan.role == Role::Mask ? fill.mask : fill.colour;

  PixelPassSpec spec = wholeImage(canvas, canvas);
  spec.cut = times(window.view(), field.ratio);
  spec.flipX = window.flippedX();
  spec.flipY = window.flippedY();
  const bool asItIs = spec.cut == whole(canvas) && !spec.flipX && !spec.flipY;
  const TensorView to = newValue(field.plan, spec.cut.size(), inside.channels, sample);
  if (asItIs && field.plan.form == OutputForm{}) {
    pad(inside, placed.x, placed.y, fill.border, colour, viewOf(to.data, canvas, inside.channels));
    return;
  }
  const MutableImageView made = scratch(m_canvas, canvas, inside.channels);
  pad(inside, placed.x, placed.y, fill.border, colour, made);
  m_pass.run(readOnly(made), spec, field.plan.form, to.data);
}

void ImagePass::writePaddedValues(const Field& field, const Window& window, const Pixels& from,
                                  Sample& sample) {
  OutputForm floats;
  floats.dtype = DType::F32;
  const auto memory = [&](Buffer& buffer, Size size) -> MutableValueView {
    std::byte* const data = buffer.reserve(outputBytes(size, from.channels, floats));
    return {reinterpret_cast<float*>(data), size.width, size.height, from.channels,
            std::ptrdiff_t{size.width} * from.channels};
  };
  const PixelPassSpec resampled = windowSpec(window, field.ratio, field.plan.role, from.region);
  const MutableValueView inside = memory(m_content, resampled.cut.size());
  m_pass.run(*from.f32, resampled, floats, reinterpret_cast<std::byte*>(inside.data));

  const Size canvas = times(window.canvas(), field.ratio);
  const Rect placed = times(window.placed(), field.ratio);
  const MutableValueView padded = memory(m_canvas, canvas);
  padValues({inside.data, inside.width, inside.height, inside.channels, inside.stride}, placed.x,
            placed.y, window.fill().border, window.fill().values, padded);
  PixelPassSpec spec = wholeImage(canvas, canvas);
  spec.cut = times(window.view(), field.ratio);
  spec.flipX = window.flippedX();
  spec.flipY = window.flippedY();
  const TensorView to = newValue(field.plan, spec.cut.size(), from.channels, sample);
  m_pass.run(FloatImageView::hwc(padded.data, canvas, from.channels), spec, field.plan.form,
             to.data);
}

}  // namespace

std::unique_ptr<SampleOp> makeImagePass(ImagePassPlan plan) {
  MILLRACE_CHECK(!plan.steps.empty(), "a pass needs at least one step");
  for (std::size_t i = 1; i < plan.steps.size(); ++i) {
    const std::vector<ImagePassStep> before(plan.steps.begin(),
                                            plan.steps.begin() + static_cast<std::ptrdiff_t>(i));
    MILLRACE_CHECK(joins(before, plan.steps[i]), "the plan joined steps that cannot run together");
  }
  return std::make_unique<ImagePass>(std::move(plan));
}

}  // namespace millrace
