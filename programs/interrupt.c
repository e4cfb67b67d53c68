#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* Signal handlers have no other way to know. */
static volatile sig_atomic_t deferred;
static volatile sig_atomic_t pending_signal;
static volatile sig_atomic_t line_to_wipe;

static const int handled_signals[] = {SIGINT, SIGTERM, SIGHUP};

static void die_of(int signal_number)
{
    static const char wipe[] = "\r\033[K";

    if (line_to_wipe && write(STDERR_FILENO, wipe, sizeof wipe - 1) < 0) {
        line_to_wipe = 0;
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number); /* the shell sees a program ended by this signal */
}

static void on_signal(int signal_number)
{
    if (deferred) {
        pending_signal = signal_number;
    } else {
        die_of(signal_number);
    }
}

void interrupt_install(void)
{
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof handled_signals / sizeof *handled_signals; i++) {
        struct sigaction action;
        if (sigaction(handled_signals[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN) {
            continue;
        }
        action = (struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        sigaction(handled_signals[i], &action, NULL);
    }
}

void interrupt_defer(void)
{
    deferred = 1;
}

void interrupt_resume(void)
{
    deferred = 0;
    if (pending_signal) {
        die_of((int)pending_signal);
    }
}

bool interrupt_pending(void)
{
    return pending_signal != 0;
}

void interrupt_wipe_line(bool wipe)
{
    line_to_wipe = wipe;
}
