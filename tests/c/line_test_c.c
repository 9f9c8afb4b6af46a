/* Channel, marks and sampler from plain C11. */
#include <math.h>

#include "check.h"

/* Waste of a power of two less one, so that blocks never agree with those of the library. */
enum { kBlock = 1023 };

static vqas_line* line_of(double ber, double delay_s, uint64_t seed) {
  vqas_line_options options;
  CHECK(vqas_line_options_init(&options, sizeof options) == VQAS_OK);
  options.ber = ber;
  options.delay_s = delay_s;
  vqas_line* line = NULL;
  char message[200];
  CHECK(vqas_line_create(&options, sizeof options, seed, 0, &line, message, sizeof message) == VQAS_OK);
  CHECK(strcmp(message, "") == 0);
  return line;
}

static void a_line_has_the_errors_of_its_seed(void) {
  sound speech = read_wav("8k/M1.wav");
  sound heard[3];
  for (int n = 0; n < 3; ++n) {
    heard[n] = padded(speech, 0, 0);
    vqas_line* line = line_of(1e-3, 0, n < 2 ? 7 : 8);
    for (size_t at = 0; at < speech.count;) {
      /* The second line gets blocks of another size. */
      const size_t left = speech.count - at, block = n == 1 && left > kBlock ? kBlock : left;
      CHECK(vqas_line_process(line, speech.samples + at, block, heard[n].samples + at) == VQAS_OK);
      at += block;
    }
    vqas_line_counts counts;
    CHECK(vqas_line_get_counts(line, &counts, sizeof counts) == VQAS_OK);
    CHECK(counts.bits >= 8 * (speech.count - 100) && counts.bits <= 8 * speech.count);
    const double expected = 1e-3 * (double)counts.bits;
    CHECK(fabs((double)counts.bit_errors - expected) < 6 * sqrt(expected));
    vqas_line_destroy(line);
  }
  const size_t bytes = speech.count * sizeof(float);
  CHECK(memcmp(heard[0].samples, heard[1].samples, bytes) == 0);
  CHECK(memcmp(heard[0].samples, heard[2].samples, bytes) != 0);
  for (int n = 0; n < 3; ++n) free_sound(&heard[n]);
  free_sound(&speech);
}

static void a_line_delays_by_what_it_says(void) {
  const double delays[] = {0, 0.25, 9};
  for (size_t n = 0; n < sizeof delays / sizeof *delays; ++n) {
    vqas_line* line = line_of(0, delays[n], 1);
    const size_t delay = vqas_line_delay_samples(line);
    CHECK(delay >= (size_t)(8000 * delays[n]) && delay < (size_t)(8000 * delays[n]) + 100);
    const size_t count = delay + 2000;
    float* samples = calloc(count, sizeof *samples);
    CHECK(samples != NULL);
    samples[1000] = 0.5F;
    CHECK(vqas_line_process(line, samples, count, samples) == VQAS_OK);
    for (size_t at = 0; at < count; ++at) {
      CHECK(at == delay + 1000 ? fabsf(samples[at] - 0.5F) < 0.02F : fabsf(samples[at]) < 0.001F);
    }
    free(samples);
    vqas_line_destroy(line);
  }
  CHECK(vqas_line_delay_samples(NULL) == 0);
}

