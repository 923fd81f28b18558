// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/nodes/picture_fields.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes {

namespace {

enum class Orientation { Apply, Ignore };
enum class Scaling { Auto, Full };
enum class MaskForm { Index, Rgb };
enum class Decoder { Auto, Library };
enum class ResizeOf { Rgb, Planes };
enum class Balance { Fixed, Adaptive };

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
                    "take it off the list");
  const std::vector<std::size_t> acted = acts(p, in);
  if (acted.empty() && p.fields.empty())
    context.error("", "no picture here is an encoded file",
                  "remove the node: the pictures are decoded already");
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

/// What every exporter leaves out.
void limitOthers(const Params& p, ExportText& text) {
  if (p.resize == ResizeOf::Planes)
    text.limit(
        "decode.resize is left out: pixels are converted to RGB, then resized. Millrace resizes "
        "luma and chroma of JPEG by themselves, to pixels that differ by less than a level of 255 "
        "on average.");
  if (p.gpuShare > 0)
    text.limit(
        "decode.gpu_share is left out: the CPU decodes all pictures. Millrace's GPU decodes some, "
        "to pixels that differ by a few levels of 255.");
}

/// `others`: kinds of files that Millrace reads and the target does not.
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
        "eighth where that covers what is wanted: faster, and other by a few levels of 255. Set "
        "decode.scaling to full to get the same pixels.");
  limitOthers(p, text);
  return text;
}

/// Channels by field, for tf.data and DALI.
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
        "Masks that are PNG with a palette, or with fewer than 8 bits, come out as levels of grey, "
        "not as indices. Store masks as grey PNG of 8 bits.");
  if (p.scaling == Scaling::Auto)
    text.limit(
        "JPEG files are decoded in full. Millrace decodes large ones at a half, a quarter or an "
        "eighth where that covers what is wanted: faster, and other by a few levels of 255. Set "
        "decode.scaling to full to get the same pixels.");
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

/// By what means it decodes.
void describeMeans(Describe<Params>& d) {
  d.choice<ResizeOf>(
       "resize", &Params::resize,
       {{ResizeOf::Rgb, "rgb", "converted pixels, as every other loader does"},
        {ResizeOf::Planes, "planes", "luma and chroma by themselves, colours at the end"}})
      .label("What is resized")
      .help(
          "planes: where a resize right behind it runs in one operation with it, JPEG files of "
          "Millrace's own decoder are not converted to RGB first. Luma and chroma are resized each "
          "from its own samples and colours are converted in the result: a tenth faster, nearer to "
          "what the file says, other pixels by less than a level of 255 on average and by tens at "
          "sharp edges of colour. Other files and masks take the usual way, as all do with "
          "--no-fuse or where a cache stands between; a run counts which took which.");
  d.integer("gpu_share", &Params::gpuShare)
      .label("GPU share")
      .range(0, 100)
      .unit("percent")
      .help(
          "Samples whose JPEG files are left to NVIDIA's nvJPEG, on the GPU behind a transfer; a "
          "draw says which, the same in each run. The CPU decodes the others, and what nvJPEG does "
          "not take: masks, PNG, grey, progressive and turned files, and those whose head or end "
          "is "
          "damaged. Without a GPU or without libnvjpeg (CUDA 12.4 or later) the CPU decodes all. "
          "Pixels differ from the CPU's by a few "
          "levels of 255. Where the GPU has a JPEG engine and a crop follows, only the crop's "
          "region is decoded. 0: off.");
  d.choice<Balance>("gpu_balance", &Params::gpuBalance,
                    {{Balance::Fixed, "fixed", "the share as it is set"},
                     {Balance::Adaptive, "adaptive", "moved until neither side waits"}})
      .label("GPU balance")
      .usedWith("gpu_share")
      .help(
          "adaptive begins with the share that is set. While the run goes on it gives the GPU more "
          "where batches come late and the GPU has nothing to decode, and less where they come in "
          "time and it is behind. Which pictures it decodes, and so the last levels of their "
          "pixels, then differ from run to run; the report says how many they were.");
  d.integer("side_index", &Params::sideIndex)
      .label("Side index")
      .range(0, 1e15)
      .unit("bytes")
      .speedOnly()
      .help(
          "Memory for where the rows of blocks of JPEG files begin, so that from the second epoch "
          "on what is above a crop and right of it is not decoded again: about 0.5 KB a photo of "
          "500 x 375. Compared with the file's size and check sum each time; the pixels are the "
          "same. As with a cache, later epochs are faster than the first, and so a warm-up lasts "
          "an epoch. 0: off. Pictures that are decoded whole have no use for it.");
}

}  // namespace

NodeSpec decode() {
  Describe<Params> d("decode", Category::Decode, NodeRole::Image);
  d.label("Decode image")
      .help(
          "Turns JPEG, PNG, WebP, TIFF and BMP files into pixels: u8, height x width x "
          "channels, 0 to 255. "
          "Crops and resizes right behind it are done while decoding, so that pixels nobody "
          "wants are never made. A damaged file fails its sample, with the reason.");
  d.example(R"({"form": "rgb", "scaling": "auto"})");
  d.tags({"jpeg", "png", "webp", "tiff", "bmp", "image", "read", "imread", "exif", "mask"});
  d.choice<DecodeForm>("form", &Params::form,
                       {{DecodeForm::Rgb, "rgb", "three channels; alpha is dropped"},
                        {DecodeForm::Grey, "grey", "one channel, luma"}})
      .label("Channels")
      .help("What images and targets become, whatever the file holds.");
  d.choice<MaskForm>("mask", &Params::mask,
                     {{MaskForm::Index, "index", "one channel: palette index or grey value"},
                      {MaskForm::Rgb, "rgb", "three channels, for one_hot with a colour table"}})
      .label("Masks")
      .help("What masks become: class indices as stored, or colours.");
  d.choice<Orientation>("orientation", &Params::orientation,
                        {{Orientation::Apply, "apply", "upright, as viewers show it"},
                         {Orientation::Ignore, "ignore", "as stored, as most loaders do"}})
      .label("EXIF orientation")
      .help("Whether the camera's note about how it was held turns the picture.");
  d.choice<Scaling>("scaling", &Params::scaling,
                    {{Scaling::Auto, "auto", "smallest JPEG scale that covers the size wanted"},
                     {Scaling::Full, "full", "every pixel, then resize"}})
      .label("Scaling")
      .help(
          "auto lets a resize behind it decode JPEG at 1/2, 1/4 or 1/8: several times faster, "
          "pixels differ by a few levels. Masks are always decoded in full.");
  d.choice<Decoder>("decoder", &Params::decoder,
                    {{Decoder::Auto, "auto", "the fastest that takes the file"},
                     {Decoder::Library, "library", "libjpeg-turbo and libspng, whatever the file"}})
      .label("Decoder")
      .help(
          "auto takes Millrace's own decoders for what JPEG and PNG files usually are and "
          "libjpeg-turbo and libspng for the rest; the pixels are the same bits. library is there "
          "to compare with.");
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

}  // namespace millrace::nodes
