/* SPDX-License-Identifier: ISC */
/*
 * bound.c - how fast the processor's ports let any AES-GCM be: loops that execute what each
 * vector of blocks needs of them and nothing else - no loads, no stores, no reduction, and enough
 * independent chains that nothing waits for a result.
 *
 * A vector of blocks takes
 *   - its AES rounds: 10 or 14, or two fewer if the first two are cached;
 *   - four carry-less multiplications (schoolbook), and adding up their products;
 *   - one byte shuffle, of the ciphertext for GHASH;
 *   - one xor with the key stream, one with the first round key or the cached rounds;
 *   - unless rounds are cached, the counter block: an addition and a byte shuffle.
 * With 512-bit registers three operands are xored at once, so adding up takes two operations;
 * with others four.
 */
#include "competitor.h"

#if defined(__x86_64__)

#include "cpu/cpu.h"

/* v is "xmm", "ymm" or "zmm".  Registers: 0 to 7 AES, 8 to 11 GHASH, 12 and 13 xor, 14 shuffle. */
#define OP(insn, v, n) insn " %%" v "15, %%" v #n ", %%" v #n "\n\t"
#define AES(v, n)      OP("vaesenc", v, n)
#define MUL(v, n)      OP("vpclmulqdq $1,", v, n)
#define SHUFFLE(v)     OP("vpshufb", v, 14)

/* One round of each of eight chains. */
#define SWEEP(v) AES(v, 0) AES(v, 1) AES(v, 2) AES(v, 3) AES(v, 4) AES(v, 5) AES(v, 6) AES(v, 7)

/* Eight rounds and all else that a vector with cached rounds needs, evenly mixed. */
/* clang-format off */
#define VECTOR(v, xor)          \
	AES(v, 0) OP(xor, v, 12) \
	AES(v, 1) MUL(v, 8)      \
	AES(v, 2) OP(xor, v, 13) \
	AES(v, 3) MUL(v, 9)      \
	AES(v, 4) SHUFFLE(v)     \
	AES(v, 5) MUL(v, 10)     \
	AES(v, 6) OP(xor, v, 12) \
	AES(v, 7) MUL(v, 11) OP(xor, v, 13)
/* clang-format on */

/* What comes on top without cached rounds, and without operations of three operands. */
#define COUNTER(v, xor) SHUFFLE(v) OP(xor, v, 12)
#define NARROW(v, xor)  OP(xor, v, 12) OP(xor, v, 13)

#define ZMM_CACHED VECTOR("zmm", "vpxorq")
#define ZMM_ALL    ZMM_CACHED COUNTER("zmm", "vpxorq")
#define YMM_CACHED VECTOR("ymm", "vpxor") NARROW("ymm", "vpxor")
#define YMM_ALL    YMM_CACHED COUNTER("ymm", "vpxor")
#define XMM_CACHED VECTOR("xmm", "vpxor") NARROW("xmm", "vpxor")
#define XMM_ALL    XMM_CACHED COUNTER("xmm", "vpxor")

/*
 * Four vectors of that many rounds.  A vector has eight of its own, so a sweep of eight is two
 * more for each of the four, and no chain gets longer than another.
 */
#define VECTORS                   4
#define FOUR_OF_8(vector, sweep)  vector vector vector vector
#define FOUR_OF_10(vector, sweep) vector vector sweep vector vector
#define FOUR_OF_12(vector, sweep) vector sweep vector vector sweep vector
#define FOUR_OF_14(vector, sweep) vector sweep vector sweep vector sweep vector

