// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/random.h"
#include "core/base/result.h"
#include "core/data/border.h"
#include "core/data/filter.h"
#include "core/data/image_view.h"
#include "core/data/stream_type.h"

namespace millrace {

/// How a picture is made larger. `mask` is the index that masks get where pictures get `colour`.
struct PadFill {
  Border border = Border::Constant;
  std::array<std::uint8_t, 4> colour{};
  std::uint8_t mask = 0;
};

/// What axis-aligned geometry makes of a picture, as numbers instead of pixels: a part of the
/// source, resampled at most once, a part of that, padded at most once, a part of that, mirrored.
/// Steps say what they do to the picture
/// as they see it; the decoder and one pixel pass then do it all at once (CONTRACT §6).
///
/// Coordinates are those of the coarsest picture field of the sample. A field whose pictures are k
/// times as large gets every number times k, so fields of different size stay in step.
class Window {
 public:
  /// `imageRatio`: pixels of the image field for one pixel of the coarsest field.
  Window(Size picture, int imageRatio)
      : m_source{0, 0, picture.width, picture.height}, m_imageRatio(imageRatio) {}

  /// Size of the picture as the next step sees it.
  Size size() const { return m_padded ? m_view.size() : cut().size(); }
  int imageRatio() const { return m_imageRatio; }
  /// A length that a parameter gives in image pixels; an error when it falls between two pixels
  /// of the coarsest field.
  Result<int> fromImagePixels(std::int64_t pixels) const;

  /// Keeps `part`, which lies within size().
  void crop(Rect part);
  /// Resamples to `size`. At most once: the plan never joins two resizing nodes.
  void resize(Size size, Filter filter, bool antialias);
  /// Adds so many pixels at each side. At most once, and nothing is resampled after it.
  void pad(int left, int top, int right, int bottom, const PadFill& fill);
  void flipHorizontally() { m_flipX = !m_flipX; }
  void flipVertically() { m_flipY = !m_flipY; }

  const Rect& source() const { return m_source; }
  bool resized() const { return m_resized; }
  /// Size of the resampled picture; that of the source part when nothing resized it.
  Size resizedTo() const { return m_resized ? m_resizedTo : m_source.size(); }
  /// The kept part of the resampled picture.
  Rect cut() const { return m_resized ? m_cut : Rect{0, 0, m_source.width, m_source.height}; }
  bool flippedX() const { return m_flipX; }
  bool flippedY() const { return m_flipY; }
  Filter filter() const { return m_filter; }
  bool antialias() const { return m_antialias; }

  bool padded() const { return m_padded; }
  /// Where the cut lies on the padded picture, whose size is canvas(); both before mirroring.
  Rect placed() const { return m_placed; }
  Size canvas() const { return m_canvas; }
  /// The kept part of the padded picture.
  Rect view() const { return m_view; }
  const PadFill& fill() const { return m_fill; }

 private:
  Rect m_source;
  int m_imageRatio;
  bool m_resized = false;
  Size m_resizedTo;
  Rect m_cut;
  bool m_flipX = false;
  bool m_flipY = false;
  Filter m_filter = Filter::Bilinear;
  bool m_antialias = true;
  bool m_padded = false;
  Size m_canvas;
  Rect m_placed;
  Rect m_view;
  PadFill m_fill;
};

/// A geometric node as a step on a Window. Constant after construction; any thread.
class WindowStep {
 public:
  virtual ~WindowStep() = default;
  /// Draws from `draw` and changes the window; an error concerns this sample alone.
  virtual Status apply(Window& window, Draw& draw) const = 0;
  /// Whether it resamples: the plan joins at most one such step into a pass.
  virtual bool resizes() const { return false; }
  /// Whether it may pad: the plan joins at most one such step, and no resampling one after it.
  virtual bool pads() const { return false; }
};

/// What a picture becomes when its file is decoded.
enum class DecodeForm : std::uint8_t { Rgb, Grey };

struct DecodeStep {
  DecodeForm form = DecodeForm::Rgb;  ///< image and target; masks keep their indices
  bool applyOrientation = true;
  bool scaling = true;       ///< may decode at a DCT scale that still covers what is wanted
  bool colourMasks = false;  ///< masks become RGB in place of indices
  bool ownDecoder = true;    ///< off: every file by its format's library; the same pixels, later
  std::size_t sideIndexBytes = 0;  ///< that side indices may take; 0: none are kept
  /// JPEG of our own decoder that is resized in the same pass: luma and chroma each by itself,
  /// colours converted in the result. Other pixels, sooner.
  bool resizePlanes = false;
};

/// (x - mean) / deviation by channel, x in 0 to 1. One entry counts for every channel.
struct NormaliseStep {
  std::vector<double> mean;
  std::vector<double> deviation;
};

/// Element type and layout that pictures leave in; Plain keeps the layout.
struct FormStep {
  DType dtype = DType::F32;
  Layout layout = Layout::Plain;
};

/// What a node does to pictures, in terms that the plan can join with its neighbours. Exactly one
/// member is set.
struct ImageStep {
  std::optional<DecodeStep> decode;
  std::shared_ptr<const WindowStep> window;
  std::optional<NormaliseStep> normalise;
  std::optional<FormStep> form;
};

}  // namespace millrace
