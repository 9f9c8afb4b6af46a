#pragma once

#include <memory>
#include <string>

// Each header after those it needs.
// clang-format off
extern "C" {
#include <re_types.h>
#include <re_fmt.h>
#include <re_mbuf.h>
#include <re_mem.h>
#include <re_list.h>
#include <re_sa.h>
#include <re_tmr.h>
#include <re_main.h>
#include <re_uri.h>
#include <re_msg.h>
#include <re_dns.h>
#include <re_sdp.h>
#include <re_sip.h>
#include <re_sipsess.h>
#include <re_sipreg.h>
#include <re_net.h>
#include <re_udp.h>
}
// clang-format on

#include "vqas/line/address.h"

namespace vqas::libre {

struct Release {
  void operator()(void* object) const { mem_deref(object); }
};
/// A reference to an object of libre. Its counts are not atomic: all references belong to one thread.
template <typename T>
using Owned = std::unique_ptr<T, Release>;

inline std::string text_of(const pl& words) {
  return words.p == nullptr ? std::string() : std::string(words.p, words.l);
}

inline sa as_sa(const SocketAddress& address) {
  sa out;
  sa_set_in(&out, address.host, address.port);
  return out;
}

}  // namespace vqas::libre
