#include "vqas/campaign/printed_report.h"

#include <QProcess>
#include <system_error>

namespace vqas {

Status print_report(const std::filesystem::path& page, const std::filesystem::path& pdf) {
  std::filesystem::path part = pdf;
  part += ".part";
  QProcess printer;
  printer.setProcessChannelMode(QProcess::MergedChannels);
  printer.start("weasyprint",
                {"--quiet", QString::fromStdString(page.string()), QString::fromStdString(part.string())});
  if (!printer.waitForStarted())
    return Error{ErrorCode::unsupported, "a PDF needs the program weasyprint; install Debian's package of that name"};
  constexpr int kLongestMs = 300'000;
  if (!printer.waitForFinished(kLongestMs) || printer.exitCode() != 0)
    return Error{ErrorCode::io, "weasyprint could not make the PDF: " + printer.readAll().trimmed().toStdString()};
  std::error_code failed;
  std::filesystem::rename(part, pdf, failed);
  if (failed) return Error{ErrorCode::io, "cannot write " + pdf.string() + ": " + failed.message()};
  return success();
}

}  // namespace vqas
