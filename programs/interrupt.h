/*
 * interrupt.h - SIGINT, SIGTERM and SIGHUP end a program at once, except while a file is being put
 * in place: then the signal waits until the file is complete or removed.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <stdbool.h>

/*
 * Install the handlers. A signal that the caller of the program ignores (nohup) stays ignored. A
 * file size limit (SIGXFSZ) becomes an error of write().
 */
void interrupt_install(void);

/* Between these two a signal is only noted; interrupt_resume() ends the program if one came. */
void interrupt_defer(void);
void interrupt_resume(void);
/* Whether a signal waits for interrupt_resume(). */
bool interrupt_pending(void);

/* Whether a progress line stands on the terminal and must be wiped before the program ends. */
void interrupt_wipe_line(bool wipe);

#endif
