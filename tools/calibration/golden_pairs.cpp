// Writes the pairs of tests/score/golden_cases.h as plain single precision samples, for tools/calibration/golden.py.
// usage: vqas-golden-pairs DIR
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "score/golden_cases.h"

int main(int argc, char** argv) {
  using namespace vqas;
  if (argc != 2) {
    fmt::print(stderr, "usage: vqas-golden-pairs DIR\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const auto& golden : test::golden_cases()) {
    const auto write = [&](const char* which, const Signal& signal) {
      std::ofstream file(folder / fmt::format("{:02}-{}.f32", number, which), std::ios::binary);
      file.write(reinterpret_cast<const char*>(signal.samples.data()),
                 static_cast<std::streamsize>(signal.size() * sizeof(float)));
      return file.good();
    };
    if (!write("reference", golden.reference) || !write("degraded", golden.degraded)) {
      fmt::print(stderr, "cannot write to {}\n", folder.string());
      return 7;
    }
    fmt::print("{:02}\t{}\n", number++, golden.name);
  }
  return 0;
}
