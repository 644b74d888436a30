/* SPDX-License-Identifier: ISC */
/*
 * cpu_x86.c - the probe for x86-64: CPUID for instructions, XCR0 for registers.
 *
 * Intel SDM volume 1, chapters 14 and 15: a wide instruction may run only where the processor
 * has it and the system has said in XCR0 that it saves the registers.  Both are asked here, so
 * no caller has to know.
 */
#include "cpu/cpu.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <stddef.h>
#include <string.h>

#define OSXSAVE (1u << 27) /* CPUID.1:ECX: XGETBV may be executed */

/* Bits of XCR0: which registers the system saves on a context switch. */
#define XCR0_AVX    0x06u /* XMM and the upper halves of YMM */
#define XCR0_AVX512 0xe6u /* those, mask registers and both parts of ZMM */

enum word { LEAF1_ECX, LEAF7_EBX, LEAF7_ECX, WORDS };

static const struct {
	uint32_t feature;
	enum word word;
	unsigned bit;
	uint32_t xcr0; /* bits that must all be set */
} probes[] = {
	{CPU_PCLMULQDQ, LEAF1_ECX, 1, 0},
	{CPU_SSSE3, LEAF1_ECX, 9, 0},
	{CPU_SSE4_1, LEAF1_ECX, 19, 0},
	{CPU_AES, LEAF1_ECX, 25, 0},
	{CPU_AVX, LEAF1_ECX, 28, XCR0_AVX},
	{CPU_AVX2, LEAF7_EBX, 5, XCR0_AVX},
	{CPU_VAES, LEAF7_ECX, 9, XCR0_AVX},
	{CPU_VPCLMULQDQ, LEAF7_ECX, 10, XCR0_AVX},
	{CPU_AVX512F, LEAF7_EBX, 16, XCR0_AVX512},
	{CPU_AVX512DQ, LEAF7_EBX, 17, XCR0_AVX512},
	{CPU_AVX512BW, LEAF7_EBX, 30, XCR0_AVX512},
	{CPU_AVX512VL, LEAF7_EBX, 31, XCR0_AVX512},
};

static uint32_t read_xcr0(void)
{
	uint32_t eax, edx;

	__asm__ volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
	return eax;
}

uint32_t cpu_probe(void)
{
	unsigned a, b, c, d, word[WORDS] = {0};
	uint32_t found = 0, xcr0 = 0;

	if (__get_cpuid(1, &a, &b, &c, &d))
		word[LEAF1_ECX] = c;
	if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
		word[LEAF7_EBX] = b;
		word[LEAF7_ECX] = c;
	}
	if ((word[LEAF1_ECX] & OSXSAVE) != 0)
		xcr0 = read_xcr0();
	for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++)
		if ((word[probes[i].word] >> probes[i].bit & 1) != 0 &&
		    (xcr0 & probes[i].xcr0) == probes[i].xcr0)
			found |= probes[i].feature;
	return found;
}

void cpu_model(char model[CPU_MODEL_BYTES])
{
	unsigned word[12];
	char text[CPU_MODEL_BYTES] = {0};
	const char *start = text;

	for (unsigned i = 0; i < 3; i++)
		if (!__get_cpuid(0x80000002u + i, word + 4 * i, word + 4 * i + 1, word + 4 * i + 2,
				 word + 4 * i + 3)) {
			model[0] = '\0';
			return;
		}
	memcpy(text, word, sizeof word);
	size_t len;

	while (*start == ' ') /* some processors pad on the left, some on the right */
		start++;
	len = strlen(start);
	while (len > 0 && start[len - 1] == ' ')
		len--;
	memset(model, 0, CPU_MODEL_BYTES);
	memcpy(model, start, len);
}

#endif
