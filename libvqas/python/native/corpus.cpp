#include "vqas/corpus/corpus.h"

#include <nanobind/stl/string.h>

#include <string>

#include "common.h"

namespace vqas::python {

void add_corpus(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Corpus>(module, "Corpus", "Immutable; for any number of threads.")
      .def(nb::new_([](const std::string& folder) { return value_or_raise(Corpus::load(folder)); }), "folder"_a)
      .def_prop_ro("digest", &Corpus::digest)
      .def_prop_ro("stimuli",
                   [](const Corpus& corpus) {
                     Dicts stimuli;
                     for (const Stimulus& stimulus : corpus.stimuli()) {
                       nb::dict paths;
                       for (const auto& [rate, file] : stimulus.files) {
                         paths[nb::int_(rate)] = (corpus.folder() / file.path).string();
                       }
                       Dict one;
                       one["id"] = stimulus.id;
                       one["talker"] = stimulus.talker;
                       one["text"] = stimulus.text;
                       one["licence"] = stimulus.licence;
                       one["recipe"] = stimulus.recipe;
                       one["files"] = std::move(paths);
                       stimuli.append(std::move(one));
                     }
                     return stimuli;
                   })
      .def(
          "recording",
          [](const Corpus& corpus, const std::string& id, int rate) {
            Result<Signal> read = Error{};
            {
              const nb::gil_scoped_release released;
              read = corpus.recording(id, rate);
            }
            return array_of(value_or_raise(std::move(read)).samples);
          },
          "id"_a, "rate"_a);
}

}  // namespace vqas::python
