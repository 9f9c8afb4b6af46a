#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "relay/relay_audio_command.h"
#include "relay/relay_run.h"
#include "terminal/command.h"
#include "terminal/whole_number.h"
#include "vqas/relay/sip_relay.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

struct RtpOptions {
  std::array<std::string, 2> listen = {"127.0.0.1:0", "127.0.0.1:0"};
  std::array<std::string, 2> peer;
  std::array<std::string, 2> record;
  bool fixed_peers = false;
  int calls = 1;
  RelayConditionOptions conditions;
  RelayRunOptions run;
};

constexpr std::array<const char*, 2> kSideNames = {"a", "b"};

// The k-th of several parallel calls uses ports that are 4 k higher.
constexpr int kPortsOfACall = 4;
void move_ports(CallOptions& call, int k) {
  for (CallSide& side : call.sides) {
    if (side.listen.port != 0) side.listen.port = static_cast<std::uint16_t>(side.listen.port + kPortsOfACall * k);
    if (side.peer) side.peer->port = static_cast<std::uint16_t>(side.peer->port + kPortsOfACall * k);
  }
}

// The RTCP ports of the last call must be valid, too.
Status check_ports(const CallOptions& call, int calls) {
  constexpr int kLastPort = 65535;
  for (std::size_t i = 0; i < call.sides.size(); ++i) {
    const auto check = [&](const char* option, int first) -> Status {
      const int last = first + kPortsOfACall * (calls - 1) + 1;
      if (last <= kLastPort) return success();
      return Error{ErrorCode::bad_input,
                   fmt::format("{}{} {}: the calls need ports up to {}, but the highest is {}; give a "
                               "lower one",
                               option, kSideNames[i], first, last, kLastPort)};
    };
    const CallSide& side = call.sides[i];
    if (Status fit = check("--listen-", side.listen.port); side.listen.port != 0 && !fit) return fit;
    if (Status fit = check("--peer-", side.peer ? side.peer->port : 0); side.peer && !fit) return fit;
  }
  return success();
}

Result<CallOptions> call_options(const RtpOptions& options) {
  CallOptions call;
  call.seed = options.run.seed;
  for (std::size_t i = 0; i < call.sides.size(); ++i) {
    const std::string name = kSideNames[i];
    const auto listen = parse_address(options.listen[i], "--listen-" + name);
    if (!listen) return listen.error();
    call.sides[i].listen = *listen;
    call.sides[i].symmetric = !options.fixed_peers;
    if (!options.peer[i].empty()) {
      const auto peer = parse_address(options.peer[i], "--peer-" + name);
      if (!peer) return peer.error();
      call.sides[i].peer = *peer;
    } else if (options.fixed_peers) {
      return Error{ErrorCode::bad_input, fmt::format("--fixed-peers needs --peer-{}", name)};
    }
    if (options.record[i].empty()) continue;
    if (options.calls > 1) {
      return Error{ErrorCode::bad_input, "--record-a-to-b and --record-b-to-a are for one call; leave out --calls"};
    }
    call.sides[i].record = PatternRecording{options.record[i]};
  }
  if (const Status fit = check_ports(call, options.calls); !fit) return fit.error();
  return call;
}

// A run whose calls use packets.
class CallsRun {
 public:
  CallsRun(EventLoop& loop, CallControl& live, const RelayRunOptions& options)
      : live_(live),
        run_(loop, live,
             {[this] {
                constexpr std::size_t kMostCalls = 10;  // as many as fit on an ordinary terminal
                const auto sip = live_.sip();
                return calls_table(live_.relay().calls(), kMostCalls) + (sip ? sip_line(*sip) : std::string());
              },
              [this] { end_all(); }},
             options) {}

  int serve(Json ready) { return run_.serve(std::move(ready)); }
  void ended(const RelayedCallState& call, const Status& failure = success()) {
    run_.ended(call_json(call),
               fmt::format("call {} ended after {:.1f} s\n", call.number, static_cast<double>(call.age_ns) * 1e-9) +
                   calls_table({call}, 1),
               failure);
  }

 private:
  void end_all() {
    for (const RelayedCallState& call : live_.relay().calls()) {
      const auto removed = live_.relay().remove_call(call.number);
      if (removed) {
        ended(*removed);
      } else {
        ended(call, removed.error());
      }
    }
  }

  CallControl& live_;
  RelayRun run_;
};

int relay_rtp(const RtpOptions& options) {
  const auto places = call_options(options);
  if (!places) return report_error(places.error());
  const auto call = with_conditions(*places, options.conditions);
  if (!call) return report_error(call.error());
  const auto profiles = preloaded(options.run);
  if (!profiles) return report_error(profiles.error());
  EventLoop loop;
  const auto relay = RtpRelay::start();
  if (!relay) return report_error(relay.error());
  CallControl live(**relay, *call, *profiles);
  Json ready = {{"mode", "rtp"}, {"calls", Json::array()}};
  for (int k = 0; k < options.calls; ++k) {
    CallOptions one = live.defaults();
    move_ports(one, k);
    const auto added = (*relay)->add_call(one);
    if (!added) return report_error(added.error());
    ready["calls"].push_back({{"call", added->number},
                              {"a", to_string(added->directions[0].listen)},
                              {"b", to_string(added->directions[1].listen)}});
  }
  CallsRun run(loop, live, options.run);
  return run.serve(ready);
}

