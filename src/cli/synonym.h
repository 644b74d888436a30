/* SPDX-License-Identifier: ISC */
/*
 * synonym.h - refuses what is no command, with the one that people from other tools may mean.
 */
#ifndef GCMCRYPT_CLI_SYNONYM_H
#define GCMCRYPT_CLI_SYNONYM_H

/* Says that word is no command, and which one may be meant; returns the exit status. */
int synonym_refuse(const char *word);

#endif
