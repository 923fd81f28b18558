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
#include "core/pass/pass_input.h"
#include "core/pass/picture_window.h"

namespace millrace {

namespace {

Rect whole(Size size) { return {0, 0, size.width, size.height}; }

struct Field {
  PassField plan;
  std::size_t input = 0;  ///< index into the inputs
  bool left = false;      ///< left to the device
  int ratio = 1;          ///< its pixels per pixel of the coarsest field
};

/// Fields that share the draws of the steps, and thus their window: those of one view, or all.
struct Scope {
  int view = 0;
  std::vector<std::size_t> fields;  ///< indices into the pass's fields
  std::size_t reference = 0;        ///< the one of them in whose pixels parameters are measured
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
  bool rearranges() const override { return m_makesViews; }
  std::vector<std::string> counterNames() const override;

 private:
  Status failed(const std::string& field, const Error& error) const;
  void leaveFiles(Sample& sample, const OpContext& context);
  LeftPlace placeOf(const Field& field) const;
  Result<Window> window(const Scope& scope, const Sample& sample, const OpContext& context);
  Status drawWindows(const Sample& sample, const OpContext& context);
  Status readInputs(const SampleKey& key, const OpContext& context);
  PassPart partFor(const Field& field, const Window& window) const;
  void write(const Field& field, const Window& window, const PassPixels& from, Sample& sample);
  void writePadded(const Field& field, const Window& window, const PassPixels& from,
                   Sample& sample);
  void writePaddedValues(const Field& field, const Window& window, const PassPixels& from,
                         Sample& sample);
  ImageView content(const Field& field, const Window& window, const PassPixels& from);
  void resample(const PassPixels& from, const PixelPassSpec& spec, const OutputForm& form,
                std::byte* out);

