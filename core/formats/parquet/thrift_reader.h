// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace millrace {

/// Reads Thrift's compact protocol (apache/thrift, its specification of that name) from
/// foreign bytes. After the first impossible byte ok() is false and every further value is empty,
/// so callers check once at the end. Borrows the bytes; one thread.
///
/// The functions that read a value are handlers of a field: they return true, "the field was read".
///   thrift.fields([&](int id, ThriftType type) {
///     if (id == 1) return thrift.integer(type, size);
///     return false;  // skips the field
///   });
enum class ThriftType : std::uint8_t {
  Stop,
  True,
  False,
  I8,
  I16,
  I32,
  I64,
  Double,
  Binary,
  List,
  Set,
  Map,
  Struct,
};

class ThriftReader {
 public:
  explicit ThriftReader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

  bool ok() const { return m_ok; }
  /// Whether it failed because the bytes end.
  bool cut() const { return m_cut; }
  /// Number of bytes read.
  std::size_t taken() const { return m_at; }
  /// Marks the content as impossible.
  void fail() { m_ok = false; }

  /// Calls field(id, type) for each field of a struct.
  template <class Field>
  bool fields(const Field& field) {
    if (!enter()) return true;
    for (Head head; next(head);)
      if (!field(static_cast<int>(head.id), head.type)) skip(head.type);
    --m_depth;
    return true;
  }
  /// A field that is a struct.
  template <class Field>
  bool structure(ThriftType type, const Field& field) {
    return expect(type == ThriftType::Struct) ? fields(field) : true;
  }
  /// Calls element(type) for each element of a list; it must read the element.
  template <class Element>
  bool list(ThriftType type, const Element& element) {
    if (!expect(type == ThriftType::List)) return true;
    ThriftType of = ThriftType::Stop;
    for (std::uint64_t left = listHead(of); left > 0 && m_ok; --left) element(of);
    return true;
  }
  bool integer(ThriftType type, std::int64_t& to);
  bool boolean(ThriftType type, bool& to);
  bool text(ThriftType type, std::string& to);

 private:
  struct Head {
    std::int64_t id = 0;
    ThriftType type = ThriftType::Stop;
  };
  bool expect(bool right) {
    m_ok = m_ok && right;
    return m_ok;
  }
  bool enter();
  bool next(Head& head);
  std::uint8_t byte();
  std::uint64_t varint();
  std::int64_t zigzag();
  std::span<const std::byte> take(std::uint64_t count);
  std::uint64_t listHead(ThriftType& of);
  void skip(ThriftType type);
  void skipElement(ThriftType type);
  void skipMap();

  std::span<const std::byte> m_bytes;
  std::size_t m_at = 0;
  int m_depth = 0;
  bool m_ok = true;
  bool m_cut = false;
};

}  // namespace millrace
