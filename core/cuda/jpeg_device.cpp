// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/jpeg_device.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace millrace {

namespace {

const unsigned char* bytesOf(const JpegPicture& picture) {
  return reinterpret_cast<const unsigned char*>(picture.file.data());
}

}  // namespace

/// nvJPEG's objects belong to the device that was current when they were created, and must be
/// destroyed there too ("nvJPEG" documentation: Multi-GPU support).
struct JpegHandle {
  JpegHandle(std::shared_ptr<const JpegLibrary> of, std::shared_ptr<const Device> on,
             nvjpeg::Handle made, int by)
      : library(std::move(of)), device(std::move(on)), handle(made), backend(by) {}
  ~JpegHandle() {
    const auto scope = device->enter();
    library->functions().destroy(handle);
  }
  JpegHandle(const JpegHandle&) = delete;
  JpegHandle& operator=(const JpegHandle&) = delete;

  bool byEngine() const { return backend == nvjpeg::kBackendHardware; }

  const std::shared_ptr<const JpegLibrary> library;
  const std::shared_ptr<const Device> device;
  nvjpeg::Handle handle;
  const int backend;
};

struct JpegParams {
  JpegParams(const nvjpeg::Functions& of, nvjpeg::Params made) : functions(of), params(made) {}
  ~JpegParams() { functions.paramsDestroy(params); }
  JpegParams(const JpegParams&) = delete;
  JpegParams& operator=(const JpegParams&) = delete;

  const nvjpeg::Functions& functions;
  nvjpeg::Params params;
};

Result<std::unique_ptr<JpegDevice>> JpegDevice::open(std::shared_ptr<const JpegLibrary> library,
                                                     std::shared_ptr<const Device> device) {
  const auto scope = device->enter();
  nvjpeg::Code code = nvjpeg::kInternalError;
  for (const int backend :
       {nvjpeg::kBackendHardware, nvjpeg::kBackendGpuHybrid, nvjpeg::kBackendDefault}) {
    nvjpeg::Handle handle = nullptr;
    code = library->functions().createEx(backend, nullptr, nullptr,
                                         nvjpeg::kFlagStrict | nvjpeg::kFlagInterpolate, &handle);
    if (code != nvjpeg::kSuccess) continue;
    auto kept =
        std::make_shared<const JpegHandle>(std::move(library), std::move(device), handle, backend);
    return std::unique_ptr<JpegDevice>(new JpegDevice(std::move(kept)));
  }
  return Error{fmt::format("nvJPEG {} cannot start (nvjpegCreateEx: {})", library->version(),
                           jpegErrorText(code))};
}

bool JpegDevice::byEngine() const { return m_handle->byEngine(); }

Result<std::unique_ptr<JpegBatch>> JpegDevice::makeBatch(int channels) {
  const auto scope = m_handle->device->enter();
  std::unique_ptr<JpegBatch> batch(new JpegBatch(m_handle, channels));
  MILLRACE_TRY(batch->open());
  return batch;
}

JpegBatch::JpegBatch(std::shared_ptr<const JpegHandle> device, int channels)
    : m_device(std::move(device)),
      m_functions(m_device->library->functions()),
      m_handle(m_device->handle),
      m_channels(channels) {}

Status JpegBatch::open() {
  const nvjpeg::Functions& f = m_functions;
  if (const nvjpeg::Code code = f.stateCreate(m_handle, &m_state); code != nvjpeg::kSuccess)
    return Error{"nvjpegJpegStateCreate: " + jpegErrorText(code)};
  if (const nvjpeg::Code code = f.streamCreate(m_handle, &m_head); code != nvjpeg::kSuccess)
    return Error{"nvjpegJpegStreamCreate: " + jpegErrorText(code)};
  return {};
}

JpegBatch::~JpegBatch() {
  const auto scope = m_device->device->enter();
  const nvjpeg::Functions& f = m_functions;
  m_params.clear();
  if (m_head != nullptr) f.streamDestroy(m_head);
  if (m_state != nullptr) f.stateDestroy(m_state);
}

int JpegBatch::format() const {
  return m_channels == 1 ? nvjpeg::kOutputLuma : nvjpeg::kOutputInterleavedRgb;
}

nvjpeg::Image JpegBatch::imageOf(const JpegPicture& picture, const Rect& region) const {
  const auto rowBytes =
      static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(m_channels);
  nvjpeg::Image image{};
  image.channel[0] = reinterpret_cast<unsigned char*>(picture.to) +
                     static_cast<std::size_t>(region.y) * rowBytes +
                     static_cast<std::size_t>(region.x) * static_cast<std::size_t>(m_channels);
  image.pitch[0] = rowBytes;
  return image;
}

