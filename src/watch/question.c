/* SPDX-License-Identifier: MIT */
/* Asks, and knows for how long an answer is waited for. Knows nothing of what is asked, nor why. */
#include "watch/question.h"

#include <errno.h>

#include "base/clock.h"

#define ANSWER_WAIT_NS (30 * NS_PER_S)

bool question_ask(struct question *q, struct explain_folder *folder, pid_t pid, enum question_kind kind,
		  int64_t now_ns)
{
	static const char *const words[] = {
	    [QUESTION_COUNT] = "count\n",
	    [QUESTION_AFRESH] = "afresh\n",
	    [QUESTION_SNAPSHOT] = "snapshot\n",
	    [QUESTION_COUNTERS] = "counters\n",
	};

	if (!pid || explain_folder_claim(folder, pid) == -EBUSY ||
	    explain_folder_ask(folder, pid, words[kind]) != 0)
		return false;
	*q = (struct question){pid, pid, kind, now_ns};
	return true;
}

bool question_waits(const struct question *q, int64_t now_ns)
{
	return q->pid && now_ns - q->asked_ns < ANSWER_WAIT_NS;
}

void question_end(struct question *q)
{
	q->pid = 0;
}
