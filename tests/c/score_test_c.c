/* The score from plain C11. */
#include <math.h>
#include <threads.h>

#include "check.h"

static void an_identical_pair_scores_4_55(void) {
  sound speech = read_wav("8k/M1.wav");
  const vqas_recording pair = recording_of(speech);
  vqas_scorer* scorer = NULL;
  CHECK(vqas_scorer_create(&scorer) == VQAS_OK && scorer != NULL);
  CHECK(strcmp(vqas_scorer_reason(scorer), "") == 0);
  vqas_score score;
  CHECK(vqas_scorer_score(scorer, &pair, &pair, NULL, 0, &score, sizeof score) == VQAS_OK);
  CHECK(score.outcome == VQAS_SCORED && score.mos_lqo == 4.55 && score.auditory_distance == 0);
  CHECK(score.confidence > 0.9 && score.delay_ms == 0 && score.level_difference_db == 0);
  CHECK(!score.diagnosed && isnan(score.band_low_hz) && score.impairments == 0 && score.segments == 0);
  CHECK(strcmp(vqas_scorer_reason(scorer), "") == 0);
  vqas_scorer_destroy(scorer);
  free_sound(&speech);
}

static void a_diagnosis_names_what_is_missing(void) {
  sound speech = read_wav("8k/M6.wav");
  sound cut = padded(speech, 800, 0);
  memset(cut.samples + 800 + speech.count / 3, 0, 4000 * sizeof(float));
  const vqas_recording reference = recording_of(speech), degraded = recording_of(cut);
  vqas_scorer* scorer = NULL;
  CHECK(vqas_scorer_create(&scorer) == VQAS_OK);
  vqas_score_options options;
  CHECK(vqas_score_options_init(&options, sizeof options) == VQAS_OK);
  options.diagnose = 1;
  vqas_score score;
  CHECK(vqas_scorer_score(scorer, &reference, &degraded, &options, sizeof options, &score, sizeof score) == VQAS_OK);
  CHECK(score.outcome == VQAS_SCORED && score.mos_lqo < 4.2 && score.diagnosed);
  CHECK(fabs(score.delay_ms - 100) < 0.5 && score.missing_middle_ms > 300 && score.speech_ms > 1000);
  CHECK(score.impairments > 0 && score.delay_pieces > 0);
  int losses = 0;
  vqas_impairment_finding finding;
  for (size_t n = 0; vqas_scorer_impairment(scorer, n, &finding, sizeof finding) == VQAS_OK; ++n) {
    CHECK(n < score.impairments && finding.strength > 0);
    losses += finding.impairment == VQAS_LOSS && finding.cost_mos > 0;
  }
  CHECK(losses == 1);
  CHECK(vqas_scorer_impairment(scorer, score.impairments, &finding, sizeof finding) == VQAS_END);
  double loss = 0;
  vqas_loss_part part;
  size_t parts = 0;
  for (; vqas_scorer_loss_part(scorer, parts, &part, sizeof part) == VQAS_OK; ++parts) {
    CHECK(part.mos >= 0);
    CHECK(parts > 0 || (part.named && part.impairment == VQAS_LOSS));
    loss += part.mos;
  }
  CHECK(parts > 0 && fabs(loss - (4.55 - score.mos_lqo)) < 0.03);
  CHECK(vqas_scorer_loss_part(scorer, 0, &part, 1) == VQAS_INVALID);
  vqas_delay_piece piece;
  CHECK(vqas_scorer_delay_piece(scorer, 0, &piece, sizeof piece) == VQAS_OK && fabs(piece.delay_ms - 100) < 0.5);
  CHECK(vqas_scorer_delay_piece(scorer, score.delay_pieces, &piece, sizeof piece) == VQAS_END);
  vqas_unused_sound unused;
  CHECK(vqas_scorer_unused_sound(scorer, score.unused_sounds, &unused, sizeof unused) == VQAS_END);
  vqas_segment segment;
  CHECK(vqas_scorer_segment(scorer, 0, &segment, sizeof segment) == VQAS_END);
  CHECK(strcmp(vqas_impairment_text(VQAS_LOSS), "loss") == 0 && strlen(vqas_impairment_advice(VQAS_LOSS, 0)) > 10);
  vqas_scorer_destroy(scorer);
  free_sound(&cut);
  free_sound(&speech);
}

