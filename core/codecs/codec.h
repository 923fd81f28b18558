// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/codecs/decode_route.h"
#include "core/codecs/reduction.h"
#include "core/data/buffer.h"
#include "core/data/image_view.h"
#include "core/data/sampled_planes.h"

namespace millrace {

class Codec;
struct StoredRequest;

/// What the decoded pixels mean.
enum class PixelForm : std::uint8_t {
  /// Three channels. Alpha is dropped (like Pillow's convert("RGB")) unless the request has a
  /// background; grey, palette, 16-bit and CMYK images are converted.
  Rgb,
  /// One channel: ITU-R 601 luma. A YCbCr JPEG gives its Y plane as stored, which may differ from
  /// the luma of its rounded RGB by up to 2.
  Grey,
  /// Unchanged values, for masks: palette indices or grey values, never scaled to the full range,
  /// in one channel. A colour image gives its RGB (colour masks), so check `channels`. A grey value
  /// that is not a whole number from 0 to 255 is an error.
  Index,
  /// Every channel, alpha included, with the numbers of the file as f32 in
  /// `DecodedImage::values`: 0 to 65535 for 16 bits, indices for a palette; integers above 2^24 and
  /// f64 are rounded. A file whose codec drops bits or channels is an error.
  Stored,
  /// Rgb and alpha, which is 255 where the file has no transparency. Colours are not multiplied by
  /// alpha.
  Rgba,
};

/// What the file's header says.
struct ImageInfo {
  std::string_view format;  ///< As in CodecEntry: "JPEG", "PNG", ...; static storage.
  Size size;                ///< As displayed: with the EXIF orientation applied.
  Size storedSize;          ///< Without the orientation.
  int storedChannels = 0;   ///< 1: grey or palette, 2: grey and alpha, 3: colour, 4: with alpha, or
                            ///< CMYK. TIFF may have more.
  int bitDepth = 8;         ///< Of one stored sample: 1 to 16, 32, 64.
  /// Why no form except Stored decodes it, and Index if it has one channel: "it holds
  /// floating-point numbers of 32 bits, which have no colours"; empty if all do.
  std::string onlyStored;
  int orientation = 1;  ///< EXIF 1 to 8; 1 if it is missing or invalid.
  bool isPalette = false;
  /// JPEG and PNG: the decoder that the header selects, and why.
  DecodeRoute route = DecodeRoute::Other;
  /// What the file holds and pixels of the form Rgb do not.
  Reductions reduced;
};

struct DecodeRequest {
  /// In full-scale pixels of the displayed image (of the stored one without applyOrientation);
  /// empty: all.
  Rect region{};
  /// {0, 0}: full scale; else the smallest scale at which the region still has at least this size.
  /// A side of 0 is ignored. Only JPEG scales; other formats are decoded at full scale.
  Size cover{};
  /// The part of the region that will be used, in the same pixels; empty: all of it. The scale is
  /// chosen for the whole region.
  Rect wanted{};
  PixelForm form = PixelForm::Rgb;
  bool applyOrientation = true;
  /// false: decode JPEG with libjpeg-turbo and PNG with libspng, whatever the file. Equal pixels,
  /// slower.
  bool ownDecoder = true;
  /// For JPEG files of the built-in decoder: return the components as stored in
  /// `DecodedImage::planes` instead of pixels; luma alone for Grey and for a grey file. All other
  /// files give pixels.
  bool planes = false;
  /// JPEG, and PNG without interlace: pixels that a truncated file does not hold are grey, as
  /// viewers show them, and counted as a warning; false: such a file is an error. PNG of the form
  /// Stored is always an error.
  bool fillTruncated = false;
  /// Forms Rgb and Grey: transparent pixels show this colour; nullopt: alpha is dropped.
  std::optional<std::array<std::uint8_t, 3>> background{};
  /// CMYK files with an ICC profile: apply it, instead of the rule for files without one.
  bool cmykProfile = false;
  /// For JPEG files of the built-in decoder: data that earlier decodes of the same file stored
  /// here, so that the parts above and to the right of the region can be skipped; initially empty
  /// (core/codecs/jpeg/side_index.h). The pixels are equal. nullptr: not used.
  std::vector<std::byte>* sideIndex = nullptr;
};

/// What pixels of the request lack, of what a file's header reports. A mask of indices keeps its
/// values, so neither its bits nor its colours are reduced.
Reductions lostBy(const DecodeRequest& request, Reductions inFile);

/// How a decode used DecodeRequest::sideIndex.
struct SideIndexUse {
  std::size_t skippedMcus = 0;  ///< MCUs that it allowed to skip
  bool changed = false;         ///< its content has changed and is worth keeping
  bool wrong = false;           ///< it was damaged or belongs to another file, and was not used
};

struct DecodedImage {
  ImageView pixels;
  ValueView values;  ///< Set instead of `pixels` for PixelForm::Stored.
  /// The requested region in the coordinates of `pixels`. If all of it was wanted: at scale 1
  /// exactly `pixels`, else with edges that may lie inside the outermost pixels. If a part was
  /// wanted, `pixels` hold that part and the region extends beyond them.
  Box region;
  /// Set instead of `pixels` and `region` if planes were requested and available.
  SampledPlanes planes;
  int scale = 1;  ///< 1, 2, 4 or 8: each pixel covers scale x scale pixels of the file.
  /// Damaged places that the codec skipped like other readers do (wrong pixels, but no error).
  int warnings = 0;
  DecodeRoute route = DecodeRoute::Other;
  SideIndexUse sideIndex;
};

/// Limits that are checked before memory is allocated.
struct DecodeLimits {
  std::int64_t pixels = 256LL << 20;
  /// Scans of a progressive JPEG; scans times pixels is limited too (16 full scans).
  int scans = 100;
};

/// The largest of 1, 2, 4, 8 by which `region` can be divided and still be at least `cover`.
int scaleCovering(Size region, Size cover);
/// The position of `region`, given that `known` is at `box`: for another part of a decoded region.
/// Scales are powers of two, so this is exact.
Box boxOf(Rect region, Rect known, const Box& box);

/// Decodes any supported image file from memory. Owns one codec per format and buffers that only
/// grow: in the steady state it does not allocate (the codec libraries do). Pixels never depend on
/// files decoded earlier. A file is only read as far as the region's last row needs, so damage
/// below it is not detected. For use by one thread.
class ImageDecoder {
 public:
  explicit ImageDecoder(DecodeLimits limits = {});
  ~ImageDecoder();
  ImageDecoder(ImageDecoder&&) noexcept;
  ImageDecoder& operator=(ImageDecoder&&) noexcept;

