/* What the tests in C need: a check that names its place, and the corpus. */
#ifndef VQAS_TESTS_C_CHECK_H
#define VQAS_TESTS_C_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vqas/vqas.h"

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "%s:%d: false: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                               \
    }                                                                        \
  } while (0)

/* A test by its name on the command line. */
typedef struct named_test {
  const char* name;
  void (*run)(void);
} named_test;

/* Runs the test that argv[1] names; all of them without one. Returns the program's exit code. */
int run_tests(const named_test* tests, size_t count, int argc, char** argv);

typedef struct sound {
  float* samples;
  size_t count;
  int rate_hz;
} sound;

/* A mono file of 16 bits from the folder in VQAS_CORPUS, "8k/M1.wav". Ends the test if it cannot be read. */
sound read_wav(const char* name);
/* That sound behind `before` and in front of `after` samples of silence. */
sound padded(sound of, size_t before, size_t after);
void free_sound(sound* of);
vqas_recording recording_of(sound of);

#endif
