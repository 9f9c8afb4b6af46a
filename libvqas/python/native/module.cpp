#include "common.h"

// The part of the package that is C++. What users call is in Python beside it.
NB_MODULE(_native, module) {
  using namespace vqas::python;
  module.doc() = "The C++ of VQAS. Use the package vqas, not this module.";
  nb::exception<InputError>(module, "InputError", PyExc_ValueError).doc() =
      "An argument, a file or an option is missing, damaged or out of range; the message names it and the cure.";
  nb::register_exception_translator([](const std::exception_ptr& raised, void*) {
    try {
      std::rethrow_exception(raised);
    } catch (const SystemError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    }
  });
  add_score(module);
  add_channel(module);
  add_marks(module);
  add_sampling(module);
  add_corpus(module);
}
