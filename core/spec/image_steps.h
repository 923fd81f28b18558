// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/result.h"
#include "core/data/border.h"
#include "core/data/filter.h"
#include "core/data/image_view.h"
#include "core/data/stream_type.h"

namespace millrace {

/// How a picture is padded: with `colour` if it holds bytes, with `values` if floats. Masks get
/// `mask`, a class index in every channel or a colour.
struct PadFill {
  Border border = Border::Constant;
  std::array<std::uint8_t, 4> colour{};
  std::array<float, kMostFloatChannels> values{};
  std::array<std::uint8_t, 4> mask{};
};

/// What axis-aligned geometry does to a picture, as numbers instead of pixels: a part of the
/// source, resampled at most once, a part of that, padded at most once, a part of that, mirrored.
/// Each step describes what it does to the picture that it sees; the decoder and one pixel pass
/// then do everything at once (docs/reference/regions-and-queues.md).
///
/// Coordinates are those of the coarsest picture field of the sample. For a field whose pictures
/// are k times as large, every number is multiplied by k, so fields of different sizes stay
/// aligned.
class Window {
 public:
  /// `imageRatio`: pixels of the image field per pixel of the coarsest field. `boxes`: the sample's
  /// boxes before any step, in pixels of the image field; they must outlive the window.
  Window(Size picture, int imageRatio, std::span<const Box> boxes = {})
      : m_source{0, 0, picture.width, picture.height}, m_imageRatio(imageRatio), m_boxes(boxes) {}

  /// Size of the picture as the next step sees it.
  Size size() const { return m_padded ? m_view.size() : cut().size(); }
  int imageRatio() const { return m_imageRatio; }
  std::span<const Box> boxes() const { return m_boxes; }
  /// Converts a length in image pixels to pixels of the coarsest field; an error if the result is
  /// not a whole number.
  Result<int> fromImagePixels(std::int64_t pixels) const;

  /// Keeps `part`, which must lie within size().
  void crop(Rect part);
  /// Resamples to `size`. At most once: the plan never joins two resizing nodes.
  void resize(Size size, Filter filter, bool antialias);
  /// Adds this many pixels on each side. At most once, and nothing may be resampled afterwards.
  void pad(int left, int top, int right, int bottom, const PadFill& fill);
  /// Boxes stay only if their centre is in `part`, which is in pixels of the image field before any
  /// step. At most once.
  void keepCentres(const Box& part) { m_centres = part; }
  void flipHorizontally() { m_flipX = !m_flipX; }
  void flipVertically() { m_flipY = !m_flipY; }

  const std::optional<Box>& centres() const { return m_centres; }
  const Rect& source() const { return m_source; }
  bool resized() const { return m_resized; }
  /// Size of the resampled picture, or of the source part if no step resizes.
  Size resizedTo() const { return m_resized ? m_resizedTo : m_source.size(); }
  /// The part of the resampled picture that is kept.
  Rect cut() const { return m_resized ? m_cut : Rect{0, 0, m_source.width, m_source.height}; }
  bool flippedX() const { return m_flipX; }
  bool flippedY() const { return m_flipY; }
  Filter filter() const { return m_filter; }
  bool antialias() const { return m_antialias; }

  bool padded() const { return m_padded; }
  /// The position of the cut on the padded picture, whose size is canvas(); both before mirroring.
  Rect placed() const { return m_placed; }
  Size canvas() const { return m_canvas; }
  /// The part of the padded picture that is kept.
  Rect view() const { return m_view; }
  const PadFill& fill() const { return m_fill; }

 private:
  Rect m_source;
  int m_imageRatio;
  std::span<const Box> m_boxes;
  std::optional<Box> m_centres;
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
  /// Draws from `draw` and changes the window. An error fails this sample only.
  virtual Status apply(Window& window, Draw& draw) const = 0;
  /// Whether it resamples: the plan joins at most one such step into a pass.
  virtual bool resizes() const { return false; }
  /// Whether it may pad: the plan joins at most one such step into a pass, and no resampling step
  /// after it.
  virtual bool pads() const { return false; }
};

/// The form in which pictures are decoded.
enum class DecodeForm : std::uint8_t { Rgb, Grey, Stored };

struct DecodeStep {
  DecodeForm form = DecodeForm::Rgb;  ///< image and target fields; masks keep their indices
  int channels = 3;                   ///< with DecodeForm::Stored: what every file must have
  bool applyOrientation = true;
  bool scaling = true;       ///< may decode at a reduced DCT scale that still has enough pixels for
                             ///< the result
  bool colourMasks = false;  ///< decode masks to RGB instead of indices
  bool ownDecoder = true;    ///< false: the format's library decodes every file; equal pixels,
                             ///< slower
  std::size_t sideIndexBytes = 0;  ///< memory limit of the side indices; 0: none are kept
  /// For JPEG files of the built-in decoder that are resized in the same pass: resize luma and
  /// chroma separately and convert the colours of the result. Faster, but the pixels differ.
  bool resizePlanes = false;
  bool fillTruncated = false;  ///< what is missing at the end of a file is grey; false: it fails
  bool refuseSeveral =
      false;  ///< files with several pages or frames fail; false: the first is used
  /// What transparent pixels of images and targets show; nullopt: alpha is dropped.
  std::optional<std::array<std::uint8_t, 3>> background;
  bool cmykProfile = false;  ///< apply the profiles of CMYK files
};

/// (x - mean) / deviation per channel, with x from 0 to 1. A single entry applies to every channel.
struct NormaliseStep {
  std::vector<double> mean;
  std::vector<double> deviation;
};

/// Element type and layout of the resulting pictures; Plain keeps the layout.
struct FormStep {
  DType dtype = DType::F32;
  Layout layout = Layout::Plain;
};

/// Makes several views of a picture: fields with the same pixels, one after the other in its place.
/// Later steps choose among them.
struct ViewsStep {
  std::size_t count = 2;
};
/// The name of the view with this index: "view_1" for 0.
inline std::string viewName(std::size_t index) { return "view_" + std::to_string(index + 1); }

/// What a node does to pictures, in a form that the plan can join with its neighbours. Exactly one
/// member is set.
struct ImageStep {
  std::optional<DecodeStep> decode;
  std::optional<ViewsStep> views;
  std::shared_ptr<const WindowStep> window;
  std::optional<NormaliseStep> normalise;
  std::optional<FormStep> form;
};

}  // namespace millrace
