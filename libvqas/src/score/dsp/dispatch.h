#pragma once

// VQAS_DISPATCHED marks a function that is compiled for the baseline, for x86-64-v3 (AVX2) and for x86-64-v4 (AVX-512),
// and chosen once when the program starts. Contraction into fused multiply-adds is off (ISO mode), and every order of
// summation is fixed by the code, so all versions give the same bytes. Not under the sanitizers, whose own start-up
// comes after the choice, and not where a test asks for the baseline alone.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(VQAS_BASELINE_KERNELS)
#define VQAS_HAS_DISPATCH
#define VQAS_DISPATCHED __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define VQAS_DISPATCHED
#endif
