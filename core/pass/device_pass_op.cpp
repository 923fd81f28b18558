// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/device_pass_op.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/pass/device_pass_field.h"
#include "core/pass/picture_window.h"

namespace millrace {

namespace {

Size sizeOf(const TensorView& picture) {
  return {static_cast<int>(picture.width()), static_cast<int>(picture.height())};
}

std::size_t byteCount(Size size, int channels) {
  return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) *
         static_cast<std::size_t>(channels);
}

/// The steps in the form of the CPU's pass; a colour change is a step that does not change the
/// form.
ImagePassPlan imagePlan(const std::vector<DevicePassStep>& steps, std::vector<FieldSpec> in) {
  ImagePassPlan plan;
  for (const DevicePassStep& step : steps) plan.steps.push_back({step.image, 0, step.fields});
  plan.in = std::move(in);
  return plan;
}

}  // namespace

/// The geometry of one row.
struct DevicePassOp::Row {
  Window window{{1, 1}, 1};
  std::vector<WindowField> fields;    ///< as m_fields, with ratios
  std::vector<DrawnColours> colours;  ///< one per step
};

/// What the first launch does to the picture, in the field's pixels.
struct DevicePassOp::Geometry {
  PixelPassSpec spec;
  std::optional<PassPadding> padding;
  Size result;
};

DevicePassOp::DevicePassOp(std::vector<DevicePassStep> steps, std::vector<FieldSpec> in)
    : m_steps(std::move(steps)), m_in(std::move(in)) {
  for (const DevicePassStep& step : m_steps)
    m_hasWindow = m_hasWindow || step.image.window != nullptr;
  for (PassField& plan : passFields(imagePlan(m_steps, m_in)))
    m_fields.emplace_back(std::move(plan), m_steps);
  const auto image =
      std::find_if(m_fields.begin(), m_fields.end(),
                   [](const DevicePassField& field) { return field.plan.role == Role::Image; });
  if (image != m_fields.end()) m_reference = static_cast<std::size_t>(image - m_fields.begin());
}

DevicePassOp::~DevicePassOp() = default;

bool DevicePassOp::takes(const DevicePassStep& next) const {
  std::vector<ImagePassStep> before;
  bool coloured = false;
  bool formed = false;
  for (const DevicePassStep& step : m_steps) {
    coloured = coloured || step.colour;
    formed = formed || step.image.normalise || step.image.form;
    if (!step.colour) before.push_back({step.image, 0, step.fields});
  }
  const std::vector<std::size_t>& first = m_steps.front().fields;
  const auto acted = [&](std::size_t field) { return hasField(first, field); };
  if (!std::all_of(next.fields.begin(), next.fields.end(), acted)) return false;
  if (next.colour) return !formed;
  if (next.image.window && (coloured || next.fields != first)) return false;
  return before.empty() || joins(before, {next.image, 0, next.fields});
}

std::vector<std::size_t> DevicePassOp::replaces() const {
  std::vector<std::size_t> fields;
  for (const DevicePassField& field : m_fields) fields.push_back(field.plan.index);
  return fields;
}

std::size_t DevicePassOp::paramBytes(std::size_t rows) const {
  std::size_t bytes = 0;
  for (const DevicePassField& field : m_fields) bytes += field.end(rows) - field.begin;
  return bytes;
}

std::size_t DevicePassOp::scratchBytes(const Batch& in) const {
  std::size_t most = 0;
  for (const DevicePassField& field : m_fields) most = std::max(most, field.scratchBytes(in.rows));
  return most;
}

Error DevicePassOp::failure(const DevicePassField& field, const Error& error) const {
  if (m_fields.size() == 1) return error;
  return Error{fmt::format("{}: {}", field.plan.name, error.message)};
}

/// Computes the row's window from the draws of its steps; an error fails the row.
Status DevicePassOp::drawWindow(const DeviceWork& work, std::size_t row) {
  Row& made = m_rows[row];
  made.fields.clear();
  for (const DevicePassField& field : m_fields)
    made.fields.push_back({field.plan.name, sizeOf(work.in.fields[field.plan.index].rows[row]), 1});
  if (!m_hasWindow) return {};
  Result<Window> window = startWindow(made.fields, m_reference);
  if (!window) return window.error();
  for (std::size_t s = 0; s < m_steps.size(); ++s) {
    if (m_steps[s].image.window == nullptr) continue;
    Draw draw = work.nodes[s].draw(work.in.keys[row]);
    MILLRACE_TRY(m_steps[s].image.window->apply(*window, draw));
  }
  made.window = *window;
  for (std::size_t f = 0; f < m_fields.size(); ++f)
    if (Status fits = checkResultSize(made.window, made.fields[f].ratio); !fits)
      return failure(m_fields[f], fits.error());
  return {};
}

