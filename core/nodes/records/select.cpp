// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/kernels/pick_channels.h"
#include "core/node_parts/fields/field_places.h"
#include "core/node_parts/record_text.h"
#include "core/node_parts/short_text.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::select {

namespace {

struct Params {
  TextList keep;
  std::string field;
  TextList channels;
};

std::optional<std::size_t> numberIn(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > 1 << 20)
    return std::nullopt;
  return value;
}

/// Parses `3`, `-3`, `0..11`, `-12..23`, and keeps the order.
Result<std::vector<PickedChannel>> channelsOf(const TextList& entries) {
  std::vector<PickedChannel> channels;
  for (const std::string& entry : entries) {
    std::string_view text = entry;
    const bool negated = text.starts_with('-');
    if (negated || text.starts_with('+')) text.remove_prefix(1);
    const std::size_t dots = text.find("..");
    const auto first = numberIn(text.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : numberIn(text.substr(dots + 2));
    if (!first || !last || *last < *first)
      return Error{
          fmt::format("`{}` is neither a channel nor a range of channels", validUtf8(entry))};
    for (std::size_t i = *first; i <= *last; ++i) channels.push_back({i, negated});
  }
  return channels;
}

/// Channels are the last axis, or the first one for chw pictures.
std::size_t axisOf(const FieldSpec& field) {
  return field.layout == Layout::Chw ? 0 : field.shape.rank() - 1;
}

void inferChannels(const Params& p, StreamType& out, InferContext& context) {
  const auto channels = channelsOf(p.channels);
  if (!channels) {
    context.error("channels", channels.error().message, "use 3, -3, 0..11 or -12..23");
    return;
  }
  const std::optional<std::size_t> field = fieldIndex(out, p.field);
  if (!field) {
    context.error("field", fmt::format("there is no field `{}` here", p.field),
                  "set the field whose channels are selected");
    return;
  }
  FieldSpec& spec = out.fields[*field];
  if (spec.dtype == DType::Encoded || spec.shape.rank() == 0) {
    context.error("field", fmt::format("`{}` has no channels", spec.text()),
                  "decode it first, or select another field");
    return;
  }
  std::int64_t& size = spec.shape[axisOf(spec)];
  for (const PickedChannel& channel : *channels) {
    if (size != Shape::kUnknown && channel.index >= static_cast<std::size_t>(size))
      context.error("channels",
                    fmt::format("there is no channel {} in `{}`", channel.index, spec.text()),
                    "channels are counted from 0");
    if (channel.negated && !isSigned(spec.dtype)) {
      context.error("channels", fmt::format("{} has no negative numbers", nameOf(spec.dtype)),
                    "convert it to a signed type or a float first");
      return;
    }
  }
  size = static_cast<std::int64_t>(channels->size());
}

/// The fields to keep in the given order; all fields if none are named.
Result<std::vector<std::size_t>> keptOf(const Params& p, const StreamType& in) {
  std::vector<std::size_t> kept;
  for (const std::string& name : p.keep) {
    const std::optional<std::size_t> field = fieldIndex(in, name);
    if (!field) return Error{fmt::format("there is no field `{}` here", name)};
    if (std::find(kept.begin(), kept.end(), *field) != kept.end())
      return Error{fmt::format("`{}` is listed twice", name)};
    kept.push_back(*field);
  }
  if (kept.empty()) {
    kept.resize(in.fields.size());
    std::iota(kept.begin(), kept.end(), 0);
  }
  return kept;
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (!p.channels.empty()) inferChannels(p, out, context);
  if (p.channels.empty() && !p.field.empty())
    context.warning("field", "no channels are selected", "set channels, or leave the field empty");
  const auto kept = keptOf(p, in);
  if (!kept) {
    context.error("keep", kept.error().message, "list fields of the stream, each one once");
    return out;
  }
  StreamType chosen = out;
  chosen.fields.clear();
  for (const std::size_t i : *kept) chosen.fields.push_back(out.fields[i]);
  return chosen;
}

class Select final : public SampleOp {
 public:
  /// `field`: the field whose channels are selected, with type `type`.
  Select(std::optional<std::size_t> field, DType type, std::vector<PickedChannel> channels,
         const std::vector<std::size_t>& kept, std::size_t fieldsIn)
      : m_field(field),
        m_channels(std::move(channels)),
        m_picker(type, m_channels),
        m_kept(kept.size()) {
    // Each kept field is swapped to its place; the field that was there moves to the other place.
    std::vector<std::size_t> standing(fieldsIn);
    std::iota(standing.begin(), standing.end(), 0);
    for (std::size_t to = 0; to < kept.size(); ++to) {
      const auto from = static_cast<std::size_t>(
          std::find(standing.begin(), standing.end(), kept[to]) - standing.begin());
      std::swap(standing[to], standing[from]);
      if (from != to) m_swaps.push_back({to, from});
    }
  }

  Status process(Sample& sample, const OpContext&) override {
    if (m_field) MILLRACE_TRY(pick(sample, *m_field));
    for (const auto& [to, from] : m_swaps) sample.swapFields(to, from);
    clearPlaces(sample, m_kept);
    return {};
  }
  bool rearranges() const override { return true; }

 private:
  Status pick(Sample& sample, std::size_t field) const {
    const TensorView from = sample[field];
    Shape shape = from.shape;
    if (shape.rank() == 0) return Error{"has no channels"};
    const std::size_t axis = from.layout == Layout::Chw ? 0 : shape.rank() - 1;
    const auto channelsIn = static_cast<std::size_t>(shape[axis]);
    for (const PickedChannel& channel : m_channels)
      if (channel.index >= channelsIn)
        return Error{fmt::format("there is no channel {}; it has {}", channel.index, channelsIn)};
    std::size_t outer = 1;
    std::size_t inner = 1;
    for (std::size_t i = 0; i < shape.rank(); ++i)
      if (i != axis) (i < axis ? outer : inner) *= static_cast<std::size_t>(shape[i]);
    shape[axis] = static_cast<std::int64_t>(m_channels.size());
    const TensorView to = sample.replace(field, from.dtype, shape, from.layout);
    m_picker.run(from.data, to.data, outer, channelsIn, inner);
    return {};
  }

  struct Swap {
    std::size_t to;
    std::size_t from;
  };
  const std::optional<std::size_t> m_field;
  const std::vector<PickedChannel> m_channels;
  const ChannelPicker m_picker;
  const std::size_t m_kept;
  std::vector<Swap> m_swaps;
};

Result<std::unique_ptr<SampleOp>> make(const Params& p, const BuildContext& context) {
  MILLRACE_ASSIGN_OR_RETURN(auto channels, channelsOf(p.channels));
  MILLRACE_ASSIGN_OR_RETURN(auto kept, keptOf(p, context.in));
  std::optional<std::size_t> field;
  if (!channels.empty()) {
    field = fieldIndex(context.in, p.field);
    if (!field) return Error{"there is no field `" + p.field + "`"};
  }
  const DType type = field ? context.in.fields[*field].dtype : DType::U8;
  return std::unique_ptr<SampleOp>(
      std::make_unique<Select>(field, type, std::move(channels), kept, context.in.fields.size()));
}

/// `"board", [0, 6], -1, signs=[1, -1]`: field, channels, their axis in the target.
std::string pickArguments(const Params& p, const ExportContext& context, bool torch) {
  std::vector<std::string> indices;
  std::vector<std::string> signs;
  bool negates = false;
  if (const auto channels = channelsOf(p.channels))
    for (const PickedChannel& channel : *channels) {
      indices.push_back(std::to_string(channel.index));
      signs.emplace_back(channel.negated ? "-1" : "1");
      negates = negates || channel.negated;
    }
  // Pictures are planes in PyTorch and have channels last in the other targets until the end;
  // one-hot masks keep their layout.
  const FieldSpec* field = context.in.field(p.field);
  const bool planes = field != nullptr && field->layout != Layout::Plain &&
                      (torch || (field->oneHot && field->layout == Layout::Chw));
  return fmt::format("{}, [{}], {}{}", pythonText(p.field), join(indices, ", "),
                     planes ? "0" : "-1",
                     negates ? ", signs=[" + join(signs, ", ") + "]" : std::string());
}

ExportText exported(const Params& p, const ExportContext& context, std::string_view target) {
  ExportText text;
  const bool torch = target == "pytorch";
  if (!p.channels.empty() && target == "dali") return notTranslated(p, context);
  if (!p.channels.empty())
    text.needs("pick_channels")
        .step((torch ? "PickChannels(" : "pick_channels(sample, ") +
              pickArguments(p, context, torch) + ")");
  if (p.keep.empty()) return text;
  if (torch) return text.needs("keep").step("Keep(" + pythonTexts(p.keep) + ")");
  return text.step("{name: sample[name] for name in " + pythonTexts(p.keep) + "}");
}

/// `[1, -1] * 12` for signs that repeat.
std::string signsText(const std::vector<PickedChannel>& channels) {
  std::size_t period = 1;
  const auto repeats = [&](std::size_t length) {
    for (std::size_t i = length; i < channels.size(); ++i)
      if (channels[i].negated != channels[i - length].negated) return false;
    return channels.size() % length == 0;
  };
  while (!repeats(period)) ++period;
  std::vector<std::string> signs;
  for (std::size_t i = 0; i < period; ++i) signs.emplace_back(channels[i].negated ? "-1" : "1");
  const std::string text = "[" + join(signs, ", ") + "]";
  return period == channels.size() ? text : fmt::format("{} * {}", text, channels.size() / period);
}

/// The indices as a list, or if they are the columns of a table of the numbers from 0, as the loop
/// over it: `[i + 6 * j for i in range(6) for j in range(4)]`.
std::string indicesText(const std::vector<PickedChannel>& channels) {
  const std::size_t count = channels.size();
  const std::size_t width = count > 1 ? channels[1].index : 0;
  const std::size_t height = width > 1 ? count / width : 0;
  const auto isColumn = [&, at = std::size_t{0}](const PickedChannel& channel) mutable {
    const std::size_t wanted = at / height + width * (at % height);
    return ++at, channel.index == wanted;
  };
  if (height > 1 && width * height == count && std::ranges::all_of(channels, isColumn))
    return fmt::format("[i + {0} * j for i in range({0}) for j in range({1})]", width, height);
  std::vector<std::string> indices;
  for (const PickedChannel& channel : channels) indices.push_back(std::to_string(channel.index));
  return "[" + join(indices, ", ") + "]";
}

/// On samples or batches: channels are the last axis.
ExportText shortText(const Params& p, const ExportContext& context, std::string_view form) {
  const bool arrays = form.starts_with("pytorch");
  ExportText text;
  const auto channels = channelsOf(p.channels);
  const FieldSpec* field = context.in.field(p.field);
  if (!channels || (field != nullptr && field->layout != Layout::Plain))
    return longForm("it selects channels of a picture");
  if (!channels->empty()) {
    const std::string name = "sample[" + pythonText(p.field) + "]";
    const bool negates = std::ranges::any_of(*channels, &PickedChannel::negated);
    const std::string signs = signsText(*channels);
    text.local(fmt::format("channels = {}", indicesText(*channels)));
    if (arrays && negates && field != nullptr && isFloat(field->dtype)) {
      // In one pass; NumPy makes the numbers of bytes floats as it goes.
      text.import("import numpy as np")
          .value({p.field},
                 fmt::format("{{}}[..., channels] * np.array({}, np.{})", signs,
                             arrayTypeName(field->dtype)),
                 {.anyType = true, .computed = field->dtype, .stored = field->dtype});
    } else {
      text.value({p.field}, arrays ? "{}[..., channels]" : "tf.gather({}, channels, axis=-1)",
                 {.anyType = true});
      if (negates)
        text.step(arrays ? fmt::format("{0} = {0} * np.array({1}, {0}.dtype)", name, signs)
                         : fmt::format("{0} *= tf.constant({1}, {0}.dtype)", name, signs));
      if (negates && arrays) text.import("import numpy as np");
    }
  }
  if (p.keep.empty()) return text;
  return text.step("sample = {name: sample[name] for name in " + pythonTexts(p.keep) + "}");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("select", Category::Tensor, NodeRole::Sample);
  d.label("Select").help(
      "Keeps some of the fields and, of one field, some of the channels, in the given order; a "
      "minus sign negates a channel. Works before and after the batch node.");
  d.example(
      R"({"keep": ["board", "score"], "field": "board", "channels": ["0", "-6", "1", "-7"]})");
  d.cpuOnly();
  d.tags({"columns", "fields", "channels", "transpose", "drop", "rename", "negate", "gather"});
  d.texts("keep", &Params::keep)
      .label("Keep")
      .optional()
      .help("Names of the fields to keep, in this order. Empty: all.");
  d.text("field", &Params::field)
      .label("Field")
      .optional()
      .help("Field whose channels are selected: its last axis, or the first one for chw pictures.");
  d.texts("channels", &Params::channels)
      .label("Channels")
      .optional()
      .help(
          "The channels to keep, counted from 0: 3, -3 for its negative, 0..11, -12..23. Empty: "
          "all channels, unchanged.");
  d.infer(infer);
  d.sample(make);
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, exported);
  d.exporters({"tfdata.short", "tfdata.rows", "pytorch.rows"}, shortText);
  return d.take();
}

}  // namespace millrace::nodes::select
