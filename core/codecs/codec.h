// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/codecs/decode_route.h"
#include "core/data/buffer.h"
#include "core/data/image_view.h"
#include "core/data/sampled_planes.h"

namespace millrace {

class Codec;

/// What the decoded pixels mean.
enum class PixelForm : std::uint8_t {
  /// Three channels. Alpha is dropped, not composited (as Pillow's convert("RGB") does); grey,
  /// palettes, 16 bit and CMYK are converted.
  Rgb,
  /// One channel, luma of ITU-R 601. A YCbCr JPEG gives its Y plane as stored, which may differ
  /// from the luma of its rounded RGB by 2.
  Grey,
  /// As stored, for masks: palette indices or grey values, never scaled to the full range, in one
  /// channel; a colour image gives its RGB (colour masks), so look at `channels`. A 16 bit grey
  /// value above 255 is an error.
  Index,
};

/// What a file says about itself, read from its head alone.
struct ImageInfo {
  std::string_view format;  ///< "JPEG", "PNG", "WebP", "TIFF", "BMP"; static storage.
  Size size;                ///< As seen, that is with the EXIF orientation applied.
  Size storedSize;          ///< Without it.
  int storedChannels = 0;  ///< 1 grey or palette, 2 grey and alpha, 3 colour, 4 with alpha or CMYK.
  int bitDepth = 8;        ///< Of one stored sample: 1, 2, 4, 8, 16.
  int orientation = 1;     ///< EXIF 1 to 8; 1 when absent or nonsense.
  bool isPalette = false;
  /// Of JPEG: the decoder that it goes to by its head, and why.
  DecodeRoute route = DecodeRoute::Other;
};

struct DecodeRequest {
  /// In full-scale pixels of the image as seen (as stored without applyOrientation); empty: all.
  Rect region{};
  /// {0, 0}: full scale; else the smallest scale at which the region still has at least this size.
  /// A side that is 0 asks nothing. Only JPEG scales; others answer at full scale.
  Size cover{};
  /// Part of the region that will be looked at, in the same pixels; empty: all of it. The scale is
  /// that of the whole region.
  Rect wanted{};
  PixelForm form = PixelForm::Rgb;
  bool applyOrientation = true;
  /// Off: JPEG by libjpeg-turbo and PNG by libspng, whatever the file. The pixels are the same, it
  /// takes longer.
  bool ownDecoder = true;
  /// JPEG by our own decoder: the components as they are stored, in `DecodedImage::planes`, and no
  /// pixels: luma alone for Grey and of a grey file. Everything else answers with pixels.
  bool planes = false;
  /// JPEG by our own decoder: what earlier decodes of this very file have left in it, so that what
  /// is above the region and right of it need not be decoded again; empty at first
  /// (core/codecs/jpeg/side_index.h). The pixels are the same. nullptr: nobody keeps it.
  std::vector<std::byte>* sideIndex = nullptr;
};

/// What `DecodeRequest::sideIndex` was to a decode.
struct SideIndexUse {
  std::size_t skippedMcus = 0;  ///< not decoded thanks to it
  bool changed = false;         ///< now holds something else, which is worth keeping
  bool wrong = false;           ///< was damaged or of another file, and left aside
};

struct DecodedImage {
  ImageView pixels;
  /// The asked region in coordinates of `pixels`. Where all of it was wanted, at scale 1 exactly
  /// all of `pixels`, else with edges that may lie inside the outermost pixels. Where a part was
  /// wanted `pixels` hold that part and the region reaches beyond them.
  Box region;
  /// In place of `pixels` and `region`, where the request asked for planes and got them.
  SampledPlanes planes;
  int scale = 1;  ///< 1, 2, 4 or 8: a pixel covers scale x scale pixels of the file.
  /// Damaged places which the codec passed over as other readers do (wrong pixels, no failure).
  int warnings = 0;
  DecodeRoute route = DecodeRoute::Other;
  SideIndexUse sideIndex;
};

/// Refused before memory is taken.
struct DecodeLimits {
  std::int64_t pixels = 256LL << 20;
  /// Scans of a progressive JPEG; their number times the pixels is limited too (16 full scans).
  int scans = 100;
};

/// The largest of 1, 2, 4, 8 by which `region` can shrink and still have the size `cover`.
int scaleCovering(Size region, Size cover);

/// Decodes any supported image file from memory. Owns one codec per format and buffers that only
/// grow: in the steady state it allocates nothing (the codec libraries do). Pixels never depend on
/// the files decoded before. A decode looks at a file no further than the region's last row needs,
/// so damage below goes unnoticed. One thread.
class ImageDecoder {
 public:
  explicit ImageDecoder(DecodeLimits limits = {});
  ~ImageDecoder();
  ImageDecoder(ImageDecoder&&) noexcept;
  ImageDecoder& operator=(ImageDecoder&&) noexcept;

  /// Finds the format by the first bytes and reads the head. `file` is borrowed and must live
  /// until the next open. Fails with a sentence for foreign, damaged and implausible files.
  Result<ImageInfo> open(std::span<const std::byte> file);

  /// Decodes from the file opened last; may be called several times. A region decoded alone has
  /// the very pixels of the whole decoded at the same scale. The pixels live until the next open
  /// or decode. Fails for damaged and truncated data (with the place) and for a region outside
  /// the image and a wanted part outside the region.
  Result<DecodedImage> decode(const DecodeRequest& request);

 private:
  void orient(ImageView& pixels, Box& region, int orientation, Buffer& memory) const;

  DecodeLimits m_limits;
  std::vector<std::unique_ptr<Codec>> m_codecs;  // In the order of codecs.def, made when needed.
  Codec* m_current = nullptr;
  ImageInfo m_info;
  std::array<Buffer, 3> m_oriented;  ///< pixels, or each plane
};

}  // namespace millrace
