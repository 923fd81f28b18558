// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/data_survey.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <span>

#include <fmt/format.h>

#include "core/base/in_parallel.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/codecs/codec.h"
#include "core/inspect/folder_probe.h"
#include "core/spec/label_sets.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

class Survey {
 public:
  Survey(const Source& source, const SurveyLimits& limits, const std::atomic<bool>* stop)
      : m_source(source), m_limits(limits), m_stop(stop) {
    m_found.samples = source.size();
    m_found.fields = source.fields();
    m_found.classes = source.classes();
    m_found.warnings = source.warnings();
  }

  DataSurvey run() {
    readSamples();
    addNumbersAmongColours();
    warnOfReductions();
    warnOfSizes();
    warnOfLookAlikes();
    countClasses();
    warnOfFrequencies();
    measureFiles();
    return std::move(m_found);
  }

 private:
  bool stopped() const { return m_stop != nullptr && *m_stop; }

  /// A sample that is read while others are.
  struct Place {
    std::unique_ptr<SourceReader> reader;
    Sample sample;
    ReadCounters counters;
    std::uint32_t index = 0;
    Status read;
  };

  /// Reads samples at equal distances, starting with the first; from a server, several at once.
  void readSamples() {
    constexpr std::size_t kAtServer = 32;
    const std::uint32_t count = std::min(m_found.samples, m_limits.samples);
    const bool atServer = count > 0 && isRemotePath(m_source.file(0));
    std::vector<Place> places(atServer ? kAtServer : 1);
    for (Place& place : places) place.reader = m_source.reader();
    std::uint64_t bytes = 0;
    for (std::uint32_t i = 0; i < count && !stopped() && bytes < m_limits.bytes;) {
      const auto together = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(places.size(), std::uint64_t{count} - i));
      for (std::uint32_t k = 0; k < together; ++k)
        places[k].index =
            static_cast<std::uint32_t>(std::uint64_t{i + k} * m_found.samples / count);
      i += together;
      readTogether(std::span(places).first(together));
      bytes = 0;
      for (const Place& place : places) bytes += place.counters.bytes;
    }
  }

  void readTogether(std::span<Place> places) {
    std::atomic<std::size_t> next{0};
    const auto readNext = [&] {
      for (std::size_t k = next++; k < places.size(); k = next++) {
        Place& place = places[k];
        place.sample.reset({0, place.index, 0}, m_found.fields.size());
        place.read = place.reader->read(place.index, place.sample, place.counters);
      }
    };
    if (places.size() == 1)
      readNext();
    else
      inParallel(places.size(), readNext);
    for (const Place& place : places) {
      ++m_found.samplesRead;
      const std::string wrong =
          place.read ? fieldsOf(place.sample, place.index) : place.read.error().message;
      if (!wrong.empty()) addBroken(place.index, wrong);
    }
  }

  void addBroken(std::uint32_t index, const std::string& reason) {
    ++m_found.broken;
    auto& reasons = m_found.brokenReasons;
    const auto known =
        std::ranges::find(reasons, reason, &std::pair<std::string, std::uint64_t>::first);
    const bool isNew = known == reasons.end() && reasons.size() < m_limits.broken;
    if (known != reasons.end()) ++known->second;
    if (isNew) reasons.emplace_back(reason, 1);
    if (isNew || m_found.brokenSamples.size() < m_limits.broken)
      m_found.brokenSamples.emplace_back(m_source.name(index), reason);
  }

  /// Pictures without colours fail where others have them: then no form decodes all.
  void addNumbersAmongColours() {
    if (m_limits.storedChannels > 0) return;
    for (const Numbers& numbers : m_numbers) {
      PictureSurvey& found = m_found.pictures[numbers.field];
      if (found.storedChannels != 0) continue;
      addBroken(numbers.index, numbers.reason);
      --found.seen;
      --found.byLongerSide[binOf(numbers.size)];
      if (const auto format = found.formats.find(numbers.format); --format->second == 0)
        found.formats.erase(format);
    }
  }

  static std::size_t binOf(Size size) {
    const auto& edges = PictureSurvey::kEdges;
    const auto bin =
        std::upper_bound(edges.begin(), edges.end(), std::max(size.width, size.height));
    return static_cast<std::size_t>(bin - edges.begin());
  }

  /// Why a picture of the sample cannot be read; empty if all can.
  std::string fieldsOf(const Sample& sample, std::uint32_t index) {
    std::string wrong;
    Size image;
    int turned = 1;
    bool keepsSize = true;
    for (std::size_t f = 0; f < m_found.fields.size(); ++f) {
      const FieldSpec& spec = m_found.fields[f];
      // A label is mostly the name of a folder.
      if (spec.role != Role::Label) m_found.bytesRead += sample[f].bytes;
      if (!isPicture(spec.role)) continue;
      if (sample[f].dtype != DType::Encoded) {
        count(spec.name, "raw",
              {static_cast<int>(sample[f].width()), static_cast<int>(sample[f].height())}, 0);
        continue;
      }
      const auto info = m_decoder.open(sample[f].content());
      if (!info) {
        wrong = reasonIn(spec, info.error().message);
        continue;
      }
      const int demanded = spec.role == Role::Mask ? 0 : m_limits.storedChannels;
      if (demanded > 0 && info->storedChannels != demanded) {
        wrong = fmt::format("it has {}, but decode.channels is {}",
                            counted(static_cast<std::uint64_t>(info->storedChannels), "channel"),
                            demanded);
        continue;
      }
      count(spec.name, std::string(info->format), info->size, storedChannelsOf(*info));
      if (spec.role == Role::Image) {
        image = info->size;
        turned = info->orientation;
        // Where the size changes, it shows whether picture and mask fit.
        keepsSize = info->size == info->storedSize;
      }
      const bool isPartner = spec.role == Role::Mask || spec.role == Role::Target;
      if (isPartner && keepsSize && info->size == image && info->orientation != turned &&
          m_turned++ == 0)
        m_firstTurned = m_source.name(index);
      if (isPartner) compareSizes(spec.role, image, info->size, index);
      if (!info->onlyStored.empty())
        m_numbers.push_back(
            {spec.name, index, std::string(info->format), info->size, info->onlyStored});
      if (spec.role != Role::Mask) countReductions(info->reduced);
    }
    return wrong;
  }

  void count(const std::string& field, const std::string& format, Size size, int storedChannels) {
    PictureSurvey& found = m_found.pictures[field];
    ++found.byLongerSide[binOf(size)];
    ++found.formats[format];
    if (found.seen++ == 0) {
      found.least = found.most = size;
      found.storedChannels = storedChannels;
    }
    if (found.storedChannels != storedChannels) found.storedChannels = 0;
    found.least = {std::min(found.least.width, size.width),
                   std::min(found.least.height, size.height)};
    found.most = {std::max(found.most.width, size.width), std::max(found.most.height, size.height)};
  }

  /// Masks of another size than their pictures, or targets.
  struct OtherSizes {
    std::string_view what;
    std::uint64_t count = 0;
    std::string first = {};
  };

  /// Picture and mask or target stay aligned if one is a whole number of times as large as the
  /// other.
  void compareSizes(Role role, const Size& image, const Size& mask, std::uint32_t index) {
    if (image.width == 0 || image == mask) return;
    const auto isTimes = [](const Size& a, const Size& b) {
      return a.width % b.width == 0 && a.height % b.height == 0 &&
             a.width / b.width == a.height / b.height;
    };
    const bool fits = isTimes(image, mask) || isTimes(mask, image);
    if (fits && role == Role::Target) return;
    OtherSizes& other = fits ? m_multiples : role == Role::Target ? m_misfitTargets : m_misfits;
    if (other.count++ > 0) return;
    other.first = fmt::format("{} has {}x{}, its {} {}x{}", m_source.name(index), image.width,
                              image.height, other.what, mask.width, mask.height);
  }

  void warnOfSizes() {
    if (m_turned > 0)
      m_found.warnings.push_back(
          fmt::format("{} of {} samples: the EXIF orientation turns the picture and not its mask "
                      "or target, and both have the same size, so that only their content tells "
                      "whether they still fit; first: {}; `decode.orientation` = `ignore` turns "
                      "neither",
                      grouped(m_turned), grouped(m_found.samplesRead), m_firstTurned));
    warnOfSizes(m_misfits, "and will fail");
    warnOfSizes(m_misfitTargets, "not a whole number of times larger, and will fail");
    warnOfSizes(m_multiples, "a whole number of times larger or smaller: batches keep this ratio");
  }

  void warnOfSizes(const OtherSizes& other, std::string_view outcome) {
    if (other.count > 0)
      m_found.warnings.push_back(
          fmt::format("{} of {} {}s {} another size than {}, {}; first: {}", grouped(other.count),
                      grouped(m_found.samplesRead), other.what, other.count == 1 ? "has" : "have",
                      other.count == 1 ? "its picture" : "their pictures", outcome, other.first));
  }

  void countReductions(Reductions reduced) {
    for (std::size_t r = 0; r < kReductions; ++r)
      if (reduced.has(static_cast<Reduction>(r))) ++m_reduced[r];
  }

  void warnOfReductions() {
    const bool stored =
        m_limits.storedChannels > 0 || std::ranges::any_of(m_found.pictures, [](const auto& field) {
          return field.second.storedChannels > 0;
        });
    for (std::size_t r = 0; r < kReductions; ++r)
      if (m_reduced[r] > 0) {
        const auto reduction = static_cast<Reduction>(r);
        Reductions one;
        one.add(reduction);
        if (stored && !lostBy({.form = PixelForm::Stored}, one).any()) continue;
        const std::string remedy = remedyOf(reduction, m_limits.pagesOf);
        m_found.warnings.push_back(describe(reduction, m_reduced[r], m_found.samplesRead) +
                                   (remedy.empty() ? "" : "; " + remedy));
      }
  }

  /// Names of classes that look the same are often one class, written by several people.
  void warnOfLookAlikes() {
    std::map<std::string, std::string> seen;
    for (const std::string& name : m_found.classes) {
      const auto [at, added] = seen.emplace(lowerCase(trimmed(name)), name);
      if (added) continue;
      m_found.warnings.push_back(
          fmt::format("the classes `{}` and `{}` differ only in case or spaces; each is a class",
                      visibleName(at->second), visibleName(name)));
      return;
    }
  }

  /// Classes that do not occur, and classes of one sample each, are often no classes.
  void warnOfFrequencies() {
    constexpr std::size_t kMany = 8;
    const auto& counts = m_found.perClass;
    if (counts.size() < kMany) return;
    const auto missing = static_cast<std::size_t>(std::ranges::count(counts, 0U));
    if (2 * missing > counts.size())
      m_found.warnings.push_back(
          fmt::format("{} of the {} classes have samples: the labels may not be numbers of classes",
                      grouped(counts.size() - missing), grouped(counts.size())));
    else if (std::ranges::all_of(counts, [](const auto count) { return count == 1; }))
      m_found.warnings.push_back(fmt::format(
          "each of the {} classes has one sample: the labels may be names or texts, not classes",
          grouped(counts.size())));
  }

  void countClasses() {
    if (m_found.classes.empty()) return;
    m_found.perClass.resize(m_found.classes.size());
    if (const auto* sets = dynamic_cast<const KnowsLabelSets*>(&m_source);
        sets != nullptr && sets->hasLabelSets()) {
      for (std::uint32_t i = 0; i < m_found.samples; ++i)
        for (const std::int64_t label : sets->labelsOf(i))
          ++m_found.perClass[static_cast<std::size_t>(label)];
      return;
    }
    for (std::uint32_t i = 0; i < m_found.samples; ++i) {
      const std::int64_t label = m_source.labelOf(i);
      if (label < 0 || static_cast<std::size_t>(label) >= m_found.perClass.size()) {
        m_found.perClass.clear();
        return;
      }
      ++m_found.perClass[static_cast<std::size_t>(label)];
    }
  }

  /// Adds up file sizes, each file once provided that its samples are adjacent.
  void measureFiles() {
    std::string last;
    std::uint32_t asked = 0;
    for (std::uint32_t i = 0; i < m_found.samples && !stopped(); ++i) {
      std::string file = m_source.file(i);
      if (file.empty() || asked == m_limits.files || picturePlaces() > 1) break;
      if (isRemotePath(file)) break;  // each would be a request
      if (file == last) continue;
      ++asked;
      std::error_code error;
      const auto size = std::filesystem::file_size(file, error);
      if (!error) m_found.bytes += size;
      last = std::move(file);
    }
    // Paired data has a second file that the source does not name: extrapolate from the bytes read.
    const auto read =
        static_cast<std::uint64_t>(m_found.bytesPerSample() * static_cast<double>(m_found.samples));
    if (asked < m_limits.files && asked > 0 && picturePlaces() <= 1) return;
    m_found.bytes = read;
    m_found.bytesEstimated = m_found.samplesRead < m_found.samples;
  }

  std::size_t picturePlaces() const {
    return static_cast<std::size_t>(
        std::count_if(m_found.fields.begin(), m_found.fields.end(),
                      [](const FieldSpec& field) { return isPicture(field.role); }));
  }

  const Source& m_source;
  const SurveyLimits m_limits;
  const std::atomic<bool>* m_stop;
  struct Numbers {
    std::string field;
    std::uint32_t index = 0;
    std::string format;
    Size size;
    std::string reason;
  };

  ImageDecoder m_decoder;
  std::vector<Numbers> m_numbers;                      ///< pictures that have no colours
  std::array<std::uint64_t, kReductions> m_reduced{};  ///< pictures, not masks, by reduction
  std::uint64_t m_turned = 0;                          ///< samples whose picture is turned alone
  std::string m_firstTurned;
  OtherSizes m_multiples{"mask"};
  OtherSizes m_misfits{"mask"};
  OtherSizes m_misfitTargets{"target"};
  DataSurvey m_found;
};

}  // namespace

std::string longerSideName(std::size_t bin) {
  const auto& edges = PictureSurvey::kEdges;
  if (bin == 0) return fmt::format("below {}", edges[0]);
  if (bin == edges.size()) return fmt::format("{} or more", edges[bin - 1]);
  return fmt::format("{} to {}", edges[bin - 1], edges[bin] - 1);
}

std::string reasonIn(const FieldSpec& field, const std::string& reason) {
  return field.role == Role::Image ? reason : fmt::format("`{}`: {}", field.name, reason);
}

DataSurvey surveyData(const Source& source, const SurveyLimits& limits,
                      const std::atomic<bool>* stop) {
  return Survey(source, limits, stop).run();
}

}  // namespace millrace