  /// Detects the format by the first bytes and reads the header. `bytes` are borrowed and must stay
  /// valid until the next open(). For unsupported, damaged and implausible files the error is a
  /// sentence.
  /// A mark of choosePicture() (several_pictures.h) selects one of several pictures.
  Result<ImageInfo> open(std::span<const std::byte> bytes);

  /// Decodes from the file opened last; may be called several times. A region has exactly the
  /// pixels that the whole image has at the same scale. The pixels are valid until the next open()
  /// or decode(). Fails for damaged and truncated data (with the place), for a region outside the
  /// image, and for a wanted part outside the region.
  Result<DecodedImage> decode(const DecodeRequest& request);

 private:
  Result<DecodedImage> decodeStored(StoredRequest request);
  /// The numbers of a mask as indices.
  Status narrow(DecodedImage& image);
  Result<DecodedImage> decodeOnto(const std::array<std::uint8_t, 3>& background,
                                  StoredRequest request);
  void orient(DecodedImage& image, int orientation);

  DecodeLimits m_limits;
  std::vector<std::unique_ptr<Codec>> m_codecs;  // In the order of codecs.def, created on demand.
  Codec* m_current = nullptr;
  ImageInfo m_info;
  std::array<Buffer, 3> m_oriented;  ///< the pixels or values, or each plane
  Buffer m_values;                   ///< of pixels that were decoded to bytes
  Buffer m_blended;                  ///< pixels without their alpha
  Buffer m_narrowed;                 ///< of a mask of large or signed numbers
};

}  // namespace millrace
