// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/decode_route.h"

#include <fmt/format.h>

namespace millrace {

std::string_view nameOf(DecodeRoute route) {
  switch (route) {
    case DecodeRoute::Other: return "other";
    case DecodeRoute::Own: return "own";
    case DecodeRoute::Asked: return "asked";
    case DecodeRoute::Progressive: return "progressive";
    case DecodeRoute::Arithmetic: return "arithmetic";
    case DecodeRoute::OtherProcess: return "other_process";
    case DecodeRoute::Colours: return "colours";
    case DecodeRoute::Sampling: return "sampling";
    case DecodeRoute::Scans: return "scans";
    case DecodeRoute::Tables: return "tables";
    case DecodeRoute::Head: return "head";
    case DecodeRoute::Data: return "data";
    case DecodeRoute::OwnPng: return "own";
    case DecodeRoute::AskedPng: return "asked";
    case DecodeRoute::InterlacedPng: return "interlaced";
    case DecodeRoute::DeepPng: return "16_bit";
    case DecodeRoute::HeadPng: return "head";
    case DecodeRoute::DataPng: return "data";
  }
  return "other";
}

std::string describe(DecodeRoute route) {
  const bool isPng = route >= DecodeRoute::OwnPng;
  if (route == DecodeRoute::Other) return "other";
  if (isOwn(route)) return isPng ? "PNG by the built-in decoder" : "JPEG by the built-in decoder";
  return fmt::format("{}: {}", isPng ? "PNG by libspng" : "JPEG by libjpeg-turbo", nameOf(route));
}

}  // namespace millrace
