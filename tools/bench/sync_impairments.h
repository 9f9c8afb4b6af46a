#pragma once

#include <functional>
#include <random>
#include <vector>

namespace vqas::bench {

/// A stream on a line, and positions in it: `places` are positions in the sent stream, moved by every change of the
/// time.
struct Travelling {
  std::vector<float> samples;
  std::vector<double> places;
};

/// One fault of a line. May draw from the generator; changes the stream in place.
using Impairment = std::function<void(Travelling&, std::mt19937_64&)>;

/// Uniform in 0..1 from raw bits, the same on every machine.
double unit(std::mt19937_64& random);
/// Normal with deviation 1, by Box and Muller's method.
double normal(std::mt19937_64& random);

Impairment gain(double db);
/// White noise, its level in dBov.
Impairment noise(double dbov);
/// Linear-phase band limit: windowed sinc of 255 taps, without its delay.
Impairment band(double low_hz, double high_hz);
/// Band limit with the phase of real filters: Butterworth sections, eighth order.
Impairment steep_band(double low_hz, double high_hz);
/// Level control: attack 5 ms, release 500 ms, towards -26 dBov.
Impairment agc();
/// Clips at a level in dBov (of a square wave).
Impairment clip(double dbov);
Impairment echo(double db, double delay_s);
/// The receiver's clock is fast by this value.
Impairment clock(double ppm);
/// Frames of 20 ms lost; concealed by repetition with decay, otherwise zeros.
Impairment losses(double share, bool concealed);
Impairment mu_law(double ber);
Impairment a_law(double ber);
/// Bursts of bit errors on a mu-law line: `length_s` of them after gaps of `gap_s`, at a random phase.
Impairment bursts(double background, double inside, double length_s, double gap_s);
/// The delay changes at each odd place by this value.
Impairment delay_step(double seconds);
/// GSM full rate (spandsp).
Impairment gsm();
/// AMR narrowband (libopencore-amrnb); mode 0 is 4.75, 5 is 7.95, 7 is 12.2 kbit/s.
Impairment amr(int mode);
/// Codec 2 at 3200 bit/s (libcodec2).
Impairment codec2_3200();

}  // namespace vqas::bench
