#include "node/agent/session_trace.h"

#include <utility>

namespace vqas {

void SessionTrace::open_line() {
  call_ = 0;
  of_call_.clear();
}

void SessionTrace::begin_session() {
  in_session_ = true;
  untold_ = of_call_;
}

void SessionTrace::end_session() {
  in_session_ = false;
  untold_.clear();
}

void SessionTrace::append(std::string& store, const std::string& text, const char* why) {
  if (store.size() > kMost) return;
  store += text;
  if (store.size() > kMost) store += why;
}

void SessionTrace::add(const std::vector<LineTrace>& entries) {
  for (const LineTrace& one : entries) {
    if (one.call > call_) {
      call_ = one.call;
      of_call_.clear();
    }
    if (one.call != 0 && one.call == call_)
      append(of_call_, one.text, "(left out from here: 256 kB of this call came before the session)\n");
    if (in_session_) append(untold_, one.text, "(left out from here: the controller had not fetched 256 kB)\n");
  }
}

std::string SessionTrace::take() {
  return std::exchange(untold_, {});
}

}  // namespace vqas
