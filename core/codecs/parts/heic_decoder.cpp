// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <libheif/heif.h>

#include "core/base/loaded_library.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/parts/part_decoders.h"
#include "core/codecs/parts/whole_picture.h"

namespace millrace {
namespace {

/// Predicted blocks may take no bits at all; DecodeLimits::pixels protects.
constexpr std::int64_t kHeicPixelsPerByte = std::int64_t{1} << 28U;

/// libheif's functions.
struct HeifLibrary {
  decltype(&::heif_context_alloc) allocate = nullptr;
  decltype(&::heif_context_free) free = nullptr;
  decltype(&::heif_context_set_max_decoding_threads) setThreads = nullptr;
  decltype(&::heif_context_read_from_memory_without_copy) read = nullptr;
  decltype(&::heif_context_get_number_of_top_level_images) pictures = nullptr;
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
    library.find(heif.allocate, "heif_context_alloc");
    library.find(heif.free, "heif_context_free");
    library.find(heif.setThreads, "heif_context_set_max_decoding_threads");
    library.find(heif.read, "heif_context_read_from_memory_without_copy");
    library.find(heif.pictures, "heif_context_get_number_of_top_level_images");
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

class HeicCodec final : public Codec {
 public:
  explicit HeicCodec(const DecodeLimits& limits) : m_limits(limits) {}

  Result<ImageInfo> open(std::span<const std::byte> file) override;
  Result<DecodedImage> decode(const StoredRequest& request) override;

 private:
  Error failure(const heif_error& error) const;
  Status openPrimary();
  std::string profile() const;
  Status decodeWhole();

  DecodeLimits m_limits;
  std::span<const std::byte> m_file;
  std::unique_ptr<heif_context, FreeHeif> m_context;
  std::unique_ptr<heif_image_handle, FreeHeif> m_primary;
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

Status HeicCodec::openPrimary() {
  const HeifLibrary& heif = *heifFunctions();
  m_primary.reset();
  m_context.reset(heif.allocate());
  if (!m_context) return Error{"not enough memory for a HEIC decoder"};
  // Workers decode in parallel.
  heif.setThreads(m_context.get(), 0);
  heif_error error = heif.read(m_context.get(), m_file.data(), m_file.size(), nullptr);
  if (error.code != heif_error_Ok) return failure(error);
  heif_image_handle* primary = nullptr;
  error = heif.primary(m_context.get(), &primary);
  if (error.code != heif_error_Ok) return failure(error);
  m_primary.reset(primary);
  return {};
}

std::string HeicCodec::profile() const {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
  const std::size_t size = heifFunctions()->profileSize(m_primary.get());
  if (size == 0 || size > kMostBytes) return {};
  std::string profile(size, '\0');
  const heif_error error = heifFunctions()->profile(m_primary.get(), profile.data());
  return error.code == heif_error_Ok ? profile : std::string();
}

Result<ImageInfo> HeicCodec::open(std::span<const std::byte> file) {
  if (!heifFunctions()) return heifFunctions().error();
  const HeifLibrary& heif = *heifFunctions();
  m_file = file;
  m_isDecoded = false;
  MILLRACE_TRY(openPrimary());
  m_size = {heif.width(m_primary.get()), heif.height(m_primary.get())};
  if (m_size.width <= 0 || m_size.height <= 0)
    return Error{
        fmt::format("damaged HEIC: a size of {} x {} pixels", m_size.width, m_size.height)};
  ImageInfo info;
  info.format = "HEIC";
  info.storedSize = m_size;
  info.size = info.storedSize;
  const bool hasAlpha = heif.hasAlpha(m_primary.get()) != 0;
  info.storedChannels = hasAlpha ? 4 : 3;
  info.bitDepth = std::max(heif.bits(m_primary.get()), 8);
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
  const bool hasAlpha = heif.hasAlpha(m_primary.get()) != 0;
  const heif_error error = heif.decode(
      m_primary.get(), &decoded, heif_colorspace_RGB,
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

}  // namespace

CodecLibrary heicLibrary() { return {"heif", LIBHEIF_VERSION}; }

std::unique_ptr<Codec> makeHeicDecoder(const DecodeLimits& limits) {
  return std::make_unique<HeicCodec>(limits);
}

}  // namespace millrace
