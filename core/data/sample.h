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

/// Which sample this is: all that its draws and its place in the order depend on.
struct SampleKey {
  std::uint32_t epoch = 0;
  std::uint32_t index = 0;  ///< the source's index
  std::uint32_t round = 0;  ///< the repeat round
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

/// Memory of one row of a batch for values whose length their maker alone knows.
class RowMemory {
 public:
  virtual ~RowMemory() = default;
  /// In place of a field: a record, in which values of several fields lie.
  static constexpr std::size_t kRecord = SIZE_MAX;

  /// `bytes` bytes for field i of the row, or for its record; once a field, and never both.
  /// nullptr: the field's length is known.
  virtual std::byte* take(std::size_t i, std::size_t bytes) = 0;
};

/// One sample on its way through a region: a value for each field of the stream, in memory that
/// the sample owns and reuses for the next one, or in the batch slot it is bound for. One thread.
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

  /// New memory for field i, not overlapping its current value; becomes the current value.
  TensorView replace(std::size_t i, DType dtype, const Shape& shape, Layout layout);
  /// The same for a run of bytes.
  TensorView replaceBytes(std::size_t i, std::size_t bytes);
  /// Lets field i be what lies at `view`, which others may read too: it must live as long as it
  /// is used and is never written through this sample.
  void borrow(std::size_t i, const TensorView& view);
  /// The current value for changing in place; a borrowed one is copied first.
  TensorView writable(std::size_t i);

  /// Fields i and k change places, with the memory that is theirs: for nodes that make fields come,
  /// go or stand in another order (SampleOp::rearranges).
  void swapFields(std::size_t i, std::size_t k);

  /// Where a source may put what it reads of one field, so that nobody copies it into the batch.
  struct Room {
    Sample* sample = nullptr;
    std::size_t field = 0;

    /// nullptr: there is none, and the source reads into memory of its own.
    std::byte* take(std::size_t bytes) const {
      return sample == nullptr ? nullptr : sample->takeRoom(field, bytes);
    }
  };
  Room room(std::size_t i) { return {this, i}; }
  Room recordRoom() { return {this, RowMemory::kRecord}; }
  /// What `Room::take` takes of, until the next `reset`.
  void offer(RowMemory& row) { m_row = &row; }
  /// Whether the value of field i lies in memory that a Room gave.
  bool isInRow(std::size_t i) const;

  /// The next `replace` of field i that asks for exactly `bytes` bytes gets `place` (its row of a
  /// batch slot) in place of the sample's own memory. nullptr takes the offer back.
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
  std::vector<std::span<std::byte>> m_taken;  ///< of the row, since the reset
};

}  // namespace millrace
