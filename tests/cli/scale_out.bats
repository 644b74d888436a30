#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# The recipes of gcmcrypt.7 for several machines, as they are printed, on three: network namespaces
# of this one, which have its files in common; two of them run sshd.

load common

MANUAL=$TESTS/../man/gcmcrypt.7

needs() {
	local tool
	not_sanitized "it is the manual that is tested"
	only_root
	for tool in ip ssh ssh-keygen sshd parallel jq; do
		command -v $tool >/dev/null || skip "no $tool here"
	done
	NET=gcmcrypt-$$-$BATS_TEST_NUMBER
	ip netns add "$NET-0" 2>/dev/null || skip "cannot make network namespaces"
	cp "$KEY" backup.key
	ssh-keygen -q -t ed25519 -N '' -f "$AWAY/ssh_key"
	make_client
	make_host 1
	make_host 2
}

teardown() {
	local host
	[ "${NET-}" ] || return 0
	for host in 0 1 2; do
		kill_host $host
		ip netns del "$NET-$host" 2>/dev/null || :
	done
}

kill_host() {
	local pids
	pids=$(ip netns pids "$NET-$1" 2>/dev/null) || :
	# shellcheck disable=SC2086 # a list
	[ -z "$pids" ] || kill -9 $pids 2>/dev/null || :
}

# What .ssh/config would say of host1 and host2.
make_client() {
	cat >"$AWAY/config" <<-END
		IdentityFile $AWAY/ssh_key
		UserKnownHostsFile /dev/null
		StrictHostKeyChecking no
		LogLevel ERROR
		KexAlgorithms curve25519-sha256
		ControlMaster auto
		ControlPersist 60
		ControlPath $AWAY/%n
		Host host1
		HostName 10.77.1.2
		Host host2
		HostName 10.77.2.2
	END
	printf '#!/bin/sh\nexec %q -F %q "$@"\n' "$(command -v ssh)" "$AWAY/config" >"$AWAY/bin/ssh"
	chmod +x "$AWAY/bin/ssh"
}

# make_host N: a cable to it, and its sshd.  What it has of its own are /run and the home folder.
make_host() {
	local net=10.77.$1 path
	ip netns add "$NET-$1"
	ip -n "$NET-0" link add "to$1" type veth peer name eth0 netns "$NET-$1"
	ip -n "$NET-0" address add "$net.1/24" dev "to$1"
	ip -n "$NET-0" link set "to$1" up
	ip -n "$NET-$1" address add "$net.2/24" dev eth0
	ip -n "$NET-$1" link set eth0 up
	mkdir "$AWAY/bin$1"
	ln -s "$PROGRAM" "$AWAY/bin$1/gcmcrypt"
	path=$AWAY/bin$1:$(dirname "$(command -v parallel)"):/usr/bin:/bin
	cat >"$AWAY/sshd$1" <<-END
		HostKey $AWAY/ssh_key
		AuthorizedKeysFile $AWAY/ssh_key.pub
		StrictModes no
		PermitRootLogin yes
		PidFile $AWAY/pid$1
		SetEnv PATH=$path
	END
	ip netns exec "$NET-$1" sh -c 'mount -t tmpfs none /run && mkdir -m 755 /run/sshd &&
		mount -t tmpfs none "$HOME" && exec "$1" -f "$2"' - "$(command -v sshd)" "$AWAY/sshd$1"
	await test -s "$AWAY/pid$1"
}

# recipe TITLE N: the Nth display below that title, as the page shows it, becomes $AWAY/recipe.
recipe() {
	awk -v title="$1" -v n="$2" '
		/^\.S[sh] / { on = substr($0, 5) == title }
		on && /^\.Bd / { at++; next }
		/^\.Ed/ { on = on && at != n }
		on && at == n { gsub(/\\e/, "\\"); print }' "$MANUAL" >"$AWAY/recipe"
	chmod +x "$AWAY/recipe"
}

# now TITLE N: runs it on host 0.
now() {
	recipe "$1" "$2"
	HOME=$AWAY ip netns exec "$NET-0" "$AWAY/recipe"
}

# Makes host 2 slow enough to be in the middle of a part when something happens to it; $AWAY/part then
# holds the process that opens one.
slow_host_2() {
	$CC -shared -fPIC -o "$AWAY/preload.so" "$TESTS/cli/preload.c"
	rm "$AWAY/bin2/gcmcrypt"
	cat >"$AWAY/bin2/gcmcrypt" <<-END
		#!/bin/sh
		[ "\$1" = info ] || {
			echo \$\$ >"$AWAY/part"
			export LD_PRELOAD="$AWAY/preload.so" GCMCRYPT_TEST_MOST=40000 GCMCRYPT_TEST_NAP=20000
		}
		exec "$PROGRAM" "\$@"
	END
	chmod +x "$AWAY/bin2/gcmcrypt"
}
has_written() {
	[ -s "$AWAY/part" ] &&
		[ "$(sed -n 's/^wchar: //p' "/proc/$(cat "$AWAY/part")/io" 2>/dev/null || echo 0)" -gt 100000 ]
}

@test "eight ranges of 64 MiB on two hosts, one of which dies in the middle" {
	head -c 64M /dev/urandom >was.img
	gcmcrypt seal -K backup.key -o disk.img.gcm was.img
	recipe 'Part by part' 1
	mv "$AWAY/recipe" part
	slow_host_2
	begin now 'One file, opened by several' 1
	await has_written
	kill_host 2
	ended 0
	same disk.img was.img
	assert_equal "$(echo disk.img*)" "disk.img disk.img.gcm"
}

@test "a folder of files with odd names on two hosts, and back; one in another's place shows" {
	local name
	mkdir -p "data/a b" data/empty
	for name in plain "a b/it's" $'a b/new\n\$x;' data.gcm; do
		echo "$name" >"data/$name"
	done
	: >data/nothing
	now 'A folder, sealed by several' 1
	assert_equal "$(find sealed -type f -printf x)" xxxxx
	mv data was
	now 'A folder, sealed by several' 2
	diff -r was data
	grep -qx "# 6 './plain'" manifest || grep -qx "# 6 ./plain" manifest
	rm -r data manifest
	mv sealed/plain.gcm sealed/nothing.gcm
	gives 1 now 'A folder, sealed by several' 2
	writes './nothing: FAILED'
	writes './plain: FAILED open or read'
}