static void wideband_has_its_own_scale(void) {
  sound speech = read_wav("16k/M1.wav");
  const vqas_recording pair = recording_of(speech);
  vqas_scorer* scorer = NULL;
  CHECK(vqas_scorer_create_for(VQAS_WIDEBAND, &scorer) == VQAS_OK);
  vqas_score score;
  CHECK(vqas_scorer_score(scorer, &pair, &pair, NULL, 0, &score, sizeof score) == VQAS_OK);
  CHECK(score.outcome == VQAS_SCORED && score.mos_lqo > 4.6 && score.auditory_distance == 0);
  vqas_recording narrow = pair;
  narrow.rate_hz = 8000;
  CHECK(vqas_scorer_score(scorer, &narrow, &narrow, NULL, 0, &score, sizeof score) == VQAS_OK);
  CHECK(score.outcome == VQAS_BAD_INPUT && strstr(vqas_scorer_reason(scorer), "16") != NULL);
  vqas_scorer_destroy(scorer);
  CHECK(vqas_scorer_create_for((vqas_mode)7, &scorer) == VQAS_INVALID);
  CHECK(vqas_scorer_create_for(VQAS_WIDEBAND, NULL) == VQAS_INVALID);
  CHECK(strcmp(vqas_score_version_of(VQAS_NARROWBAND), vqas_score_version()) == 0);
  CHECK(strncmp(vqas_score_version_of(VQAS_WIDEBAND), "vqas-wb-", 8) == 0);
  CHECK(strcmp(vqas_score_version_of((vqas_mode)7), "unknown") == 0);
  CHECK(vqas_model_error_mos_of(VQAS_NARROWBAND) == vqas_model_error_mos());
  CHECK(vqas_model_error_mos_of(VQAS_WIDEBAND) > 0 && isnan(vqas_model_error_mos_of((vqas_mode)7)));
  free_sound(&speech);
}

static void silence_has_a_score_only_at_a_known_place(void) {
  sound speech = read_wav("8k/F2.wav");
  sound silent = padded(speech, 0, 0);
  memset(silent.samples, 0, silent.count * sizeof(float));
  const vqas_recording reference = recording_of(speech), degraded = recording_of(silent);
  vqas_scorer* scorer = NULL;
  CHECK(vqas_scorer_create(&scorer) == VQAS_OK);
  vqas_score score;
  CHECK(vqas_scorer_score(scorer, &reference, &degraded, NULL, 0, &score, sizeof score) == VQAS_OK);
  CHECK(score.outcome == VQAS_NO_SPEECH && isnan(score.mos_lqo) && isnan(score.auditory_distance));
  CHECK(isnan(score.confidence) && strlen(vqas_scorer_reason(scorer)) > 10);
  vqas_score_options options;
  CHECK(vqas_score_options_init(&options, sizeof options) == VQAS_OK);
  options.placed = 1;
  CHECK(vqas_scorer_score(scorer, &reference, &degraded, &options, sizeof options, &score, sizeof score) == VQAS_OK);
  CHECK(score.outcome == VQAS_SCORED && score.mos_lqo < 1.5);
  vqas_scorer_destroy(scorer);
  free_sound(&silent);
  free_sound(&speech);
}

static vqas_outcome outcome_of(vqas_scorer* scorer, vqas_recording reference, vqas_recording degraded) {
  vqas_score score;
  CHECK(vqas_scorer_score(scorer, &reference, &degraded, NULL, 0, &score, sizeof score) == VQAS_OK);
  CHECK(score.outcome == VQAS_SCORED || (isnan(score.mos_lqo) && strlen(vqas_scorer_reason(scorer)) > 0));
  return score.outcome;
}

