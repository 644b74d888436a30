#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Beyond 4 GiB, where 32 bits end.

load common

@test "5 GiB and a bit through pipes, sealed and opened, with the length that it must have" {
	not_sanitized "too slow"
	is_fast || skip "the portable kernel would take minutes"
	length=$((5368709120 + 12345))
	head -c $length /dev/zero | gcmcrypt seal -K "$KEY" | tee >(wc -c >sealed) | gcmcrypt open -K "$KEY" |
		tee >(wc -c >opened) | cmp -n $length - /dev/zero
	assert_equal "${PIPESTATUS[*]}" "0 0 0 0 0 0"
	await [ -s sealed ]
	await [ -s opened ]
	assert_equal "$(cat sealed)" $((156 + 56 + length + 16 * (length / CHUNK + 1)))
	assert_equal "$(cat opened)" $length
}
