// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/codecs/codec.h"
#include "core/cuda/jpeg_device.h"
#include "core/run/run_parts.h"
#include "core/run/thread_counters.h"
#include "core/spec/device_op.h"
#include "core/transfer/decode_balancer.h"
#include "core/transfer/device_slot.h"

namespace millrace {

/// Decodes pictures that the workers left as files (isLeftToDevice) into the device memory of a
/// batch: with nvJPEG on a separate stream, and with the CPU's decoder if nvJPEG refuses a file.
/// Counts both, refusals by their reason. One thread, that of the transfer stage.
class DeviceDecode {
 public:
  /// nullptr if no node upstream of the stage leaves pictures to it.
  static Result<std::unique_ptr<DeviceDecode>> make(const RunParts& parts,
                                                    ThreadCounters& counters);
  /// Waits for enqueued work.
  ~DeviceDecode();

  /// Enqueues the decoding of `from`'s files into the rows of slot.in, whose memory is allocated
  /// and not in use. If nvJPEG supports it, only the region that `next` uses is decoded. `work`:
  /// what is known of the batch before `next` shapes it. slot.decode.done is recorded after the
  /// decoding; `from` is read until that event. Rows that cannot be decoded are marked as failed in
  /// `work`. An error ends the run.
  Status enqueue(const Batch& from, DeviceSlot& slot, DeviceOp& next, const DeviceWork& work);
  /// Called before the batch is enqueued: adapts the share if the pipeline asks for it. `waited`:
  /// whether the stage waited for the batch.
  Status balance(bool waited);
  /// Records slot.decode.read after the decoding and the copies, which must have recorded their
  /// event.
  Status join(DeviceSlot& slot);
  /// The node that leaves the pictures.
  std::size_t node() const { return m_node; }

 private:
  DeviceDecode(const RunParts& parts, std::size_t node) : m_parts(parts), m_node(node) {}
  Status decodeField(const BatchField& from, DeviceSlot& slot, std::size_t f, DeviceOp& next,
                     const DeviceWork& work);
  Result<JpegBatch*> batchOf(DeviceSlot& slot, std::size_t f, int channels);
  Result<DecodedImage> decodedOnCpu(const TensorView& file);
  Status copyPixels(const ImageView& pixels, const TensorView& to, DeviceSlot& slot);

  const RunParts& m_parts;
  const std::size_t m_node;
  std::unique_ptr<Stream> m_stream;
  std::unique_ptr<JpegDevice> m_device;
  NamedCounters* m_counted = nullptr;
  std::optional<DecodeBalancer> m_balance;
  const Event* m_before = nullptr;  ///< event of the previous batch's decoding, owned by its slot
  ImageDecoder m_decoder;
  // For the field that is being enqueued.
  std::vector<std::size_t> m_rows;
  std::vector<Rect> m_regions;
  std::vector<JpegPicture> m_pictures;
  std::vector<JpegRefusal> m_refused;
};

}  // namespace millrace
