// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/sample_data/sample_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/codecs/encode.h"
#include "core/sample_data/brush.h"
#include "core/sample_data/chess_records.h"
#include "core/sample_data/image_filters.h"

namespace millrace::samples {
namespace {

using Files = Result<std::vector<SampleFile>>;

Draw drawOf(const SamplePlace& place, std::string_view kind) {
  return Draw(DrawKey{place.seed, 0, place.index, 0, static_cast<std::uint32_t>(fnv1a(kind))});
}

ImageView viewOf(const std::vector<std::uint8_t>& pixels, Size size, int channels) {
  return {pixels.data(), size.width, size.height, channels,
          static_cast<std::ptrdiff_t>(size.width) * channels};
}

/// zlib's level 4 takes two thirds of level 6's time, with half a percent more bytes.
Result<std::vector<std::byte>> png(ImageView image) { return encodePng(image, {.level = 4}); }

/// Collects a sample's files, or an encoder's first error.
class SampleFiles {
 public:
  void add(std::string path, Result<std::vector<std::byte>> bytes) {
    if (bytes.ok())
      m_files.push_back({std::move(path), bytes.take()});
    else if (!m_error)
      m_error = bytes.error();
  }
  void add(SampleFile file) { m_files.push_back(std::move(file)); }
  Files take() {
    if (m_error) return *m_error;
    return std::move(m_files);
  }