static void a_line_out_of_range_is_refused_in_words(void) {
  vqas_line_options options;
  CHECK(vqas_line_options_init(&options, 1) == VQAS_INVALID);
  vqas_line* line = NULL;
  char message[200];
  const double ratios[] = {NAN, -1, 0.7, 1e-30, INFINITY};
  for (size_t n = 0; n < sizeof ratios / sizeof *ratios; ++n) {
    CHECK(vqas_line_options_init(&options, sizeof options) == VQAS_OK);
    options.ber = ratios[n];
    CHECK(vqas_line_create(&options, sizeof options, 1, 0, &line, message, sizeof message) == VQAS_INVALID);
    CHECK(strstr(message, "ber") != NULL);
    CHECK(vqas_line_create(&options, sizeof options, 1, 0, &line, message, 4) == VQAS_INVALID);
    CHECK(strlen(message) == 3);
  }
  const double delays[] = {NAN, -0.1, 9.5};
  for (size_t n = 0; n < sizeof delays / sizeof *delays; ++n) {
    CHECK(vqas_line_options_init(&options, sizeof options) == VQAS_OK);
    options.delay_s = delays[n];
    CHECK(vqas_line_create(&options, sizeof options, 1, 0, &line, NULL, 0) == VQAS_INVALID);
  }
  CHECK(vqas_line_options_init(&options, sizeof options) == VQAS_OK);
  options.law = (vqas_law)5;
  CHECK(vqas_line_create(&options, sizeof options, 1, 0, &line, NULL, 0) == VQAS_INVALID);
  CHECK(line == NULL);
  CHECK(vqas_line_create(NULL, 0, 1, 0, NULL, NULL, 0) == VQAS_INVALID);
  CHECK(vqas_line_create(NULL, 0, 1, 0, &line, NULL, 0) == VQAS_OK);
  float sample = NAN;
  CHECK(vqas_line_process(line, NULL, 1, &sample) == VQAS_INVALID);
  CHECK(vqas_line_process(line, &sample, 1, NULL) == VQAS_INVALID);
  CHECK(vqas_line_process(NULL, &sample, 1, &sample) == VQAS_INVALID);
  CHECK(vqas_line_process(line, NULL, 0, NULL) == VQAS_OK);
  CHECK(vqas_line_process(line, &sample, 1, &sample) == VQAS_OK && isfinite(sample));
  vqas_line_counts counts;
  CHECK(vqas_line_get_counts(line, &counts, 1) == VQAS_INVALID);
  vqas_line_destroy(line);
  vqas_line_destroy(NULL);
}

static const vqas_mark_data kData = {VQAS_END_A, 123456, 3, 777, 0xBEEF};
static const double kGuardS = 0.1;

/* A transmission of a sentence with silence around it. */
static sound sent_stream(sound speech, size_t before, size_t after, size_t* speech_start) {
  sound stream = {NULL, vqas_transmission_length(speech.count, kGuardS), 8000};
  stream.samples = malloc(stream.count * sizeof *stream.samples);
  CHECK(stream.samples != NULL);
  CHECK(vqas_transmission_make(speech.samples, speech.count, &kData, kGuardS, stream.samples, stream.count,
                               speech_start) == VQAS_OK);
  sound result = padded(stream, before, after);
  *speech_start += before;
  free_sound(&stream);
  return result;
}

static void marks_are_found_where_they_were_put(void) {
  sound speech = read_wav("8k/F3.wav");
  size_t speech_start = 0;
  sound stream = sent_stream(speech, 5000, vqas_detector_latency(), &speech_start);
  vqas_detector* detector = NULL;
  CHECK(vqas_detector_create(VQAS_END_A, &detector) == VQAS_OK);
  for (size_t at = 0; at < stream.count; at += kBlock) {
    const size_t left = stream.count - at;
    CHECK(vqas_detector_push(detector, stream.samples + at, left < kBlock ? left : kBlock) == VQAS_OK);
  }
  vqas_mark mark;
  CHECK(vqas_detector_next(detector, &mark, sizeof mark) == VQAS_OK);
  CHECK(mark.kind == VQAS_LEADING && fabs(mark.position - 5000) < 0.1 && !mark.coarse && mark.confidence > 0.9);
  CHECK(mark.has_data && mark.data.run_id == 123456 && mark.data.stimulus == 3 && mark.data.sequence == 777 &&
        mark.data.corpus_digest == 0xBEEF && fabs(mark.level_dbov + 20) < 1);
  CHECK(vqas_detector_next(detector, &mark, sizeof mark) == VQAS_OK && mark.kind == VQAS_TRAILING && !mark.has_data);
  CHECK(vqas_detector_next(detector, &mark, sizeof mark) == VQAS_END);
  vqas_detector_destroy(detector);
  free_sound(&stream);
  free_sound(&speech);
}

