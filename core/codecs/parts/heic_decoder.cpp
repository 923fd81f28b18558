// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <libheif/heif.h>

#include "core/base/loaded_library.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/parts/part_decoders.h"
#include "core/codecs/parts/whole_picture.h"
#include "core/codecs/several_pictures.h"

namespace millrace {
namespace {

/// Predicted blocks may take no bits at all; DecodeLimits::pixels protects.
constexpr std::int64_t kHeicPixelsPerByte = std::int64_t{1} << 28U;

/// libheif's functions.
struct HeifLibrary {
  decltype(&::heif_get_version_number) version = nullptr;
  decltype(&::heif_context_alloc) allocate = nullptr;
  decltype(&::heif_context_free) free = nullptr;
  decltype(&::heif_context_set_max_decoding_threads) setThreads = nullptr;
  decltype(&::heif_context_read_from_memory_without_copy) read = nullptr;
  decltype(&::heif_context_get_number_of_top_level_images) pictures = nullptr;
  decltype(&::heif_context_get_list_of_top_level_image_IDs) pictureIds = nullptr;
  decltype(&::heif_context_get_image_handle) picture = nullptr;
  decltype(&::heif_context_read_from_reader) readBy = nullptr;
  decltype(&::heif_context_get_primary_image_handle) primary = nullptr;
  decltype(&::heif_image_handle_release) releaseHandle = nullptr;
  decltype(&::heif_image_handle_get_width) width = nullptr;
  decltype(&::heif_image_handle_get_height) height = nullptr;
  decltype(&::heif_image_handle_has_alpha_channel) hasAlpha = nullptr;
  decltype(&::heif_image_handle_get_luma_bits_per_pixel) bits = nullptr;
  decltype(&::heif_image_handle_get_raw_color_profile_size) profileSize = nullptr;
  decltype(&::heif_image_handle_get_raw_color_profile) profile = nullptr;
  decltype(&::heif_decoding_options_alloc) allocateOptions = nullptr;
  decltype(&::heif_decoding_options_free) freeOptions = nullptr;
  decltype(&::heif_decode_image) decode = nullptr;
  decltype(&::heif_image_release) release = nullptr;
  decltype(&::heif_image_get_primary_width) imageWidth = nullptr;
  decltype(&::heif_image_get_primary_height) imageHeight = nullptr;
  decltype(&::heif_image_get_plane_readonly) plane = nullptr;

  static Result<HeifLibrary> load() {
    MILLRACE_ASSIGN_OR_RETURN(LoadedLibrary library, openPart("heif"));
    HeifLibrary heif;
    library.find(heif.version, "heif_get_version_number");
    library.find(heif.allocate, "heif_context_alloc");
    library.find(heif.free, "heif_context_free");
    library.find(heif.setThreads, "heif_context_set_max_decoding_threads");
    library.find(heif.read, "heif_context_read_from_memory_without_copy");
    library.find(heif.pictures, "heif_context_get_number_of_top_level_images");
    library.find(heif.pictureIds, "heif_context_get_list_of_top_level_image_IDs");
    library.find(heif.picture, "heif_context_get_image_handle");
    library.find(heif.readBy, "heif_context_read_from_reader");
    library.find(heif.primary, "heif_context_get_primary_image_handle");
    library.find(heif.releaseHandle, "heif_image_handle_release");
    library.find(heif.width, "heif_image_handle_get_width");
    library.find(heif.height, "heif_image_handle_get_height");
    library.find(heif.hasAlpha, "heif_image_handle_has_alpha_channel");
    library.find(heif.bits, "heif_image_handle_get_luma_bits_per_pixel");
    library.find(heif.profileSize, "heif_image_handle_get_raw_color_profile_size");
    library.find(heif.profile, "heif_image_handle_get_raw_color_profile");
    library.find(heif.allocateOptions, "heif_decoding_options_alloc");
    library.find(heif.freeOptions, "heif_decoding_options_free");
    library.find(heif.decode, "heif_decode_image");
    library.find(heif.release, "heif_image_release");
    library.find(heif.imageWidth, "heif_image_get_primary_width");
    library.find(heif.imageHeight, "heif_image_get_primary_height");
    library.find(heif.plane, "heif_image_get_plane_readonly");
    MILLRACE_TRY(library.complete());
    return heif;
  }
};

/// Loaded by the first file of the process.
const Result<HeifLibrary>& heifFunctions() {
  // Never destroyed: decoders that live as long as the program free their pictures with it.
  static const auto& functions = *new Result<HeifLibrary>(HeifLibrary::load());
  return functions;
}

struct FreeHeif {
  void operator()(heif_context* context) const { heifFunctions()->free(context); }
  void operator()(heif_image_handle* handle) const { heifFunctions()->releaseHandle(handle); }
  void operator()(heif_image* image) const { heifFunctions()->release(image); }
  void operator()(heif_decoding_options* options) const { heifFunctions()->freeOptions(options); }
};

/// Kinds of items that libheif before this version reads or writes past: overlays (its issue 1226
/// and later ones), masks (CVE-2026-32741) and uncompressed pictures (its issue 1508).
constexpr std::uint32_t kSafeItems = 0x01160200;
constexpr std::array<std::string_view, 3> kUnsafeItems = {"iovl", "mski", "unci"};

/// Whether one of the file's items is of this kind.
bool hasItem(std::span<const std::byte> file, std::string_view kind) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  for (std::size_t at = text.find(kind); at != text.npos; at = text.find(kind, at + 1))
    // Between the name of the box and the item's kind are version, flags, number and protection.
    for (const std::size_t before : {12U, 14U})
      if (at >= before && text.substr(at - before, 4) == "infe") return true;
  return false;
}

class HeicCodec final : public Codec {
 public:
  explicit HeicCodec(const DecodeLimits& limits) : m_limits(limits) {}

