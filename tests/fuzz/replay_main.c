/*
 * Runs a fuzz target over the files of a directory, once each: what a fuzzer found stays found, with any
 * compiler. Each input is a block of its own on the heap, so that a sanitizer sees a read past its end. No
 * file is a failure.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define REPLAY_PATH_SIZE 4096

/* False when the file cannot be read. */
static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return 0;
    }
    int done = 0;
    if (fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        size_t size = end > 0 ? (size_t)end : 0;
        uint8_t *bytes = malloc(size > 0 ? size : 1);
        rewind(file);
        if (bytes != NULL && fread(bytes, 1, size, file) == size) {
            LLVMFuzzerTestOneInput(bytes, size);
            done = 1;
        }
        free(bytes);
    }
    fclose(file);
    return done;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
        return 2;
    }
    struct dirent **entries = NULL;
    int count = scandir(argv[1], &entries, NULL, alphasort);
    int run = 0;
    int failed = 0;
    for (int i = 0; i < count; i++) {
        char path[REPLAY_PATH_SIZE];
        if (entries[i]->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", argv[1], entries[i]->d_name);
            int done = replay_file(path);
            run += done;
            failed += !done;
        }
        free(entries[i]);
    }
    free(entries);
    printf("%d inputs replayed, %d could not be read\n", run, failed);
    return run > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