static void a_live_stream_gives_a_capture_that_can_be_scored(void) {
  sound speech = read_wav("8k/F3.wav");
  size_t speech_start = 0;
  sound stream = sent_stream(speech, 5000, 8000, &speech_start);
  vqas_line* line = line_of(1e-4, 0.1, 5);
  vqas_receiver* receiver = NULL;
  CHECK(vqas_receiver_create(VQAS_END_A, kGuardS, &receiver) == VQAS_OK);
  CHECK(vqas_receiver_expect(receiver, &kData, speech.count, 10) == VQAS_OK);
  vqas_mark_data second = kData;
  second.sequence = 778;
  CHECK(vqas_receiver_expect(receiver, &second, speech.count, 10) == VQAS_OK);
  vqas_capture capture;
  int captures = 0;
  for (size_t at = 0; at < stream.count; at += kBlock) {
    float heard[kBlock];
    const size_t left = stream.count - at, block = left < kBlock ? left : kBlock;
    CHECK(vqas_line_process(line, stream.samples + at, block, heard) == VQAS_OK);
    CHECK(vqas_receiver_push(receiver, heard, block) == VQAS_OK);
    while (vqas_receiver_next(receiver, &capture, sizeof capture) == VQAS_OK) {
      ++captures;
      CHECK(capture.data.sequence == 777 && capture.marks == VQAS_BOTH_MARKS && capture.confirmed);
      CHECK(!capture.ambiguous && isnan(capture.delay_step_samples));
      const double due = (double)(speech_start + vqas_line_delay_samples(line));
      CHECK(fabs((double)capture.stream_position + capture.speech_start - due) < 1);
      vqas_scorer* scorer = NULL;
      CHECK(vqas_scorer_create(&scorer) == VQAS_OK);
      vqas_score_options options;
      CHECK(vqas_score_options_init(&options, sizeof options) == VQAS_OK);
      options.placed = 1;
      options.start_samples = capture.speech_start;
      const vqas_recording reference = recording_of(speech), degraded = {capture.samples, capture.count, 8000};
      vqas_score score;
      CHECK(vqas_scorer_score(scorer, &reference, &degraded, &options, sizeof options, &score, sizeof score) ==
            VQAS_OK);
      CHECK(score.outcome == VQAS_SCORED && score.mos_lqo > 2.5 && score.mos_lqo < 4.55);
      vqas_scorer_destroy(scorer);
    }
  }
  CHECK(captures == 1);
  CHECK(vqas_receiver_finish(receiver) == VQAS_OK);
  CHECK(vqas_receiver_next(receiver, &capture, sizeof capture) == VQAS_OK);
  CHECK(capture.data.sequence == 778 && capture.marks == VQAS_NO_MARKS && isnan(capture.speech_start));
  CHECK(vqas_receiver_next(receiver, &capture, sizeof capture) == VQAS_END);
  vqas_receiver_destroy(receiver);
  vqas_line_destroy(line);
  free_sound(&stream);
  free_sound(&speech);
}

