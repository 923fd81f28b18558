// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include <fmt/format.h>

#include "core/spec/describe.h"

namespace millrace::nodes::synthetic {

namespace {

enum class Content : std::uint8_t { Features, Image };
enum class Element : std::uint8_t { U8, F32 };

struct Params {
  std::int64_t count = 100000;
  Content content = Content::Features;
  std::int64_t length = 64;
  Element element = Element::U8;
  std::int64_t height = 224;
  std::int64_t width = 224;
  std::int64_t channels = 3;
  std::int64_t classes = 10;
};

FieldSpec contentField(const Params& p) {
  if (p.content == Content::Image)
    return {"image", DType::U8, {p.height, p.width, p.channels}, Layout::Hwc, Role::Image};
  const DType type = p.element == Element::F32 ? DType::F32 : DType::U8;
  return {"features", type, {p.length}, Layout::Plain, Role::Features};
}

std::vector<FieldSpec> fieldsOf(const Params& p) {
  std::vector<FieldSpec> fields{contentField(p)};
  if (p.classes > 0)
    fields.push_back({"label", DType::I64, {}, Layout::Plain, Role::Label, p.classes});
  return fields;
}

/// Word `i` of a sample's pattern: a Weyl sequence with its halves folded. It is not random in a
/// strict sense, but differs between samples and positions, and takes half a nanosecond.
std::uint64_t patternWord(std::uint64_t start, std::uint64_t i) {
  const std::uint64_t word = start + i * 0x9e3779b97f4a7c15ULL;
  return word ^ (word >> 29U);
}

void fillBytes(std::uint64_t start, std::byte* to, std::size_t bytes) {
  std::size_t at = 0;
  for (; at + 8 <= bytes; at += 8) {
    const std::uint64_t word = patternWord(start, at / 8);
    std::memcpy(to + at, &word, 8);
  }
  const std::uint64_t last = patternWord(start, at / 8);
  std::memcpy(to + at, &last, bytes - at);
}

/// Values in [0, 1).
void fillFloats(std::uint64_t start, std::byte* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = static_cast<std::uint32_t>(patternWord(start, i) >> 40U);
    const float value = static_cast<float>(bits) * 0x1p-24F;
    std::memcpy(to + i * sizeof value, &value, sizeof value);
  }
}

class Reader final : public SourceReader {
 public:
  explicit Reader(const Params& params)
      : m_content(contentField(params)), m_classes(params.classes) {}

  Status read(std::uint32_t index, Sample& sample, ReadCounters&) override {
    const TensorView to = sample.replace(0, m_content.dtype, m_content.shape, m_content.layout);
    const std::uint64_t start = (index + 1ULL) * 0xd1342543de82ef95ULL;
    if (m_content.dtype == DType::F32)
      fillFloats(start, to.data, to.bytes / sizeof(float));
    else
      fillBytes(start, to.data, to.bytes);
    if (m_classes > 0)
      *sample.replace(1, DType::I64, {}, Layout::Plain).as<std::int64_t>() = index % m_classes;
    return {};
  }

 private:
  const FieldSpec m_content;
  const std::int64_t m_classes;
};

class Synthetic final : public Source {
 public:
  explicit Synthetic(const Params& params) : m_params(params) {}

  std::uint32_t size() const override { return static_cast<std::uint32_t>(m_params.count); }
  std::vector<FieldSpec> fields() const override { return fieldsOf(m_params); }
  std::string name(std::uint32_t index) const override {
    return fmt::format("synthetic#{}", index);
  }
  std::int64_t labelOf(std::uint32_t index) const override {
    return m_params.classes > 0 ? index % m_params.classes : -1;
  }
  std::vector<std::string> classes() const override {
    std::vector<std::string> names;
    for (std::int64_t i = 0; i < m_params.classes; ++i) names.push_back(std::to_string(i));
    return names;
  }
  std::unique_ptr<SourceReader> reader() const override {
    return std::make_unique<Reader>(m_params);
  }

 private:
  const Params m_params;
};

StreamType infer(const Params& params, const StreamType&, InferContext&) {
  StreamType out;
  out.fields = fieldsOf(params);
  out.samples = params.count;
  return out;
}

ExportText pytorch(const Params& p, const ExportContext&) {
  ExportText text;
  text.needs("synthetic");
  const std::string classes = fmt::format("classes={}", p.classes);
  if (p.content == Content::Image)
    return text.step(fmt::format("Synthetic({}, image=({}, {}, {}), {})", p.count, p.channels,
                                 p.height, p.width, classes));
  return text.import("import torch")
      .step(fmt::format("Synthetic({}, features={}, dtype=torch.{}, {})", p.count, p.length,
                        p.element == Element::U8 ? "uint8" : "float32", classes));
}

/// For tf.data, DALI and Grain.
ExportText arrays(const Params& p, const ExportContext&) {
  ExportText text;
  text.needs("synthetic")
      .limit(
          "All generated samples hold the same numbers; labels, sizes and types are Millrace's.");
  const bool image = p.content == Content::Image;
  return text.step(fmt::format("synthetic({}, \"{}\", shape=({}), dtype=\"{}\", classes={})",
                               p.count, image ? "image" : "features",
                               image ? fmt::format("{}, {}, {}", p.height, p.width, p.channels)
                                     : std::to_string(p.length) + ",",
                               image || p.element == Element::U8 ? "uint8" : "float32", p.classes));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("synthetic", Category::Source, NodeRole::Source);
  d.label("Synthetic")
      .help(
          "Generates samples in memory, the same ones in every run. It shows the cost of the "
          "engine alone, without a disk and a decoder.");
  d.example(R"({"count": 1000000, "length": 64})");
  d.tags({"random", "fake", "benchmark", "test"});
  d.integer("count", &Params::count)
      .label("Samples")
      .range(1, 4294967295.0)
      .unit("samples")
      .help("Number of samples per epoch.");
  d.choice<Content>("content", &Params::content,
                    {{Content::Features, "features", "A vector of numbers."},
                     {Content::Image, "image", "A picture with 8-bit channels."}})
      .label("Content")
      .help("What a sample contains.");
  d.integer("length", &Params::length)
      .usedWith("content", {"features"})
      .label("Length")
      .range(1, 1 << 28)
      .unit("elements")
      .help("Length of a feature vector.");
  d.choice<Element>("element", &Params::element,
                    {{Element::U8, "u8", "0 to 255."}, {Element::F32, "f32", "0 to 1."}})
      .label("Element")
      .help("Element type of the features.")
      .usedWith("content", {"features"});
  d.integer("height", &Params::height)
      .usedWith("content", {"image"})
      .label("Height")
      .range(1, 16384)
      .unit("pixels")
      .help("Height of the pictures.");
  d.integer("width", &Params::width)
      .usedWith("content", {"image"})
      .label("Width")
      .range(1, 16384)
      .unit("pixels")
      .help("Width of the pictures.");
  d.integer("channels", &Params::channels)
      .usedWith("content", {"image"})
      .label("Channels")
      .range(1, 4)
      .help("Number of channels of the pictures.");
  d.integer("classes", &Params::classes)
      .label("Classes")
      .range(0, 1000000)
      .help("Number of classes that the labels cycle through. 0: samples have no label.");
  d.infer(infer);
  d.source([](const Params& params, const BuildContext&) -> Result<std::shared_ptr<const Source>> {
    return std::shared_ptr<const Source>(std::make_shared<Synthetic>(params));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", arrays);
  d.exporter("dali", arrays);
  d.exporter("grain", arrays);
  return d.take();
}

}  // namespace millrace::nodes::synthetic
