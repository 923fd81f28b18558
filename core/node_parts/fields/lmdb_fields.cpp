// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/lmdb_fields.h"

#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/lmdb/caffe_datum.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/node_parts/fields/label_text.h"

namespace millrace::nodes {

namespace {

/// Values of at least this length are read directly to their destination.
constexpr std::uint32_t kLongValue = 16384;

FieldSpec datumPicture(const LmdbProbe& probe) {
  if (probe.encoded) return lmdbFileField("image", Role::Image);
  constexpr std::int64_t kAny = Shape::kUnknown;
  const Shape any{kAny, kAny, kAny};
  const Shape shape = probe.sameShape ? probe.shape.value_or(any) : any;
  return {"image", DType::U8, shape, Layout::Hwc, Role::Image};
}

FieldSpec bytesOfValues(const LmdbProbe& probe) {
  if (!probe.sameSize || probe.size == 0) return lmdbFileField("features", Role::Features);
  const auto size = static_cast<std::int64_t>(probe.size);
  return {"features", DType::U8, {size}, Layout::Plain, Role::Features};
}

void lendFile(Sample& sample, std::size_t field, std::span<const std::byte> bytes) {
  sample.borrow(field, {DType::Encoded,
                        Layout::Plain,
                        {static_cast<std::int64_t>(bytes.size())},
                        const_cast<std::byte*>(bytes.data()),
                        bytes.size()});
}

Status putDatum(std::span<const std::byte> value, const FieldSpec& spec, Sample& sample,
                std::size_t label) {
  MILLRACE_ASSIGN_OR_RETURN(const auto datum, parseDatum(value));
  if (datum.encoded != (spec.dtype == DType::Encoded))
    return Error{datum.encoded ? "it is an encoded picture, but most values are pixels"
                               : "it is pixels, but most values are encoded pictures"};
  if (datum.encoded) {
    lendFile(sample, 0, datum.data);
  } else {
    const Shape shape{datum.height, datum.width, datum.channels};
    datumPixels(datum, sample.replace(0, DType::U8, shape, Layout::Hwc).data);
  }
  *sample.replace(label, DType::I64, {}, Layout::Plain).as<std::int64_t>() = datum.label;
  return {};
}

std::string othersIn(const LmdbDatabase& base, const LmdbProbe& probe, LmdbContent content) {
  const bool pictures = content == LmdbContent::Pictures;
  const auto first = pictures ? probe.noPicture : probe.noDatum;
  if (!first || (!pictures && content != LmdbContent::Datum)) return {};
  const std::uint32_t count = probe.seen - (pictures ? probe.pictures : probe.datums);
  const std::string_view what = pictures ? "picture" : "Datum";
  return fmt::format(
      "{} of the {} values examined {} and will fail; first: {}", grouped(count),
      grouped(probe.seen),
      count == 1 ? fmt::format("is not a {}", what) : fmt::format("are not {}s", what),
      singleLine(base.keyText(*first)));
}

}  // namespace

FieldSpec lmdbFileField(std::string name, Role role) {
  return {std::move(name), DType::Encoded, {Shape::kUnknown}, Layout::Plain, role};
}

FieldSpec lmdbLabelField() { return {"label", DType::I64, {}, Layout::Plain, Role::Label}; }

Result<FieldSpec> lmdbValueField(const std::string& value) {
  const std::size_t colon = value.find(':');
  const std::string name = value.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : value.substr(colon);
  MILLRACE_ASSIGN_OR_RETURN(auto fields, parseExampleKeys({name + "=value" + rest}));
  ExampleField& field = fields.front();
  if (!field.typed) field.spec.dtype = DType::Encoded;
  if (field.key != "value")
    return Error{fmt::format("`{}`: use NAME:TYPE:SHAPE, for example image:u8:224x224x3", value)};
  if (field.spec.dtype != DType::Encoded && !field.spec.shape.known())
    return Error{
        fmt::format("`{}`: give the complete shape, for example image:u8:224x224x3", value)};
  return field.spec;
}

namespace {

Result<std::optional<LmdbLabelKeys>> labelsOf(const LmdbAsked& asked, const LmdbDatabase& base,
                                              const LmdbProbe& probe) {
  if (asked.labels.empty()) return std::optional<LmdbLabelKeys>();
  auto found = findLabelKeys(base, probe);
  if (asked.labels == "auto") return found;
  const auto words = split(asked.labels, '=');
  if (words.size() != 2 || words[0].empty() || words[1].empty())
    return Error{
        fmt::format("`{}`: write the word of a picture's key and that of its label's key, "
                    "as image=label",
                    validUtf8(asked.labels))};
  return std::optional(LmdbLabelKeys{words[0], words[1], found ? found->number : lmdbLabelField()});
}

Status refuseObjects(const LmdbProbe& probe) {
  if (probe.other.empty() || probe.pictures + probe.datums > 0) return {};
  return Error{fmt::format(
      "its values are {}, which are not read; write each picture as a JPEG or PNG file and its "
      "class as a text, with keys such as image-1 and label-1, or use `content=bytes`",
      probe.other)};
}

}  // namespace

Result<LmdbKind> lmdbKindOf(const LmdbAsked& asked, const LmdbDatabase& base) {
  const std::string& value = asked.value;
  const LmdbProbe probe = probeLmdb(base);
  LmdbKind kind{value.empty() ? asked.content : LmdbContent::Bytes, {}, {}, {}};
  if (kind.content == LmdbContent::Auto) MILLRACE_TRY(refuseObjects(probe));
  if (probe.seen == 0 && kind.content == LmdbContent::Auto)
    return Error{"none of the first values is readable; the file is damaged"};
  if (kind.content == LmdbContent::Auto)
    kind.content = 2 * probe.pictures >= probe.seen ? LmdbContent::Pictures
                   : 2 * probe.datums > probe.seen  ? LmdbContent::Datum
                                                    : LmdbContent::Bytes;
  kind.others = othersIn(base, probe, kind.content);
  if (kind.content == LmdbContent::Pictures) {
    kind.fields = {lmdbFileField("image", Role::Image)};
    MILLRACE_ASSIGN_OR_RETURN(kind.labels, labelsOf(asked, base, probe));
    if (kind.labels) {
      kind.others.clear();
      kind.fields.push_back(kind.labels->number.value_or(lmdbFileField("text", Role::Features)));
    }
  } else if (kind.content == LmdbContent::Datum) {
    kind.fields = {datumPicture(probe), lmdbLabelField()};
  } else if (!value.empty()) {
    MILLRACE_ASSIGN_OR_RETURN(auto field, lmdbValueField(value));
    kind.fields = {std::move(field)};
  } else {
    kind.fields = {bytesOfValues(probe)};
  }
  return kind;
}

Status LmdbValueReader::readFile(const LmdbDatabase& base, std::uint32_t record, Sample& sample,
                                 std::size_t field, ReadCounters& counters) {
  MILLRACE_ASSIGN_OR_RETURN(
      const auto value, readLmdbValue(m_range, base.fd(), base.snapshot, base.listing.place(record),
                                      counters, sample.room(field)));
  lendFile(sample, field, value);
  return {};
}

Status LmdbValueReader::readLabel(const LmdbDatabase& base, std::uint32_t record,
                                  const FieldSpec& spec, Sample& sample, std::size_t field,
                                  ReadCounters& counters) {
  if (spec.dtype == DType::Encoded) return readFile(base, record, sample, field, counters);
  MILLRACE_ASSIGN_OR_RETURN(const auto value, readLmdbValue(m_range, base.fd(), base.snapshot,
                                                            base.listing.place(record), counters));
  return putLabelText(value, spec, sample, field);
}

Status LmdbValueReader::read(const LmdbDatabase& base, std::uint32_t record, const LmdbKind& kind,
                             Sample& sample, std::size_t label, ReadCounters& counters) {
  const FieldSpec& spec = kind.fields.front();
  if (kind.content == LmdbContent::Datum) {
    MILLRACE_ASSIGN_OR_RETURN(
        const auto value, readLmdbValue(m_range, base.fd(), base.snapshot,
                                        base.listing.place(record), counters, sample.recordRoom()));
    return putDatum(value, spec, sample, label);
  }
  if (spec.dtype == DType::Encoded) return readFile(base, record, sample, 0, counters);
  return readArray(base, record, spec, sample, counters);
}

Status LmdbValueReader::readArray(const LmdbDatabase& base, std::uint32_t record,
                                  const FieldSpec& spec, Sample& sample, ReadCounters& counters) {
  const LmdbListing::Place& place = base.listing.place(record);
  const auto wanted = static_cast<std::uint64_t>(spec.shape.elements()) * sizeOf(spec.dtype);
  if (place.size == wanted && place.size >= kLongValue) {
    const TensorView to = sample.replace(0, spec.dtype, spec.shape, spec.layout);
    return readLmdbValueTo(m_range, base.fd(), base.snapshot, place, to.data, counters);
  }
  MILLRACE_ASSIGN_OR_RETURN(const auto value,
                            readLmdbValue(m_range, base.fd(), base.snapshot, place, counters));
  if (value.size() != wanted && !Lz4Unpacker::isPacked(value, wanted))
    return Error{fmt::format("it has {} bytes, but {} {} have {}", grouped(place.size),
                             spec.shape.text(), nameOf(spec.dtype), grouped(wanted))};
  const TensorView to = sample.replace(0, spec.dtype, spec.shape, spec.layout);
  if (value.size() != wanted) return m_unpacker.unpack(value, {to.data, wanted});
  if (wanted > 0) std::memcpy(to.data, value.data(), wanted);
  return {};
}

}  // namespace millrace::nodes
