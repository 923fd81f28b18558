// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/lmdb/caffe_datum.h"

#include <protozero/pbf_builder.hpp>

namespace millrace {

namespace {

/// Parses the fields of a protobuf message.
class DatumFields {
 public:
  explicit DatumFields(std::span<const std::byte> bytes) : m_rest(bytes) {}
  bool done() const { return m_rest.empty(); }

  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(m_rest.front());
      m_rest = m_rest.subspan(1);
      value |= (byte & 127U) << shift;
      if (byte < 128) return value;
    }
    return std::nullopt;
  }
  std::optional<std::span<const std::byte>> bytes() {
    const auto count = varint();
    if (!count || *count > m_rest.size()) return std::nullopt;
    const auto found = m_rest.first(static_cast<std::size_t>(*count));
    m_rest = m_rest.subspan(found.size());
    return found;
  }

 private:
  std::span<const std::byte> m_rest;
};

constexpr unsigned kVarint = 0;
constexpr unsigned kBytes = 2;
constexpr unsigned kFixed32 = 5;

/// Field numbers of caffe.proto.
enum class Datum : protozero::pbf_tag_type {
  Channels = 1,
  Height,
  Width,
  Data,
  Label,
  Floats,
  Encoded
};
using DatumWriter = protozero::pbf_builder<Datum>;

void putSize(DatumWriter& to, Size size, int channels) {
  to.add_int32(Datum::Channels, channels);
  to.add_int32(Datum::Height, size.height);
  to.add_int32(Datum::Width, size.width);
}

Error noDatum() { return Error{"it is not a Datum"}; }

bool takeNumber(unsigned field, std::uint64_t value, CaffeDatum& datum) {
  const auto number = static_cast<std::int64_t>(value);
  switch (field) {
    case 1: datum.channels = number; return true;
    case 2: datum.height = number; return true;
    case 3:
      datum.width = number;
      return true;
      // An int32; a negative one is encoded in ten bytes.
    case 5: datum.label = static_cast<std::int32_t>(number); return true;
    case 7: datum.encoded = number != 0; return true;
    default: return false;
  }
}

}  // namespace

Result<CaffeDatum> parseDatum(std::span<const std::byte> bytes) {
  CaffeDatum datum;
  DatumFields wire(bytes);
  bool floats = false;
  while (!wire.done()) {
    const auto tag = wire.varint();
    if (!tag) return noDatum();
    const auto field = static_cast<unsigned>(*tag >> 3U);
    const auto type = static_cast<unsigned>(*tag & 7U);
    if (type == kVarint) {
      const auto value = wire.varint();
      if (!value || !takeNumber(field, *value, datum)) return noDatum();
    } else if (type == kBytes && field == 4) {
      const auto data = wire.bytes();
      if (!data) return noDatum();
      datum.data = *data;
    } else if (field == 6 && (type == kBytes || type == kFixed32)) {
      floats = true;
      break;
    } else {
      return noDatum();
    }
  }
  if (floats) return Error{"it is a Datum of floats, which is not supported"};
  if (datum.data.empty()) return noDatum();
  if (datum.encoded) return datum;
  constexpr std::int64_t kMost = 1 << 20;
  for (const std::int64_t side : {datum.channels, datum.height, datum.width})
    if (side < 1 || side > kMost) return noDatum();
  if (static_cast<std::uint64_t>(datum.channels * datum.height) *
          static_cast<std::uint64_t>(datum.width) !=
      datum.data.size())
    return noDatum();
  return datum;
}

void datumPixels(const CaffeDatum& datum, std::byte* to) {
  const auto channels = static_cast<std::size_t>(datum.channels);
  const std::size_t plane = datum.data.size() / channels;
  for (std::size_t c = 0; c < channels; ++c) {
    const std::byte* from = datum.data.data() + (channels == 3 ? 2 - c : c) * plane;
    for (std::size_t i = 0; i < plane; ++i) to[i * channels + c] = from[i];
  }
}

std::string encodedDatum(std::span<const std::byte> file, Size size, std::int64_t label) {
  std::string datum;
  DatumWriter writer(datum);
  // Caffe takes the size from the picture file; older tools need it here.
  if (size.width > 0) putSize(writer, size, 3);
  writer.add_bytes(Datum::Data, reinterpret_cast<const char*>(file.data()), file.size());
  writer.add_int64(Datum::Label, label);
  writer.add_bool(Datum::Encoded, true);
  return datum;
}

std::string rawDatum(ImageView image, std::int64_t label) {
  const auto plane = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  const auto channels = static_cast<std::size_t>(image.channels);
  constexpr std::size_t kOthers = 64;  // bytes, more than all other fields need
  std::string datum;
  datum.reserve(plane * channels + kOthers);
  DatumWriter writer(datum);
  putSize(writer, image.size(), image.channels);
  {
    // Only the head of the field: its pixels are written in place. By a separate writer, because
    // one that has begun a field of known size takes no other field.
    DatumWriter heads(datum);
    const protozero::pbf_writer head(heads, static_cast<protozero::pbf_tag_type>(Datum::Data),
                                     plane * channels);
  }
  const std::size_t begin = datum.size();
  datum.resize(begin + plane * channels);
  for (std::size_t c = 0; c < channels; ++c) {
    char* to = datum.data() + begin + (channels == 3 ? 2 - c : c) * plane;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        *to++ = static_cast<char>(image.row(y)[static_cast<std::size_t>(x) * channels + c]);
  }
  writer.add_int64(Datum::Label, label);
  writer.add_bool(Datum::Encoded, false);
  return datum;
}

}  // namespace millrace
