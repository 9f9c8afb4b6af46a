#pragma once

#include <QString>

namespace vqas::app {

/// A call by SIP as a person types it.
struct CallForm {
  QString own;      ///< who this end is: "4711@pbx.example"
  QString number;   ///< whom it calls: "4712", or "4712@192.0.2.7:5060"
  QString account;  ///< file with user and password; empty: none
  bool hd = false;  ///< HD voice: at 16 kHz, if the other end agrees
};

/// The line of a call, or what is wrong with the form.
struct CallReading {
  QString line;   ///< as open_line() takes it; empty if there is a fault
  QString fault;  ///< in the language of the program, with the cure; empty if there is none
};

/// A number without a host is one of the own host. `home`: as of typed_path(). Looks at the disk for the account file
/// alone. Re-entrant.
CallReading read_call(const CallForm& form, const QString& home);

/// Whether this build can place calls.
bool can_call();

}  // namespace vqas::app
