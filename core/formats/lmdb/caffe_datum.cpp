// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/lmdb/caffe_datum.h"

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

void putVarint(std::string& to, unsigned field, std::uint64_t value) {
  to += static_cast<char>(field << 3U | kVarint);
  for (; value > 127; value >>= 7U) to += static_cast<char>((value & 127U) | 128U);
  to += static_cast<char>(value);
}

std::string datumHead(Size size, int channels) {
  std::string datum;
  putVarint(datum, 1, static_cast<std::uint64_t>(channels));
  putVarint(datum, 2, static_cast<std::uint64_t>(size.height));
  putVarint(datum, 3, static_cast<std::uint64_t>(size.width));
  return datum;
}

void putData(std::string& to, std::size_t bytes) {
  to += static_cast<char>(4U << 3U | kBytes);
  for (; bytes > 127; bytes >>= 7U) to += static_cast<char>((bytes & 127U) | 128U);
  to += static_cast<char>(bytes);
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
  // Caffe takes the size from the picture file; older tools need it here.
  std::string datum = size.width > 0 ? datumHead(size, 3) : std::string();
  putData(datum, file.size());
  datum.append(reinterpret_cast<const char*>(file.data()), file.size());
  putVarint(datum, 5, static_cast<std::uint64_t>(label));
  putVarint(datum, 7, 1);
  return datum;
}

std::string rawDatum(ImageView image, std::int64_t label) {
  std::string datum = datumHead(image.size(), image.channels);
  const auto plane = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  const auto channels = static_cast<std::size_t>(image.channels);
  putData(datum, plane * channels);
  const std::size_t begin = datum.size();
  datum.resize(begin + plane * channels);
  for (std::size_t c = 0; c < channels; ++c) {
    char* to = datum.data() + begin + (channels == 3 ? 2 - c : c) * plane;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        *to++ = static_cast<char>(image.row(y)[static_cast<std::size_t>(x) * channels + c]);
  }
  putVarint(datum, 5, static_cast<std::uint64_t>(label));
  putVarint(datum, 7, 0);
  return datum;
}

}  // namespace millrace
