// `vqas send` and `vqas listen` as programs without a control connection: in a network namespace in which only the
// simulated line is reachable, and in one without any network.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "lines/guarded.h"
#include "lines/network_space.h"
#include "support/child.h"
#include "support/places.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "support/wait_until.h"
#include "vqas/signal/audio_file.h"
#include "vqas/sync/detector.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class LineOnlyLineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    space_ = test::NetworkSpace::create();
    if (!space_) GTEST_SKIP() << "not run: network namespaces need root (CAP_SYS_ADMIN and CAP_NET_ADMIN)";
    ASSERT_TRUE(space_->enter());
    keep_two_stimuli();
  }
  // Keeps a corpus of two, so that a sampler finishes soon.
  void keep_two_stimuli() const {
    const fs::path all = fs::path(test::source_dir()) / "corpus";
    Json manifest = Json::parse(test::read_text(all / "manifest.json"));
    Json kept = Json::array();
    for (const Json& one : manifest["stimuli"]) {
      if (one["id"] == "M2" || one["id"] == "F3") kept.push_back(one);
    }
    ASSERT_EQ(kept.size(), 2U);
    for (const Json& one : kept) {
      for (const auto& [rate, file] : one["files"].items()) {
        const auto path = file["path"].get<std::string>();
        fs::create_directories((corpus() / path).parent_path());
        fs::copy_file(all / path, corpus() / path);
      }
    }
    manifest["stimuli"] = kept;
    test::write_text(corpus() / "manifest.json", manifest.dump(1));
  }
  fs::path corpus() const { return folder_.path() / "corpus"; }
  std::string in(const std::string& name) const { return (folder_.path() / name).string(); }
  std::vector<std::string> command(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), test::vqas_command());
    arguments.insert(arguments.end(), {"--json", "--corpus", corpus().string()});
    return test::guarded(std::move(arguments));
  }
  // Runs it to its end; returns its output.
  Json run(const std::vector<std::string>& arguments) const {
    std::string line;
    for (const std::string& one : command(arguments)) line += "'" + one + "' ";
    const auto ran = test::run_command(line);
    EXPECT_EQ(ran.exit_code, 0) << line << ran.output;
    return Json::parse(ran.output, nullptr, false);
  }
  // This transmission, the last before the farewells, is lost.
  void lose(int number) const {
    auto line = read_audio(in("sent.wav"));
    ASSERT_TRUE(line);
    MarkDetector detector(End::a);
    std::vector<double> leading;
    for (const FoundMark& mark : detector.push(line->samples)) {
      if (mark.data && mark.data->sequence == number) leading.push_back(mark.position);
    }
    ASSERT_EQ(leading.size(), 3U) << "its own and two farewells";
    std::fill(line->samples.begin() + static_cast<std::ptrdiff_t>(leading[0]),
              line->samples.begin() + static_cast<std::ptrdiff_t>(leading[1]), 0.0F);
    fs::remove(in("sent.wav"));
    ASSERT_TRUE(write_audio(in("sent.wav"), *line, AudioFormat::wav16));
  }
  // Over a quiet line with some noise: without noise all scores are equal, which a sampler does not trust.
  void carry(const std::string& sent, const std::string& received) const {
    const auto ran = test::run_command(std::string(test::vqas_command()) + " channel '" + in(sent) + "' '" +
                                       in(received) + "' --noise-dbm0p -60 --seed 3");
    ASSERT_EQ(ran.exit_code, 0) << ran.output;
  }
  // TCP ports with a listener in this namespace, and bound UDP ports.
  static std::set<int> open_ports() {
    std::set<int> ports;
    for (const char* table : {"tcp", "tcp6", "udp", "udp6"}) {
      std::ifstream file(std::string("/proc/thread-self/net/") + table);
      std::string line;
      std::getline(file, line);
      while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string number, local, remote, state;
        words >> number >> local >> remote >> state;
        constexpr const char* kListening = "0A";
        if (table[0] == 'u' || state == kListening)
          ports.insert(std::stoi(local.substr(local.find(':') + 1), nullptr, 16));
      }
    }
    return ports;
  }
  // The system's error for a connection to this port.
  static int fault_of_connecting(int port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int fault = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
    ::close(socket);
    return fault;
  }
  static Json of_stimulus(const Json& heard, const std::string& name) {
    for (const Json& one : heard["directions"][0]["stimuli"]) {
      if (one["stimulus"] == name) return one;
    }
    return {};
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<test::NetworkSpace> space_;
};

