/* VQAS from C: the shared library libvqas.
 *
 * Five kinds of handles: a scorer compares recordings, a line degrades sound, a detector and a receiver find marks in a
 * stream, a sampler decides how many measurements are needed. Create a handle, feed it, query it, destroy it.
 *
 * Rules for all functions:
 * - Samples are float, mono, full scale is +-1.
 * - NaN means "undefined" in every double that the library returns. No number ever stands for "could not be measured".
 * - Functions that can fail return a vqas_status and write nothing through their pointers unless it is VQAS_OK. What
 *   was wrong is told, in English and without a final full stop, by vqas_scorer_message(), and into the buffers of
 *   vqas_line_create() and vqas_sampler_create(); for other functions by vqas_status_text().
 * - Structures may grow at their end in later versions. So their size is an argument: always sizeof. The library writes
 *   only that many bytes; members that it does not know are set to 0.
 * - Enumerations may grow. Treat an unknown outcome as "not scored", an unknown status as a failure.
 * - There is no state outside the handles. Different handles may be used in different threads at a time; one handle
 *   only in one thread at a time. Nothing here is real-time safe, except where stated.
 * - The library plans its transforms by libfftw3f, under a lock of its own. A program that plans by libfftw3f in other
 *   threads calls fftwf_make_planner_thread_safe() first.
 * - No C++ exception leaves a function. Functions of the caller (vqas_source, vqas_long_options) must not throw
 *   exceptions, jump out, or call functions with the same handle.
 * - After VQAS_NO_MEMORY or VQAS_INTERNAL a line, detector, receiver or sampler can only be destroyed; a scorer remains
 *   usable. The process ends, however, where libfftw3 or libsoxr cannot get memory.
 *
 * Until version 1.0 a minor version (0.2, 0.3) may change the interface. An incompatible one has another SONAME. */
#ifndef VQAS_VQAS_H
#define VQAS_VQAS_H

#include <stddef.h>
#include <stdint.h>

#if defined(VQAS_API)
#elif defined(__GNUC__)
#define VQAS_API __attribute__((visibility("default")))
#else
#define VQAS_API
#endif

