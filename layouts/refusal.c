#include "layouts/refusal.h"
#include "layouts/layout.h"

#include <stdarg.h>
#include <stdio.h>

int layout_refuse(char *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text, LAYOUT_TEXT, format, args);
    va_end(args);
    return 1;
}
