// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/text/text.h"
#include "core/events/json/json_text.h"

namespace millrace {

// One description of a type's keys writes and reads it, so that every key stands once:
//   template <class Fields>
//   void describe(Fields& fields, RateRatio& ratio) {
//     fields("mean", ratio.mean);
//     fields("least", ratio.least);
//   }
// Members are numbers, texts, described types, types with a JsonConverter, and optionals, vectors
// and maps of them. A byte that is not UTF-8 is written as U+FFFD. Reading never fails: a key that
// is missing or has another type leaves its member unchanged. This file includes the JSON library,
// so only sources of this room include it.

class JsonWriter;
class JsonReader;

template <class T>
Json jsonOf(const T& value);
template <class T>
void readJsonInto(const Json& json, T& value);

/// Calls from `describe` that write.
class JsonWriter {
 public:
  /// Null if an optional is empty.
  template <class T>
  void operator()(const char* key, const T& value) {
    m_json[key] = jsonOf(value);
  }
  /// Null if the text is empty.
  void text(const char* key, const std::string& value) { m_json[key] = orNull(validUtf8(value)); }
  /// Null if the list is empty.
  template <class T>
  void list(const char* key, const std::vector<T>& items) {
    m_json[key] = items.empty() ? Json() : jsonOf(items);
  }
  /// The name (nameOf) of one of the enumerators 0 to `last`.
  template <class Enum>
  void name(const char* key, Enum value, Enum /*last*/) {
    m_json[key] = nameOf(value);
  }
  Json take() { return std::move(m_json); }

 private:
  Json m_json = Json::object();
};

/// Calls from `describe` that read an object.
class JsonReader {
 public:
  explicit JsonReader(const Json& json) : m_json(json) {}

  template <class T>
  void operator()(const char* key, T& value) {
    if (const Json* found = at(key)) readJsonInto(*found, value);
  }
  void text(const char* key, std::string& value) { (*this)(key, value); }
  template <class T>
  void list(const char* key, std::vector<T>& items) {
    (*this)(key, items);
  }
  template <class Enum>
  void name(const char* key, Enum& value, Enum last) {
    std::string name;
    (*this)(key, name);
    for (int i = 0; i <= static_cast<int>(last); ++i)
      if (nameOf(static_cast<Enum>(i)) == name) value = static_cast<Enum>(i);
  }

 private:
  const Json* at(const char* key) const {
    const auto found = m_json.find(key);
    return found == m_json.end() ? nullptr : &*found;
  }

  const Json& m_json;
};

/// Whether `describe` reads. What depends on it cannot be written and read by the same call.
template <class Fields>
inline constexpr bool kReadsJson = std::is_same_v<Fields, JsonReader>;

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsMap = false;
template <class T>
inline constexpr bool kIsMap<std::map<std::string, T>> = true;

/// Specialised for types whose JSON is not an object with a key for each member:
///   static Json write(const T& value);
///   static void read(const Json& json, T& value);  // `json` is not null
template <class T>
struct JsonConverter;
template <class T>
concept ConvertedToJson = requires(const T& value) { JsonConverter<T>::write(value); };
template <class T>
concept DescribedInJson = requires(JsonWriter& fields, T& value) { describe(fields, value); };

template <class T>
Json jsonOf(const T& value) {
  if constexpr (kIsOptional<T>) {
    return value ? jsonOf(*value) : Json();
  } else if constexpr (kIsVector<T>) {
    Json array = Json::array();
    for (const auto& item : value) array.push_back(jsonOf(item));
    return array;
  } else if constexpr (kIsMap<T>) {
    Json object = Json::object();
    for (const auto& [key, item] : value) object[key] = jsonOf(item);
    return object;
  } else if constexpr (ConvertedToJson<T>) {
    return JsonConverter<T>::write(value);
  } else if constexpr (DescribedInJson<T>) {
    JsonWriter writer;
    describe(writer, const_cast<T&>(value));  // A writer changes nothing.
    return writer.take();
  } else if constexpr (std::is_same_v<T, std::string>) {
    return Json(validUtf8(value));
  } else {
    return Json(value);
  }
}

/// Whether the JSON has the type that a T is written as.
template <class T>
bool hasJsonTypeOf(const Json& json) {
  if constexpr (std::is_same_v<T, bool>)
    return json.is_boolean();
  else if constexpr (std::is_floating_point_v<T>)
    return json.is_number();
  else if constexpr (std::is_unsigned_v<T>)
    return json.is_number_unsigned();
  else if constexpr (std::is_integral_v<T>)
    return json.is_number_integer() &&
           !(json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX);
  else if constexpr (std::is_same_v<T, std::string>)
    return json.is_string();
  else if constexpr (kIsVector<T>)
    return json.is_array();
  else if constexpr (ConvertedToJson<T>)
    return !json.is_null();
  else
    return json.is_object();
}

template <class T>
void readJsonInto(const Json& json, T& value) {
  if constexpr (kIsOptional<T>) {
    if (!hasJsonTypeOf<typename T::value_type>(json)) return;
    readJsonInto(json, value.emplace());
  } else if (hasJsonTypeOf<T>(json)) {
    if constexpr (kIsVector<T>) {
      for (const Json& item : json) readJsonInto(item, value.emplace_back());
    } else if constexpr (kIsMap<T>) {
      for (const auto& [key, item] : json.items()) readJsonInto(item, value[key]);
    } else if constexpr (ConvertedToJson<T>) {
      JsonConverter<T>::read(json, value);
    } else if constexpr (DescribedInJson<T>) {
      JsonReader reader(json);
      describe(reader, value);
    } else {
      value = json.get<T>();
    }
  }
}

}  // namespace millrace