nvjpeg::Code JpegBatch::takes(const JpegPicture& picture) const {
  const nvjpeg::Functions& f = m_functions;
  const nvjpeg::Code code = f.parseHeader(m_handle, bytesOf(picture), picture.file.size(), m_head);
  if (code != nvjpeg::kSuccess) return code;
  // The memory was sized by the engine's own header parser, so both must agree.
  unsigned width = 0;
  unsigned height = 0;
  const nvjpeg::Code sized = f.frameDimensions(m_head, &width, &height);
  if (sized != nvjpeg::kSuccess) return sized;
  if (width != static_cast<unsigned>(picture.width) ||
      height != static_cast<unsigned>(picture.height))
    return nvjpeg::kBadJpeg;
  int unsupported = 0;
  const nvjpeg::Code asked = f.batchedSupported(m_handle, m_head, &unsupported);
  if (asked != nvjpeg::kSuccess) return asked;
  return unsupported == 0 ? nvjpeg::kSuccess : nvjpeg::kJpegNotSupported;
}

/// Creates the parameters of the picture whose header is in m_head, and sets its region if the
/// engine supports that.
nvjpeg::Code JpegBatch::chooseRegion(const JpegPicture& picture, Taken& taken) {
  const nvjpeg::Functions& f = m_functions;
  if (m_params.size() <= m_taken.size()) {
    nvjpeg::Params made = nullptr;
    if (const nvjpeg::Code code = f.paramsCreate(m_handle, &made); code != nvjpeg::kSuccess)
      return code;
    m_params.push_back(std::make_unique<JpegParams>(f, made));
    if (const nvjpeg::Code code = f.paramsSetFormat(made, format()); code != nvjpeg::kSuccess)
      return code;
  }
  nvjpeg::Params params = m_params[m_taken.size()]->params;
  const Rect& wanted = picture.region;
  if (wanted.size() != Size{} && wanted != Rect{0, 0, picture.width, picture.height}) {
    int unsupported = 0;
    const bool takesIt =
        f.paramsSetRegion(params, wanted.x, wanted.y, wanted.width, wanted.height) ==
            nvjpeg::kSuccess &&
        f.batchedSupportedEx(m_handle, m_head, params, &unsupported) == nvjpeg::kSuccess &&
        unsupported == 0;
    if (takesIt) {
      taken.region = wanted;
      return nvjpeg::kSuccess;
    }
  }
  return f.paramsSetRegion(params, 0, 0, -1, -1);
}

nvjpeg::Code JpegBatch::decodeTaken(Stream& stream, std::span<const JpegPicture> pictures) {
  const nvjpeg::Functions& f = m_functions;
  const auto count = static_cast<int>(m_taken.size());
  if (count != m_initialised) {
    m_initialised = 0;
    const nvjpeg::Code code = f.batchedInitialize(m_handle, m_state, count, 1, format());
    if (code != nvjpeg::kSuccess) return code;
    m_initialised = count;
  }
  m_files.clear();
  m_bytes.clear();
  m_images.clear();
  m_eachParams.clear();
  for (const Taken& taken : m_taken) {
    const JpegPicture& picture = pictures[taken.picture];
    m_files.push_back(bytesOf(picture));
    m_bytes.push_back(picture.file.size());
    m_images.push_back(imageOf(picture, taken.region));
    if (m_regions > 0) m_eachParams.push_back(m_params[m_eachParams.size()]->params);
  }
  if (m_regions > 0)
    return f.decodeBatchedEx(m_handle, m_state, m_files.data(), m_bytes.data(), m_images.data(),
                             m_eachParams.data(), stream.native());
  return f.decodeBatched(m_handle, m_state, m_files.data(), m_bytes.data(), m_images.data(),
                         stream.native());
}

Status JpegBatch::decode(Stream& stream, std::span<const JpegPicture> pictures,
                         std::vector<JpegRefusal>& refused) {
  MILLRACE_TRY(stream.enter());
  const auto before = static_cast<std::ptrdiff_t>(refused.size());
  m_taken.clear();
  m_regions = 0;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    Taken taken{i};
    nvjpeg::Code code = takes(pictures[i]);
    if (code == nvjpeg::kSuccess && m_device->byEngine()) code = chooseRegion(pictures[i], taken);
    if (code != nvjpeg::kSuccess) {
      refused.push_back({i, code});
      continue;
    }
    m_regions += taken.region.size() != Size{} ? 1 : 0;
    m_taken.push_back(taken);
  }
  if (m_taken.empty()) return {};
  if (decodeTaken(stream, pictures) == nvjpeg::kSuccess) return stream.launched("nvJPEG");
  // The error does not say which picture caused it. The state may be incomplete, and the engine may
  // still be working on earlier pictures.
  m_initialised = 0;
  m_regions = 0;
  MILLRACE_TRY(stream.synchronise());
  const nvjpeg::Functions& f = m_functions;
  for (const Taken& taken : m_taken) {
    const JpegPicture& picture = pictures[taken.picture];
    nvjpeg::Image image = imageOf(picture, {});
    const nvjpeg::Code code = f.decode(m_handle, m_state, bytesOf(picture), picture.file.size(),
                                       format(), &image, stream.native());
    if (code != nvjpeg::kSuccess) refused.push_back({taken.picture, code});
  }
  std::sort(refused.begin() + before, refused.end(),
            [](const JpegRefusal& a, const JpegRefusal& b) { return a.picture < b.picture; });
  return stream.launched("nvJPEG");
}

}  // namespace millrace
