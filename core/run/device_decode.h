// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/codecs/codec.h"
#include "core/cuda/jpeg_device.h"
#include "core/run/decode_balance.h"
#include "core/run/device_slot.h"
#include "core/run/run_parts.h"
#include "core/run/thread_counters.h"
#include "core/spec/device_op.h"

namespace millrace {

/// Decodes what the workers left as files (isLeftToDevice) into the device memory of a batch: by
/// nvJPEG, on a stream of its own, and by the CPU's decoder whatever nvJPEG refuses. Counts both,
/// the latter with the reason. One thread, that of the transfer stage.
class DeviceDecode {
 public:
  /// nullptr where no node in front of the stage leaves pictures to it.
  static Result<std::unique_ptr<DeviceDecode>> make(const RunParts& parts,
                                                    ThreadCounters& counters);
  /// Waits for what is enqueued.
  ~DeviceDecode();

  /// Enqueues the decoding of `from`'s files into the rows of slot.in, which have their memory and
  /// in which nothing is under way; of what `next` looks at alone, where nvJPEG does that. `work`
  /// is what is known of the batch before `next` shapes it. slot.decode.done is recorded behind it;
  /// `from` is read until that has passed. Rows that nobody can decode fail in `work`. The error
  /// ends the run.
  Status enqueue(const Batch& from, DeviceSlot& slot, DeviceOp& next, const DeviceWork& work);
  /// Before the batch is enqueued: moves the share where the pipeline wants that. `waited`: the
  /// batch had to be waited for.
  Status balance(bool waited);
  /// Records slot.decode.read behind the decoding and the copies, which have their event.
  Status join(DeviceSlot& slot);
  /// The node that left the pictures.
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
  Tally* m_tally = nullptr;
  std::optional<DecodeBalance> m_balance;
  const Event* m_before = nullptr;  ///< behind the decoding of the batch before, of its slot
  ImageDecoder m_decoder;
  // Of the field that is being enqueued.
  std::vector<std::size_t> m_rows;
  std::vector<Rect> m_regions;
  std::vector<JpegPicture> m_pictures;
  std::vector<JpegRefusal> m_refused;
};

}  // namespace millrace
