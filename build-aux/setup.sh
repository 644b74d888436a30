# SPDX-License-Identifier: ISC
# setup.sh - what start.sh and check.sh share: packages of this system, and ./configure.
# shellcheck shell=sh

say() {
	printf '%s\n' "$*"
}

die() {
	say "$0: $*" >&2
	exit 1
}

# The package manager's name: apt-get, dnf, apk or brew.
setup_manager() {
	for manager in apt-get dnf apk brew; do
		command -v "$manager" >/dev/null && echo "$manager" && return
	done
	echo none
}

# setup_sshd PACKAGE - prints it, but where the system would start the service at once, and let
# others log in: there the one test that needs it is skipped.
setup_sshd() {
	[ -d /run/systemd/system ] || echo "$1"
}

# setup_packages build|tests - what the package manager calls the things that are needed.
setup_packages() {
	case $manager-$1 in
	apt-get-build) echo gcc libc6-dev make autoconf automake pkg-config \
		libsodium-dev libjansson-dev libbsd-dev ;;
	apt-get-tests) echo bats bats-assert bats-support bats-file expect libcmocka-dev \
		libssl-dev nettle-dev zlib1g-dev python3 python3-cryptography python3-argon2 mandoc \
		strace valgrind shellcheck cppcheck clang clang-format zsh fish \
		jq parallel iproute2 openssh-client "$(setup_sshd openssh-server)" ;;
	dnf-build) echo gcc make autoconf automake pkgconf-pkg-config \
		libsodium-devel jansson-devel libbsd-devel ;;
	dnf-tests) echo bats bats-assert bats-support bats-file expect libcmocka-devel \
		openssl-devel nettle-devel zlib-devel python3 python3-cryptography python3-argon2-cffi \
		mandoc strace valgrind ShellCheck cppcheck clang clang-tools-extra libasan libubsan libtsan \
		diffutils zsh fish jq parallel iproute openssh-clients \
		"$(setup_sshd openssh-server)" ;;
	apk-build) echo gcc musl-dev make autoconf automake pkgconf \
		libsodium-dev jansson-dev libbsd-dev ;;
	apk-tests) echo bash bats bats-assert bats-support bats-file expect cmocka-dev \
		openssl-dev nettle-dev zlib-dev python3 py3-cryptography py3-argon2-cffi mandoc strace \
		shellcheck cppcheck clang clang-extra-tools coreutils tar binutils zsh fish \
		jq openssh parallel iproute2 ;;
	brew-build) echo autoconf automake pkgconf libsodium jansson ;;
	brew-tests) echo bats-core bats-core/bats-core/bats-assert \
		bats-core/bats-core/bats-support bats-core/bats-core/bats-file expect cmocka \
		openssl@3 nettle python cryptography mandoc shellcheck cppcheck clang-format \
		gnu-tar zsh fish jq ;;
	esac
}

setup_has() {
	case $manager in
	apt-get) [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
	dnf) rpm -q --quiet "$1" ;;
	apk) apk info -e "$1" >/dev/null ;;
	brew) brew list --versions "${1##*/}" >/dev/null ;;
	esac
}

# As root: nothing but the command.  Otherwise through sudo.
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "installing needs root or sudo; as root run: $*"
	fi
}

# setup_install build|tests... - installs what is missing, after having said so.
setup_install() {
	manager=$(setup_manager)
	[ "$manager" != none ] || {
		say "No package manager known here: taking it that all packages are installed."
		return
	}
	missing=
	for group; do
		for package in $(setup_packages "$group"); do
			setup_has "$package" || missing="$missing $package"
		done
	done
	[ -n "$missing" ] || return 0
	say "Installing with $manager:$missing"
	# shellcheck disable=SC2086  # a list of words
	case $manager in
	apt-get)
		as_root apt-get -qq update || say "No new package lists: trying with those here"
		as_root env DEBIAN_FRONTEND=noninteractive \
			apt-get -qq install -y --no-install-recommends $missing >/dev/null
		;;
	dnf) as_root dnf -q -y --setopt=install_weak_deps=False install $missing ;;
	apk) as_root apk add -q $missing ;;
	brew) brew install -q $missing ;;
	esac </dev/null
}

# Makes ./configure where there is none, or where what it is made of is newer.
setup_configure_script() {
	if [ ! -x configure ] || [ -n "$(find configure.ac Makefile.am -newer configure)" ]; then
		say "Making ./configure"
		autoreconf -fi
	fi
}

# How many jobs to run at once.
setup_jobs() {
	getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2
}
