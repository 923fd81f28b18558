// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tfrecord/example_proto.h"

#include <cstring>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"

namespace millrace {

namespace {

using Bytes = std::span<const std::byte>;

/// Wire types of protobuf's encoding.
enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Length = 2, Fixed32 = 5 };

/// One field of a protobuf message.
struct ProtoField {
  std::uint64_t number = 0;
  WireType wire = WireType::Varint;
  std::uint64_t value = 0;  ///< for varints and fixed-size fields
  Bytes content;            ///< for length-delimited fields
};

bool takeVarint(Bytes& from, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && !from.empty(); shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(from.front());
    from = from.subspan(1);
    value |= (byte & 0x7fU) << shift;
    if (byte < 0x80U) return true;
  }
  return false;
}

template <class T>
bool takeFixed(Bytes& from, std::uint64_t& value) {
  if (from.size() < sizeof(T)) return false;
  value = littleEndian<T>(from.data());
  from = from.subspan(sizeof(T));
  return true;
}

bool takeLength(Bytes& from, Bytes& content) {
  std::uint64_t length = 0;
  if (!takeVarint(from, length) || length > from.size()) return false;
  content = from.first(static_cast<std::size_t>(length));
  from = from.subspan(content.size());
  return true;
}

/// Returns false if there is no valid field: a truncated one, a group, an unknown wire type.
bool takeField(Bytes& from, ProtoField& field) {
  std::uint64_t tag = 0;
  if (!takeVarint(from, tag)) return false;
  field.number = tag >> 3U;
  field.wire = static_cast<WireType>(tag & 7U);
  switch (field.wire) {
    case WireType::Varint: return takeVarint(from, field.value);
    case WireType::Fixed64: return takeFixed<std::uint64_t>(from, field.value);
    case WireType::Fixed32: return takeFixed<std::uint32_t>(from, field.value);
    case WireType::Length: return takeLength(from, field.content);
  }
  return false;
}

// Field numbers of a SequenceExample.
constexpr std::uint64_t kContext = 1;
constexpr std::uint64_t kFeatureLists = 2;
constexpr std::uint64_t kValues = 1;  ///< field number of the values in every kind of list

Error damagedList(const ExampleFeature& feature) {
  return Error{fmt::format("the values of key `{}` are damaged", validUtf8(feature.key))};
}

/// Calls `take` with each value, whether numbers are packed or single.
template <class Take>
bool eachNumber(const ExampleFeature& feature, WireType single, Take take) {
  Bytes list = feature.list;
  ProtoField field;
  while (!list.empty()) {
    if (!takeField(list, field)) return false;
    if (field.number != kValues) continue;
    if (field.wire == single) {
      take(field.value);
      continue;
    }
    if (field.wire != WireType::Length) return false;
    while (!field.content.empty()) {
      std::uint64_t value = 0;
      const bool taken = single == WireType::Varint
                             ? takeVarint(field.content, value)
                             : takeFixed<std::uint32_t>(field.content, value);
      if (!taken) return false;
      take(value);
    }
  }
  return true;
}

Error wrongCount(const ExampleFeature& feature, std::size_t found, std::size_t wanted) {
  return Error{fmt::format("key `{}` has {}, but {} {} expected", validUtf8(feature.key),
                           counted(found, "value"), grouped(wanted), wanted == 1 ? "is" : "are")};
}

Error wrongKind(const ExampleFeature& feature, FeatureKind wanted) {
  return Error{fmt::format("key `{}` contains {}, but {} is expected", validUtf8(feature.key),
                           nameOf(feature.kind), nameOf(wanted))};
}

template <class T, class Convert>
Status numbers(const ExampleFeature& feature, FeatureKind kind, WireType wire, std::span<T> to,
               Convert convert) {
  if (feature.kind != kind) return wrongKind(feature, kind);
  std::size_t count = 0;
  const bool sound = eachNumber(feature, wire, [&](std::uint64_t value) {
    if (count < to.size()) to[count] = convert(value);
    ++count;
  });
  if (!sound) return damagedList(feature);
  if (count != to.size()) return wrongCount(feature, count, to.size());
  return {};
}

}  // namespace

std::string_view nameOf(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::None: return "nothing";
    case FeatureKind::Bytes: return "bytes";
    case FeatureKind::Float: return "float";
    case FeatureKind::Int64: return "int64";
  }
  return "nothing";
}

ExampleWalk::ExampleWalk(Bytes example) : m_begin(example.data()), m_rest(example) {}

Error ExampleWalk::damagedAt(const std::byte* place) const {
  return Error{fmt::format("not a tf.train.Example: invalid encoding at byte {} of the record",
                           grouped(static_cast<std::uint64_t>(place - m_begin)))};
}

