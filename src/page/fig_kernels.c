/* Tasks by kernel: number, time, and rate beside GEMM. */
#include "src/page/figures.h"
#include "src/page/format.h"

#include <math.h>
#include <string.h>

const char *kernel_role(const char *kernel)
{
    static const char *const roles[][2] = {
        { "potrf", "diagonal" }, { "sytrf", "diagonal" }, { "getrf", "diagonal" }, { "geqrt", "diagonal" },
        { "trsm", "triangle" }, { "trmm", "triangle" },
        { "gemm", "update" }, { "product", "update" }, { "syrk", "symmetric" }, { "hemm", "symmetric" }, { "pivots", "search" },
        { "choice", "search" }, { "tpqrt", "search" },
        { "laswp", "exchange" }, { "add", "exchange" }, { "stack", "gather" }, { "hand over", "send" },
        { "sums", "exchange" }, { "round", "exchange" }, { "save", "send" },
    };
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (strcmp(roles[i][0], kernel) == 0)
            return roles[i][1];
    return "other";
}

/* Joins a trace's kernels on hosts and on devices to one of the page. */
static void write_row(FILE *out, const struct page_data *d, int k, double all, double gemm)
{
    struct page_kernel sum = d->kernel[k];
    char text[FORMAT_TEXT];
    for (int other = k + 1; other < d->kernels; other++)
        if (strcmp(d->kernel[other].name, sum.name) == 0) {
            sum.tasks += d->kernel[other].tasks;
            sum.seconds += d->kernel[other].seconds;
            sum.flops += d->kernel[other].flops;
        }
    double rate = sum.seconds > 0 && sum.flops > 0 ? 1e-9 * sum.flops / sum.seconds : NAN;
    fputs("<tr data-kernel=\"", out);
    html_text(out, sum.name);
    fprintf(out, "\" data-tasks=\"%lld\" data-seconds=\"%.9g\"><th scope=\"row\"><span class=\"key f-%s\"></span>",
            (long long)sum.tasks, sum.seconds, kernel_role(sum.name));
    html_text(out, sum.name);
    fprintf(out, "</th><td>%s</td>", format_count((double)sum.tasks, text));
    fprintf(out, "<td>%s</td>", format_seconds(sum.seconds, text));
    double share = all > 0 ? sum.seconds / all : 0;
    fprintf(out, "<td><span class=\"meter\" style=\"--share:%.4f\"></span><span class=\"share\">%s</span></td>", share,
            format_share(share, text));
    fprintf(out, "<td>%s</td>", format_seconds(sum.tasks > 0 ? sum.seconds / (double)sum.tasks : NAN, text));
    fprintf(out, "<td>%s</td><td>", isnan(rate) ? "–" : format_rate(rate, text));
    fprintf(out, "%s</td></tr>\n", gemm > 0 && rate > 0 ? format_share(rate / gemm, text) : "–");
}

bool fig_kernels(FILE *out, const struct page_data *d)
{
    double all = 0, gemm = d->facts.gemm_gflops / fmax(1, d->threads);
    for (int k = 0; k < d->kernels; k++)
        all += d->kernel[k].seconds;
    fputs("<section id=\"kernels\" aria-labelledby=\"h-kernels\"><h2 id=\"h-kernels\">Tasks by kernel</h2>\n<div "
          "class=\"wide\"><table><thead><tr><th scope=\"col\">Kernel</th><th scope=\"col\">Tasks</th><th scope=\"col\">"
          "Time</th><th scope=\"col\">Of all</th><th scope=\"col\">A task</th><th scope=\"col\">Rate of a thread</th><th "
          "scope=\"col\">Of GEMM</th></tr></thead><tbody>\n",
          out);
    for (int k = 0; k < d->kernels; k++) {
        bool seen = false;
        for (int before = 0; before < k; before++)
            seen |= strcmp(d->kernel[before].name, d->kernel[k].name) == 0;
        if (!seen)
            write_row(out, d, k, all, gemm);
    }
    fprintf(out, "</tbody></table></div><p class=\"note\">%s</p></section>\n",
            gemm > 0 ? "GEMM's rate is that of large products, measured in the same process on all threads together."
                     : "GEMM's rate is not known here: runs of half a second and more measure it.");
    return true;
}