static void unusable_recordings_have_an_outcome(void) {
  sound speech = read_wav("8k/M2.wav");
  sound broken = padded(speech, 0, 0);
  broken.samples[20000] = NAN;
  const vqas_recording good = recording_of(speech);
  vqas_recording bad = recording_of(broken);
  vqas_scorer* scorer = NULL;
  CHECK(vqas_scorer_create(&scorer) == VQAS_OK);
  CHECK(outcome_of(scorer, good, bad) == VQAS_BAD_INPUT && outcome_of(scorer, bad, good) == VQAS_BAD_INPUT);
  broken.samples[20000] = INFINITY;
  CHECK(outcome_of(scorer, good, bad) == VQAS_BAD_INPUT);
  const vqas_recording empty = {NULL, 0, 8000};
  CHECK(outcome_of(scorer, good, empty) == VQAS_BAD_INPUT && outcome_of(scorer, empty, good) == VQAS_BAD_INPUT);
  const int rates[] = {0, -8000, 6000, 2000000};
  for (size_t n = 0; n < sizeof rates / sizeof *rates; ++n) {
    bad = good;
    bad.rate_hz = rates[n];
    CHECK(outcome_of(scorer, good, bad) == VQAS_BAD_INPUT && outcome_of(scorer, bad, good) == VQAS_BAD_INPUT);
  }
  bad = good;
  bad.count = 4000;
  CHECK(outcome_of(scorer, good, bad) == VQAS_TOO_SHORT);
  CHECK(outcome_of(scorer, good, good) == VQAS_SCORED);
  vqas_scorer_destroy(scorer);
  free_sound(&broken);
  free_sound(&speech);
}

static void wrong_arguments_change_nothing(void) {
  sound speech = read_wav("8k/M1.wav");
  const vqas_recording pair = recording_of(speech);
  vqas_scorer* scorer = NULL;
  CHECK(vqas_scorer_create(NULL) == VQAS_INVALID);
  CHECK(vqas_scorer_create(&scorer) == VQAS_OK);
  vqas_score score, before;
  memset(&score, 7, sizeof score);
  memcpy(&before, &score, sizeof score);
  CHECK(vqas_scorer_score(NULL, &pair, &pair, NULL, 0, &score, sizeof score) == VQAS_INVALID);
  CHECK(vqas_scorer_score(scorer, NULL, &pair, NULL, 0, &score, sizeof score) == VQAS_INVALID);
  CHECK(strstr(vqas_scorer_message(scorer), "reference") != NULL);
  CHECK(vqas_scorer_score(scorer, &pair, NULL, NULL, 0, &score, sizeof score) == VQAS_INVALID);
  CHECK(strstr(vqas_scorer_message(scorer), "degraded") != NULL);
  CHECK(vqas_scorer_score(scorer, &pair, &pair, NULL, 0, NULL, sizeof score) == VQAS_INVALID);
  CHECK(vqas_scorer_score(scorer, &pair, &pair, NULL, 0, &score, sizeof score - 1) == VQAS_INVALID);
  const vqas_recording no_samples = {NULL, 100, 8000};
  CHECK(vqas_scorer_score(scorer, &no_samples, &pair, NULL, 0, &score, sizeof score) == VQAS_INVALID);
  const vqas_recording huge[] = {{speech.samples, SIZE_MAX, 8000},
                                 {speech.samples, SIZE_MAX / 4, 48000},
                                 {speech.samples, (size_t)8000 * VQAS_LONGEST_S + 1, 8000}};
  for (size_t n = 0; n < sizeof huge / sizeof *huge; ++n) {
    CHECK(vqas_scorer_score(scorer, &pair, &huge[n], NULL, 0, &score, sizeof score) == VQAS_INVALID);
    CHECK(vqas_scorer_score(scorer, &huge[n], &pair, NULL, 0, &score, sizeof score) == VQAS_INVALID);
  }
  CHECK(strstr(vqas_scorer_message(scorer), "14400") != NULL);
  vqas_score_options options;
  CHECK(vqas_score_options_init(NULL, sizeof options) == VQAS_INVALID);
  CHECK(vqas_score_options_init(&options, 3) == VQAS_INVALID);
  const double wrong[][3] = {{NAN, 0, 0.05},   {INFINITY, 0, 0.05}, {0, NAN, 0.05},
                             {0, 20000, 0.05}, {0, 0, NAN},         {0, 0, -1}};
  for (size_t n = 0; n < sizeof wrong / sizeof *wrong; ++n) {
    CHECK(vqas_score_options_init(&options, sizeof options) == VQAS_OK);
    options.placed = 1;
    options.start_samples = wrong[n][0];
    options.clock_drift_ppm = wrong[n][1];
    options.uncertainty_s = wrong[n][2];
    CHECK(vqas_scorer_score(scorer, &pair, &pair, &options, sizeof options, &score, sizeof score) == VQAS_INVALID);
  }
  CHECK(vqas_scorer_score(scorer, &pair, &pair, &options, 1, &score, sizeof score) == VQAS_INVALID);
  CHECK(memcmp(&before, &score, sizeof score) == 0);
  CHECK(vqas_scorer_reason(NULL) == NULL && vqas_scorer_message(NULL) == NULL);
  vqas_delay_piece piece;
  CHECK(vqas_scorer_delay_piece(NULL, 0, &piece, sizeof piece) == VQAS_INVALID);
  CHECK(vqas_scorer_delay_piece(scorer, 0, NULL, sizeof piece) == VQAS_INVALID);
  CHECK(vqas_scorer_delay_piece(scorer, 0, &piece, 1) == VQAS_INVALID);
  vqas_scorer_destroy(scorer);
  vqas_scorer_destroy(NULL);
  free_sound(&speech);
}