// The ports of the manual's examples: a controller must be refused there.
constexpr int kControl[] = {7811, 7812};

TEST_F(LineOnlyLineTest, TheSamplerNeedsOnlyTheAnswersOnTheLine) {
  ASSERT_EQ(test::run_command("ip link set lo up").exit_code, 0) << "run tools/install-packages";
  test::Child simulator(test::guarded({test::vqas_command(), "sim", "--port", "0", "--ber", "0"}), in("sim"));
  Json ready;
  ASSERT_TRUE(test::wait_until([&] {
    ready = Json::parse(test::read_text(in("sim")), nullptr, false);
    return ready.is_object();
  })) << test::read_text(in("sim"));
  for (const int port : kControl) EXPECT_EQ(fault_of_connecting(port), ECONNREFUSED);

  Json heard;
  std::set<int> open;
  std::atomic<bool> over = false;
  std::thread listener([&] {
    if (space_->enter()) heard = run({"listen", "--line", ready["line_b"], "--out", in("results")});
  });
  std::thread watcher([&] {
    while (space_->enter() && !over) {
      open.merge(open_ports());
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  const Json sent = run({"send", "--line", ready["line_a"], "--seed", "5"});
  listener.join();
  over = true;
  watcher.join();

  EXPECT_EQ(open, std::set<int>{ready["port"].get<int>()}) << "a socket other than the line was opened";
  EXPECT_EQ(sent["sent"], 10) << sent.dump();
  EXPECT_EQ(sent["answered"], 10);
  EXPECT_EQ(sent["scored"], 10);
  EXPECT_EQ(sent["stimuli_not_wanted"], 2);
  EXPECT_EQ(sent["finished"], true);
  EXPECT_EQ(heard["over_the_line"]["ended"], "sender_finished");
  EXPECT_EQ(heard["over_the_line"]["stimuli_reached"], 2);
  EXPECT_EQ(heard["over_the_line"]["rounds_needed"], 0);
  for (const char* const name : {"M2", "F3"}) {
    EXPECT_EQ(of_stimulus(heard, name)["stopped_because"], "goal") << name;
    EXPECT_EQ(of_stimulus(heard, name)["n"], 5) << name;
  }
}

TEST_F(LineOnlyLineTest, OneWayTheListenerReportsFinishedStimuliAndRemainingRounds) {
  ASSERT_NE(fault_of_connecting(kControl[0]), 0);
  const Json sent = run({"send", "--line", "file:?out=" + in("sent.wav"), "--rounds", "5", "--seed", "5"});
  EXPECT_EQ(sent["sent"], 10);
  EXPECT_EQ(sent["answered"], 0);
  lose(10);
  carry("sent.wav", "received.wav");
  const Json first = run({"listen", "--line", "file:?in=" + in("received.wav"), "--silent", "--out", in("results")});
  EXPECT_EQ(first["over_the_line"]["ended"], "sender_finished") << first.dump();
  EXPECT_EQ(first["over_the_line"]["stimuli_reached"], 1);
  EXPECT_EQ(first["over_the_line"]["rounds_needed"], 1);
  const std::string whole = of_stimulus(first, "M2")["n"] == 5 ? "M2" : "F3", rest = whole == "M2" ? "F3" : "M2";
  EXPECT_EQ(of_stimulus(first, whole)["stopped_because"], "goal");
  EXPECT_EQ(of_stimulus(first, rest)["n"], 4);
  EXPECT_NE(of_stimulus(first, rest)["stopped_because"], "goal");

  run({"send", "--line", "file:?out=" + in("sent again.wav"), "--rounds", "1", "--seed", "6"});
  carry("sent again.wav", "more.wav");
  const Json second =
      run({"listen", "--line", "file:?in=" + in("more.wav"), "--silent", "--resume", "--out", in("results")});
  EXPECT_EQ(second["over_the_line"]["stimuli_reached"], 2) << second["over_the_line"].dump();
  EXPECT_EQ(second["over_the_line"]["rounds_needed"], 0);
  EXPECT_EQ(of_stimulus(second, rest)["stopped_because"], "goal");
  EXPECT_EQ(of_stimulus(second, rest)["n"], 5);
  EXPECT_EQ(of_stimulus(second, whole)["n"], 5) << "finished stimuli are not measured again";
  EXPECT_TRUE(open_ports().empty());
}

}  // namespace
}  // namespace vqas
