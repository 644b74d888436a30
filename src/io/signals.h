/* SPDX-License-Identifier: ISC */
/*
 * signals.h - a signal sets a flag and wakes whoever waits; everything leaves by the same door.
 *
 * Owns the one mutable file-scope variable of the program (and the pipe that wakes a waiter).
 */
#ifndef GCMCRYPT_IO_SIGNALS_H
#define GCMCRYPT_IO_SIGNALS_H

#include <stdbool.h>

/*
 * SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU and SIGALRM set the flag unless they were ignored at
 * start (nohup), then they stay so; SIGPIPE and SIGXFSZ are ignored (EPIPE, EFBIG tell).  System
 * calls are not restarted, and while the flag is set whatever blocks is interrupted every second,
 * so no signal is lost between a look at the flag and the call that waits.  False, errno: no pipe
 * to be had.
 */
bool signals_install(void);

/* The first signal that was caught, 0 for none. */
int signals_caught(void);

/* Readable as soon as a signal was caught: to be waited for beside a descriptor.  -1: none yet. */
int signals_wake_fd(void);

/* Ends the process by the signal that was caught, with its default action; 0 caught: returns. */
void signals_raise_again(void);

#endif
