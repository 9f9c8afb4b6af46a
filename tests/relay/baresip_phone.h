#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "support/child.h"
#include "support/temporary_folder.h"

namespace vqas::test {

/// A baresip without sound devices, on 127.0.0.1: plays a file or sends back what it receives, and records both ways as
/// 16-bit samples, before its encoder and after its decoder. Takes six UDP ports from `port` on.
class BaresipPhone {
 public:
  /// `folder` is short: baresip cuts names of recordings at 127 letters. `source` is a baresip audio source:
  /// "aufile,FILE", or "aubridge,NAME" for what it receives.
  BaresipPhone(const std::filesystem::path& folder, std::string name, int port, const std::string& source)
      : folder_(folder / name), name_(std::move(name)), port_(port) {
    std::filesystem::create_directories(folder_);
    write_text(folder_ / "contacts", "");
    write_text(folder_ / "accounts",
               fmt::format("<sip:{}@127.0.0.1:{}>;regint=0;audio_codecs=PCMU/8000/1;answermode=auto\n", name_, port));
    write_text(folder_ / "config",
               fmt::format("poll_method epoll\nsip_listen 127.0.0.1:{0}\nnet_interface 127.0.0.1\n"
                           "rtp_ports {1}-{2}\naudio_source {3}\naudio_player aubridge,{4}\naudio_alert aubridge,{4}\n"
                           "ausrc_srate 8000\nauplay_srate 8000\nausrc_channels 1\nauplay_channels 1\n"
                           "ausrc_format s16\nauplay_format s16\nauenc_format s16\naudec_format s16\n"
                           "audio_txmode thread\naudio_level no\njitter_buffer_type fixed\njitter_buffer_delay 5-20\n"
                           "module_path {5}\nmodule g711.so\nmodule sndfile.so\nmodule aufile.so\nmodule aubridge.so\n"
                           "module_tmp account.so\nmodule_app menu.so\nsnd_path {6}\n",
                           port, port + 2, port + 12, source, name_, kModules, folder_.string()));
  }

  static bool is_installed() {
    return std::filesystem::exists(kModules) && std::filesystem::exists("/usr/bin/baresip");
  }

  /// `dial`: address to call; empty: no call.
  void start(const std::string& dial = {}) {
    std::vector<std::string> command{"baresip", "-f", folder_.string()};
    if (!dial.empty()) command.insert(command.end(), {"-e", "/dial " + dial});
    child_ = std::make_unique<Child>(std::move(command), folder_ / "output");
  }
  void stop() { child_.reset(); }
  std::string output() const { return read_text(folder_ / "output"); }
  int port() const { return port_; }

  /// The recording whose name ends so ("enc.wav": sent, "dec.wav": received); empty: none.
  std::filesystem::path recording(const std::string& ending) const {
    for (const auto& file : std::filesystem::directory_iterator(folder_)) {
      if (file.path().string().ends_with(ending)) return file.path();
    }
    return {};
  }

 private:
  static constexpr const char* kModules = "/usr/lib/baresip/modules";
  std::filesystem::path folder_;
  std::string name_;
  int port_;
  std::unique_ptr<Child> child_;
};

}  // namespace vqas::test