void DevicePassOp::neededRegions(const DeviceWork& work, std::size_t field,
                                 std::span<Rect> regions) {
  const auto own =
      std::find_if(m_fields.begin(), m_fields.end(),
                   [field](const DevicePassField& each) { return each.plan.index == field; });
  if (!m_hasWindow || own == m_fields.end()) return;
  m_rows.resize(std::max(m_rows.size(), work.in.rows));
  for (std::size_t r = 0; r < work.in.rows; ++r)
    if (drawWindow(work, r)) regions[r] = millrace::neededRegion(geometryOf(*own, m_rows[r]).spec);
}

Status DevicePassOp::shape(const DeviceWork& work) {
  m_rows.resize(std::max(m_rows.size(), work.in.rows));
  for (std::size_t r = 0; r < work.in.rows; ++r)
    if (const Status drawn = drawWindow(work, r); !drawn) work.fail(r, drawn.error().message);
  if (!work.failed->empty()) return {};
  for (std::size_t f = 0; f < m_fields.size(); ++f) {
    const DevicePassField& field = m_fields[f];
    BatchField& out = work.out.fields[field.plan.index];
    for (std::size_t r = 0; r < work.in.rows; ++r) {
      const Row& row = m_rows[r];
      Size size = row.fields[f].size;
      if (m_hasWindow) size = times(row.window.size(), row.fields[f].ratio);
      const Shape shape =
          pictureShape(size.height, size.width, field.plan.channels, field.plan.form.layout);
      if (!out.ragged && shape != out.rows[r].shape)
        work.fail(
            r, failure(field, Error{fmt::format("the result is {}, but the batch has room for {}",
                                                shape.text(), out.rows[r].shape.text())})
                   .message);
      if (out.ragged)
        out.rows[r] = {field.plan.form.dtype, field.plan.form.layout, shape, nullptr,
                       outputBytes(size, field.plan.channels, field.plan.form)};
    }
  }
  return {};
}

/// Computes the operations of every colour change, per step.
Status DevicePassOp::drawColours(const DeviceWork& work, std::size_t row) {
  std::vector<DrawnColours>& colours = m_rows[row].colours;
  colours.resize(m_steps.size());
  for (std::size_t s = 0; s < m_steps.size(); ++s) {
    colours[s].acts.clear();
    colours[s].tables.clear();
    if (!m_steps[s].colour) continue;
    Draw draw = work.nodes[s].draw(work.in.keys[row]);
    m_steps[s].colour->draw(draw, colours[s]);
    MILLRACE_CHECK(colours[s].acts.size() <= m_steps[s].colour->mostActs() &&
                       colours[s].tables.size() <= m_steps[s].colour->mostTables(),
                   "a colour change exceeds its mostActs() or mostTables()");
  }
  return {};
}

Status DevicePassOp::prepare(const DeviceWork& work) {
  std::size_t begin = 0;
  for (DevicePassField& field : m_fields) {
    field.beginBatch(begin);
    begin = field.end(work.in.rows);
    if (!field.form.exact)
      valuesOf(field.table, field.plan.channels,
               reinterpret_cast<float*>(work.hostParams + field.valuesAt()));
  }
  for (std::size_t r = 0; r < work.in.rows; ++r) {
    MILLRACE_TRY(drawColours(work, r));
    for (DevicePassField& field : m_fields) placeRow(work, field, r);
  }
  for (DevicePassField& field : m_fields)
    field.halfBytes = DevicePassField::aligned(field.halfBytes);
  return {};
}

DevicePassOp::Geometry DevicePassOp::geometryOf(const DevicePassField& field,
                                                const Row& row) const {
  const WindowField& seen = row.fields[static_cast<std::size_t>(&field - m_fields.data())];
  if (!m_hasWindow) return {wholeImage(seen.size, seen.size), std::nullopt, seen.size};
  const Window& window = row.window;
  Geometry made;
  made.spec =
      windowSpec(window, seen.ratio, field.plan.role, boxOf(times(window.source(), seen.ratio)));
  made.spec.flipX = window.flippedX();
  made.spec.flipY = window.flippedY();
  made.result = times(window.size(), seen.ratio);
  if (!window.padded()) return made;
  const PadFill& fill = window.fill();
  PassPadding padding{times(window.placed(), seen.ratio), times(window.view(), seen.ratio),
                      fill.border, 0};
  for (std::size_t c = 0; c < 4; ++c)
    padding.fill |=
        static_cast<std::uint32_t>(field.plan.role == Role::Mask ? fill.mask[c] : fill.colour[c])
        << (8 * c);
  made.padding = padding;
  return made;
}

