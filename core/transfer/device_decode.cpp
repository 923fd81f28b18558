// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/transfer/device_decode.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "core/data/left_to_device.h"
#include "core/graph/rules/decode_share.h"

namespace millrace {

namespace {

/// After the first name, a refusal is at the index of its code; regions are last.
std::vector<std::string> counterNames() {
  std::vector<std::string> names = {"JPEG by nvJPEG"};
  for (nvjpeg::Code code = 1; code <= nvjpeg::kIncompleteBitstream; ++code)
    names.push_back("JPEG refused by nvJPEG: " + jpegErrorText(code));
  names.emplace_back("JPEG refused by nvJPEG: unknown error");
  names.emplace_back("JPEG of which nvJPEG decoded a region");
  return names;
}

constexpr std::size_t kRegionsPlace = nvjpeg::kIncompleteBitstream + 2;

std::size_t placeOf(nvjpeg::Code code) {
  return code > 0 && code <= nvjpeg::kIncompleteBitstream ? static_cast<std::size_t>(code)
                                                          : nvjpeg::kIncompleteBitstream + 1;
}

/// Number of batches that may be in progress between the first stage and the transfer.
std::size_t batchesInFront(const Plan& plan) {
  std::size_t batches = 0;
  for (std::size_t i = 0; !plan.stages[i].transfer; ++i)
    batches += plan.queues[i].slotCount + plan.queues[i].reorderSlots;
  return batches;
}

}  // namespace

Result<std::unique_ptr<DeviceDecode>> DeviceDecode::make(const RunParts& parts,
                                                         ThreadCounters& counters) {
  std::optional<std::size_t> node;
  const std::vector<CheckedNode>& nodes = parts.plan.pipeline.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (gpuShare(nodes, i) > 0) node = i;
  if (!node) return std::unique_ptr<DeviceDecode>();
  std::unique_ptr<DeviceDecode> decode(new DeviceDecode(parts, *node));
  MILLRACE_ASSIGN_OR_RETURN(auto library, JpegLibrary::use(parts.device->backend()));
  MILLRACE_ASSIGN_OR_RETURN(decode->m_stream, parts.device->makeStream("decode"));
  auto device = JpegDevice::open(std::move(library), parts.device);
  if (!device)
    return Error{fmt::format("{}; set {}.gpu_share to 0", device.error().message, nodes[*node].id)};
  decode->m_device = device.take();
  if (OffloadShare* const share = parts.caches.offloadShare(nodes[*node].id))
    decode->m_balance.emplace(*share, batchesInFront(parts.plan));
  if constexpr (MILLRACE_COUNTERS) {
    counters.namedCounters[*node] = std::make_unique<NamedCounters>(counterNames());
    decode->m_counted = counters.namedCounters[*node].get();
  }
  return decode;
}

DeviceDecode::~DeviceDecode() {
  if (m_stream) (void)m_stream->synchronise();
}

Result<JpegBatch*> DeviceDecode::batchOf(DeviceSlot& slot, std::size_t f, int channels) {
  slot.decode.batches.resize(std::max(slot.decode.batches.size(), f + 1));
  std::unique_ptr<JpegBatch>& batch = slot.decode.batches[f];
  if (!batch) {
    MILLRACE_ASSIGN_OR_RETURN(batch, m_device->makeBatch(channels));
  }
  return batch.get();
}

/// The event is recorded again when its slot gets another batch, which is this one at the earliest.
Status DeviceDecode::balance(bool waited) {
  if (!m_balance) return {};
  DecodeSigns signs;
  signs.cpuIsLate = waited;
  if (m_before != nullptr) {
    const Result<bool> passed = m_before->passed();
    if (!passed) return passed.error();
    signs.deviceIsLate = !*passed;
  }
  m_balance->taken(signs);
  return {};
}

Status DeviceDecode::enqueue(const Batch& from, DeviceSlot& slot, DeviceOp& next,
                             const DeviceWork& work) {
  slot.decode.cpuPixels.clear();
  slot.decode.any = false;
  for (std::size_t f = 0; f < from.fields.size(); ++f)
    MILLRACE_TRY(decodeField(from.fields[f], slot, f, next, work));
  m_before = nullptr;
  if (!slot.decode.any) return {};
  for (std::unique_ptr<Event>* each : {&slot.decode.done, &slot.decode.read}) {
    if (*each) continue;
    MILLRACE_ASSIGN_OR_RETURN(auto event, m_parts.device->makeEvent(EventKind::Ordering));
    *each = std::move(event);
  }
  MILLRACE_TRY(m_stream->record(*slot.decode.done));
  m_before = slot.decode.done.get();
  return {};
}

/// On the decoder's stream, because the stream of copies must not wait for it.
Status DeviceDecode::join(DeviceSlot& slot) {
  MILLRACE_TRY(m_stream->wait(*slot.copied));
  return m_stream->record(*slot.decode.read);
}

Status DeviceDecode::decodeField(const BatchField& from, DeviceSlot& slot, std::size_t f,
                                 DeviceOp& next, const DeviceWork& work) {
  const BatchField& to = slot.in.fields[f];
  m_rows.clear();
  m_pictures.clear();
  m_refused.clear();
  for (std::size_t r = 0; r < slot.in.rows; ++r) {
    if (!isLeftToDevice(from.spec, from.rows[r])) continue;
    m_rows.push_back(r);
    m_pictures.push_back({from.rows[r].content(), static_cast<int>(to.rows[r].width()),
                          static_cast<int>(to.rows[r].height()), to.rows[r].data});
  }
  if (m_rows.empty()) return {};
  if (m_device->byEngine()) {
    m_regions.assign(slot.in.rows, Rect{});
    next.neededRegions(work, f, m_regions);
    for (std::size_t i = 0; i < m_rows.size(); ++i) m_pictures[i].region = m_regions[m_rows[i]];
  }
  slot.decode.any = true;
  MILLRACE_ASSIGN_OR_RETURN(auto batch, batchOf(slot, f, static_cast<int>(from.spec.channels())));
  MILLRACE_TRY(batch->decode(*m_stream, m_pictures, m_refused));
  if (m_counted != nullptr) {
    m_counted->add(0, m_pictures.size() - m_refused.size());
    m_counted->add(kRegionsPlace, batch->regions());
  }
  for (const JpegRefusal& refused : m_refused) {
    if (m_counted != nullptr) m_counted->add(placeOf(refused.code), 1);
    const std::size_t row = m_rows[refused.picture];
    const Result<DecodedImage> decoded = decodedOnCpu(from.rows[row]);
    if (decoded)
      MILLRACE_TRY(copyPixels(decoded->pixels, to.rows[row], slot));
    else
      work.fail(row, decoded.error().message);
  }
  return {};
}

Result<DecodedImage> DeviceDecode::decodedOnCpu(const TensorView& file) {
  if (const auto info = m_decoder.open(file.content()); !info) return info.error();
  DecodeRequest request;
  request.form = file.channels() == 1 ? PixelForm::Grey : PixelForm::Rgb;
  request.applyOrientation = false;
  return m_decoder.decode(request);
}

/// Copies via pinned memory of the slot, which is kept until the work is done.
Status DeviceDecode::copyPixels(const ImageView& pixels, const TensorView& to, DeviceSlot& slot) {
  // Rounded to powers of two, so that the pool can reuse blocks although pictures differ.
  MILLRACE_ASSIGN_OR_RETURN(auto memory, m_parts.device->pinnedMemory(std::bit_ceil(to.bytes)));
  const std::size_t rowBytes = to.bytes / static_cast<std::size_t>(to.height());
  for (int y = 0; y < pixels.height; ++y)
    std::memcpy(memory.data() + static_cast<std::size_t>(y) * rowBytes, pixels.row(y), rowBytes);
  MILLRACE_TRY(m_stream->copyToDevice(to.data, memory.data(), to.bytes));
  slot.decode.cpuPixels.push_back(std::move(memory));
  return {};
}

}  // namespace millrace
