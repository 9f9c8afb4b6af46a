#include "check.h"

static uint32_t little(const unsigned char* bytes, int count) {
  uint32_t value = 0;
  for (int n = count - 1; n >= 0; --n) value = value << 8 | bytes[n];
  return value;
}

sound read_wav(const char* name) {
  const char* folder = getenv("VQAS_CORPUS");
  CHECK(folder != NULL);
  char path[4096];
  CHECK(snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path);
  FILE* file = fopen(path, "rb");
  CHECK(file != NULL);
  unsigned char head[12];
  CHECK(fread(head, 1, 12, file) == 12 && memcmp(head, "RIFF", 4) == 0 && memcmp(head + 8, "WAVE", 4) == 0);
  sound result = {NULL, 0, 0};
  unsigned char chunk[8];
  while (fread(chunk, 1, 8, file) == 8) {
    const uint32_t size = little(chunk + 4, 4);
    if (memcmp(chunk, "fmt ", 4) == 0) {
      unsigned char format[16];
      CHECK(size >= 16 && fread(format, 1, 16, file) == 16);
      CHECK(little(format, 2) == 1 && little(format + 2, 2) == 1 && little(format + 14, 2) == 16);
      result.rate_hz = (int)little(format + 4, 4);
      CHECK(fseek(file, (long)size - 16, SEEK_CUR) == 0);
    } else if (memcmp(chunk, "data", 4) == 0) {
      result.count = size / 2;
      int16_t* raw = malloc(result.count * sizeof *raw);
      result.samples = malloc(result.count * sizeof *result.samples);
      CHECK(raw != NULL && result.samples != NULL);
      CHECK(fread(raw, sizeof *raw, result.count, file) == result.count);
      CHECK(vqas_from_int16(raw, result.count, result.samples) == VQAS_OK);
      free(raw);
    } else {
      CHECK(fseek(file, (long)(size + size % 2), SEEK_CUR) == 0);
    }
  }
  fclose(file);
  CHECK(result.samples != NULL && result.rate_hz > 0);
  return result;
}

sound padded(sound of, size_t before, size_t after) {
  sound result = {NULL, before + of.count + after, of.rate_hz};
  result.samples = calloc(result.count, sizeof *result.samples);
  CHECK(result.samples != NULL);
  memcpy(result.samples + before, of.samples, of.count * sizeof *of.samples);
  return result;
}

void free_sound(sound* of) {
  free(of->samples);
  of->samples = NULL;
}

vqas_recording recording_of(sound of) {
  const vqas_recording recording = {of.samples, of.count, of.rate_hz};
  return recording;
}

int run_tests(const named_test* tests, size_t count, int argc, char** argv) {
  size_t run = 0;
  for (size_t n = 0; n < count; ++n) {
    if (argc > 1 && strcmp(argv[1], tests[n].name) != 0) continue;
    tests[n].run();
    printf("passed: %s\n", tests[n].name);
    ++run;
  }
  if (run == 0) fprintf(stderr, "there is no test of this name\n");
  return run > 0 ? 0 : 1;
}
