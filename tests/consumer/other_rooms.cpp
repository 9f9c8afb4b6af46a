// Headers of rooms that a harness with the score alone does not have: they are there, and stand by themselves.
#include "vqas/channel/bit_error_stream.h"
#include "vqas/channel/g711.h"
#include "vqas/sampling/interval.h"
