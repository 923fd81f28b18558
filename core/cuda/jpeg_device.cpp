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

struct JpegHandle {
  JpegHandle(std::shared_ptr<const JpegLibrary> of, nvjpeg::Handle made)
      : library(std::move(of)), handle(made) {}
  ~JpegHandle() { library->functions().destroy(handle); }
  JpegHandle(const JpegHandle&) = delete;
  JpegHandle& operator=(const JpegHandle&) = delete;

  const std::shared_ptr<const JpegLibrary> library;
  nvjpeg::Handle handle;
};

Result<std::unique_ptr<JpegDevice>> JpegDevice::open(std::shared_ptr<const JpegLibrary> library,
                                                     Stream& stream) {
  MILLRACE_TRY(stream.enter());
  nvjpeg::Code code = nvjpeg::kInternalError;
  for (const int backend :
       {nvjpeg::kBackendHardware, nvjpeg::kBackendGpuHybrid, nvjpeg::kBackendDefault}) {
    nvjpeg::Handle handle = nullptr;
    code = library->functions().createEx(backend, nullptr, nullptr,
                                         nvjpeg::kFlagStrict | nvjpeg::kFlagInterpolate, &handle);
    if (code != nvjpeg::kSuccess) continue;
    auto kept = std::make_shared<const JpegHandle>(std::move(library), handle);
    return std::unique_ptr<JpegDevice>(new JpegDevice(std::move(kept), backend));
  }
  return Error{fmt::format("nvJPEG {} does not start (nvjpegCreateEx: {})", library->version(),
                           jpegWordsOf(code))};
}

Result<std::unique_ptr<JpegBatch>> JpegDevice::makeBatch(Stream& stream, int channels) {
  MILLRACE_TRY(stream.enter());
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
    return Error{"nvjpegJpegStateCreate: " + jpegWordsOf(code)};
  if (const nvjpeg::Code code = f.streamCreate(m_handle, &m_head); code != nvjpeg::kSuccess)
    return Error{"nvjpegJpegStreamCreate: " + jpegWordsOf(code)};
  return {};
}

JpegBatch::~JpegBatch() {
  const nvjpeg::Functions& f = m_functions;
  if (m_head != nullptr) f.streamDestroy(m_head);
  if (m_state != nullptr) f.stateDestroy(m_state);
}

int JpegBatch::format() const {
  return m_channels == 1 ? nvjpeg::kOutputLuma : nvjpeg::kOutputInterleavedRgb;
}

nvjpeg::Image JpegBatch::imageOf(const JpegPicture& picture) const {
  nvjpeg::Image image{};
  image.channel[0] = reinterpret_cast<unsigned char*>(picture.to);
  image.pitch[0] = static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(m_channels);
  return image;
}

nvjpeg::Code JpegBatch::takes(const JpegPicture& picture) const {
  const nvjpeg::Functions& f = m_functions;
  const nvjpeg::Code code = f.parseHeader(m_handle, bytesOf(picture), picture.file.size(), m_head);
  if (code != nvjpeg::kSuccess) return code;
  // The memory has the size that our own look at the head gave.
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
  for (const std::size_t i : m_taken) {
    m_files.push_back(bytesOf(pictures[i]));
    m_bytes.push_back(pictures[i].file.size());
    m_images.push_back(imageOf(pictures[i]));
  }
  return f.decodeBatched(m_handle, m_state, m_files.data(), m_bytes.data(), m_images.data(),
                         stream.native());
}

Status JpegBatch::decode(Stream& stream, std::span<const JpegPicture> pictures,
                         std::vector<JpegRefusal>& refused) {
  MILLRACE_TRY(stream.enter());
  const auto before = static_cast<std::ptrdiff_t>(refused.size());
  m_taken.clear();
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const nvjpeg::Code code = takes(pictures[i]);
    if (code == nvjpeg::kSuccess)
      m_taken.push_back(i);
    else
      refused.push_back({i, code});
  }
  if (m_taken.empty()) return {};
  if (decodeTaken(stream, pictures) == nvjpeg::kSuccess) return stream.launched("nvJPEG");
  // The batch's error does not say which picture it was. The state may be left half-way, and the
  // engine at work on pictures in front.
  m_initialised = 0;
  MILLRACE_TRY(stream.synchronise());
  const nvjpeg::Functions& f = m_functions;
  for (const std::size_t i : m_taken) {
    nvjpeg::Image image = imageOf(pictures[i]);
    const nvjpeg::Code code = f.decode(m_handle, m_state, bytesOf(pictures[i]),
                                       pictures[i].file.size(), format(), &image, stream.native());
    if (code != nvjpeg::kSuccess) refused.push_back({i, code});
  }
  std::sort(refused.begin() + before, refused.end(),
            [](const JpegRefusal& a, const JpegRefusal& b) { return a.picture < b.picture; });
  return stream.launched("nvJPEG");
}

}  // namespace millrace
