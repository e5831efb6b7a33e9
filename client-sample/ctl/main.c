/* steerctl: the sample client as a program. */
#include <locale.h>

#include "command.h"

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, ""); /* whether the terminal speaks UTF-8; numbers stay as programs read them */
    return ctl_run(argc, argv, stdout, stderr);
}
