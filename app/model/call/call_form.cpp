#include "model/call/call_form.h"

#include <QFileInfo>
#include <algorithm>

#include "model/phrases.h"
#include "model/run_settings.h"
#include "model/text.h"
#include "vqas/line/open_line.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

CallReading read_call(const CallForm& form, const QString& home) {
  const QString own = form.own.trimmed(), number = form.number.trimmed();
  if (!own.contains(u'@'))
    return {{},
            Text::tr("Own address: write the name and the host of this end's account, for example "
                     "4711@pbx.example")};
  if (number.isEmpty())
    return {{}, Text::tr("Number: write whom to call, for example 4712, or 4712@192.0.2.7 without an exchange")};
  const QString called = number.contains(u'@') ? number : number + own.mid(own.indexOf(u'@'));
  QString line = u"sip:%1;dial=%2"_s.arg(own, called);
  if (const QString account = typed_path(form.account, home); !account.isEmpty()) {
    if (!QFileInfo(account).isFile())
      return {{},
              Text::tr("Account: there is no file %1; choose the file with user and password, or leave the field "
                       "empty")
                  .arg(account)};
    line += u";account="_s + account;
  }
  if (form.hd) line += u";hd=yes"_s;
  if (const Status valid = check_line_name(line.toStdString(), End::a); !valid)
    return {{}, message_words(valid.error().message)};
  return {line, {}};
}

bool can_call() {
  return std::ranges::any_of(line_schemes(), [](const LineScheme& one) { return one.scheme == "sip"; });
}

}  // namespace vqas::app