static void a_later_and_larger_structure_is_filled_with_zeros(void) {
  sound speech = read_wav("8k/M1.wav");
  const vqas_recording pair = recording_of(speech);
  vqas_scorer* scorer = NULL;
  CHECK(vqas_scorer_create(&scorer) == VQAS_OK);
  struct {
    vqas_score known;
    double later[2];
  } larger;
  memset(&larger, 7, sizeof larger);
  CHECK(vqas_scorer_score(scorer, &pair, &pair, NULL, 0, &larger.known, sizeof larger) == VQAS_OK);
  CHECK(larger.known.mos_lqo == 4.55 && larger.later[0] == 0 && larger.later[1] == 0);
  struct {
    vqas_score_options known;
    double later;
  } asked;
  CHECK(vqas_score_options_init(&asked.known, sizeof asked) == VQAS_OK && asked.later == 0);
  CHECK(vqas_scorer_score(scorer, &pair, &pair, &asked.known, sizeof asked, &larger.known, sizeof larger) == VQAS_OK);
  asked.later = 1;
  CHECK(vqas_scorer_score(scorer, &pair, &pair, &asked.known, sizeof asked, &larger.known, sizeof larger) ==
        VQAS_INVALID);
  vqas_scorer_destroy(scorer);
  free_sound(&speech);
}

static void unknown_values_have_texts(void) {
  CHECK(strcmp(vqas_outcome_text(VQAS_SCORED), "scored") == 0);
  CHECK(strcmp(vqas_outcome_text(VQAS_STOPPED), "cancelled") == 0);
  CHECK(strcmp(vqas_outcome_text((vqas_outcome)77), "unknown") == 0);
  CHECK(strcmp(vqas_impairment_text(VQAS_CUT), "cut") == 0);
  CHECK(strcmp(vqas_impairment_text((vqas_impairment)-1), "unknown") == 0);
  CHECK(strcmp(vqas_impairment_advice((vqas_impairment)99, 0), "") == 0);
  CHECK(strcmp(vqas_stop_reason_text(VQAS_GOAL), "goal") == 0);
  CHECK(strcmp(vqas_stop_reason_text(VQAS_GOING), "") == 0);
  CHECK(strcmp(vqas_stop_reason_text((vqas_stop_reason)55), "unknown") == 0);
  for (int n = -1; n < 9; ++n) CHECK(strlen(vqas_status_text((vqas_status)n)) > 0);
  CHECK(strlen(vqas_version()) >= 5 && strncmp(vqas_score_version(), "vqas-", 5) == 0);
  CHECK(vqas_model_error_mos() > 0 && vqas_model_error_mos() < 1);
}

/* A recording of several sentences, read in pieces. */
typedef struct tape {
  sound sound;
  uint64_t reads;
  size_t largest;
  int fails;
  double done;
} tape;

static int read_tape(void* user, uint64_t first, size_t count, float* samples) {
  tape* from = user;
  if (from->fails) return 1;
  CHECK(first + count <= from->sound.count && count > 0);
  memcpy(samples, from->sound.samples + first, count * sizeof *samples);
  ++from->reads;
  if (count > from->largest) from->largest = count;
  return 0;
}

static tape make_tape(int sentences) {
  const char* const names[] = {"8k/M1.wav", "8k/F1.wav", "8k/M2.wav", "8k/F2.wav"};
  tape result = {{NULL, 0, 8000}, 0, 0, 0, 0};
  for (int n = 0; n < sentences; ++n) {
    sound next = read_wav(names[n % 4]);
    result.sound.samples =
        realloc(result.sound.samples, (result.sound.count + next.count) * sizeof *result.sound.samples);
    CHECK(result.sound.samples != NULL);
    memcpy(result.sound.samples + result.sound.count, next.samples, next.count * sizeof *next.samples);
    result.sound.count += next.count;
    free_sound(&next);
  }
  return result;
}

