// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/base/parts.h"
#include "core/base/text/text.h"
#include "core/codecs/picture_formats.h"
#include "core/nodes/pictures/decode_params.h"
#include "core/pass/picture_fields.h"

namespace millrace::nodes::decode {

std::vector<std::size_t> acts(const Params& p, const StreamType& in) {
  std::vector<std::size_t> encoded;
  for (const std::size_t i : geometryFields(in, p.fields))
    if (in.fields[i].dtype == DType::Encoded) encoded.push_back(i);
  return encoded;
}

namespace {

void checkColours(const Params& p, InferContext& context) {
  if (p.background.size() == 2 || p.background.size() > 3)
    context.error("background", fmt::format("it has {} values", p.background.size()),
                  "give one value, or three for red, green and blue");
  const OptionalPart& part = partNamed("lcms2");
  if (p.cmyk == Cmyk::Profile && !part.built)
    context.error("cmyk", whyMissing(part), remedyFor(part));
}

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  checkColours(p, context);
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
    const bool isMask = field.role == Role::Mask;
    const bool colour = isMask ? p.mask == MaskForm::Rgb : p.form == DecodeForm::Rgb;
    const bool stored = !isMask && p.form == DecodeForm::Stored;
    field.shape = {field.height(), field.width(), stored ? p.channels : (colour ? 3 : 1)};
    field.dtype = stored ? DType::F32 : DType::U8;
    field.layout = Layout::Hwc;
  }
  return out;
}

std::optional<std::array<std::uint8_t, 3>> backgroundOf(const RealList& values) {
  if (values.empty()) return std::nullopt;
  std::array<std::uint8_t, 3> colour{};
  for (std::size_t c = 0; c < colour.size(); ++c)
    colour[c] = static_cast<std::uint8_t>(std::lround(values[values.size() == 3 ? c : 0]));
  return colour;
}

Result<ImageStep> make(const Params& p, const BuildContext&) {
  ImageStep step;
  step.decode = DecodeStep{p.form,
                           static_cast<int>(p.channels),
                           p.orientation == Orientation::Apply,
                           p.scaling == Scaling::Auto,
                           p.mask == MaskForm::Rgb,
                           p.decoder == Decoder::Auto,
                           static_cast<std::size_t>(p.sideIndex),
                           p.resize == ResizeOf::Planes,
                           p.truncated == Truncated::Grey,
                           p.several == Several::Refuse,
                           backgroundOf(p.background),
                           p.cmyk == Cmyk::Profile};
  return step;
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
          "RGB, and so does everything without fusing or with a cache in between; a run counts "
          "both.");
  d.integer("gpu_share", &Params::gpuShare)
      .label("GPU share")
      .range(0, 100)
      .unit("percent")
      .help(
          "Percentage of samples whose JPEG files are decoded by NVIDIA's nvJPEG on the GPU after "
          "a transfer. A random draw selects them, the same ones in each run. The CPU decodes the "
          "others, and everything that nvJPEG does not support: masks, form stored, PNG, grey, "
          "progressive and "
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

void describeIncomplete(Describe<Params>& d) {
  d.choice<Truncated>(
       "truncated", &Params::truncated,
       {{Truncated::Fail, "fail", "the sample fails, with the number of bytes"},
        {Truncated::Grey, "grey", "what is missing is grey, as viewers show it; masks still fail"}})
      .label("Truncated files")
      .help("What happens to JPEG and PNG files that end early. Other formats fail.");
  d.choice<Several>("several", &Params::several,
                    {{Several::First, "first", "the first is used, and the run counts such files"},
                     {Several::Refuse, "refuse", "the sample fails"}})
      .label("Pages and frames")
      .help("What happens to TIFF files with several pages and to animations.");
}

void describeColours(Describe<Params>& d) {
  d.reals("background", &Params::background)
      .range(0, 255)
      .optional()
      .usedWith("form", {"rgb", "grey"})
      .label("Background")
      .help(
          "The colour that shows through transparent pixels, 0 to 255: one value, or three for "
          "red, green and blue. Empty: alpha is dropped, so invisible pixels get whatever colour "
          "the file has there. Masks are not affected. PNG files with transparency are then "
          "decoded by libspng.");
  d.choice<Cmyk>("cmyk", &Params::cmyk,
                 {{Cmyk::Plain, "plain", "by a fixed rule, as Pillow's convert does"},
                  {Cmyk::Profile, "profile", "by the ICC profile in the file, if it has one"}})
      .usedWith("form", {"rgb", "grey"})
      .label("CMYK")
      .help(
          "How CMYK files of JPEG, TIFF and JPEG 2000 become RGB. Colours by a profile look as in "
          "print; the plain rule is what other loaders use.");
}

/// Which numbers become pixels.
void describeForm(Describe<Params>& d) {
  d.choice<DecodeForm>(
       "form", &Params::form,
       {{DecodeForm::Rgb, "rgb", "three channels; alpha is dropped"},
        {DecodeForm::Grey, "grey", "one channel, luma"},
        {DecodeForm::Stored, "stored", "every channel as f32, with the numbers of the file"}})
      .label("Channels")
      .help(
          "Channels of images and targets, whatever the file contains. stored keeps what the other "
          "forms reduce: 16 bits are 0 to 65535, floats and signed numbers are unchanged, and "
          "alpha and further channels stay. Colours, profiles and palettes are not applied.");
  d.integer("channels", &Params::channels)
      .label("Stored channels")
      .range(1, kMostFloatChannels)
      .usedWith("form", {"stored"})
      .help("The number of channels that every file must have; other files fail.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("decode", Category::Decode, NodeRole::Image);
  d.label("Decode image")
      .help(
          "Decodes " + pictureFormats() +
          " files to pixels: u8, height x width x channels, 0 to 255; or f32 with form stored. "
          "Crops and resizes that "
          "directly follow are done during decoding, so that pixels "
          "that are not needed are never computed. A damaged file fails its sample and reports the "
          "reason.");
  d.example(R"({"form": "rgb", "scaling": "auto"})");
  for (const CodecEntry& codec : allCodecs()) d.tag(lowerCase(codec.format));
  for (const char* tag : {"image", "read", "imread", "exif", "mask"}) d.tag(tag);
  describeForm(d);
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
  describeIncomplete(d);
  describeColours(d);
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
  addExporters(d);
  return d.take();
}

}  // namespace millrace::nodes::decode
