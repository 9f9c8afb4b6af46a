#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/page_text.h"
#include "report/quality_scale.h"
#include "support/sample_run.h"
#include "vqas/report/report.h"

namespace vqas {
namespace {

using test::body_of;
using test::run_of_a_customer;
using test::times;
using test::xml_fault;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReportFirstPage, ShowsCustomerCircuitAndDate) {
  const std::string page = report_html(run_of_a_customer());
  const std::string first = page.substr(0, page.find("</section>"));
  for (const char* const fact : {"<dt>Customer</dt><dd>Miller &amp; Sons</dd>", "<dt>Site</dt><dd>north</dd>",
                                 "<dt>Circuit</dt><dd>line 1</dd>", "<dd>Saturday, 21 November 2026, 08:00 UTC</dd>",
                                 "<dd class=\"run\">01234567-89ab-cdef-0123-456789abcdef</dd>"}) {
    EXPECT_THAT(first, HasSubstr(fact));
  }
  EXPECT_EQ(xml_fault(body_of(page)), "");
  EXPECT_THAT(report_html(test::sample_run()), Not(HasSubstr("<dt>Customer</dt>")));
}

TEST(ReportFirstPage, OneSentenceGivesTheQualityAndTheMainImpairment) {
  RunResults run = test::sample_run();
  EXPECT_THAT(report_html(run), HasSubstr("<b>b → a</b> good: clear speech, with noise; 6 of 11 measurements have no "
                                          "score."));
  run.directions[1] = run.directions[0];
  run.directions[1].from = End::b;
  EXPECT_THAT(report_html(run), HasSubstr("Good: clear speech, with noise, in both directions."));
  for (DirectionRun& direction : run.directions) {
    for (StimulusRun& stimulus : direction.stimuli) {
      bool first = true;
      for (Measurement& one : stimulus.measurements) {
        if (!one.findings) continue;
        one.findings->impairments.clear();
        if (first) one.findings->impairments = {{Impairment::coding, 0.4, 0.8}};
        first = false;
      }
    }
  }
  EXPECT_THAT(report_html(run),
              HasSubstr("Good: clear speech, with occasional clicks or rough speech, in both directions."));
}

// Coding below its limit is what G.711 alone costs a voice: no fault of the line.
TEST(ReportFirstPage, AHealthyCoderIsNotHeardAsClicks) {
  RunResults run = test::sample_run();
  const auto sentence = [&run](double strength, double cost_mos) {
    for (DirectionRun& direction : run.directions) {
      for (StimulusRun& stimulus : direction.stimuli) {
        for (Measurement& one : stimulus.measurements) {
          if (one.findings) one.findings->impairments = {{Impairment::coding, strength, cost_mos}};
        }
      }
    }
    return report_html(run);
  };
  EXPECT_THAT(sentence(0.06, 0.8), Not(HasSubstr("rough speech")));
  EXPECT_THAT(sentence(0.06, 0.8), Not(HasSubstr("coding in")));
  EXPECT_THAT(sentence(0.06, 1.5), HasSubstr("rough speech")) << "bit errors cost more";
  EXPECT_THAT(sentence(0.3, 0.8), HasSubstr("rough speech"));
}

TEST(ReportFirstPage, AFailedRunGetsAdvice) {
  RunResults run = run_of_a_customer();
  Provenance provenance{"1.2.3", "score-4", 0.1, "P.862.1", "a table"};
  run.about.limit_mos = 2;
  EXPECT_THAT(report_html(run, provenance), Not(HasSubstr("After a repair")));
  run.about.limit_mos = 4.4;
  const std::string page = report_html(run, provenance);
  EXPECT_THAT(page, HasSubstr("<p class=\"verdict fail\">Fail: limit 4.40 MOS-LQON</p>"));
  EXPECT_THAT(page, HasSubstr("What to do next"));
  EXPECT_THAT(page, HasSubstr(std::string(advice(Impairment::noise, 0)) + " (costs about 0.3 MOS)"));
  EXPECT_THAT(page, HasSubstr("After a repair"));
  EXPECT_THAT(page, HasSubstr("<code>vqas results compare</code>")) << "an existing command";
}

TEST(ReportFirstPage, ADirectionWithoutScoresGetsAdvice) {
  RunResults run = test::sample_run();
  run.simulated.clear();
  for (StimulusRun& stimulus : run.directions.front().stimuli) {
    for (Measurement& one : stimulus.measurements) {
      one.outcome = Outcome::not_found;
      one.mos_lqo.reset();
    }
    stimulus.interval = {};
  }
  for (const std::optional<double> limit : {std::optional<double>(), std::optional(4.0)}) {
    run.about.limit_mos = limit;
    const std::string page = report_html(run);
    EXPECT_THAT(page, HasSubstr("What to do next"));
    EXPECT_THAT(page, HasSubstr("no measurement could be scored: see “Outcomes” below; <code>vqas line check</code>"));
    EXPECT_EQ(xml_fault(body_of(page)), "");
  }
}

// Twenty scores of M1 from a to b around 4.1, of which three are 1.2; then a measurement lost with the call, and a
// second call.
RunResults run_that_breaks_down() {
  RunResults run = test::sample_run();
  StimulusRun& stimulus = run.directions[0].stimuli[0];
  stimulus.measurements.clear();
  for (std::uint32_t n = 1; n <= 20; ++n) {
    stimulus.measurements.push_back(test::scored(n, n % 6 == 0 ? 1.2 : 4.1 + 0.01 * (n % 3)));
    stimulus.measurements.back().findings->impairments = {{Impairment::coding, 1, n % 6 == 0 ? 2.5 : 0}};
  }
  stimulus.measurements.push_back(test::unscored(21, Outcome::line_lost, "the call is gone"));
  stimulus.measurements.push_back(test::scored(22, 4.1));
  stimulus.measurements.back().call = 2;
  test::settle(stimulus, run.sampling);
  run.directions[0].stimuli.pop_back();
  run.directions.pop_back();
  return run;
}

TEST(ReportFirstPage, ALineThatBreaksDownAtTimesIsNotSummedUpByItsMean) {
  const std::string page = report_html(run_that_breaks_down());
  EXPECT_THAT(page,
              HasSubstr("Good most of the time: clear speech; it breaks down at times: 3 of 22 measurements score "
                        "1.2 on average (bad); the call or an end was lost once; 1 of 22 measurements has no score."));
  EXPECT_THAT(page, HasSubstr("breaks down at times: find the times under “During the run”"));
  EXPECT_THAT(page, HasSubstr("the call or an end was lost once: “Calls” below"));
  EXPECT_THAT(page, HasSubstr("1 of 22 measurements has no score: see “Outcomes” below"));
  EXPECT_EQ(xml_fault(body_of(page)), "");
}

TEST(ReportFirstPage, ALineThatIsBadHalfOfTheTimeHasNoUsualState) {
  RunResults run = run_that_breaks_down();
  for (Measurement& one : run.directions[0].stimuli[0].measurements) {
    if (one.sequence % 2 == 0 && one.sequence < 19)
      one = test::unscored(one.sequence, Outcome::not_found, "nothing came");
  }
  EXPECT_THAT(report_html(run), Not(HasSubstr("most of the time")));
}

TEST(ReportFirstPage, LossWithoutMissingSpeechIsNotToldAsGaps) {
  RunResults run = test::sample_run();
  for (const double missing_ms : {0.0, 40.0}) {
    for (DirectionRun& direction : run.directions) {
      for (StimulusRun& stimulus : direction.stimuli) {
        for (Measurement& one : stimulus.measurements) {
          if (!one.findings) continue;
          one.findings->impairments = {{Impairment::loss, 1, 0.5}};
          one.findings->missing_middle_ms = missing_ms;
        }
      }
    }
    const std::string page = report_html(run);
    const bool missing = missing_ms > 0;
    EXPECT_EQ(times(page, "gaps in words") > 0, missing);
    EXPECT_EQ(times(page, "speech is lost or muted") > 0, missing);
    EXPECT_EQ(times(page, "replaced by other sound") > 0, !missing);
  }
}

TEST(ReportPage, AReasonToStopThatAllShareIsGivenOnce) {
  RunResults run = test::sample_run();
  for (DirectionRun& direction : run.directions)
    for (StimulusRun& stimulus : direction.stimuli) stimulus.stopped_because = StopReason::cap_count;
  EXPECT_EQ(times(report_html(run), "limit of 30 measurements reached before the goal"), 1U);
}

TEST(ReportFirstPage, MeansAreShownOnTheQualityScale) {
  for (const auto& [mos, word] :
       {std::pair{4.4, "excellent"}, {4.0, "good"}, {3.0, "fair"}, {2.0, "poor"}, {1.2, "bad"}})
    EXPECT_EQ(report::quality_of(mos).word, word);
  const std::string page = report_html(test::sample_run());
  EXPECT_EQ(times(page, "class=\"quality\""), 4U) << "two drawings, each for a screen and for a telephone";
}

}  // namespace
}  // namespace vqas