void add_rtp(CLI::App& relay, Action& action) {
  const auto options = std::make_shared<RtpOptions>();
  CLI::App* command = relay.add_subcommand("rtp", "relay between two endpoints that send their RTP to this machine");
  for (std::size_t i = 0; i < kSideNames.size(); ++i) {
    const std::string side = kSideNames[i];
    command
        ->add_option("--listen-" + side, options->listen[i],
                     "HOST:PORT where endpoint " + side + " sends its RTP, an even port (RTCP: the next); 0: free ones")
        ->capture_default_str();
    command->add_option("--peer-" + side, options->peer[i],
                        "HOST:PORT where endpoint " + side + " receives RTP; default: learnt from its first packet");
  }
  command->add_flag("--fixed-peers", options->fixed_peers,
                    "accept packets only from the peers' own ports, not from other ports of their hosts");
  command->add_option("--record-a-to-b", options->record[0], "record the inserted errors, as FILE.bits or FILE.g192");
  command->add_option("--record-b-to-a", options->record[1], "the same for the other direction");
  command->add_option("--calls", options->calls, "number of parallel calls, each on ports four higher")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  add_condition_options(*command, options->conditions);
  add_run_options(*command, options->run);
  command->footer(
      "Example: vqas relay rtp --listen-a 192.0.2.1:30000 --listen-b 192.0.2.1:30002 --ber 1e-4 --b-to-a ber=1e-6\n"
      "Keys on a terminal: " +
      keys_help());
  command->callback([&action, options] { action = [options] { return relay_rtp(*options); }; });
}

struct SipCommandOptions {
  std::string listen = "127.0.0.1:5060";
  std::vector<std::string> phones;
  std::string record;
  double call_timeout_s = 300;
  RelayConditionOptions conditions;
  RelayRunOptions run;
};

Result<SipRelay::Options> sip_options(const SipCommandOptions& options) {
  SipRelay::Options out;
  const auto self = parse_address(options.listen, "--listen");
  if (!self) return self.error();
  if (self->host == 0) {
    return Error{ErrorCode::bad_input,
                 fmt::format("--listen {}: give the address at which the phones reach this machine, because it is sent "
                             "to them",
                             options.listen)};
  }
  out.sip.self = *self;
  out.media_host = self->host;
  for (const std::string& phone : options.phones) {
    const std::size_t equals = phone.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Error{ErrorCode::bad_input, fmt::format("--phone {}: give NAME=HOST:PORT", phone)};
    }
    const auto address = parse_address(phone.substr(equals + 1), "--phone");
    if (!address) return address.error();
    out.sip.phones[phone.substr(0, equals)] = *address;
  }
  out.sip.call_timeout_s = options.call_timeout_s;
  out.record = options.record;
  if (!options.record.empty()) {
    std::error_code fault;
    std::filesystem::create_directories(out.record, fault);
    if (fault) {
      return Error{ErrorCode::io,
                   fmt::format("{}: {}; give a folder that can be created", options.record, fault.message())};
    }
  }
  return out;
}

int relay_sip(const SipCommandOptions& options) {
  const auto sip = sip_options(options);
  if (!sip) return report_error(sip.error());
  CallOptions seeded;
  seeded.seed = options.run.seed;
  const auto defaults = with_conditions(seeded, options.conditions);
  if (!defaults) return report_error(defaults.error());
  const auto profiles = preloaded(options.run);
  if (!profiles) return report_error(profiles.error());
  EventLoop loop;
  const auto relay = RtpRelay::start();
  if (!relay) return report_error(relay.error());
  CallControl live(**relay, *defaults, *profiles);
  CallsRun run(loop, live, options.run);
  const auto proxy = SipRelay::listen(
      *sip, live, [&run](const RelayedCallState& call, const Status& failure) { run.ended(call, failure); });
  if (!proxy) return report_error(proxy.error());
  return run.serve({{"mode", "sip"}, {"sip", to_string((*proxy)->address())}});
}

void add_sip(CLI::App& relay, Action& action) {
  const auto options = std::make_shared<SipCommandOptions>();
  CLI::App* command = relay.add_subcommand("sip",
                                           "between SIP phones that use this machine as their registrar or outbound "
                                           "proxy (UDP); relays each of their calls");
  command
      ->add_option(
          "--listen", options->listen,
          "HOST:PORT for SIP, and the address of RTP: the address at which the phones reach this machine; port 0: any "
          "free one")
      ->capture_default_str();
  command->add_option("--phone", options->phones, "NAME=HOST:PORT of a phone that does not register; may be repeated");
  command->add_option(
      "--record", options->record,
      "folder to record the inserted errors of each call: call-0000-a-to-b.bits and so on, the next number that "
      "is free; a is the caller");
  command
      ->add_option("--call-timeout-s", options->call_timeout_s,
                   "an answered call without BYE ends after this time without packets and SIP messages, 10 to "
                   "86400")
      ->check(finite(10, 86400))
      ->capture_default_str();
  add_condition_options(*command, options->conditions);
  add_run_options(*command, options->run);
  command->footer(
      "Example: vqas relay sip --listen 192.0.2.1:5060 --ber 1e-4 --record patterns\n"
      "then let both phones register at 192.0.2.1 (any password) and call one from the other.\n"
      "Keys on a terminal: " +
      keys_help());
  command->callback([&action, options] { action = [options] { return relay_sip(*options); }; });
}

}  // namespace

void add_relay_command(CLI::App& app, Action& action) {
  CLI::App* relay = app.add_subcommand(
      "relay", "relay a live call and insert errors, loss, delay and jitter, separately for each direction");
  relay->require_subcommand(1);
  add_rtp(*relay, action);
  add_sip(*relay, action);
  add_relay_audio_command(*relay, action);
  relay->footer(
      "Example: vqas relay rtp --listen-a 192.0.2.1:30000 --listen-b 192.0.2.1:30002 --ber 1e-4\n"
      "More: libvqas/doc/relay.md");
}

}  // namespace vqas::cli
