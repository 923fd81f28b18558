// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/data/report_text.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <QStringList>

#include "core/base/text/text.h"
#include "core/inspect/report/normalise_edit.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

QString numberText(std::uint64_t number) { return shownNumber(static_cast<std::int64_t>(number)); }

QString rowHtml(const QString& name, const QString& value) {
  return QString("<tr><td style='padding-right: 16px'>%1</td><td>%2</td></tr>")
      .arg(name, value.toHtmlEscaped());
}

QString sidesText(const SideRange& range) {
  const auto pixels = [](std::uint32_t side) { return numberText(side); };
  const QString px = QString(kNoBreak) + "px";
  return range.least == range.most
             ? pixels(range.least) + px
             : QString("%1 to %2, median %3")
                   .arg(pixels(range.least), pixels(range.most) + px, pixels(range.median) + px);
}

/// "JPEG", or "JPEG 90, PNG 10": the most frequent first.
QString countsText(const CountByName& counts) {
  if (counts.size() == 1) return toQt(counts.begin()->first);
  std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& count) { return count.second; });
  QStringList texts;
  for (const auto& [name, count] : sorted)
    texts << QString("%1: %2").arg(toQt(name), numberText(count));
  return texts.join(", ");
}

/// How many pictures a viewer turns.
std::uint64_t turnedOf(const SetReport& set) {
  const auto upright = set.orientations.find("1");
  return upright == set.orientations.end() ? set.pictures
                                           : set.pictures - std::min(set.pictures, upright->second);
}

}  // namespace

QString examinedText(const DataReport& report) {
  const std::uint64_t samples = report.samples();
  const std::uint64_t examined = report.examined();
  QString text = samples == 1 ? QString("The one sample was examined")
                              : QString("All %1 samples were examined").arg(numberText(samples));
  if (examined < samples)
    text = QString("%1 of %2 samples were examined").arg(numberText(examined), numberText(samples));
  std::uint64_t resumed = 0;
  for (const SetReport& set : report.sets) resumed += set.resumed;
  if (resumed > 0 && resumed == examined) return text + " by an earlier report.";
  if (resumed > 0) text += QString(", %1 of them by an earlier report").arg(numberText(resumed));
  return text + ", in " + toQt(humanSeconds(report.seconds)).replace(' ', kNoBreak) + '.';
}

QString shownFinding(Finding finding) {
  switch (finding) {
    case Finding::Unreadable: return "Unreadable";
    case Finding::Hanging: return "No answer in time";
    case Finding::Broken: return "Broken";
    case Finding::Truncated: return "Cut off";
    case Finding::Damaged: return "Damaged";
    case Finding::NotFinite: return "Not finite";
    case Finding::Mismatched: return "Mask of another size";
    case Finding::Constant: return "One colour only";
    case Finding::Blank: return "Nearly uniform";
    case Finding::Tiny: return "Tiny";
    case Finding::Duplicate: return "Copies";
    case Finding::Conflict: return "Copies in another class";
    case Finding::NearDuplicate: return "Near copies";
    case Finding::Shared: return "Copies across sets";
    case Finding::NearShared: return "Near copies across sets";
  }
  return {};
}

QString shownFinding(const ReportedFinding& finding) {
  return shownCount(static_cast<std::int64_t>(finding.count), "sample") + ' ' +
         toQt(meaningOf(finding.finding, finding.count == 1));
}

QString remedyOf(Finding finding) {
  switch (finding) {
    case Finding::Unreadable: return "Check the files and their permissions.";
    case Finding::Hanging: return "Check the disk or the server, then examine the data again.";
    case Finding::Broken:
    case Finding::Truncated: return "Get the files again, or leave them out.";
    case Finding::Damaged:
      return "They decode with wrong pixels and no error. Look at them, then leave them out if the "
             "damage shows.";
    case Finding::NotFinite: return "Training on such values fails. Leave them out.";
    case Finding::Mismatched: return "Check whether picture and mask belong together.";
    case Finding::Constant:
    case Finding::Blank: return "They teach a model little. Look at them.";
    case Finding::Tiny: return "Enlarging them gives blurred pictures.";
    case Finding::Duplicate: return "The same bytes as an earlier sample. One of them is enough.";
    case Finding::Conflict: return "One of the two classes is wrong.";
    case Finding::NearDuplicate:
      return "Look at them before you delete any: they may be frames of one scene.";
    case Finding::Shared:
    case Finding::NearShared:
      return "A score on samples that were trained on says little. Remove them from one of the "
             "sets.";
  }
  return {};
}

QString factsHtml(const SetReport& set) {
  QString rows = rowHtml("Kind", toQt(set.kind)) + rowHtml("Folder or file", toQt(set.path));
  rows += rowHtml("Samples",
                  numberText(set.samples) + ", " +
                      toQt(humanBytes(static_cast<double>(set.bytes))).replace(' ', kNoBreak));
  if (!set.classes.empty()) {
    QString classes = shownNumber(static_cast<std::int64_t>(set.classes.size()));
    if (set.unlabelled > 0)
      classes += "; " + shownCount(static_cast<std::int64_t>(set.unlabelled), "sample") +
                 " without a class";
    rows += rowHtml("Classes", classes);
  }
  if (set.pictures > 0) {
    rows += rowHtml("Width", sidesText(set.width)) + rowHtml("Height", sidesText(set.height));
    rows += rowHtml("Format", countsText(set.formats));
    rows += rowHtml("Channels", countsText(set.channels));
    rows += rowHtml("Bits", countsText(set.bits));
    if (const std::uint64_t turned = turnedOf(set); turned > 0)
      rows += rowHtml("Turned by EXIF", shownCount(static_cast<std::int64_t>(turned), "picture") +
                                            "; decoding turns them upright");
  }
  return "<table cellspacing='3'>" + rows + "</table>";
}

QString shownChannels(const SetReport& set) {
  if (set.mean.empty()) return {};
  const auto shown = [](const std::vector<double>& values) {
    return toQt(channelsText(values)).replace(",", ", ");
  };
  return QString("Mean %1; deviation %2").arg(shown(set.mean), shown(set.deviation));
}

}  // namespace millrace
