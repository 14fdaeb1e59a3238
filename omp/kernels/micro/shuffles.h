/* The indices of shuffles that interleave two vectors: their lower and their upper halves. */
#undef SHUFFLE_LOW
#undef SHUFFLE_HIGH
#if VECTOR_BYTES / REAL_BYTES == 16
#define SHUFFLE_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define SHUFFLE_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif VECTOR_BYTES / REAL_BYTES == 8
#define SHUFFLE_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define SHUFFLE_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#elif VECTOR_BYTES / REAL_BYTES == 4
#define SHUFFLE_LOW 0, 4, 1, 5
#define SHUFFLE_HIGH 2, 6, 3, 7
#else
#define SHUFFLE_LOW 0, 2
#define SHUFFLE_HIGH 1, 3
#endif