void DevicePassOp::placeRow(const DeviceWork& work, DevicePassField& field, std::size_t row) {
  const Row& made = m_rows[row];
  const TensorView& from = work.in.fields[field.plan.index].rows[row];
  const TensorView& to = work.out.fields[field.plan.index].rows[row];
  const Geometry geometry = geometryOf(field, made);
  const Size size = geometry.result;
  field.largest = {std::max(field.largest.width, size.width),
                   std::max(field.largest.height, size.height)};
  std::byte* const rows = work.hostParams + field.rowsAt();
  if (field.fromFloat()) {
    reinterpret_cast<FloatFormRow*>(rows)[row] = {deviceAddress(from.data), deviceAddress(to.data),
                                                  size.width, size.height};
    return;
  }
  const int channels = field.plan.channels;
  DevicePicture picture{deviceAddress(from.data), sizeOf(from), channels};
  for (std::size_t k = 0; k < field.launches; ++k) {
    const bool last = k + 1 == field.launches;
    reinterpret_cast<PassRow*>(rows)[k * work.in.rows + row] =
        devicePassRow(picture, k == 0 ? geometry.spec : wholeImage(size, size),
                      k == 0 && geometry.padding ? &*geometry.padding : nullptr,
                      last ? deviceAddress(to.data) : field.halfBytes, field.tables[k]);
    picture = {field.halfBytes, size, channels};
  }
  field.halfBytes += field.launches > 1 ? DevicePassField::aligned(byteCount(size, channels)) : 0;
  placeActs(work, field, row);
}

/// A contrast and the operations after it belong to the launch after the one that sums the greys.
void DevicePassOp::placeActs(const DeviceWork& work, const DevicePassField& field,
                             std::size_t row) {
  auto* const acts = reinterpret_cast<ColourAct*>(work.hostParams + field.actsAt(work.in.rows));
  const auto placeOf = [&](std::size_t launch) {
    return acts + (launch * work.in.rows + row) * field.actsEach;
  };
  m_used.assign(field.launches, 0);
  for (std::size_t k = 0; k < field.launches; ++k)
    std::fill_n(placeOf(k), field.actsEach, ColourAct{ColourKind::None, 1, 0, {}});
  std::size_t table = row * field.byteTablesEach;
  auto* const tables = work.hostParams + field.byteTablesAt(work.in.rows);
  std::size_t launch = 0;
  for (const std::size_t s : field.colours) {
    const DrawnColours& drawn = m_rows[row].colours[s];
    std::size_t now = launch;
    for (ColourAct act : drawn.acts) {
      if (act.kind == ColourKind::Contrast) now = launch + 1;
      act.table += static_cast<std::int32_t>(table);
      placeOf(now)[m_used[now]++] = act;
    }
    for (const ByteTable& each : drawn.tables)
      std::memcpy(tables + table++ * each.size(), each.data(), each.size());
    launch += m_steps[s].colour->hasContrast() ? 1 : 0;
  }
}

Status DevicePassOp::launch(Stream& stream, const DeviceWork& work) {
  for (const DevicePassField& field : m_fields) MILLRACE_TRY(field.launch(stream, work));
  return {};
}

namespace {

Status checkField(const DevicePassStep& step, const FieldSpec& field) {
  const std::int64_t channels = field.channels();
  if (channels < 1 || channels > 4 || (step.colour && channels == 2))
    return Error{
        fmt::format("`{}` is {}, but pictures on a GPU must have {} channels, known before the "
                    "run; move this node before the transfer",
                    field.name, field.text(), step.colour ? "1, 3 or 4" : "1 to 4")};
  if (field.dtype == DType::F32 && !step.image.normalise && !step.image.form)
    return Error{
        fmt::format("`{}` is f32 here, but on a GPU this node needs u8; move it before the node "
                    "that converts to f32",
                    field.name)};
  if (step.image.form && step.image.form->dtype == DType::U16)
    return Error{"u16 is not written on a GPU; move this node before the transfer"};
  return {};
}

}  // namespace

Result<std::unique_ptr<DeviceOp>> makeDevicePass(DevicePassStep step, const StreamType& in) {
  for (const std::size_t i : step.fields) MILLRACE_TRY(checkField(step, in.fields[i]));
  std::vector<DevicePassStep> steps;
  steps.push_back(std::move(step));
  return std::unique_ptr<DeviceOp>(std::make_unique<DevicePassOp>(std::move(steps), in.fields));
}

}  // namespace millrace
