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

void SessionTrace::append(std::string& store, const std::string& text) {
  if (store.size() > kMost) return;
  store += text;
  if (store.size() > kMost) store += "(left out from here: what was not fetched)\n";
}

void SessionTrace::add(const std::vector<LineTrace>& entries) {
  for (const LineTrace& one : entries) {
    if (one.call > call_) {
      call_ = one.call;
      of_call_.clear();
    }
    if (one.call != 0 && one.call == call_) append(of_call_, one.text);
    if (in_session_) append(untold_, one.text);
  }
}

std::string SessionTrace::take() {
  return std::exchange(untold_, {});
}

}  // namespace vqas