  Result<ImageInfo> open(std::span<const std::byte> file) override {
    return openChosen(file, std::nullopt);
  }
  Result<ImageInfo> openPicture(std::span<const std::byte> file, std::uint32_t picture) override {
    return openChosen(file, picture);
  }
  Result<DecodedImage> decode(const StoredRequest& request) override;

 private:
  Result<ImageInfo> openChosen(std::span<const std::byte> file,
                               std::optional<std::uint32_t> picture);
  Error failure(const heif_error& error) const;
  Status openHandle(std::optional<std::uint32_t> picture);
  heif_item_id idOf(std::uint32_t picture) const;
  std::string profile() const;
  Status decodeWhole();

  DecodeLimits m_limits;
  std::span<const std::byte> m_file;
  std::unique_ptr<heif_context, FreeHeif> m_context;
  std::unique_ptr<heif_image_handle, FreeHeif> m_handle;
  Size m_size;
  bool m_isDecoded = false;
  WholePicture m_whole;
};

Error HeicCodec::failure(const heif_error& error) const {
  if (error.subcode == heif_suberror_End_of_data || endsInsideBox(m_file))
    return truncatedAfter(m_file.size());
  return {fmt::format("damaged HEIC: {}",
                      error.message == nullptr ? "libheif rejects it" : error.message)};
}

/// 0 if the file has no such picture.
heif_item_id HeicCodec::idOf(std::uint32_t picture) const {
  const HeifLibrary& heif = *heifFunctions();
  const int count = std::max(heif.pictures(m_context.get()), 0);
  std::vector<heif_item_id> ids(static_cast<std::size_t>(count));
  const int listed = heif.pictureIds(m_context.get(), ids.data(), count);
  return picture < static_cast<std::uint32_t>(std::max(listed, 0)) ? ids[picture] : 0;
}

/// nullopt: the primary picture.
Status HeicCodec::openHandle(std::optional<std::uint32_t> picture) {
  const HeifLibrary& heif = *heifFunctions();
  m_handle.reset();
  m_context.reset(heif.allocate());
  if (!m_context) return Error{"not enough memory for a HEIC decoder"};
  // Workers decode in parallel.
  heif.setThreads(m_context.get(), 0);
  heif_error error = heif.read(m_context.get(), m_file.data(), m_file.size(), nullptr);
  if (error.code != heif_error_Ok) return failure(error);
  heif_image_handle* handle = nullptr;
  if (picture) {
    const heif_item_id id = idOf(*picture);
    if (id == 0) return Error{fmt::format("it has no picture {}; the file has changed", *picture)};
    error = heif.picture(m_context.get(), id, &handle);
  } else {
    error = heif.primary(m_context.get(), &handle);
  }
  if (error.code != heif_error_Ok) return failure(error);
  m_handle.reset(handle);
  return {};
}

std::string HeicCodec::profile() const {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
  const std::size_t size = heifFunctions()->profileSize(m_handle.get());
  if (size == 0 || size > kMostBytes) return {};
  std::string profile(size, '\0');
  const heif_error error = heifFunctions()->profile(m_handle.get(), profile.data());
  return error.code == heif_error_Ok ? profile : std::string();
}

Result<ImageInfo> HeicCodec::openChosen(std::span<const std::byte> file,
                                        std::optional<std::uint32_t> picture) {
  if (!heifFunctions()) return heifFunctions().error();
  const HeifLibrary& heif = *heifFunctions();
  m_file = file;
  m_isDecoded = false;
  for (const std::string_view kind : kUnsafeItems)
    if (heif.version() < kSafeItems && hasItem(file, kind))
      return Error{fmt::format(
          "not supported: HEIC file with an item `{}`, which libheif before 1.22.2 does not decode "
          "safely",
          kind)};
  MILLRACE_TRY(openHandle(picture));
  m_size = {heif.width(m_handle.get()), heif.height(m_handle.get())};
  if (m_size.width <= 0 || m_size.height <= 0)
    return Error{
        fmt::format("damaged HEIC: a size of {} x {} pixels", m_size.width, m_size.height)};
  ImageInfo info;
  info.format = "HEIC";
  info.storedSize = m_size;
  info.size = info.storedSize;
  const bool hasAlpha = heif.hasAlpha(m_handle.get()) != 0;
  info.storedChannels = hasAlpha ? 4 : 3;
  info.bitDepth = std::max(heif.bits(m_handle.get()), 8);
  info.reduced.addIf(heif.pictures(m_context.get()) > 1, Reduction::Frames);
  info.reduced.addIf(info.bitDepth > 8, Reduction::Bits);
  info.reduced.addIf(hasAlpha, Reduction::Alpha);
  info.reduced.addIf(!isSrgbProfile(profile()), Reduction::Profile);
  MILLRACE_TRY(checkPlausible(info.size, file.size(), m_limits, kHeicPixelsPerByte));
  return info;
}

Status HeicCodec::decodeWhole() {
  const HeifLibrary& heif = *heifFunctions();
  const std::unique_ptr<heif_decoding_options, FreeHeif> options(heif.allocateOptions());
  if (!options) return Error{"not enough memory for a HEIC decoder"};
  options->convert_hdr_to_8bit = 1;
  options->strict_decoding = 1;
  heif_image* decoded = nullptr;
  const bool hasAlpha = heif.hasAlpha(m_handle.get()) != 0;
  const heif_error error = heif.decode(
      m_handle.get(), &decoded, heif_colorspace_RGB,
      hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, options.get());
  const std::unique_ptr<heif_image, FreeHeif> image(decoded);
  if (error.code != heif_error_Ok) return failure(error);
  int stride = 0;
  const std::uint8_t* rows = heif.plane(image.get(), heif_channel_interleaved, &stride);
  if (rows == nullptr || heif.imageWidth(image.get()) != m_size.width ||
      heif.imageHeight(image.get()) != m_size.height)
    return Error{"damaged HEIC: its data has another size than its head"};
  std::uint8_t* to = m_whole.reserve(m_size, hasAlpha ? 4 : 3);
  for (int y = 0; y < m_size.height; ++y)
    std::copy_n(rows + static_cast<std::ptrdiff_t>(y) * stride, m_whole.stride(),
                to + static_cast<std::size_t>(y) * m_whole.stride());
  m_isDecoded = true;
  return {};
}

Result<DecodedImage> HeicCodec::decode(const StoredRequest& request) {
  if (!m_isDecoded) MILLRACE_TRY(decodeWhole());
  return m_whole.part(request.region, request.form);
}

/// A place in a file, as libheif reads it.
struct HeifPlace {
  const ReadBytes& read;
  std::int64_t at = 0;

