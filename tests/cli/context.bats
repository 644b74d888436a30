#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# --context is bound into the key and stored nowhere.

load common

@test "the same context opens, another or none does not, and a hint says so" {
	bytes 100 >plain
	gives 0 gcmcrypt seal -K "$KEY" --context "backup of tuesday" plain
	run ! grep -qa tuesday plain.gcm
	gives 0 gcmcrypt open -K "$KEY" --context "backup of tuesday" -o back plain.gcm
	same back plain
	for context in "backup of monday" "backup of tuesday " ""; do
		gives 4 gcmcrypt open -K "$KEY" --context "$context" -o out plain.gcm
		says "--context"
		gives 4 gcmcrypt verify -K "$KEY" --context "$context" plain.gcm
	done
	gives 4 gcmcrypt open -K "$KEY" -o out plain.gcm
	says "--context"
	only plain plain.gcm back
}

@test "a context given to a file that has none" {
	sealed plain.gcm 100
	gives 4 gcmcrypt open -K "$KEY" --context x plain.gcm
	gives 0 gcmcrypt open -K "$KEY" --context "" plain.gcm
}

@test "1024 bytes are taken, 1025 are not" {
	bytes 100 >plain
	long=$(printf 'c%.0s' {1..1024})
	gives 0 gcmcrypt seal -K "$KEY" --context "$long" plain
	gives 0 gcmcrypt verify -K "$KEY" --context "$long" plain.gcm
	gives 4 gcmcrypt verify -K "$KEY" --context "${long%?}" plain.gcm
	gives 2 gcmcrypt seal -f -K "$KEY" --context "${long}c" plain
	gives 2 gcmcrypt open -f -K "$KEY" --context "${long}c" plain.gcm
}

@test "every byte of it counts, UTF-8 and others as they are" {
	bytes 100 >plain
	gives 0 gcmcrypt seal -K "$KEY" --context $'na\xc3\xafve\n\xff' plain
	gives 0 gcmcrypt verify -K "$KEY" --context $'na\xc3\xafve\n\xff' plain.gcm
	gives 4 gcmcrypt verify -K "$KEY" --context $'na\xc3\xafve\n' plain.gcm
}