Status ExampleWalk::enter(Bytes entry, ExampleFeature& feature) const {
  constexpr std::uint64_t kKey = 1;
  constexpr std::uint64_t kFeature = 2;
  feature = {};
  ProtoField field;
  while (!entry.empty()) {
    const std::byte* place = entry.data();
    if (!takeField(entry, field)) return damagedAt(place);
    if (field.wire != WireType::Length) continue;
    if (field.number == kKey)
      feature.key = {reinterpret_cast<const char*>(field.content.data()), field.content.size()};
    if (field.number != kFeature) continue;
    Bytes value = field.content;
    ProtoField list;
    while (!value.empty()) {
      place = value.data();
      if (!takeField(value, list)) return damagedAt(place);
      if (list.wire != WireType::Length || list.number < 1 || list.number > 3) continue;
      feature.kind = static_cast<FeatureKind>(list.number);
      feature.list = list.content;
    }
  }
  return {};
}

Result<bool> ExampleWalk::next(ExampleFeature& feature) {
  constexpr std::uint64_t kFeatures = 1;
  ProtoField field;
  for (;;) {
    Bytes& from = m_features.empty() ? m_rest : m_features;
    if (from.empty()) return false;
    const bool inside = !m_features.empty();
    const std::byte* place = from.data();
    if (!takeField(from, field)) return damagedAt(place);
    if (field.number != kFeatures || field.wire != WireType::Length) continue;
    if (!inside) {
      m_features = field.content;
      continue;
    }
    MILLRACE_TRY(enter(field.content, feature));
    return true;
  }
}

bool isSequenceExample(std::span<const std::byte> record) {
  bool lists = false;
  ProtoField field;
  while (!record.empty()) {
    if (!takeField(record, field) || field.wire != WireType::Length) return false;
    if (field.number != kContext && field.number != kFeatureLists) return false;
    lists = lists || field.number == kFeatureLists;
  }
  return lists;
}

std::vector<std::string_view> sequenceLists(std::span<const std::byte> record) {
  constexpr std::uint64_t kEntry = 1;
  constexpr std::uint64_t kKey = 1;
  std::vector<std::string_view> names;
  ProtoField lists;
  ProtoField entry;
  ProtoField part;
  while (!record.empty() && takeField(record, lists)) {
    if (lists.number != kFeatureLists) continue;
    while (!lists.content.empty() && takeField(lists.content, entry)) {
      if (entry.number != kEntry) continue;
      while (!entry.content.empty() && takeField(entry.content, part))
        if (part.number == kKey)
          names.emplace_back(reinterpret_cast<const char*>(part.content.data()),
                             part.content.size());
    }
  }
  return names;
}

Result<std::size_t> countValues(const ExampleFeature& feature) {
  std::size_t count = 0;
  const auto one = [&](std::uint64_t) { ++count; };
  if (feature.kind == FeatureKind::Float || feature.kind == FeatureKind::Int64) {
    const WireType wire = feature.kind == FeatureKind::Float ? WireType::Fixed32 : WireType::Varint;
    if (!eachNumber(feature, wire, one)) return damagedList(feature);
    return count;
  }
  Bytes list = feature.list;
  ProtoField field;
  while (!list.empty()) {
    if (!takeField(list, field)) return damagedList(feature);
    if (field.number == kValues && field.wire == WireType::Length) ++count;
  }
  return count;
}

Result<Bytes> bytesValue(const ExampleFeature& feature, std::size_t i) {
  if (feature.kind != FeatureKind::Bytes) return wrongKind(feature, FeatureKind::Bytes);
  Bytes list = feature.list;
  ProtoField field;
  std::size_t count = 0;
  while (!list.empty()) {
    if (!takeField(list, field)) return damagedList(feature);
    if (field.number != kValues || field.wire != WireType::Length) continue;
    if (count++ == i) return field.content;
  }
  return wrongCount(feature, count, i + 1);
}

Result<Bytes> onlyBytesValue(const ExampleFeature& feature) {
  MILLRACE_ASSIGN_OR_RETURN(const Bytes value, bytesValue(feature));
  MILLRACE_ASSIGN_OR_RETURN(const std::size_t count, countValues(feature));
  if (count != 1) return wrongCount(feature, count, 1);
  return value;
}

Status floatValues(const ExampleFeature& feature, std::span<float> to) {
  // The usual case: one packed run of numbers in the layout of `to`.
  Bytes list = feature.list;
  ProtoField field;
  if (feature.kind == FeatureKind::Float && takeField(list, field) && list.empty() &&
      field.number == kValues && field.wire == WireType::Length &&
      field.content.size() == to.size_bytes()) {
    if (!to.empty()) std::memcpy(to.data(), field.content.data(), to.size_bytes());
    return {};
  }
  return numbers(feature, FeatureKind::Float, WireType::Fixed32, to, [](std::uint64_t value) {
    const auto bits = static_cast<std::uint32_t>(value);
    float number = 0;
    std::memcpy(&number, &bits, sizeof number);
    return number;
  });
}

Status int64Values(const ExampleFeature& feature, std::span<std::int64_t> to) {
  return numbers(feature, FeatureKind::Int64, WireType::Varint, to,
                 [](std::uint64_t value) { return static_cast<std::int64_t>(value); });
}

}  // namespace millrace
