// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/data/buffer.h"
#include "core/data/dtype.h"
#include "core/data/shape.h"
#include "core/data/stream_type.h"

namespace millrace {

/// Identifies a sample: its random draws and its place in the order depend on nothing else.
struct SampleKey {
  std::uint32_t epoch = 0;
  std::uint32_t index = 0;  ///< the source's index
  std::uint32_t copy = 0;   ///< which copy of it in the epoch: 0 unless samples are repeated
  bool operator==(const SampleKey&) const = default;
};

/// The value of one field: borrowed contiguous memory and how to read it.
struct TensorView {
  DType dtype = DType::U8;
  Layout layout = Layout::Plain;
  Shape shape;
  std::byte* data = nullptr;
  std::size_t bytes = 0;

  std::int64_t height() const { return shape[layout == Layout::Chw ? 1 : 0]; }
  std::int64_t width() const { return shape[layout == Layout::Chw ? 2 : 1]; }
  std::int64_t channels() const { return shape[layout == Layout::Chw ? 0 : 2]; }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data);
  }
  std::span<const std::byte> content() const { return {data, bytes}; }
};

/// Memory of one batch row for values whose length is only known when they are read.
class RowMemory {
 public:
  virtual ~RowMemory() = default;
  /// Pass this in place of a field index: a record that holds the values of several fields.
  static constexpr std::size_t kRecord = SIZE_MAX;

  /// `bytes` bytes for field i of the row, or for its record. At most once per field, and never
  /// both a record and a field. nullptr: the field has a fixed length.
  virtual std::byte* take(std::size_t i, std::size_t bytes) = 0;
};

/// One sample on its way through a worker: a value for each field of the stream, in memory that the
/// sample owns and reuses for the next one, or in the batch slot it is destined for. For use by one
/// thread.
///
/// A node either changes a value in place (`writable`) or replaces it:
///   const TensorView from = sample[i];
///   TensorView to = sample.replace(i, DType::U8, {224, 224, 3}, Layout::Hwc);
/// `from` stays readable until the same field is replaced again.
class Sample {
 public:
  explicit Sample(std::size_t fields = 0);

  void reset(const SampleKey& key, std::size_t fields);
  const SampleKey& key() const { return m_key; }
  std::size_t fields() const { return m_fieldCount; }
  TensorView& operator[](std::size_t i) { return m_fields[i].current; }
  const TensorView& operator[](std::size_t i) const { return m_fields[i].current; }

  /// New memory for field i that does not overlap its current value; it becomes the current value.
  TensorView replace(std::size_t i, DType dtype, const Shape& shape, Layout layout);
  /// Like replace(), for a byte string.
  TensorView replaceBytes(std::size_t i, std::size_t bytes);
  /// Sets field i to the memory at `view`, which others may read too. It must stay valid while the
  /// sample uses it, and is never written through this sample.
  void borrow(std::size_t i, const TensorView& view);
  /// The current value, for changes in place; a borrowed value is copied first.
  TensorView writable(std::size_t i);

  /// Swaps fields i and k together with their memory, for nodes that add, remove or reorder fields
  /// (SampleOp::rearranges).
  void swapFields(std::size_t i, std::size_t k);

  /// Where a source may write what it reads for one field, so that it need not be copied into the
  /// batch.
  struct Room {
    Sample* sample = nullptr;
    std::size_t field = 0;

    /// nullptr: no such memory; the source reads into its own memory.
    std::byte* take(std::size_t bytes) const {
      return sample == nullptr ? nullptr : sample->takeRoom(field, bytes);
    }
  };
  Room room(std::size_t i) { return {this, i}; }
  Room recordRoom() { return {this, RowMemory::kRecord}; }
  /// The memory that Room::take() allocates from, until the next reset().
  void offer(RowMemory& row) { m_row = &row; }
  /// Whether the value of field i lies in memory that Room::take() returned.
  bool isInRow(std::size_t i) const;

  /// The next replace() of field i for exactly `bytes` bytes returns `place` (its row of a batch
  /// slot) instead of the sample's own memory. nullptr withdraws the offer.
  void offer(std::size_t i, std::byte* place, std::size_t bytes);

 private:
  std::byte* takeRoom(std::size_t i, std::size_t bytes);

  struct Value {
    TensorView current;
    Buffer memory[2];
    int used = 0;
    bool borrowed = false;
  };
  struct Field : Value {
    std::byte* offered = nullptr;
    std::size_t offeredBytes = 0;
  };
  SampleKey m_key;
  std::size_t m_fieldCount = 0;
  std::vector<Field> m_fields;
  RowMemory* m_row = nullptr;
  std::vector<std::span<std::byte>> m_taken;  ///< from the row, since reset()
};

/// Makes room for `made` fields in place of field `at`: the values after it, of a sample with
/// `fields` fields, move back. Field `at` stays, so that its value can be read. For nodes that add
/// or remove fields.
void openPlaces(Sample& sample, std::size_t at, std::size_t fields, std::size_t made);

/// Clears the values from field `first` on.
void clearPlaces(Sample& sample, std::size_t first);

}  // namespace millrace
