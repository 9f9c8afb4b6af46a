#pragma once

namespace vqas {

/// sin(pi t) / (pi t), exact at integer t.
double sinc(double t);

/// Kaiser's window for this attenuation (50 dB or more) at -1 < t < 1, 0 outside. J. F. Kaiser, ISCAS 1974.
double kaiser_window(double t, double attenuation_db);

}  // namespace vqas