static void marks_out_of_range_are_refused(void) {
  float samples[16] = {0};
  const size_t length = vqas_mark_length(VQAS_LEADING);
  float* mark = calloc(length, sizeof *mark);
  CHECK(mark != NULL && length > 1000 && vqas_mark_length(VQAS_TRAILING) > 100);
  CHECK(vqas_mark_length((vqas_mark_kind)9) == 0);
  CHECK(vqas_mark_make(VQAS_LEADING, &kData, mark, length) == VQAS_OK);
  CHECK(vqas_mark_make(VQAS_LEADING, &kData, mark, length - 1) == VQAS_INVALID);
  CHECK(vqas_mark_make(VQAS_LEADING, &kData, NULL, length) == VQAS_INVALID);
  CHECK(vqas_mark_make(VQAS_LEADING, NULL, mark, length) == VQAS_INVALID);
  CHECK(vqas_mark_make((vqas_mark_kind)9, &kData, mark, length) == VQAS_INVALID);
  vqas_mark_data wrong[] = {kData, kData, kData, kData, kData};
  wrong[0].sender = (vqas_end)2;
  wrong[1].run_id = 1U << 24;
  wrong[2].stimulus = 256;
  wrong[3].sequence = 65536;
  wrong[4].corpus_digest = 65536;
  vqas_receiver* receiver = NULL;
  CHECK(vqas_receiver_create(VQAS_END_A, kGuardS, &receiver) == VQAS_OK);
  for (size_t n = 0; n < sizeof wrong / sizeof *wrong; ++n) {
    CHECK(vqas_mark_make(VQAS_LEADING, &wrong[n], mark, length) == VQAS_INVALID);
    CHECK(vqas_receiver_expect(receiver, &wrong[n], 8000, 10) == VQAS_INVALID);
  }
  CHECK(vqas_receiver_expect(receiver, &kData, 0, 10) == VQAS_INVALID);
  CHECK(vqas_receiver_expect(receiver, &kData, SIZE_MAX, 10) == VQAS_INVALID);
  CHECK(vqas_receiver_expect(receiver, &kData, 8000, NAN) == VQAS_INVALID);
  CHECK(vqas_receiver_expect(NULL, &kData, 8000, 10) == VQAS_INVALID);
  CHECK(vqas_receiver_push(receiver, NULL, 1) == VQAS_INVALID && vqas_receiver_push(NULL, samples, 1) == VQAS_INVALID);
  CHECK(vqas_receiver_finish(NULL) == VQAS_INVALID);
  vqas_receiver_destroy(receiver);
  receiver = NULL;
  CHECK(vqas_receiver_create((vqas_end)5, kGuardS, &receiver) == VQAS_INVALID);
  CHECK(vqas_receiver_create(VQAS_END_B, NAN, &receiver) == VQAS_INVALID && receiver == NULL);
  CHECK(vqas_transmission_length(8000, 0.01) == 0 && vqas_transmission_length(8000, NAN) == 0);
  CHECK(vqas_transmission_length(SIZE_MAX, 0.1) == 0);
  CHECK(vqas_transmission_make(samples, 16, &kData, 0.1, samples, 16, NULL) == VQAS_INVALID);
  vqas_detector* detector = NULL;
  CHECK(vqas_detector_create((vqas_end)-1, &detector) == VQAS_INVALID && detector == NULL);
  CHECK(vqas_detector_create(VQAS_END_B, &detector) == VQAS_OK);
  samples[3] = NAN;
  CHECK(vqas_detector_push(detector, samples, 16) == VQAS_OK && vqas_detector_push(detector, NULL, 1) == VQAS_INVALID);
  vqas_mark found;
  CHECK(vqas_detector_next(detector, &found, 1) == VQAS_INVALID);
  CHECK(vqas_detector_next(detector, &found, sizeof found) == VQAS_END);
  vqas_detector_destroy(detector);
  vqas_detector_destroy(NULL);
  vqas_receiver_destroy(NULL);
  free(mark);
}

static void a_sampler_stops_at_its_goal(void) {
  vqas_sampler* sampler = NULL;
  CHECK(vqas_sampler_create(NULL, 0, &sampler, NULL, 0) == VQAS_OK);
  vqas_interval interval;
  CHECK(vqas_sampler_interval(sampler, &interval, sizeof interval) == VQAS_OK);
  CHECK(interval.count == 0 && isnan(interval.mean) && isnan(interval.half_width));
  CHECK(vqas_sampler_wanted(sampler) == 5 && vqas_sampler_reason(sampler) == VQAS_GOING);
  size_t measured = 0;
  while (vqas_sampler_wanted(sampler) > 0) {
    CHECK(vqas_sampler_add(sampler, 3.5 + 0.01 * (double)(measured % 3)) == VQAS_OK);
    CHECK(++measured < 31);
  }
  CHECK(vqas_sampler_reason(sampler) == VQAS_GOAL);
  CHECK(vqas_sampler_interval(sampler, &interval, sizeof interval) == VQAS_OK);
  CHECK(interval.count == measured && interval.half_width < 0.1 && interval.half_width > 0 &&
        fabs(interval.mean - 3.51) < 0.01 && interval.confidence == 0.99);
  vqas_sampler_destroy(sampler);
}

