/*
 * Whole files are read up to a limit, and what cannot be read is named.
 */
#include "os/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/rookery-files-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    const int descriptor = mkstemp(path);
    if (descriptor < 0 || write(descriptor, "ab\0cd", 5) != 5) {
        return -1;
    }
    return close(descriptor);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void a_file_is_read_whole(void **state)
{
    (void)state;
    char *text = NULL;
    int length = 0;
    const Status status = files_read(path, 5, &text, &length);
    assert_true(status_is_ok(&status));
    assert_int_equal(length, 5);
    assert_memory_equal(text, "ab\0cd", 6);
    free(text);
}

/* Larger than any buffer that a reader begins with, and of every size about a power of two. */
static void large_files_are_read_whole(void **state)
{
    (void)state;
    static const int sizes[] = {65535, 65536, 65537, 131072, 300001};
    static char large[300001];
    for (size_t i = 0; i < sizeof large; i++) {
        large[i] = (char)('a' + i % 23);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char name[] = "/tmp/rookery-files-XXXXXX";
        const int descriptor = mkstemp(name);
        assert_true(descriptor >= 0);
        assert_int_equal(write(descriptor, large, (size_t)sizes[i]), sizes[i]);
        assert_int_equal(close(descriptor), 0);
        char *text = NULL;
        int length = 0;
        Status status = files_read(name, sizes[i], &text, &length);
        assert_true(status_is_ok(&status));
        assert_int_equal(length, sizes[i]);
        assert_memory_equal(text, large, (size_t)sizes[i]);
        assert_int_equal(text[length], '\0');
        free(text);
        status = files_read(name, sizes[i] - 1, &text, &length);
        assert_int_equal(status.code, STATUS_INVALID);
        assert_null(text);
        assert_int_equal(unlink(name), 0);
    }
}

/* A limit is no size: a short file takes little memory. */
static void memory_goes_by_the_file_not_by_the_limit(void **state)
{
    (void)state;
    char *text = NULL;
    int length = 0;
    const Status status = files_read(path, 1 << 30, &text, &length);
    assert_true(status_is_ok(&status));
    assert_int_equal(length, 5);
    assert_in_range(malloc_usable_size(text), length + 1, 1 << 20);
    free(text);
}

static void a_longer_file_is_refused(void **state)
{
    (void)state;
    char *text = NULL;
    int length = 0;
    const Status status = files_read(path, 4, &text, &length);
    assert_int_equal(status.code, STATUS_INVALID);
    assert_non_null(strstr(status.message, "is longer than 4 bytes"));
    assert_null(text);
}

static void absent_files_and_directories_are_refused(void **state)
{
    (void)state;
    char *text = NULL;
    int length = 0;
    Status status = files_read("/nonexistent/file", 4, &text, &length);
    assert_int_equal(status.code, STATUS_NOT_FOUND);
    assert_string_equal(status.message,
                        "/nonexistent/file: cannot open: No such file or directory");
    status = files_read("/", 4, &text, &length);
    assert_int_equal(status.code, STATUS_IO);
    assert_string_equal(status.message, "/: cannot read: Is a directory");
    assert_null(text);
}

static void files_without_a_size_are_read(void **state)
{
    (void)state;
    char *text = NULL;
    int length = 0;
    Status status = files_read("/proc/self/comm", 100, &text, &length); /* size 0 by stat() */
    assert_true(status_is_ok(&status));
    assert_true(length > 1);
    assert_int_equal(text[length - 1], '\n');
    free(text);
    status = files_read("/dev/null", 100, &text, &length);
    assert_true(status_is_ok(&status));
    assert_string_equal(text, "");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_whole),
        cmocka_unit_test(large_files_are_read_whole),
        cmocka_unit_test(a_longer_file_is_refused),
        cmocka_unit_test(memory_goes_by_the_file_not_by_the_limit),
        cmocka_unit_test(absent_files_and_directories_are_refused),
        cmocka_unit_test(files_without_a_size_are_read),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
