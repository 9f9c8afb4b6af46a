#include "vqas/store/plan.h"

namespace vqas {

std::string commented_plan() {
  return R"(# A plan of VQAS. "vqas plan check FILE" checks it, "vqas measure FILE" measures it.
# All keys except those of [line] may be left out. The values here are the defaults, unless a comment says otherwise.

[campaign]
name = "example"
notes = ""

# Labels of the runs; any names. "vqas results list --tag site=north" finds them. Customer, site and circuit appear
# on the first page of the report.
[tags]
customer = ""
site = "north"
circuit = "line 1"
equipment = ""

[line]
kind = "sim:"          # "sim:" simulates a line on this machine; "nodes" commands two nodes
ber = 1e-5             # simulated only: random bit error ratio
delay_s = 0.25         # simulated only: one way
gain_db = -3           # simulated only
# profile = "thunderstorm"   # simulated only, in place of the three above: a built-in name ("vqas channel profiles"
                             # lists them) or a .toml file in this folder
# codec = "g722"       # simulated only: "g711" at 8 kHz; at 16 kHz "g722", "l16" (with ber = 0) or "gateway"
# mode = "wb"          # model of the scores: "nb"; "wb", on a line at 16 kHz; "both": "wb", and "nb" beside it
# node_a = "ws://127.0.0.1:7811"   # kind = "nodes" only
# node_b = "ws://127.0.0.1:7812"
within_s = 15          # how long a receiver waits for the first mark; more than the line's delay
guard_s = 0.05         # silence between marks and speech, 0.05 to 1
# link_patience_s = 600  # nodes only: how long a node or the line may be out of reach
# duplex = "auto"      # nodes only: both directions at a time ("both"), in turn ("one"), or chosen by the echo
# redial = "./dial.sh" # nodes only: command that makes the call again after a loss
# redial_s = 5         # nodes only: from its end to the next transmission
# echo_loss_db = 55    # talker echo loudness rating of the circuit, if known: for the E-model's estimate

[stimuli]
# corpus = "my-corpus" # a subfolder of this folder; default: VQAS's own
stimuli = []           # names; empty: all of the corpus
directions = "both"    # "both", "a-to-b" or "b-to-a"

[precision]
goal = "mean"                   # "mean" of a direction, of "each-stimulus" (NTIA Report 98-354), as good as the
                                # "line-time" of cap_line_time_min allows, or whether the mean lies "above" limit_mos
half_width_mos = 0.1            # of that mean, reached by measuring more
confidence_percent = 99
together = false                # the confidence is that of the means of both directions together
fallback = true                 # at a cap, accept this weaker goal, and say so
fallback_half_width_mos = 0.15
fallback_confidence_percent = 95
first_count = 5                 # measurements before the first look
step = 5                        # measurements are added in multiples of this
cap_count = 30                  # most scored measurements of a stimulus in a direction
max_unscored = 10               # the stimulus is abandoned after so many without a score
cap_line_time_min = 0           # no transmission may end after this line time of a run; 0: no cap
seed = 1                        # for the order of transmissions and for a simulated line; run n uses seed + n - 1
# limit_mos = 3.2               # gives pass, fail or undecided, also as exit code of "vqas measure"

# Repeats: "every 15 min for 24 h" is every_min = 15, for_h = 24. Both 0: one run.
[repeats]
every_min = 0
for_h = 0
# at = ["09:00", "17:00"]       # in place of every_min: at these times of each day
# zone = "UTC"                  # of these times, such as "Europe/Berlin"
late_min = 0                    # how late a run may begin before it is left out; 0: half the time to the next one
retry_min = 5                   # from a try to the next one while the line or a node is away; 0: one try for each run

[store]
url = ""                        # a file or "postgresql://USER@HOST/DATABASE"; empty: only the folders of the runs
recordings = "all"              # kept in the store's archive: "all", "failed" or "none"
recordings_cap_mb = 0           # beyond it the oldest recordings are removed; 0: no cap

# Recordings in the folders of the runs. Numbers and reports are never removed.
[keep]
recordings = "all"              # "all", or "chosen" of each run: those without a score, the worst, a random sample
worst = 5                       # lowest scores of a run
sample = 5                      # random others of a run
days = 0                        # removed so many days after their run ended; 0: never
cap_mb = 0                      # of the campaign; beyond it the least interesting, then the oldest; 0: no cap

# Programs that are run, without a shell, with a JSON document on standard input (libvqas/doc/hooks.md). Each is a list
# of a program and its arguments: ["./tell.sh", "noc@example.org"]. "vqas hooks test PLAN" runs each once.
[hooks]
run_ended = []                  # a run ended
verdict_changed = []            # pass, fail, undecided or recovered; needs limit_mos
line_changed = []               # the line or a node is dead, or back
disk_full = []                  # the disk will be full within a day
time_limit_s = 60               # a program is ended after so long
attempts = 10                   # for each document, if the program fails
dead_after_s = 60               # a line or node away for so long is dead
)";
}

}  // namespace vqas