/* C allows any number in an enumeration, and so must C++. */
#ifdef __cplusplus
#define VQAS_ENUM : unsigned int
extern "C" {
#else
#define VQAS_ENUM
#endif

/* ---- Results of calls ---- */

typedef enum vqas_status VQAS_ENUM {
  VQAS_OK = 0,
  VQAS_INVALID = 1,     /* an argument is NULL or out of range; nothing was changed */
  VQAS_NO_MEMORY = 2,   /* memory could not be allocated */
  VQAS_READ_FAILED = 3, /* the caller's own read function failed */
  VQAS_CANCELLED = 4,   /* the caller's own progress function stopped the call */
  VQAS_END = 5,         /* no element with this number, or no element left; not a fault */
  VQAS_INTERNAL = 6     /* a fault of VQAS itself */
} vqas_status;

/* A status in words, "an argument is missing or out of range". Never NULL, also for unknown values. */
VQAS_API const char* vqas_status_text(vqas_status status);

/* Version of the library, "0.1.0". */
VQAS_API const char* vqas_version(void);

/* The model, and with it the scale: MOS of different models must not be compared or averaged. */
typedef enum vqas_mode VQAS_ENUM {
  VQAS_NARROWBAND = 0, /* the telephone band: MOS-LQON, 1.0..4.55, on the scale of ITU-T P.862.1 */
  VQAS_WIDEBAND = 1 /* 50 to 7000 Hz: MOS-LQOW, 1.04..4.64, on the scale of P.862.2. Both rates must be 16000 or more */
} vqas_mode;

/* Version of the narrowband model. Scores of different versions must not be compared. */
VQAS_API const char* vqas_score_version(void);
/* Version of that model; "unknown" for other values. */
VQAS_API const char* vqas_score_version_of(vqas_mode mode);

/* Error of the narrowband model against its label: one standard deviation, in MOS. The true label of a score lies
 * within twice this distance in most cases. See libvqas/doc/what-a-score-means.md. */
VQAS_API double vqas_model_error_mos(void);
/* The same of that model; NaN for other values. */
VQAS_API double vqas_model_error_mos_of(vqas_mode mode);

/* Converts 16-bit samples: each is divided by 32768. `samples` has room for `count`. Real-time safe. VQAS_INVALID: NULL
 * with a count above 0. */
VQAS_API vqas_status vqas_from_int16(const int16_t* from, size_t count, float* samples);

/* ---- Score: two recordings, a MOS ---- */

/* How a measurement ended. Only VQAS_SCORED has a MOS. */
typedef enum vqas_outcome VQAS_ENUM {
  VQAS_SCORED = 0,
  VQAS_NOT_FOUND = 1,     /* no mark and no speech found; not from a scorer */
  VQAS_NOT_ALIGNED = 2,   /* something was received, but it cannot be aligned with the reference */
  VQAS_NO_SPEECH = 3,     /* reference or degraded recording holds no speech */
  VQAS_TOO_SHORT = 4,     /* shorter than a score requires */
  VQAS_CLIPPED_INPUT = 5, /* the reference is clipped */
  VQAS_BAD_INPUT = 6,     /* a recording is empty, its rate is unusable, or a sample is NaN or infinite */
  VQAS_AUDIO_FAULT = 7,   /* not from a scorer */
  VQAS_LINE_LOST = 8,     /* not from a scorer */
  VQAS_STOPPED = 9        /* not from a scorer */
} vqas_outcome;

/* The outcome's name in results, "scored" to "cancelled"; "unknown" for other values. */
VQAS_API const char* vqas_outcome_text(vqas_outcome outcome);

typedef enum vqas_impairment VQAS_ENUM {
  VQAS_LOSS = 0,            /* packets lost or speech muted, in the middle */
  VQAS_NOISE = 1,           /* added sound that is present in pauses too */
  VQAS_BAND_LOSS = 2,       /* the band is narrower than a telephone's */
  VQAS_CLIPPING = 3,        /* peaks cut off */
  VQAS_CODING = 4,          /* coding distortion or bit errors */
  VQAS_LEVEL = 5,           /* varying level */
  VQAS_DELAY_VARIATION = 6, /* the delay changes during speech */
  VQAS_CUT = 7              /* the beginning or the end is missing */
} vqas_impairment;

/* The impairment's name in results, "loss" to "cut"; "unknown" for other values. */
VQAS_API const char* vqas_impairment_text(vqas_impairment impairment);
/* What to look for, in words; "" for unknown values. `missing_ms`: the missing speech of the score, front, middle and
 * tail in all, in ms; only the words on loss depend on it. */
VQAS_API const char* vqas_impairment_advice(vqas_impairment impairment, double missing_ms);

/* A recording in memory. The library reads the samples during the call only. */
typedef struct vqas_recording {
  const float* samples;
  size_t count; /* at most VQAS_LONGEST_S seconds */
  int rate_hz;  /* 8000 or more; converted inside to 8000 Hz, in wideband to 16000 Hz */
} vqas_recording;

/* Longest recording, in seconds. A longer one is VQAS_INVALID, before any sample is read. */
#define VQAS_LONGEST_S 14400

typedef struct vqas_score_options {
  int diagnose; /* not 0: also impairments and the members from `loudness_lost` on; several times as slow */
  int placed;   /* not 0: the speech lies at `start_samples`. It is scored there whatever lies there: silence or noise
                   is a true score near 1. 0: it is searched for, and speech that is not found has no score */
  double start_samples;   /* of the reference's first sample in the degraded recording, at the latter's rate */
  double clock_drift_ppm; /* of the degraded recording's clock; positive: fast; -12500..12500 */
  double uncertainty_s;   /* largest distance of the speech from that place, 0.001..10 */
} vqas_score_options;

/* Sets the defaults: no diagnosis, not placed, 0.05 s. VQAS_INVALID: NULL, or a size below that of version 0.1. */
VQAS_API vqas_status vqas_score_options_init(vqas_score_options* options, size_t size);

/* A score. Times are those of the reference, where not stated otherwise. */
typedef struct vqas_score {
  vqas_outcome outcome;
  int diagnosed;              /* not 0: the members from `band_low_hz` to `level_range_db` are known */
  double mos_lqo;             /* on the scale of the scorer's model, see vqas_mode; NaN unless VQAS_SCORED */
  double auditory_distance;   /* 0 for identity, then rising; NaN unless VQAS_SCORED */
  double confidence;          /* probability, 0..1, that mos_lqo lies within 0.5 of its label; NaN unless VQAS_SCORED */
  double delay_ms;            /* median delay of the degraded recording, from the start of both; NaN: unknown */
  double clock_drift_ppm;     /* positive: the degraded recording's clock is fast; NaN: unknown */
  double level_difference_db; /* active level of the degraded recording minus the reference's; NaN: unknown */
  double unrecognised_cost_mos; /* loss in MOS that nothing that was named explains, >= 0.5; NaN: none */
  double band_low_hz;           /* received within 3 dB of the middle of the band; NaN: unknown, as all that follow */
  double band_high_hz;
  double loudness_lost;    /* share of the reference's loudness that the line's band removes, 0..1 */
  double missing_front_ms; /* speech that did not arrive: from its start */
  double missing_middle_ms;
  double missing_tail_ms; /* to its end */
  double speech_ms;       /* speech in the reference */
  double level_range_db;  /* highest minus lowest gain within the recording */
  double noise_dbm0p;     /* in the talker's pauses, psophometric; -80: so much or less; NaN also if he never pauses */
  double noise_cost_mos;  /* what this noise alone costs, MOS; NaN: not measured */
  size_t impairments;     /* found; query them by vqas_scorer_impairment() */
  size_t delay_pieces;    /* vqas_scorer_delay_piece() */
  size_t unused_sounds;   /* vqas_scorer_unused_sound() */
  size_t segments;        /* of vqas_scorer_score_long(), else 0: vqas_scorer_segment() */
} vqas_score;

typedef struct vqas_impairment_finding {
  vqas_impairment impairment;
  double strength; /* 0.3 times what was measured over its limit, 3 at most; not in MOS */
  double cost_mos; /* what the score loses by it; NaN: not measured */
} vqas_impairment_finding;

/* What an impairment has of the loss in MOS, which is the highest score of the model minus mos_lqo. */
typedef struct vqas_loss_part {
  int named;                  /* 0: what no impairment that was named explains */
  vqas_impairment impairment; /* where it is named */
  double mos;                 /* >= 0 */
} vqas_loss_part;

/* A segment of constant delay. */
typedef struct vqas_delay_piece {
  double start_s;  /* in the reference */
  double length_s; /* in the reference */
  double delay_ms; /* degraded minus reference, from the start of both recordings */
} vqas_delay_piece;

/* Sound in the degraded recording where no speech of the reference was laid. */
typedef struct vqas_unused_sound {
  double start_s; /* in the degraded recording, as is the length */
  double length_s;
  double mos_lqo; /* score of a second copy of the reference; NaN: not the reference */
} vqas_unused_sound;

/* One segment of a long recording. */
typedef struct vqas_segment {
  double start_s; /* in the reference */
  double length_s;
  vqas_outcome outcome; /* VQAS_NO_SPEECH where the reference is quiet */
  uint32_t impairments; /* a set: bit 1u << VQAS_LOSS and so on */
  double mos_lqo;       /* as in vqas_score */
  double auditory_distance;
  double confidence;
  double delay_ms; /* of the whole recordings */
} vqas_segment;

/* Compares recordings. It keeps its work space and the last score: use one for any number of pairs. The same pair gives
 * the same score on every scorer. */
typedef struct vqas_scorer vqas_scorer;

/* Creates a scorer of the narrowband model. VQAS_INVALID: NULL. */
VQAS_API vqas_status vqas_scorer_create(vqas_scorer** scorer);
/* Creates a scorer of a model. VQAS_INVALID: NULL, or no such mode. */
VQAS_API vqas_status vqas_scorer_create_for(vqas_mode mode, vqas_scorer** scorer);
/* Destroys it; NULL is allowed. */
VQAS_API void vqas_scorer_destroy(vqas_scorer* scorer);

/* Compares `degraded` with `reference`. `options` may be NULL (then the size is ignored): the defaults. Recordings that
 * cannot be compared give VQAS_OK and an outcome with a reason; so do empty ones, NaN among the samples, and rates out
 * of range. VQAS_INVALID: a pointer is NULL (a recording's samples only with a count above 0), a recording longer than
 * VQAS_LONGEST_S, a size that is too small, an option out of range. After a failure the last score remains. */
VQAS_API vqas_status vqas_scorer_score(vqas_scorer* scorer, const vqas_recording* reference,
                                       const vqas_recording* degraded, const vqas_score_options* options,
                                       size_t options_size, vqas_score* score, size_t score_size);

/* Reads `count` samples from number `first` on into `samples`. Both lie within the source's count. Returns 0, or
 * another value to make the call fail with VQAS_READ_FAILED. */
typedef int (*vqas_read)(void* user, uint64_t first, size_t count, float* samples);

/* A recording that is read in pieces, in any order and more than once. */
typedef struct vqas_source {
  uint64_t count; /* samples, at most VQAS_LONGEST_S seconds */
  int rate_hz;    /* 8000..1000000 */
  vqas_read read;
  void* user; /* passed to `read`; may be NULL */
} vqas_source;

/* Called with the share that is done, 0..1. Returns 0 to continue, another value to stop with VQAS_CANCELLED. */
typedef int (*vqas_progress)(void* user, double done);

typedef struct vqas_long_options {
  double segment_s;       /* of the reference, 5..120 */
  double search_s;        /* how far from where the path so far ends speech is looked for first; 0: no further than
                             uncertainty_s, or 0.05..60 */
  double uncertainty_s;   /* of a segment's place on the path, 0.05..5 */
  vqas_progress progress; /* NULL: not called */
  void* user;             /* passed to `progress` */
} vqas_long_options;

/* Sets the defaults: 20 s, 10 s, 0.5 s, no progress. Fails like vqas_score_options_init(). */
VQAS_API vqas_status vqas_long_options_init(vqas_long_options* options, size_t size);

/* Compares two recordings of any length up to VQAS_LONGEST_S, in segments cut where the reference is quiet. Memory is
 * that of one segment, the results and some 6 MB for each hour. `score` is that of the whole, always with a diagnosis.
 * `options` may be NULL. VQAS_INVALID: as vqas_scorer_score(); a rate or an option out of range. VQAS_READ_FAILED,
 * VQAS_CANCELLED: by the caller's functions. A sample that is NaN or infinite gives segments with VQAS_BAD_INPUT. */
VQAS_API vqas_status vqas_scorer_score_long(vqas_scorer* scorer, const vqas_source* reference,
                                            const vqas_source* degraded, const vqas_long_options* options,
                                            size_t options_size, vqas_score* score, size_t score_size);

/* Why there is no score, or what makes it uncertain, with the remedy; "" if there is nothing to say or no score yet. It
 * belongs to the last score and is valid until the next one. NULL only for a NULL scorer. */
VQAS_API const char* vqas_scorer_reason(const vqas_scorer* scorer);

/* Elements of the last score by number, from 0. Impairments: the most expensive first. VQAS_END: no such number.
 * VQAS_INVALID: NULL, a size that is too small. */
VQAS_API vqas_status vqas_scorer_impairment(const vqas_scorer* scorer, size_t number, vqas_impairment_finding* finding,
                                            size_t size);
/* Of one pair, after a diagnosis: the largest first, then what is left over. The parts add up to the
 * loss. */
VQAS_API vqas_status vqas_scorer_loss_part(const vqas_scorer* scorer, size_t number, vqas_loss_part* part, size_t size);
VQAS_API vqas_status vqas_scorer_delay_piece(const vqas_scorer* scorer, size_t number, vqas_delay_piece* piece,
                                             size_t size);
VQAS_API vqas_status vqas_scorer_unused_sound(const vqas_scorer* scorer, size_t number, vqas_unused_sound* sound,
                                              size_t size);
VQAS_API vqas_status vqas_scorer_segment(const vqas_scorer* scorer, size_t number, vqas_segment* segment, size_t size);

/* What the last failed call with this scorer was about; "" before the first failure. Valid until the next failure. NULL
 * only for a NULL scorer. */
VQAS_API const char* vqas_scorer_message(const vqas_scorer* scorer);

/* ---- Channel: a G.711 line with bit errors ---- */

typedef enum vqas_law VQAS_ENUM { VQAS_MU_LAW = 0, VQAS_A_LAW = 1 } vqas_law;

typedef struct vqas_line_options {
  vqas_law law;
  double ber;                 /* random bit error ratio, 0 or 1e-12..0.5 */
  double delay_s;             /* added to the line's own latency, 0..9 */
  double gain_db;             /* -40..40 */
  int band_limit;             /* not 0: 300..3400 Hz (ITU-T G.712) */
  double circuit_noise_dbm0p; /* psophometric, where the line is heard, -120..-20; -INFINITY: none */
} vqas_line_options;

/* Sets the defaults: mu-law, no errors, no delay, no gain, full band, no noise. Fails like vqas_score_options_init().
 */
VQAS_API vqas_status vqas_line_options_init(vqas_line_options* options, size_t size);

/* One direction of a 64 kb/s line, at 8000 Hz. The output depends on options, seed, stream and input only, not on the
 * sizes of the blocks. */
typedef struct vqas_line vqas_line;

/* Creates a line. `seed` and `stream` choose the errors and the noise; different pairs are independent. `options` may
 * be NULL. `message`, if not NULL, receives what was wrong, cut to `message_size` bytes with the final 0. VQAS_INVALID:
 * NULL, an option out of range. */
VQAS_API vqas_status vqas_line_create(const vqas_line_options* options, size_t options_size, uint64_t seed,
                                      uint64_t stream, vqas_line** line, char* message, size_t message_size);
VQAS_API void vqas_line_destroy(vqas_line* line); /* NULL is allowed */

/* The delay of this line, own latency and delay_s together, in samples; 0 for NULL. To align a whole recording with its
 * source, pass this many zeros after it and leave out as many samples of the output. */
VQAS_API size_t vqas_line_delay_samples(const vqas_line* line);

/* Sends `count` samples and returns as many that are heard at the same time; `heard` may be `sent`. NaN, and
 * what a filter mixes with it, is sent as full scale. Real-time safe for blocks of up to 8 s. VQAS_INVALID: NULL with a
 * count above 0. */
VQAS_API vqas_status vqas_line_process(vqas_line* line, const float* sent, size_t count, float* heard);

typedef struct vqas_line_counts {
  uint64_t bits;       /* coded so far */
  uint64_t bit_errors; /* of these, inverted */
} vqas_line_counts;

/* VQAS_INVALID: NULL, a size that is too small. */
VQAS_API vqas_status vqas_line_get_counts(const vqas_line* line, vqas_line_counts* counts, size_t size);

/* ---- Marks: where a transmission lies in a stream ---- */

/* The two ends of a line. Each end's marks are near-orthogonal to the other's. */
typedef enum vqas_end VQAS_ENUM { VQAS_END_A = 0, VQAS_END_B = 1 } vqas_end;

typedef enum vqas_mark_kind VQAS_ENUM { VQAS_LEADING = 0, VQAS_TRAILING = 1 } vqas_mark_kind;

/* Content of a leading mark. */
typedef struct vqas_mark_data {
  vqas_end sender;
  uint32_t run_id;        /* 0..16777215: distinguishes runs */
  uint32_t stimulus;      /* 0..255: which sentence */
  uint32_t sequence;      /* 0..65535: number of the transmission in this direction */
  uint32_t corpus_digest; /* 0..65535: which set of sentences */
} vqas_mark_data;

/* Length of a mark in samples at 8000 Hz; 0 for an unknown kind. */
VQAS_API size_t vqas_mark_length(vqas_mark_kind kind);

/* Writes a mark at 8000 Hz, -20 dBov while it sounds. `count` must be vqas_mark_length(). A trailing mark has only the
 * sender. VQAS_INVALID: NULL, an unknown kind, another count, a member of `data` out of range. */
VQAS_API vqas_status vqas_mark_make(vqas_mark_kind kind, const vqas_mark_data* data, float* samples, size_t count);

/* Length of a transmission, in samples at 8000 Hz: leading mark, guard interval, stimulus, guard interval, trailing
 * mark. `guard_s` is 0.05..1 s. 0: out of range, or longer than VQAS_LONGEST_S. */
VQAS_API size_t vqas_transmission_length(size_t stimulus_count, double guard_s);

/* Writes a transmission. `count` must be vqas_transmission_length(). `speech_start`, if not NULL, receives the number
 * of the stimulus's first sample. VQAS_INVALID: as vqas_mark_make(). */
VQAS_API vqas_status vqas_transmission_make(const float* stimulus, size_t stimulus_count, const vqas_mark_data* data,
                                            double guard_s, float* samples, size_t count, size_t* speech_start);

/* A mark that was found. */
typedef struct vqas_mark {
  vqas_mark_kind kind;
  vqas_end sender;
  double position;     /* of its first sample, in samples at 8000 Hz since the detector was created; fractional */
  double confidence;   /* 0..1 */
  double level_dbov;   /* rms as received; NaN: unknown */
  int coarse;          /* not 0: found by its energy alone; the position is accurate to some milliseconds */
  int has_data;        /* not 0: `data` was decoded and its checksum is correct; otherwise only the sender is known */
  vqas_mark_data data; /* of a leading mark */
} vqas_mark;

/* Finds one end's marks in a stream at 8000 Hz, at any offset and gain. Samples that are not finite count as silence.
 */
typedef struct vqas_detector vqas_detector;

/* VQAS_INVALID: NULL, an unknown end. */
VQAS_API vqas_status vqas_detector_create(vqas_end sender, vqas_detector** detector);
VQAS_API void vqas_detector_destroy(vqas_detector* detector); /* NULL is allowed */
/* Takes the next samples. Marks that they complete wait for vqas_detector_next(). A mark is reported at most
 * vqas_detector_latency() samples after its end: feed so much silence behind a recording. VQAS_INVALID: NULL with a
 * count above 0. */
VQAS_API vqas_status vqas_detector_push(vqas_detector* detector, const float* samples, size_t count);
VQAS_API size_t vqas_detector_latency(void); /* in samples at 8000 Hz; always the same */
/* Takes the oldest mark that was found and not taken yet. VQAS_END: no mark waits. VQAS_INVALID: NULL, a size that is
 * too small. */
VQAS_API vqas_status vqas_detector_next(vqas_detector* detector, vqas_mark* mark, size_t size);

typedef enum vqas_marks_found VQAS_ENUM {
  VQAS_BOTH_MARKS = 0,
  VQAS_LEADING_ONLY = 1,
  VQAS_TRAILING_ONLY = 2,
  VQAS_NO_MARKS = 3
} vqas_marks_found;

/* What was received for one expected transmission. To score it: confirmed, both marks, `delay_step_samples` NaN: with
 * the placement `speech_start` (vqas_score_options), which also gives silence its true score near 1. Otherwise without
 * a placement, so that speech that is not found has no score. Not at all if it is ambiguous. */
typedef struct vqas_capture {
  vqas_mark_data data; /* as expected */
  vqas_marks_found marks;
  int confirmed;             /* not 0: the leading mark's data were decoded and are the expected ones */
  int ambiguous;             /* not 0: another lost transmission of the same stimulus has the same recording */
  uint64_t stream_position;  /* of the first sample, since the receiver was created */
  double speech_start;       /* of the stimulus's first sample, in samples of this recording; NaN: no mark */
  double clock_drift_ppm;    /* of the receiver's clock against the sender's; NaN: unknown */
  double delay_step_samples; /* by how much the marks' distance differs; NaN: it does not */
  const float* samples;      /* at 8000 Hz; valid until the next call with this receiver */
  size_t count;
} vqas_capture;

/* Turns a live stream at 8000 Hz into captures, one for each expected transmission, in order. It keeps at most twice
 * the last 70 s and the longest stimulus. */
typedef struct vqas_receiver vqas_receiver;

/* `guard_s` as in vqas_transmission_length(). VQAS_INVALID: NULL, an unknown end, a guard interval out of range. */
VQAS_API vqas_status vqas_receiver_create(vqas_end sender, double guard_s, vqas_receiver** receiver);
VQAS_API void vqas_receiver_destroy(vqas_receiver* receiver); /* NULL is allowed */
/* Adds a transmission that will come: its data, its length at 8000 Hz (1 sample to 600 s), and how long to wait for its
 * leading mark, in seconds from the end of the one before, 0.1..86400. VQAS_INVALID: NULL, out of range. */
VQAS_API vqas_status vqas_receiver_expect(vqas_receiver* receiver, const vqas_mark_data* data, size_t stimulus_count,
                                          double within_s);
/* Takes the next samples. Captures that they complete wait for vqas_receiver_next(), which must be called before much
 * more is pushed: those that wait take memory. VQAS_INVALID: NULL with a count above 0. */
VQAS_API vqas_status vqas_receiver_push(vqas_receiver* receiver, const float* samples, size_t count);
/* Ends the stream: everything that is still expected becomes a capture of what was received. VQAS_INVALID: NULL. */
VQAS_API vqas_status vqas_receiver_finish(vqas_receiver* receiver);
/* Takes the oldest capture that was completed and not taken yet. VQAS_END: none waits. VQAS_INVALID: NULL, a size that
 * is too small. */
VQAS_API vqas_status vqas_receiver_next(vqas_receiver* receiver, vqas_capture* capture, size_t size);

/* ---- Sampler: how many measurements are needed ---- */

typedef enum vqas_stop_reason VQAS_ENUM {
  VQAS_GOING = 0,         /* not finished */
  VQAS_GOAL = 1,          /* the goal was reached */
  VQAS_FALLBACK = 2,      /* a cap was reached, and the second goal with it */
  VQAS_CAP_COUNT = 3,     /* the most measurements were made; no goal was reached */
  VQAS_CAP_LINE_TIME = 4, /* not from this interface */
  VQAS_SAMPLING_CANCELLED = 5,
  VQAS_SAMPLING_LINE_LOST = 6,
  VQAS_FAILURES = 7, /* too many measurements had no score */
  VQAS_DISK = 8,     /* not from this interface */
  VQAS_SENDER_FINISHED = 9
} vqas_stop_reason;

/* The reason's name in results, "goal" to "sender_finished"; "" for VQAS_GOING, "unknown" for other values. */
VQAS_API const char* vqas_stop_reason_text(vqas_stop_reason reason);

typedef struct vqas_sampler_options {
  size_t first_count;         /* measurements before the first look, 2 or more */
  size_t step;                /* further measurements come in multiples of this, 1..1000000 */
  size_t cap_count;           /* most scored measurements, first_count..1000000 */
  size_t max_failures;        /* measurements without a score after which it ends, 1 or more */
  double goal_half_width;     /* MOS, above 0 and at most 4 */
  double goal_confidence;     /* 0.5..0.9999 */
  double fallback_half_width; /* tried when a cap is reached; NaN: no fallback */
  double fallback_confidence; /* 0.5..0.9999 */
} vqas_sampler_options;

/* Sets the defaults: 5, 5, 30, 10; 0.1 MOS at 0.99, then 0.15 at 0.95. Fails like vqas_score_options_init(). */
VQAS_API vqas_status vqas_sampler_options_init(vqas_sampler_options* options, size_t size);

typedef struct vqas_interval {
  size_t count;              /* scores */
  double mean;               /* MOS; NaN without scores */
  double standard_deviation; /* MOS; NaN below two scores */
  double half_width;         /* of the interval around the mean, MOS; NaN below two scores */
  double confidence;         /* of the interval, 0..1 */
} vqas_interval;

/* Decides how many measurements one stimulus needs. Its interval says how well the measurements repeat; the model's own
 * error comes on top. A pure computation: equal calls give equal results. */
typedef struct vqas_sampler vqas_sampler;

/* `options` may be NULL; `message` as in vqas_line_create(). VQAS_INVALID: NULL, an option out of range. */
VQAS_API vqas_status vqas_sampler_create(const vqas_sampler_options* options, size_t options_size,
                                         vqas_sampler** sampler, char* message, size_t message_size);
VQAS_API void vqas_sampler_destroy(vqas_sampler* sampler); /* NULL is allowed */
/* Adds a score, MOS; NaN and infinity count as a measurement without a score. VQAS_INVALID: NULL. */
VQAS_API vqas_status vqas_sampler_add(vqas_sampler* sampler, double mos);
/* Ends the sampling from outside, by VQAS_SAMPLING_CANCELLED or VQAS_SAMPLING_LINE_LOST; no effect if it has ended.
 * VQAS_INVALID: NULL, another reason. */
VQAS_API vqas_status vqas_sampler_stop(vqas_sampler* sampler, vqas_stop_reason reason);
/* Measurements to make now, in one batch; 0 when finished, and for NULL. */
VQAS_API size_t vqas_sampler_wanted(const vqas_sampler* sampler);
/* Why it ended; VQAS_GOING while it has not. VQAS_GOING for NULL. */
VQAS_API vqas_stop_reason vqas_sampler_reason(const vqas_sampler* sampler);
/* Mean and interval of the scores so far. VQAS_INVALID: NULL, a size that is too small. */
VQAS_API vqas_status vqas_sampler_interval(const vqas_sampler* sampler, vqas_interval* interval, size_t size);

#ifdef __cplusplus
}
#endif

#endif
