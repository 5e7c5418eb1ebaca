/* SPDX-License-Identifier: MIT */
#include "command/python.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

static void names_of_interpreters(void **state)
{
	static const char *const yes[] = {"python",
					  "python2",
					  "python3.12",
					  "python3.13t",
					  "pypy",
					  "pypy3.10",
					  "/opt/my env/bin/python",
					  "python3-dbg",
					  "./python3"};
	static const char *const no[] = {"",        "pytho",        "python3-config", "pythonista", "ipython",
					 "python/", "/python3/fit", "pypy-stats",     "-python"};

	(void)state;
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		assert_true(is_interpreter(yes[i], strlen(yes[i])));
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		assert_false(is_interpreter(no[i], strlen(no[i])));
}

static void words_of_a_text(void **state)
{
	(void)state;
	assert_true(names_python("cd /data && PYTHONPATH=. python fit.py >log"));
	assert_true(names_python("(\"/opt/venv/bin/python3\" -m fit)"));
	assert_true(names_python("torchrun --nproc 4 fit.py"));
	assert_false(names_python("echo pythonic; ./run.pyx .py"));
	assert_false(names_python("  "));
}

/* Words that end in 0, as /proc has them. */
#define HAS_U(words) has_u(words, (words) + sizeof(words) - 1)

static void the_letter_u(void **state)
{
	(void)state;
	assert_true(HAS_U("python3\0-u\0fit.py\0"));
	assert_true(HAS_U("python3\0-Bu\0fit.py\0"));
	assert_true(HAS_U("python3\0-W\0ignore\0-u\0-m\0fit\0"));
	assert_false(HAS_U("python3\0fit.py\0-u\0"));
	assert_false(HAS_U("python3\0-m\0fit\0-u\0"));
	assert_false(HAS_U("python3\0-cimport sub\0"));
	assert_false(HAS_U("python3\0-Wdefault\0fit.py\0"));
	assert_false(HAS_U("python3\0-W\0"));
	assert_false(HAS_U("sort\0-u\0"));
	assert_false(HAS_U(""));
}

static bool found_in_child(const char *value)
{
	int to[2], from[2];
	pid_t pid;
	char byte;
	bool found;

	assert_int_equal(pipe2(to, O_CLOEXEC), 0);
	assert_int_equal(pipe2(from, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		setenv(PYTHON_UNBUFFERED, value, 1);
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		execlp("cat", "cat", NULL);
		_exit(1);
	}
	close(from[1]);
	/* It answers: exec() is over, and the environment is there to be read. */
	assert_int_equal(write(to[1], "x", 1), 1);
	assert_int_equal(read(from[0], &byte, 1), 1);
	found = python_is_unbuffered(pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(to[0]);
	close(to[1]);
	close(from[0]);
	return found;
}

static void the_environment_of_a_process(void **state)
{
	(void)state;
	assert_true(found_in_child("1"));
	assert_false(found_in_child(""));
	assert_false(python_is_unbuffered(INT32_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_of_interpreters),
	    cmocka_unit_test(words_of_a_text),
	    cmocka_unit_test(the_letter_u),
	    cmocka_unit_test(the_environment_of_a_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
