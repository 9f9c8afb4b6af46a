#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "lines/guarded.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "support/wait_until.h"

namespace vqas::test {

/// A baresip whose microphone and loudspeaker are ports of the JACK server, on 127.0.0.1. Makes no connections.
class JackPhone {
 public:
  /// Uses 16 UDP ports from `port` on.
  JackPhone(const std::filesystem::path& folder, std::string name, int port)
      : folder_(folder / name), name_(std::move(name)), port_(port) {
    std::filesystem::create_directories(folder_);
    write_text(folder_ / "contacts", "");
    write_text(folder_ / "accounts", fmt::format("<sip:{}@127.0.0.1:{}>;regint=0;audio_codecs=PCMU/8000/1;"
                                                 "answermode=auto\n",
                                                 name_, port));
    write_text(folder_ / "config",
               fmt::format("poll_method epoll\nsip_listen 127.0.0.1:{0}\nnet_interface 127.0.0.1\n"
                           "rtp_ports {1}-{2}\naudio_source jack,default\naudio_player jack,default\n"
                           "audio_alert jack,default\nausrc_srate 8000\nauplay_srate 8000\nausrc_channels 1\n"
                           "auplay_channels 1\nausrc_format float\nauplay_format float\naudio_txmode thread\n"
                           "audio_level no\njack_connect_ports no\njack_client_name {3}\n"
                           "jitter_buffer_type fixed\njitter_buffer_delay 2-10\nmodule_path /usr/lib/baresip/modules\n"
                           "module g711.so\nmodule jack.so\nmodule_tmp account.so\nmodule_app menu.so\n",
                           port, port + 4, port + 14, name_));
  }
  static bool is_installed() { return std::filesystem::exists("/usr/lib/baresip/modules/jack.so"); }
  /// `dial`: the address to call, empty: none. False when it did not start.
  bool start(const std::string& dial = {}) {
    std::vector<std::string> command{"baresip", "-f", folder_.string()};
    if (!dial.empty()) command.insert(command.end(), {"-e", "/dial " + dial});
    child_ = std::make_unique<Child>(guarded(std::move(command)), folder_ / "output");
    return wait_until([this] { return output().find("baresip is ready") != std::string::npos; });
  }
  /// Sends BYE.
  void stop() { child_.reset(); }
  std::string output() const { return read_text(folder_ / "output"); }

 private:
  std::filesystem::path folder_;
  std::string name_;
  int port_;
  std::unique_ptr<Child> child_;
};

}  // namespace vqas::test