  static HeifPlace& of(void* self) { return *static_cast<HeifPlace*>(self); }
  static std::int64_t position(void* self) { return of(self).at; }
  static int readOn(void* to, std::size_t bytes, void* self) {
    HeifPlace& place = of(self);
    const std::span<std::byte> memory(static_cast<std::byte*>(to), bytes);
    if (place.read(static_cast<std::uint64_t>(place.at), memory) != bytes) return 1;
    place.at += static_cast<std::int64_t>(bytes);
    return 0;
  }
  static int seek(std::int64_t to, void* self) {
    if (to < 0) return 1;
    of(self).at = to;
    return 0;
  }
  /// Whether the file has this many bytes.
  static heif_reader_grow_status waitFor(std::int64_t bytes, void* self) {
    std::byte last{};
    const bool has =
        bytes <= 0 || of(self).read(static_cast<std::uint64_t>(bytes) - 1, {&last, 1}) == 1;
    return has ? heif_reader_grow_status_size_reached : heif_reader_grow_status_size_beyond_eof;
  }
};

}  // namespace

std::uint32_t countHeicPictures(const ReadBytes& read) {
  if (!heifFunctions()) return 0;
  const HeifLibrary& heif = *heifFunctions();
  const std::unique_ptr<heif_context, FreeHeif> context(heif.allocate());
  if (!context) return 0;
  HeifPlace place{read};
  // Newer libraries have more functions in it, which version 1 does not call.
  heif_reader reader{};
  reader.reader_api_version = 1;
  reader.get_position = HeifPlace::position;
  reader.read = HeifPlace::readOn;
  reader.seek = HeifPlace::seek;
  reader.wait_for_file_size = HeifPlace::waitFor;
  if (heif.readBy(context.get(), &reader, &place, nullptr).code != heif_error_Ok) return 0;
  const int pictures = heif.pictures(context.get());
  return std::min(static_cast<std::uint32_t>(std::max(pictures, 0)), kMostPictures);
}

CodecLibrary heicLibrary() { return {"heif", LIBHEIF_VERSION}; }

std::unique_ptr<Codec> makeHeicDecoder(const DecodeLimits& limits) {
  return std::make_unique<HeicCodec>(limits);
}

}  // namespace millrace