static int note_progress(void* user, double done) {
  tape* from = user;
  CHECK(done > from->done || from->done == 1);
  from->done = done;
  return 0;
}

static int stop_at_once(void* user, double done) {
  (void)user;
  (void)done;
  return 1;
}

static void a_long_recording_is_read_in_pieces(void) {
  tape from = make_tape(12);
  tape to = {padded(from.sound, 1600, 0), 0, 0, 0, 0};
  const vqas_source reference = {from.sound.count, 8000, read_tape, &from};
  const vqas_source degraded = {to.sound.count, 8000, read_tape, &to};
  vqas_scorer* scorer = NULL;
  CHECK(vqas_scorer_create(&scorer) == VQAS_OK);
  vqas_long_options options;
  CHECK(vqas_long_options_init(&options, sizeof options) == VQAS_OK);
  options.segment_s = 10;
  options.search_s = 2;
  options.progress = note_progress;
  options.user = &from;
  vqas_score score;
  CHECK(vqas_scorer_score_long(scorer, &reference, &degraded, &options, sizeof options, &score, sizeof score) ==
        VQAS_OK);
  CHECK(score.outcome == VQAS_SCORED && score.mos_lqo > 4.5 && fabs(score.delay_ms - 200) < 0.5);
  CHECK(score.segments > 2 && score.diagnosed && from.done == 1);
  double end = 0;
  vqas_segment segment;
  for (size_t n = 0; vqas_scorer_segment(scorer, n, &segment, sizeof segment) == VQAS_OK; ++n) {
    CHECK(fabs(segment.start_s - end) < 0.001 && segment.outcome == VQAS_SCORED && segment.impairments == 0);
    end = segment.start_s + segment.length_s;
  }
  CHECK(fabs(end - (double)from.sound.count / 8000) < 0.001);
  /* A piece is never longer than a segment and what is searched on both sides. */
  CHECK(from.largest <= 10 * 8000 && to.largest <= (10 + 2 * 2 + 1) * 8000);

  options.progress = stop_at_once;
  CHECK(vqas_scorer_score_long(scorer, &reference, &degraded, &options, sizeof options, &score, sizeof score) ==
        VQAS_CANCELLED);
  to.fails = 1;
  CHECK(vqas_scorer_score_long(scorer, &reference, &degraded, NULL, 0, &score, sizeof score) == VQAS_READ_FAILED);
  vqas_scorer_destroy(scorer);
  free_sound(&to.sound);
  free_sound(&from.sound);
}

static void a_source_that_cannot_be_read_is_refused(void) {
  tape from = make_tape(1);
  vqas_scorer* scorer = NULL;
  CHECK(vqas_scorer_create(&scorer) == VQAS_OK);
  const vqas_source good = {from.sound.count, 8000, read_tape, &from};
  const vqas_source wrong[] = {{from.sound.count, 8000, NULL, &from},
                               {UINT64_MAX, 8000, read_tape, &from},
                               {from.sound.count, 0, read_tape, &from},
                               {from.sound.count, 4000, read_tape, &from},
                               {from.sound.count, 2000000, read_tape, &from}};
  vqas_score score;
  for (size_t n = 0; n < sizeof wrong / sizeof *wrong; ++n) {
    CHECK(vqas_scorer_score_long(scorer, &wrong[n], &good, NULL, 0, &score, sizeof score) == VQAS_INVALID);
    CHECK(vqas_scorer_score_long(scorer, &good, &wrong[n], NULL, 0, &score, sizeof score) == VQAS_INVALID);
  }
  CHECK(vqas_scorer_score_long(scorer, NULL, &good, NULL, 0, &score, sizeof score) == VQAS_INVALID);
  vqas_long_options options;
  CHECK(vqas_long_options_init(&options, sizeof options) == VQAS_OK);
  options.segment_s = NAN;
  CHECK(vqas_scorer_score_long(scorer, &good, &good, &options, sizeof options, &score, sizeof score) == VQAS_INVALID);
  CHECK(strstr(vqas_scorer_message(scorer), "segments") != NULL);
  const double searches[] = {-1, 61, 5e-298, 0.049, NAN};
  CHECK(vqas_long_options_init(&options, sizeof options) == VQAS_OK);
  for (size_t n = 0; n < sizeof searches / sizeof *searches; ++n) {
    options.search_s = searches[n];
    CHECK(vqas_scorer_score_long(scorer, &good, &good, &options, sizeof options, &score, sizeof score) == VQAS_INVALID);
  }
  const vqas_source empty = {0, 8000, read_tape, &from};
  CHECK(vqas_scorer_score_long(scorer, &empty, &good, NULL, 0, &score, sizeof score) == VQAS_OK);
  CHECK(score.outcome != VQAS_SCORED && isnan(score.mos_lqo));
  from.sound.samples[1000] = NAN;
  CHECK(vqas_scorer_score_long(scorer, &good, &good, NULL, 0, &score, sizeof score) == VQAS_OK);
  CHECK(score.outcome == VQAS_BAD_INPUT && isnan(score.mos_lqo));
  vqas_scorer_destroy(scorer);
  free_sound(&from.sound);
}

