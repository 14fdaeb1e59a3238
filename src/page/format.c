#include "src/page/format.h"

#include "src/io/utf8.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define NARROW "\u202f"

static const char *dash(char text[FORMAT_TEXT])
{
    return strcpy(text, "–");
}

const char *format_count(double count, char text[FORMAT_TEXT])
{
    char digits[32];
    if (!isfinite(count) || fabs(count) >= 1e18)
        return dash(text);
    int length = snprintf(digits, sizeof digits, "%lld", (long long)count), first = digits[0] == '-', used = 0;
    for (int i = 0; i < length; i++) {
        if (i > first && (length - i) % 3 == 0)
            used += sprintf(text + used, NARROW);
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

const char *format_seconds(double seconds, char text[FORMAT_TEXT])
{
    static const struct { double least; const char *name; } units[] = { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "µs" } };
    if (!isfinite(seconds))
        return dash(text);
    int unit = 0;
    while (unit < 2 && fabs(seconds) < units[unit].least)
        unit++;
    if (fabs(seconds) >= 1e4)
        return strcat(strcpy(text, format_count(seconds, (char[FORMAT_TEXT]){ 0 })), " s");
    snprintf(text, FORMAT_TEXT, seconds == 0 ? "0 s" : "%.3g %s", seconds / units[unit].least, units[unit].name);
    return text;
}

const char *format_bytes(double bytes, char text[FORMAT_TEXT])
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
    int unit = 0;
    if (!isfinite(bytes))
        return dash(text);
    for (; fabs(bytes) >= 1000 && unit < 5; unit++)
        bytes /= 1024;
    snprintf(text, FORMAT_TEXT, "%.3g %s", bytes, units[unit]);
    return text;
}

const char *format_number(double number, char text[FORMAT_TEXT])
{
    if (!isfinite(number))
        return dash(text);
    if (number == floor(number) && fabs(number) < 1e15)
        return format_count(number, text);
    snprintf(text, FORMAT_TEXT, "%.4g", number);
    return text;
}

const char *format_rate(double gflops, char text[FORMAT_TEXT])
{
    if (!isfinite(gflops))
        return dash(text);
    if (gflops >= 1e4)
        format_count(round(gflops), text);
    else
        snprintf(text, FORMAT_TEXT, "%.3g", gflops);
    return strcat(text, " GFLOP/s");
}

const char *format_share(double share, char text[FORMAT_TEXT])
{
    if (!isfinite(share))
        return dash(text);
    snprintf(text, FORMAT_TEXT, fabs(share) < 0.0995 ? "%.2g %%" : "%.0f %%", 100 * share);
    return text;
}

const char *one_sided_conditions(void)
{
    return "A probe did not observe reads from other nodes that proceed while the owner computes: reads wait for its polls.\n"
           "Reads proceed by a transport with RDMA, which UCX_TLS selects (rc or dc on InfiniBand); between\n"
           "processes of one machine a newer UCX (1.17 or later reads through CMA); or MPICH_ASYNC_PROGRESS=1, which\n"
           "costs a thread of each rank.";
}

/* Bytes of the character at s; 0: it is not UTF-8, or a control character, or XML does not allow it. */
static int character(const char *s)
{
    int bytes = (unsigned char)*s >= 0x20 ? utf8_bytes(s) : 0;
    bool none = bytes == 3 && (memcmp(s, "\xef\xbf\xbe", 3) == 0 || memcmp(s, "\xef\xbf\xbf", 3) == 0);   /* U+FFFE, U+FFFF */
    return none ? 0 : bytes;
}

void html_text(FILE *out, const char *text)
{
    static const char special[] = "&<>\"'";
    static const char *const names[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
    for (const char *s = text; *s != '\0';) {
        const char *found = strchr(special, *s);
        int bytes = character(s);
        if (found != NULL)
            fputs(names[found - special], out);
        else if (bytes == 0)
            fputs(UTF8_REPLACEMENT, out);
        else
            fwrite(s, 1, (size_t)bytes, out);
        s += bytes == 0 ? 1 : bytes;
    }
}
