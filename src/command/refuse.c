#include "src/command/refuse.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

int refuse(char text[COMMAND_TEXT], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text, COMMAND_TEXT, format, args);
    va_end(args);
    for (char *c = text; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
    return COMMAND_USAGE;
}