/* Threads with a scorer of their own. */
enum { kThreads = 4, kRounds = 3 };

typedef struct job {
  vqas_recording reference, degraded;
  double expected;
} job;

static int score_again_and_again(void* user) {
  const job* work = user;
  for (int n = 0; n < kRounds; ++n) {
    vqas_scorer* scorer = NULL;
    vqas_score score;
    if (vqas_scorer_create(&scorer) != VQAS_OK) return 1;
    if (vqas_scorer_score(scorer, &work->reference, &work->degraded, NULL, 0, &score, sizeof score) != VQAS_OK)
      return 1;
    vqas_scorer_destroy(scorer);
    if (score.mos_lqo != work->expected) return 1;
  }
  return 0;
}

static void a_scorer_for_each_thread_gives_the_same_scores(void) {
  sound speech = read_wav("8k/M3.wav");
  job jobs[kThreads];
  sound heard[kThreads];
  vqas_scorer* scorer = NULL;
  CHECK(vqas_scorer_create(&scorer) == VQAS_OK);
  for (int n = 0; n < kThreads; ++n) {
    heard[n] = padded(speech, 100, 100);
    vqas_line_options options;
    CHECK(vqas_line_options_init(&options, sizeof options) == VQAS_OK);
    options.ber = n * 1e-3;
    vqas_line* line = NULL;
    CHECK(vqas_line_create(&options, sizeof options, (uint64_t)n, 0, &line, NULL, 0) == VQAS_OK);
    CHECK(vqas_line_process(line, heard[n].samples, heard[n].count, heard[n].samples) == VQAS_OK);
    vqas_line_destroy(line);
    jobs[n].reference = recording_of(speech);
    jobs[n].degraded = recording_of(heard[n]);
    vqas_score score;
    CHECK(vqas_scorer_score(scorer, &jobs[n].reference, &jobs[n].degraded, NULL, 0, &score, sizeof score) == VQAS_OK);
    CHECK(score.outcome == VQAS_SCORED);
    jobs[n].expected = score.mos_lqo;
  }
  thrd_t threads[kThreads];
  for (int n = 0; n < kThreads; ++n) {
    CHECK(thrd_create(&threads[n], score_again_and_again, &jobs[n]) == thrd_success);
  }
  for (int n = 0; n < kThreads; ++n) {
    int failed = 1;
    CHECK(thrd_join(threads[n], &failed) == thrd_success && failed == 0);
  }
  for (int n = 0; n < kThreads; ++n) free_sound(&heard[n]);
  vqas_scorer_destroy(scorer);
  free_sound(&speech);
}

#define TEST(name) \
  { #name, name }

int main(int argc, char** argv) {
  const named_test tests[] = {TEST(an_identical_pair_scores_4_55),
                              TEST(a_diagnosis_names_what_is_missing),
                              TEST(wideband_has_its_own_scale),
                              TEST(silence_has_a_score_only_at_a_known_place),
                              TEST(unusable_recordings_have_an_outcome),
                              TEST(wrong_arguments_change_nothing),
                              TEST(a_later_and_larger_structure_is_filled_with_zeros),
                              TEST(unknown_values_have_texts),
                              TEST(a_long_recording_is_read_in_pieces),
                              TEST(a_source_that_cannot_be_read_is_refused),
                              TEST(a_scorer_for_each_thread_gives_the_same_scores)};
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
