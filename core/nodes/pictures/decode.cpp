// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/codecs/picture_formats.h"
#include "core/pass/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::decode {

namespace {

enum class Orientation : std::uint8_t { Apply, Ignore };
enum class Scaling : std::uint8_t { Auto, Full };
enum class MaskForm : std::uint8_t { Index, Rgb };
enum class Decoder : std::uint8_t { Auto, Library };
enum class ResizeOf : std::uint8_t { Rgb, Planes };
enum class Balance : std::uint8_t { Fixed, Adaptive };

struct Params {
  DecodeForm form = DecodeForm::Rgb;
  MaskForm mask = MaskForm::Index;
  Orientation orientation = Orientation::Apply;
  Scaling scaling = Scaling::Auto;
  Decoder decoder = Decoder::Auto;
  ResizeOf resize = ResizeOf::Rgb;
  std::int64_t gpuShare = 0;
  Balance gpuBalance = Balance::Fixed;
  std::int64_t sideIndex = 0;
  TextList fields;
};

std::vector<std::size_t> acts(const Params& p, const StreamType& in) {
  std::vector<std::size_t> encoded;
  for (const std::size_t i : geometryFields(in, p.fields))
    if (in.fields[i].dtype == DType::Encoded) encoded.push_back(i);
  return encoded;
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (!checkFields(in, p.fields, {Role::Image, Role::Target, Role::Mask}, context)) return out;
  for (const std::size_t i : geometryFields(in, p.fields))
    if (!p.fields.empty() && in.fields[i].dtype != DType::Encoded)
      context.error("fields", fmt::format("field `{}` is not encoded", in.fields[i].name),
                    "remove it from the list");
  const std::vector<std::size_t> acted = acts(p, in);
  if (acted.empty() && p.fields.empty())
    context.error("", "no picture field is an encoded file",
                  "remove this node: the pictures are already decoded");
  for (const std::size_t i : acted) {
    FieldSpec& field = out.fields[i];
    const bool colour =
        field.role == Role::Mask ? p.mask == MaskForm::Rgb : p.form == DecodeForm::Rgb;
    field.shape = {field.height(), field.width(), colour ? 3 : 1};
    field.dtype = DType::U8;
    field.layout = Layout::Hwc;
  }
  return out;
}

Result<ImageStep> make(const Params& p, const BuildContext&) {
  ImageStep step;
  step.decode = DecodeStep{p.form,
                           p.orientation == Orientation::Apply,
                           p.scaling == Scaling::Auto,
                           p.mask == MaskForm::Rgb,
                           p.decoder == Decoder::Auto,
                           static_cast<std::size_t>(p.sideIndex),
                           p.resize == ResizeOf::Planes};
  return step;
}

/// Parameters that no exporter supports.
void limitOthers(const Params& p, ExportText& text) {
  if (p.resize == ResizeOf::Planes)
    text.limit(
        "decode.resize is left out: pixels are converted to RGB, then resized. Millrace resizes "
        "luma and chroma of JPEG separately, to pixels that differ by less than a level of 255 on "
        "average.");
  if (p.gpuShare > 0)
    text.limit(
        "decode.gpu_share is left out: the CPU decodes all pictures. Millrace's GPU decodes some, "
        "to pixels that differ by a few levels of 255.");
}

/// `others`: file formats that Millrace reads and the target does not.
void limitFiles(std::string_view others, std::string_view library, ExportText& text) {
  text.limit(
      fmt::format("{} files fail: {} does not read them, and Millrace does.", others, library));
}

ExportText pytorch(const Params& p, const ExportContext& context) {
  std::vector<std::size_t> pictures;
  std::vector<std::size_t> masks;
  for (const std::size_t i : acts(p, context.in))
    (context.in.fields[i].role == Role::Mask ? masks : pictures).push_back(i);
  const std::string upright = p.orientation == Orientation::Ignore ? ", upright=False" : "";
  const std::string mode = p.form == DecodeForm::Grey ? ", mode=ImageReadMode.GRAY" : "";
  ExportText text;
  if (!pictures.empty())
    text.needs("decode").step("Decode(" + pythonTexts(context.names(pictures)) + mode + upright +
                              ")");
  if (!masks.empty()) {
    const bool index = p.mask == MaskForm::Index;
    text.needs(index ? "decode_masks" : "decode_colour_masks")
        .step((index ? "DecodeMasks(" : "DecodeColourMasks(") + pythonTexts(context.names(masks)) +
              upright + ")");
  }
  if (!pictures.empty()) limitFiles("TIFF and BMP", "torchvision", text);
  if (p.scaling == Scaling::Auto)
    text.limit(
        "JPEG files are decoded in full. Millrace decodes large ones at a half, a quarter or an "
        "eighth of their size if that is enough, which is faster and changes pixels by a few "
        "levels "
        "of 255. Set decode.scaling to full to get the same pixels.");
  limitOthers(p, text);
  return text;
}

/// The number of channels per field, for tf.data and DALI.
ExportText arrays(const Params& p, const ExportContext& context) {
  std::vector<std::string> channels;
  bool indexMasks = false;
  for (const std::size_t i : acts(p, context.in)) {
    channels.push_back(fmt::format("{}: {}", pythonText(context.in.fields[i].name),
                                   context.out.fields[i].channels()));
    indexMasks =
        indexMasks || (context.in.fields[i].role == Role::Mask && p.mask == MaskForm::Index);
  }
  ExportText text;
  if (indexMasks)
    text.limit(
        "Masks that are PNG with a palette, or with fewer than 8 bits, become grey levels, not "
        "indices. Store masks as grey PNG of 8 bits.");
  if (p.scaling == Scaling::Auto)
    text.limit(
        "JPEG files are decoded in full. Millrace decodes large ones at a half, a quarter or an "
        "eighth of their size if that is enough, which is faster and changes pixels by a few "
        "levels "
        "of 255. Set decode.scaling to full to get the same pixels.");
  limitOthers(p, text);
  return text.needs("decode").step(fmt::format("decode(sample, {{{}}})", join(channels, ", ")));
}

ExportText tfdata(const Params& p, const ExportContext& context) {
  ExportText text = arrays(p, context);
  limitFiles("TIFF", "TensorFlow", text);
  if (p.orientation == Orientation::Apply)
    text.limits.insert(
        text.limits.begin(),
        "TensorFlow does not read EXIF orientation: pictures that a camera stored turned stay "
        "turned. Turn such files once, or set decode.orientation to ignore to train on the same.");
  return text;
}

ExportText dali(const Params& p, const ExportContext& context) {
  return arrays(p, context)
      .option("UPRIGHT", pythonBool(p.orientation == Orientation::Apply),
              "turn pictures as EXIF says");
}

/// Parameters that select how files are decoded.
void describeMeans(Describe<Params>& d) {
  d.choice<ResizeOf>("resize", &Params::resize,
                     {{ResizeOf::Rgb, "rgb", "RGB pixels, as in every other loader"},
                      {ResizeOf::Planes, "planes",
                       "luma and chroma separately, with the colour conversion at the end"}})
      .label("Resize in")
      .help(
          "With planes, JPEG files of the built-in decoder are not converted to RGB before a "
          "resize that directly follows and runs in the same operation. Luma and chroma are "
          "resized separately and the colours of the result are converted. This is about a tenth "
          "faster and closer to the file's data, but the pixels differ: by less than one level of "
          "255 on average, and by tens of levels at sharp colour edges. Other files and masks use "
          "RGB, and so does everything with --no-fuse or with a cache in between; a run counts "
          "both.");
  d.integer("gpu_share", &Params::gpuShare)
      .label("GPU share")
      .range(0, 100)
      .unit("percent")
      .help(
          "Percentage of samples whose JPEG files are decoded by NVIDIA's nvJPEG on the GPU after "
          "a transfer. A random draw selects them, the same ones in each run. The CPU decodes the "
          "others, and everything that nvJPEG does not support: masks, PNG, grey, progressive and "
          "rotated files, and files with a damaged header or end. Without a GPU or libnvjpeg (CUDA "
          "12.4 or later) the CPU decodes everything. The pixels differ from the CPU's by a few "
          "levels of 255. If the GPU has a JPEG engine and a crop follows, only the crop's region "
          "is decoded. 0: off.");
  d.choice<Balance>("gpu_balance", &Params::gpuBalance,
                    {{Balance::Fixed, "fixed", "keep the share that is set"},
                     {Balance::Adaptive, "adaptive", "adjust the share until neither side waits"}})
      .label("GPU balance")
      .usedWith("gpu_share")
      .help(
          "adaptive starts with the share that is set. During the run it increases the GPU's share "
          "while batches come late and the GPU has nothing to decode, and decreases it while they "
          "come in time and the GPU is behind. Which pictures the GPU decodes, and thus the last "
          "bits of their pixels, then differ from run to run; the report shows how many there "
          "were.");
  d.integer("side_index", &Params::sideIndex)
      .label("Side index")
      .range(0, 1e15)
      .unit("bytes")
      .speedOnly()
      .help(
          "Memory for an index of the block rows of JPEG files. From the second epoch on, the "
          "parts above and to the right of a crop need not be decoded again. Takes about 0.5 KB "
          "per photo of 500 x 375. The index is checked against the file's size and checksum on "
          "each use; the pixels are the same. Like with a cache, later epochs are faster than the "
          "first, so a warm-up takes one epoch. 0: off. Pictures that are decoded completely do "
          "not use it.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("decode", Category::Decode, NodeRole::Image);
  d.label("Decode image")
      .help(
          "Decodes " + pictureFormats() +
          " files to pixels: u8, height x width x channels, 0 to 255. Crops and resizes that "
          "directly follow are done during decoding, so that pixels "
          "that are not needed are never computed. A damaged file fails its sample and reports the "
          "reason.");
  d.example(R"({"form": "rgb", "scaling": "auto"})");
  for (const CodecEntry& codec : allCodecs()) d.tag(lowerCase(codec.format));
  for (const char* tag : {"image", "read", "imread", "exif", "mask"}) d.tag(tag);
  d.choice<DecodeForm>("form", &Params::form,
                       {{DecodeForm::Rgb, "rgb", "three channels; alpha is dropped"},
                        {DecodeForm::Grey, "grey", "one channel, luma"}})
      .label("Channels")
      .help("Channels of images and targets, whatever the file contains.");
  d.choice<MaskForm>("mask", &Params::mask,
                     {{MaskForm::Index, "index", "one channel: palette index or grey value"},
                      {MaskForm::Rgb, "rgb", "three channels, for one_hot with a colour table"}})
      .label("Masks")
      .help("How masks are decoded: class indices as stored, or colours.");
  d.choice<Orientation>("orientation", &Params::orientation,
                        {{Orientation::Apply, "apply", "upright, as viewers show the picture"},
                         {Orientation::Ignore, "ignore", "as stored, like most loaders"}})
      .label("EXIF orientation")
      .help("Whether to rotate pictures according to the camera's EXIF orientation.");
  d.choice<Scaling>(
       "scaling", &Params::scaling,
       {{Scaling::Auto, "auto", "the smallest JPEG scale that is sufficient for the result"},
        {Scaling::Full, "full", "decode every pixel, then resize"}})
      .label("Scaling")
      .help(
          "auto decodes JPEG at 1/2, 1/4 or 1/8 of the size if a resize follows. This is several "
          "times faster; the pixels differ by a few levels. Masks are always decoded at full "
          "size.");
  d.choice<Decoder>("decoder", &Params::decoder,
                    {{Decoder::Auto, "auto", "the fastest one that supports the file"},
                     {Decoder::Library, "library", "libjpeg-turbo and libspng for all files"}})
      .label("Decoder")
      .help(
          "auto uses the built-in decoders for ordinary JPEG and PNG files, and libjpeg-turbo and "
          "libspng for the rest; the pixels are identical. Use library for comparisons.");
  describeMeans(d);
  d.fields(&Params::fields);
  d.infer(infer);
  d.acts(acts);
  d.image(make);
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  return d.take();
}

}  // namespace millrace::nodes::decode
