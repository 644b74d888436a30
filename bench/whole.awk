# SPDX-License-Identifier: ISC
# whole.awk - the tables of whole.sh, from lines GROUP,ROUND,COMMAND,SECONDS (group memory: MiB).
# -v bytes=, -v soft=: bytes that the commands of a group work on.

{
	key = $1 "," $3
	if (!(key in count)) {
		order[++keys] = key
		group[key] = $1
		command[key] = $3
	}
	value[key, ++count[key]] = $4
}

# Of list[1..n], which it sorts.
function median_of(list, n,    i, j, held) {
	for (i = 2; i <= n; i++) {
		held = list[i]
		for (j = i - 1; j >= 1 && list[j] > held; j--)
			list[j + 1] = list[j]
		list[j + 1] = held
	}
	return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}

function median(key,    i, list) {
	for (i = 1; i <= count[key]; i++)
		list[i] = value[key, i] + 0
	return median_of(list, count[key])
}

# The median of what each round's pair of times comes to.
function paired(one, other,    i, list) {
	for (i = 1; i <= count[one]; i++)
		list[i] = value[one, i] / value[other, i]
	return median_of(list, count[one])
}

function least(key,    i, found) {
	found = value[key, 1] + 0
	for (i = 2; i <= count[key]; i++)
		if (value[key, i] + 0 < found)
			found = value[key, i] + 0
	return found
}

function speed(key) {
	if (group[key] == "start")
		return ""
	return sprintf("%.2f", (group[key] == "soft" ? soft : bytes) / median(key) / 1e9)
}

function judge(what, found, shown, limit, most) {
	met = most ? found <= limit : found >= limit
	printf "| %s | %s | at %s %s | %s |\n", what, shown, most ? "most" : "least", limit,
		met ? "met" : "MISSED"
	verdicts[met]++
}

# bar WHAT ONE OTHER LIMIT MOST - the ratio of two medians; nothing where one was not measured.
function bar(what, one, other, limit, most,    ratio) {
	if (!(one in count) || !(other in count))
		return
	ratio = median(one) / median(other)
	judge(what, ratio, sprintf("%.2f", ratio), limit, most)
}

function bars_of_files(verb,    own) {
	own = verb "-file,gcmcrypt"
	bar(verb " file to file: gcmcrypt / cp", own, verb "-file,cp", 1.10, 1)
	bar(verb " file to file: age / gcmcrypt", verb "-file,age", own, 3, 0)
	bar(verb " file to file: openssl / gcmcrypt", verb "-file,openssl", own, 2.5, 0)
	bar(verb " pipe to pipe: gcmcrypt / cat", verb "-pipe,gcmcrypt", verb "-pipe,cat", 1.10, 1)
}

function times_table(    i, key) {
	print "\n| group | command | median s | fastest s | GB/s | times the first |"
	print "|---|---|---|---|---|---|"
	for (i = 1; i <= keys; i++) {
		key = order[i]
		if (group[key] == "memory")
			continue
		first = group[key] != last ? key : first
		last = group[key]
		printf "| %s | %s | %.4f | %.4f | %s | %.2f |\n", group[key], command[key], median(key),
			least(key), speed(key), median(key) / median(first)
	}
}

function bars_table(    i, key, ratio) {
	print "\n| bar | found | wanted | |\n|---|---|---|---|"
	bars_of_files("seal")
	bars_of_files("open")
	bar("verify: gcmcrypt / dd", "verify,gcmcrypt", "verify,dd", 1.3, 1)
	if ("soft,two-threads" in count) {
		ratio = paired("soft,one-thread", "soft,two-threads")
		judge("soft: one thread / two threads, by pairs", ratio, sprintf("%.2f", ratio), 1.8, 0)
	}
	judge("start: sealing 1 KiB, ms", median("start,gcmcrypt") * 1000,
		sprintf("%.2f", median("start,gcmcrypt") * 1000), 3, 1)
	bar("start: gcmcrypt / age", "start,gcmcrypt", "start,age", 1, 1)
	for (i = 1; i <= keys; i++) {
		key = order[i]
		if (group[key] == "memory")
			judge("peak memory, " command[key] ", MiB", median(key),
				sprintf("%.1f", median(key)), 12, 1)
	}
}

END {
	times_table()
	bars_table()
	printf "\n%d bars met, %d missed.\n", verdicts[1], verdicts[0]
}
