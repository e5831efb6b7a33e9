/* `steerd simulate` as a program of its own. */
#include "app/program.h"

int main(int argc, char **argv)
{
    return argc < 1 ? PROGRAM_EXIT_USAGE : program_simulate(argc - 1, argv + 1);
}