  std::vector<ImagePassStep> m_steps;
  std::optional<DecodeStep> m_decode;
  std::size_t m_fieldsIn = 0;  ///< of the stream
  bool m_makesViews = false;
  bool m_hasWindow = false;
  double m_gpuShare = 0;
  const OffloadShare* m_movingShare = nullptr;
  std::vector<PassInput> m_inputs;
  std::vector<Field> m_fields;
  std::vector<Scope> m_scopes;
  ObjectMoves m_objects;
  std::vector<WindowField> m_windowFields;  ///< scratch memory
  std::vector<Box> m_boxes;                 ///< of this sample
  std::vector<Window> m_windows;            ///< of each field, of this sample
  std::vector<PassPart> m_parts;            ///< the same
  std::vector<PassPart> m_inputParts;       ///< scratch memory
  PixelPass m_pass;
  PlanePass m_planePass;
  Buffer m_content;
  Buffer m_canvas;
};

ImagePass::ImagePass(ImagePassPlan plan)
    : m_fieldsIn(plan.in.size()), m_objects(plan.in, plan.steps.front().fields) {
  std::vector<PassField> fields = passFields(plan);
  m_steps = std::move(plan.steps);
  m_decode = m_steps.front().step.decode;
  const DecodeStep* const decode = m_decode ? &*m_decode : nullptr;
  for (PassField& field : fields) {
    if (m_inputs.empty() || m_inputs.back().index() != field.input)
      m_inputs.emplace_back(field, plan.in[field.input].name, decode, plan.sideIndices);
    if (m_scopes.empty() || m_scopes.back().view != field.view)
      m_scopes.push_back({field.view, {}, 0});
    m_scopes.back().fields.push_back(m_fields.size());
    m_fields.push_back({std::move(field), m_inputs.size() - 1});
  }
  m_gpuShare = m_steps.front().gpuShare;
  m_movingShare = plan.offloadShare;
  MILLRACE_CHECK(m_gpuShare == 0 || m_steps.size() == 1,
                 "a decode that leaves files to a device must be alone in its pass");
  m_makesViews = std::ranges::any_of(
      m_steps, [](const ImagePassStep& step) { return step.step.views.has_value(); });
  m_hasWindow = std::ranges::any_of(
      m_steps, [](const ImagePassStep& step) { return step.step.window != nullptr; });
  for (Scope& scope : m_scopes) {
    const auto image = std::ranges::find_if(
        scope.fields, [&](std::size_t i) { return m_fields[i].plan.role == Role::Image; });
    if (image != scope.fields.end())
      scope.reference = static_cast<std::size_t>(image - scope.fields.begin());
  }
}

std::vector<std::size_t> ImagePass::replaces() const {
  std::vector<std::size_t> fields;
  for (const Field& field : m_fields) fields.push_back(field.plan.index);
  return fields;
}

std::vector<std::string> ImagePass::counterNames() const {
  return m_decode ? imagePassCounts() : std::vector<std::string>{};
}

Status ImagePass::failed(const std::string& field, const Error& error) const {
  if (m_inputs.size() == 1) return error;
  return Error{fmt::format("{}: {}", field, error.message)};
}

Status ImagePass::process(Sample& sample, const OpContext& context) {
  for (PassInput& input : m_inputs)
    if (Status opened = input.open(sample); !opened) return failed(input.name(), opened.error());
  if (m_gpuShare > 0) leaveFiles(sample, context);
  MILLRACE_TRY(drawWindows(sample, context));
  MILLRACE_TRY(readInputs(sample.key(), context));
  if (m_makesViews) openPlaces(sample, m_inputs.front().index(), m_fieldsIn, m_fields.size());
  for (std::size_t i = 0; i < m_fields.size(); ++i) {
    const Field& field = m_fields[i];
    if (field.left) continue;
    const PassPixels from = m_inputs[field.input].pixelsOf(m_parts[i]);
    if (m_windows[i].padded())
      writePadded(field, m_windows[i], from, sample);
    else
      write(field, m_windows[i], from, sample);
  }
  if (m_hasWindow && !m_objects.empty())
    m_objects.apply(pointMapOf(m_windows.front(), m_windows.front().imageRatio()), sample);
  return {};
}

LeftPlace ImagePass::placeOf(const Field& field) const {
  const PassInput& input = m_inputs[field.input];
  if (input.head().format != "JPEG") return LeftPlace::NoJpeg;
  if (input.head().route != DecodeRoute::Own) return LeftPlace::Kind;
  if (input.head().storedChannels != 3) return LeftPlace::Colours;
  if (m_decode->applyOrientation && input.head().orientation != 1) return LeftPlace::Turned;
  return hasEnd(input.value().content()) ? LeftPlace::Left : LeftPlace::Truncated;
}

/// If the draw selects the sample for the device, leaves those of its pictures that the device
/// supports.
void ImagePass::leaveFiles(Sample& sample, const OpContext& context) {
  for (Field& field : m_fields) field.left = false;
  OpContext always = context;
  always.noRandom = false;
  Draw draw = always.draw(sample.key());
  const double share = m_movingShare == nullptr ? m_gpuShare : m_movingShare->percent();
  if (draw.uniform(0, 100) >= share) return;
  for (Field& field : m_fields) {
    const PassInput& input = m_inputs[field.input];
    if (!input.isFile() || field.plan.role == Role::Mask) continue;
    if (field.plan.decodeForm == PixelForm::Stored) continue;
    const LeftPlace place = placeOf(field);
    countLeft(place, context);
    field.left = place == LeftPlace::Left;
    if (field.left)
      leaveToDevice(sample[field.plan.index], pictureShape(input.size().height, input.size().width,
                                                           field.plan.channels, Layout::Hwc));
  }
}

/// The window of the fields of a scope; sets their ratios.
Result<Window> ImagePass::window(const Scope& scope, const Sample& sample,
                                 const OpContext& context) {
  m_windowFields.clear();
  for (const std::size_t i : scope.fields) {
    const PassInput& input = m_inputs[m_fields[i].input];
    m_windowFields.push_back({m_fields[i].plan.name, input.size(), 1, input.turned()});
  }
  m_objects.boxesOf(sample, m_boxes);
  Result<Window> started = startWindow(m_windowFields, scope.reference, m_boxes);
  if (!started) return started;
  for (std::size_t i = 0; i < scope.fields.size(); ++i)
    m_fields[scope.fields[i]].ratio = m_windowFields[i].ratio;
  for (const ImagePassStep& step : m_steps) {
    const std::size_t first = m_fields[scope.fields.front()].plan.index;
    if (step.step.window == nullptr || !hasField(step.fields, first)) continue;
    OpContext own = context;
    own.node = drawKeyOfView(step.drawKey, scope.view);
    Draw draw = own.draw(sample.key());
    MILLRACE_TRY(step.step.window->apply(*started, draw));
  }
  return started;
}

/// Windows and parts of all fields. Without a step that changes it, each field has its whole
/// picture.
Status ImagePass::drawWindows(const Sample& sample, const OpContext& context) {
  m_windows.clear();
  m_parts.clear();
  for (const Scope& scope : m_scopes) {
    std::optional<Window> shared;
    if (m_hasWindow) {
      MILLRACE_ASSIGN_OR_RETURN(shared, window(scope, sample, context));
    }
    for (const std::size_t i : scope.fields) {
      Field& field = m_fields[i];
      if (!shared) field.ratio = 1;
      m_windows.push_back(shared.value_or(Window(m_inputs[field.input].size(), 1)));
      if (Status fits = checkResultSize(m_windows.back(), field.ratio); !fits)
        return failed(field.plan.name, fits.error());
      m_parts.push_back(partFor(field, m_windows.back()));
    }
  }
  return {};
}

PassPart ImagePass::partFor(const Field& field, const Window& window) const {
  const PassInput& input = m_inputs[field.input];
  PassPart part{times(window.source(), field.ratio)};
  if (!input.isFile() || !window.resized()) return part;
  // Without averaging, the user asks for single pixels, which must be those of the file.
  const bool averages = window.antialias() && window.filter() != Filter::Nearest;
  const bool isMask = field.plan.role == Role::Mask;
  if (m_decode->scaling && averages && !isMask) part.cover = times(window.resizedTo(), field.ratio);
  part.planes = m_decode->resizePlanes && !isMask && !m_makesViews &&
                input.head().route == DecodeRoute::Own &&
                field.plan.decodeForm != PixelForm::Stored;
  // 4:1:1 has the coarsest chroma: one sample per four pixels of the decode.
  const double coarsest = part.planes ? 4.0 * scaleCovering(part.region.size(), part.cover) : 1.0;
  part.wanted =
      neededRegion(windowSpec(window, field.ratio, field.plan.role, boxOf(part.region)), coarsest);
  return part;
}

/// The fields of an input are next to each other.
Status ImagePass::readInputs(const SampleKey& key, const OpContext& context) {
  std::size_t f = 0;
  for (std::size_t i = 0; i < m_inputs.size(); ++i) {
    m_inputParts.clear();
    const bool left = m_fields[f].left;
    for (; f < m_fields.size() && m_fields[f].input == i; ++f) m_inputParts.push_back(m_parts[f]);
    if (left) continue;
    if (Status done = m_inputs[i].read(m_inputParts, key, context); !done)
      return failed(m_inputs[i].name(), done.error());
  }
  return {};
}

TensorView newValue(const PassField& field, Size size, int channels, Sample& sample) {
  return sample.replace(field.index, field.form.dtype,
                        pictureShape(size.height, size.width, channels, field.form.layout),
                        field.form.layout);
}

/// Uses the pass that fits the input.
void ImagePass::resample(const PassPixels& from, const PixelPassSpec& spec, const OutputForm& form,
                         std::byte* out) {
  if (from.f32)
    m_pass.run(*from.f32, spec, form, out);
  else if (from.planes.count > 0)
    m_planePass.run(from.planes, spec, form, from.channels, out);
  else
    m_pass.run(from.u8, spec, form, out);
}

void ImagePass::write(const Field& field, const Window& window, const PassPixels& from,
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
ImageView ImagePass::content(const Field& field, const Window& window, const PassPixels& from) {
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

void ImagePass::writePadded(const Field& field, const Window& window, const PassPixels& from,
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

void ImagePass::writePaddedValues(const Field& field, const Window& window, const PassPixels& from,
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