/* Registers keep what is in them: no instruction here takes longer for some values. */
#define BOUND(name, four_of, v, vector)                                                          \
	static void name(size_t turns)                                                           \
	{                                                                                        \
		__asm__ volatile("1:\n\t" four_of(vector, SWEEP(v)) "dec %0\n\tjnz 1b\n\t"       \
								    "vzeroupper"                 \
				 : "+r"(turns)                                                   \
				 :                                                               \
				 : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", \
				   "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",   \
				   "xmm14", "xmm15");                                            \
	}

BOUND(zmm_8, FOUR_OF_8, "zmm", ZMM_CACHED)
BOUND(zmm_10, FOUR_OF_10, "zmm", ZMM_ALL)
BOUND(zmm_12, FOUR_OF_12, "zmm", ZMM_CACHED)
BOUND(zmm_14, FOUR_OF_14, "zmm", ZMM_ALL)
BOUND(ymm_8, FOUR_OF_8, "ymm", YMM_CACHED)
BOUND(ymm_10, FOUR_OF_10, "ymm", YMM_ALL)
BOUND(ymm_12, FOUR_OF_12, "ymm", YMM_CACHED)
BOUND(ymm_14, FOUR_OF_14, "ymm", YMM_ALL)
BOUND(xmm_8, FOUR_OF_8, "xmm", XMM_CACHED)
BOUND(xmm_10, FOUR_OF_10, "xmm", XMM_ALL)
BOUND(xmm_12, FOUR_OF_12, "xmm", XMM_CACHED)
BOUND(xmm_14, FOUR_OF_14, "xmm", XMM_ALL)

struct bound {
	const char *name;
	uint32_t needs;
	size_t turn_bytes; /* of one turn of its loops */
	void (*run_128)(size_t turns);
	void (*run_256)(size_t turns);
};

#define NEEDS_XMM (CPU_AES | CPU_PCLMULQDQ | CPU_AVX)
#define NEEDS_YMM (NEEDS_XMM | CPU_AVX2 | CPU_VAES | CPU_VPCLMULQDQ)
#define NEEDS_ZMM (NEEDS_YMM | CPU_AVX512F | CPU_AVX512BW)

static const struct bound bounds[] = {
	{"bound-zmm", NEEDS_ZMM, VECTORS * 64, zmm_10, zmm_14},
	{"bound-zmm-cached", NEEDS_ZMM, VECTORS * 64, zmm_8, zmm_12},
	{"bound-ymm", NEEDS_YMM, VECTORS * 32, ymm_10, ymm_14},
	{"bound-ymm-cached", NEEDS_YMM, VECTORS * 32, ymm_8, ymm_12},
	{"bound-xmm", NEEDS_XMM, VECTORS * 16, xmm_10, xmm_14},
	{"bound-xmm-cached", NEEDS_XMM, VECTORS * 16, xmm_8, xmm_12},
};

/* As many turns as there are bytes in all messages: a bound has no cost a message. */
static size_t turns(const struct bound *bound, const struct bench_load *load, size_t count)
{
	return count * load->len / bound->turn_bytes + 1;
}

/* The state is a const struct bound, which nobody writes to. */
static void run_128(void *state, const struct bench_load *load, size_t count)
{
	const struct bound *bound = state;

	bound->run_128(turns(bound, load, count));
}

static void run_256(void *state, const struct bench_load *load, size_t count)
{
	const struct bound *bound = state;

	bound->run_256(turns(bound, load, count));
}

static bool open_128(void *state, const struct bench_load *load, size_t count)
{
	run_128(state, load, count);
	return true;
}

static bool open_256(void *state, const struct bench_load *load, size_t count)
{
	run_256(state, load, count);
	return true;
}

static void release(void *state)
{
	(void)state;
}

void bench_join_bounds(struct bench_field *field, const uint8_t *key, size_t key_len)
{
	const uint32_t here = cpu_probe();

	(void)key;
	for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
		struct bench_competitor *competitor;

		if ((bounds[i].needs & ~here) != 0)
			continue;
		competitor = bench_field_add(field, bounds[i].name);
		competitor->is_bound = true;
		competitor->state = (void *)(uintptr_t)&bounds[i];
		competitor->seal = key_len == 16 ? run_128 : run_256;
		competitor->open = key_len == 16 ? open_128 : open_256;
		competitor->release = release;
	}
}

#else

void bench_join_bounds(struct bench_field *field, const uint8_t *key, size_t key_len)
{
	(void)field;
	(void)key;
	(void)key_len;
}

#endif