 private:
  std::vector<SampleFile> m_files;
  std::optional<Error> m_error;
};

Canvas::Exposure exposureOf(Draw& draw, double leastNoise, double mostNoise) {
  return {static_cast<float>(draw.uniform(0.8, 1.15)), static_cast<float>(draw.uniform(0.05, 0.4)),
          static_cast<float>(draw.uniform(leastNoise, mostNoise)), draw.bits() % 262144U};
}

const char* part(const SamplePlace& place) {
  return place.index < trainingPart(place.count) ? "train" : "val";
}

/// Half are 500x375; the others are such that the mean is ImageNet's 468x401.
Size photoSize(Draw& draw) {
  const double u = draw.unit();
  if (u < 0.50) return {500, 375};
  if (u < 0.69) return {375, 500};
  if (u < 0.80) return {500, 333};
  if (u < 0.84) return {333, 500};
  if (u < 0.88) return {500, 500};
  return {static_cast<int>(draw.integer(250, 724)), static_cast<int>(draw.integer(250, 448))};
}

Files drawPhoto(const TextureTiles& tiles, const SamplePlace& place) {
  Draw draw = drawOf(place, "imagenet");
  const Size size = photoSize(draw);
  Canvas canvas(size, tiles);
  Brush brush(canvas, draw);
  // Few photos have fewer classes, so that validation has each of them.
  const auto classes = std::clamp<std::size_t>(place.count / 5, 2, subjectNames().size());
  const std::size_t kind = place.index % classes;
  paintBackground(brush);
  paintClutter(brush, static_cast<int>(draw.integer(2, 12)));
  paintSubject(brush, kind);
  const auto rgb = canvas.develop(exposureOf(draw, 0.01, 0.06));
  SampleFiles files;
  files.add(fmt::format("{}/{}/{:05}.jpg", part(place), subjectNames()[kind], place.index),
            encodeJpeg(viewOf(rgb, size, 3), {.quality = static_cast<int>(draw.integer(93, 98))}));
  return files.take();
}

Files drawPet(const TextureTiles& tiles, const SamplePlace& place) {
  Draw draw = drawOf(place, "cats-vs-dogs");
  const Size size = {static_cast<int>(draw.integer(150, 500)),
                     static_cast<int>(draw.integer(150, 500))};
  Canvas canvas(size, tiles);
  Brush brush(canvas, draw);
  const bool dog = place.index % 2 == 1;
  paintBackground(brush);
  paintClutter(brush, static_cast<int>(draw.integer(0, 6)));
  dog ? paintDog(brush) : paintCat(brush);
  const auto rgb = canvas.develop(exposureOf(draw, 0.01, 0.05));
  SampleFiles files;
  files.add(fmt::format("{}/{}/{:05}.jpg", part(place), dog ? "dogs" : "cats", place.index),
            encodeJpeg(viewOf(rgb, size, 3), {.quality = static_cast<int>(draw.integer(75, 95))}));
  return files.take();
}

std::vector<std::uint8_t> drawScene(const TextureTiles& tiles, Draw& draw, Size size,
                                    double noise) {
  Canvas canvas(size, tiles);
  Brush brush(canvas, draw);
  paintBackground(brush);
  paintClutter(brush, static_cast<int>(draw.integer(8, 30)));
  const auto last = static_cast<std::int64_t>(subjectNames().size()) - 1;
  for (auto things = draw.integer(1, 3); things > 0; --things)
    paintSubject(brush, static_cast<std::size_t>(draw.integer(0, last)));
  return canvas.develop(exposureOf(draw, 0.2 * noise, noise));
}

Files drawScalePair(const TextureTiles& tiles, const SamplePlace& place) {
  constexpr Size kHigh = {984, 796};
  constexpr int kRatio = 4;
  Draw draw = drawOf(place, "pairs984");
  const auto high = drawScene(tiles, draw, kHigh, 0.02);
  const auto low = downscaled(viewOf(high, kHigh, 3), kRatio);
  const std::string name = fmt::format("{:04}.png", place.index);
  SampleFiles files;
  files.add("high/" + name, png(viewOf(high, kHigh, 3)));
  files.add("low/" + name, png(viewOf(low, {kHigh.width / kRatio, kHigh.height / kRatio}, 3)));
  return files.take();
}

Files drawBlurPair(const TextureTiles& tiles, const SamplePlace& place) {
  constexpr Size kSize = {640, 360};
  Draw draw = drawOf(place, "deblurring");
  const auto sharp = drawScene(tiles, draw, kSize, 0.01);
  const auto unpromising =
      blurred(viewOf(sharp, kSize, 3), draw, static_cast<float>(draw.uniform(5, 19)));
  const std::string name = fmt::format("{:04}.png", place.index);
  SampleFiles files;
  files.add("sharp/" + name, png(viewOf(sharp, kSize, 3)));
  files.add("blurred/" + name, png(viewOf(unpromising, kSize, 3)));
  return files.take();
}

constexpr std::uint32_t kPositions = 8192;  ///< per shard

/// Single positions are too small for files.
Files drawChess(const TextureTiles&, const SamplePlace& place) {
  Draw draw = drawOf(place, "chess");
  SampleFile shard{fmt::format("games-{:05}-of-{:05}.tfrecord", place.index, place.count), {}};
  for (const ChessRecord& record : playChess(draw, kPositions)) appendTfRecord(record, shard.bytes);
  return std::vector{std::move(shard)};
}

std::vector<std::uint8_t> inColours(const std::vector<std::uint8_t>& labels) {
  std::vector<std::uint8_t> rgb;
  rgb.reserve(labels.size() * 3);
  for (const std::uint8_t label : labels) {
    const StreetClass& entry = streetClasses()[label];
    rgb.insert(rgb.end(), {entry.r, entry.g, entry.b});
  }
  return rgb;
}

Files drawStreet(const TextureTiles& tiles, const SamplePlace& place) {
  constexpr Size kSize = {480, 360};
  Draw draw = drawOf(place, "camvid");
  Canvas canvas(kSize, tiles);
  Brush brush(canvas, draw);
  paintStreet(brush);
  const auto rgb = canvas.develop(exposureOf(draw, 0.01, 0.03));
  const std::string name = fmt::format("{:04}.png", place.index);
  SampleFiles files;
  files.add("images/" + name, png(viewOf(rgb, kSize, 3)));
  files.add("labels/" + name, png(viewOf(canvas.labels(), kSize, 1)));
  files.add("labels_colour/" + name, png(viewOf(inColours(canvas.labels()), kSize, 3)));
  return files.take();
}

SampleFile textFile(std::string path, std::string_view text) {
  SampleFile file{std::move(path), std::vector<std::byte>(text.size())};
  std::ranges::transform(text, file.bytes.begin(),
                         [](char letter) { return static_cast<std::byte>(letter); });
  return file;
}

/// A photo-like picture of 0 to 8 things with their boxes in YOLO's format.
Files drawObjects(const TextureTiles& tiles, const SamplePlace& place) {
  Draw draw = drawOf(place, "objects");
  const Size size = draw.bernoulli(0.7) ? Size{640, 480} : Size{480, 640};
  Canvas canvas(size, tiles);
  Brush brush(canvas, draw);
  paintBackground(brush);
  std::string lines;
  const auto last = static_cast<std::int64_t>(subjectNames().size()) - 1;
  for (auto things = draw.integer(0, 8); things > 0; --things) {
    const auto kind = static_cast<std::size_t>(draw.integer(0, last));
    const Rect box = paintObject(brush, kind);
    if (box.width == 0) continue;
    lines += fmt::format(
        "{} {:.6f} {:.6f} {:.6f} {:.6f}\n", kind, (box.x + box.width / 2.0) / size.width,
        (box.y + box.height / 2.0) / size.height, static_cast<double>(box.width) / size.width,
        static_cast<double>(box.height) / size.height);
  }
  const auto rgb = canvas.develop(exposureOf(draw, 0.01, 0.05));
  const std::string name = fmt::format("{}/{:05}", part(place), place.index);
  SampleFiles files;
  files.add("images/" + name + ".jpg",
            encodeJpeg(viewOf(rgb, size, 3), {.quality = static_cast<int>(draw.integer(88, 95))}));
  files.add(textFile("labels/" + name + ".txt", lines));
  return files.take();
}

std::vector<SampleFile> objectNames() {
  std::string text = "path: .\ntrain: images/train\nval: images/val\nnames:\n";
  for (std::size_t i = 0; i < subjectNames().size(); ++i)
    text += fmt::format("  {}: {}\n", i, subjectNames()[i]);
  return {textFile("data.yaml", text)};
}

std::vector<SampleFile> classTable() {
  std::string text = "name,r,g,b\n";
  for (const StreetClass& entry : streetClasses())
    text += fmt::format("{},{},{},{}\n", entry.name, entry.r, entry.g, entry.b);
  return {textFile("classes.csv", text)};
}

constexpr std::array kEntries = {
    SampleKindEntry{"imagenet",
                    "JPEG photos of about 468x401 and 110 KB in ten class folders, below train and "
                    "val",
                    600, 1, drawPhoto, nullptr, 1, true},
    SampleKindEntry{"cats-vs-dogs",
                    "JPEG photos of 150 to 500 pixels in two class folders, below train and val",
                    600, 1, drawPet, nullptr, 1, true},
    SampleKindEntry{"pairs984", "PNG pairs for super-resolution: high (984x796) and low (246x199)",
                    40, 1, drawScalePair},
    SampleKindEntry{"deblurring", "PNG pairs of 640x360: sharp, and blurred by camera or focus", 64,
                    1, drawBlurPair},
    SampleKindEntry{"camvid",
                    "PNG street pictures of 480x360 (images), masks of 12 classes as indices "
                    "(labels) and as colours (labels_colour, classes.csv)",
                    120, 1, drawStreet, classTable},
    SampleKindEntry{
        "objects",
        "JPEG photos of 640x480 with up to eight things and their boxes in YOLO's format, "
        "in train and val",
        400, 1, drawObjects, objectNames, 1, true},
    SampleKindEntry{"chess",
                    "TFRecord shards of 8192 positions each from games played at random: packed "
                    "boards (d) and scores (s)",
                    12, 1, drawChess, nullptr, kPositions},
};

}  // namespace

std::span<const SampleKindEntry> sampleKindEntries() { return kEntries; }

}  // namespace millrace::samples