static void a_sampler_counts_what_has_no_score(void) {
  vqas_sampler* sampler = NULL;
  vqas_sampler_options options;
  CHECK(vqas_sampler_options_init(&options, sizeof options) == VQAS_OK);
  options.max_failures = 2;
  options.fallback_half_width = NAN;
  CHECK(vqas_sampler_create(&options, sizeof options, &sampler, NULL, 0) == VQAS_OK);
  CHECK(vqas_sampler_add(sampler, NAN) == VQAS_OK && vqas_sampler_reason(sampler) == VQAS_GOING);
  CHECK(vqas_sampler_add(sampler, INFINITY) == VQAS_OK && vqas_sampler_reason(sampler) == VQAS_FAILURES);
  CHECK(vqas_sampler_wanted(sampler) == 0);
  vqas_sampler_destroy(sampler);
  CHECK(vqas_sampler_create(NULL, 0, &sampler, NULL, 0) == VQAS_OK);
  CHECK(vqas_sampler_stop(sampler, VQAS_GOAL) == VQAS_INVALID);
  CHECK(vqas_sampler_stop(sampler, VQAS_SAMPLING_CANCELLED) == VQAS_OK);
  CHECK(vqas_sampler_reason(sampler) == VQAS_SAMPLING_CANCELLED);
  vqas_sampler_destroy(sampler);
}

static void sampler_options_out_of_range_are_refused_in_words(void) {
  vqas_sampler_options options;
  vqas_sampler* sampler = NULL;
  char message[200];
  CHECK(vqas_sampler_options_init(&options, sizeof options) == VQAS_OK);
  options.first_count = 1;
  CHECK(vqas_sampler_create(&options, sizeof options, &sampler, message, sizeof message) == VQAS_INVALID);
  CHECK(strstr(message, "first_count") != NULL);
  CHECK(vqas_sampler_options_init(&options, sizeof options) == VQAS_OK);
  options.goal_half_width = NAN;
  CHECK(vqas_sampler_create(&options, sizeof options, &sampler, message, sizeof message) == VQAS_INVALID);
  CHECK(strstr(message, "half_width") != NULL && sampler == NULL);
  CHECK(vqas_sampler_create(NULL, 0, NULL, NULL, 0) == VQAS_INVALID);
  CHECK(vqas_sampler_add(NULL, 3) == VQAS_INVALID && vqas_sampler_wanted(NULL) == 0);
  CHECK(vqas_sampler_reason(NULL) == VQAS_GOING);
  vqas_interval interval;
  CHECK(vqas_sampler_interval(NULL, &interval, sizeof interval) == VQAS_INVALID);
  vqas_sampler_destroy(NULL);
}

#define TEST(name) \
  { #name, name }

int main(int argc, char** argv) {
  const named_test tests[] = {TEST(a_line_has_the_errors_of_its_seed),
                              TEST(a_line_delays_by_what_it_says),
                              TEST(a_line_out_of_range_is_refused_in_words),
                              TEST(marks_are_found_where_they_were_put),
                              TEST(a_live_stream_gives_a_capture_that_can_be_scored),
                              TEST(marks_out_of_range_are_refused),
                              TEST(a_sampler_stops_at_its_goal),
                              TEST(a_sampler_counts_what_has_no_score),
                              TEST(sampler_options_out_of_range_are_refused_in_words)};
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
