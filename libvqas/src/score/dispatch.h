#pragma once

// Marks a function that is compiled twice, for the baseline and for x86-64-v3 (AVX2), and chosen once when the program
// starts. Contraction into fused multiply-adds is off (ISO mode), and every order of summation is fixed by the code, so
// both versions give the same bytes. Not under the sanitizers, whose own start-up comes after the choice, and
// not where a test asks for the baseline alone.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(VQAS_BASELINE_KERNELS)
#define VQAS_DISPATCHED __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define VQAS_DISPATCHED
#endif
