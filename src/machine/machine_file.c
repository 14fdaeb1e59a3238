/* Reads and writes the figures of a machine as a file in the user's cache folder. */
#include "src/machine/machine.h"

#include "src/io/c_locale.h"
#include "src/io/replace.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE = 256, VERSION = 2 };

static const char header[] =
    "# What has been measured on this machine, for --nb auto, --host-share auto and --explain. May be deleted.\n"
    "# `machine` is written anew by each `ompfact --tune`; `rates-HOST` by runs that find no rates of kernels there.\n"
    "#   version V                       of this form\n"
    "#   host NAME, cpu MODEL, cores C   whose it is: on another machine the file is not used\n"
    "#   blas KERNELS                    BLIS's kernels in use; with others the file is not used\n"
    "#   rate TYPE KERNEL THREADS NB G   GFLOP/s of so many threads together, each on tiles of order NB that come from memory\n"
    "#   low_rank TYPE NB R              up to rank R a tile of order NB is cheaper as a product of so many columns\n"
    "#   task THREADS T                  microseconds in which a rank of so many threads hands on a task, beside its arithmetic\n"
    "#   latency_us T                    t_s: start of a transfer between two ranks, in microseconds\n"
    "#   word_ns T                       t_w: each word of 8 bytes of a transfer, in nanoseconds\n"
    "#   link network|memory             what these went through: from node to node, or within one\n"
    "#   speed RANKS THREADS N NB G      GFLOP/s of potrf in double precision by RANKS ranks of THREADS threads on one node\n"
    "#   devices BACKEND                 whose devices the next lines are about\n"
    "#   device NB G                     GFLOP/s of gemm in double precision on one device, on tiles of order NB\n"
    "#   blocks TYPE NB HERK TRSM        columns of blocks of these on a device, on tiles of order NB; 0: the library's own\n"
    "#   bus UP DOWN                     GB/s to a device and from it\n"
    "#   share D THREADS N NB S G        GFLOP/s of potrf in double precision by a rank with D devices, a share S of columns "
    "on the host\n";

/* ---- names ----------------------------------------------------------------------------------------------------------------- */

static bool cache_path(const char *name, const char *host, char path[MACHINE_PATH])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length;
    if (cache != NULL && cache[0] == '/')       /* the XDG specification: relative paths are to be ignored */
        length = snprintf(path, MACHINE_PATH, "%s/ompfact/%s%s", cache, name, host);
    else if (home != NULL && home[0] != '\0')
        length = snprintf(path, MACHINE_PATH, "%s/.cache/ompfact/%s%s", home, name, host);
    else
        return false;
    return length < MACHINE_PATH;
}

bool machine_path(char path[MACHINE_PATH])
{
    return cache_path("machine", "", path);
}

bool machine_quick_path(const struct machine *machine, char path[MACHINE_PATH])
{
    char host[MACHINE_NAME];
    machine_set_name(host, machine->host);
    for (char *slash = strchr(host, '/'); slash != NULL; slash = strchr(slash, '/'))
        *slash = '_';
    return cache_path("rates-", host, path);
}

/* ---- reading --------------------------------------------------------------------------------------------------------------- */

/* Writes one line of text, whatever bytes the file has. */
static enum machine_source refuse_file(enum machine_source source, char why[MACHINE_TEXT], const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static enum machine_source refuse_file(enum machine_source source, char why[MACHINE_TEXT], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, MACHINE_TEXT, format, args);
    va_end(args);
    for (char *c = why; *c != '\0'; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
    return source;
}

static bool positive(double value)
{
    return value > 0 && isfinite(value);
}

/* The value of "KEY VALUE", or NULL. */
static const char *value_of(const char *line, const char *key)
{
    size_t length = strlen(key);
    return strncmp(line, key, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

static bool read_rate(const char *value, struct machine *m)
{
    struct machine_rate r;
    char kernel[16];
    if (m->rates == MACHINE_RATES ||
        sscanf(value, "%c %15s %d %d %lf", &r.type, kernel, &r.threads, &r.nb, &r.gflops) != 5 || rate_kernel_find(kernel) < 0)
        return false;
    r.kernel = (enum rate_kernel)rate_kernel_find(kernel);
    m->rate[m->rates++] = r;
    return strchr("sdcz", r.type) != NULL && r.threads > 0 && r.nb > 0 && positive(r.gflops);
}

static bool read_speed(const char *value, struct machine *m)
{
    ompfact_machine_run s;
    if (m->speeds == MACHINE_SPEEDS || sscanf(value, "%d %d %d %d %lf", &s.ranks, &s.threads, &s.n, &s.nb, &s.gflops) != 5)
        return false;
    m->speed[m->speeds++] = s;
    return s.ranks > 0 && s.threads > 0 && s.n > 0 && s.nb > 0 && positive(s.gflops);
}

static bool read_device(const char *value, struct machine *m)
{
    struct machine_device_rate r;
    if (m->device_rates == MACHINE_SHARES || sscanf(value, "%d %lf", &r.nb, &r.gflops) != 2)
        return false;
    m->device_rate[m->device_rates++] = r;
    return r.nb > 0 && positive(r.gflops);
}

static bool read_share(const char *value, struct machine *m)
{
    ompfact_machine_share s;
    if (m->shares == MACHINE_SHARES ||
        sscanf(value, "%d %d %d %d %lf %lf", &s.devices, &s.threads, &s.n, &s.nb, &s.share, &s.gflops) != 6)
        return false;
    m->share[m->shares++] = s;
    return s.devices >= 0 && s.threads > 0 && s.n > 0 && s.nb > 0 && s.share >= 0 && s.share <= 1 && positive(s.gflops);
}

static bool read_blocks(const char *value, struct machine *m)
{
    ompfact_machine_blocks b;
    if (m->blocks == MACHINE_TYPES || sscanf(value, "%c %d %d %d", &b.type, &b.nb, &b.herk, &b.trsm) != 4)
        return false;
    m->block[m->blocks++] = b;
    return strchr("sdcz", b.type) != NULL && b.nb > 0 && b.herk >= 0 && b.trsm >= 0;
}

static bool read_bus(const char *value, struct machine *m)
{
    return sscanf(value, "%lf %lf", &m->bus_up, &m->bus_down) == 2 && positive(m->bus_up) && positive(m->bus_down);
}

static bool read_low_rank(const char *value, struct machine *m)
{
    struct machine_low_rank r;
    if (m->low_ranks == MACHINE_LOW_RANKS || sscanf(value, "%c %d %d", &r.type, &r.nb, &r.rank) != 3)
        return false;
    m->low_rank[m->low_ranks++] = r;
    return strchr("sdcz", r.type) != NULL && r.nb > 0 && r.rank > 0 && r.rank <= r.nb;
}

static bool read_task(const char *value, struct machine *m)
{
    struct machine_task t;
    if (m->tasks == MACHINE_TASKS || sscanf(value, "%d %lf", &t.threads, &t.seconds) != 2)
        return false;
    t.seconds *= 1e-6;
    m->task[m->tasks++] = t;
    return t.threads > 0 && positive(t.seconds);
}

static bool read_time(const char *value, double unit, double *time)
{
    double number;
    if (sscanf(value, "%lf", &number) != 1 || !positive(number))
        return false;
    *time = number * unit;
    return true;
}

static bool read_link(const char *value, struct machine *m)
{
    m->over_network = strcmp(value, "network") == 0;
    return m->over_network || strcmp(value, "memory") == 0;
}

/* Reads a line. false: the line is malformed, so the whole file counts as damaged. */
static bool read_line(const char *line, struct machine *m, int *version)
{
    static const struct {
        const char *key;
        bool (*read)(const char *value, struct machine *m);
    } figures[] = { { "rate", read_rate }, { "low_rank", read_low_rank }, { "task", read_task }, { "speed", read_speed },
                    { "link", read_link }, { "device", read_device }, { "blocks", read_blocks }, { "bus", read_bus },
                    { "share", read_share } };
    const struct { const char *key; char *name; } names[] = { { "host", m->host }, { "cpu", m->cpu }, { "blas", m->blas } };
    const char *value;
    if (line[0] == '#' || line[0] == '\0')
        return true;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        if ((value = value_of(line, figures[i].key)) != NULL)
            return figures[i].read(value, m);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if ((value = value_of(line, names[i].key)) != NULL)
            return machine_set_name(names[i].name, value), true;
    if ((value = value_of(line, "version")) != NULL)
        return sscanf(value, "%d", version) == 1;
    if ((value = value_of(line, "cores")) != NULL)
        return sscanf(value, "%d", &m->cores) == 1 && m->cores > 0;
    if ((value = value_of(line, "latency_us")) != NULL)
        return m->transfers_measured = read_time(value, 1e-6, &m->t_s);
    if ((value = value_of(line, "word_ns")) != NULL)
        return m->transfers_measured = read_time(value, 1e-9, &m->t_w);
    return (value = value_of(line, "devices")) != NULL && sscanf(value, "%15s", m->device_backend) == 1;
}

static int read_all(FILE *file, struct machine *m)
{
    char line[LINE];
    int version = 0, number = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        number++;
        size_t end = strcspn(line, "\n");
        bool whole = line[end] == '\n';
        line[end] = '\0';
        if (!whole || !read_line(line, m, &version))
            return number;
    }
    return version == VERSION && (m->rates > 0 || m->low_ranks > 0) ? 0 : number + 1;
}

static enum machine_source judge(const char *path, const struct machine *here, const struct machine *there,
                                 char why[MACHINE_TEXT])
{
    if (strcmp(there->host, here->host) != 0 || strcmp(there->cpu, here->cpu) != 0 || there->cores != here->cores)
        return refuse_file(MACHINE_OTHER, why, "%s describes another machine: %s, %s, %d cores", path, there->host, there->cpu,
                    there->cores);
    if (strcmp(there->blas, here->blas) != 0)
        return refuse_file(MACHINE_OTHER, why, "%s was measured with other BLAS kernels: %s, not %s", path, there->blas,
                           here->blas);
    return refuse_file(MACHINE_MEASURED, why, "%s", "");
}

static enum machine_source read_file(const char *path, struct machine *machine, bool any, char why[MACHINE_TEXT])
{
    int number = open_regular(path);
    FILE *file = number >= 0 ? fdopen(number, "r") : NULL;
    if (file == NULL)
        return refuse_file(MACHINE_NO_FILE, why, "%s: %s", path,
                           errno == EINVAL || errno == EISDIR ? "no regular file" : strerror(errno));
    struct machine *m = malloc(sizeof *m);
    enum machine_source source;
    if (m == NULL) {
        source = refuse_file(MACHINE_NO_FILE, why, "%s: out of memory", path);
    } else {
        *m = (struct machine){ .t_s = machine->t_s, .t_w = machine->t_w };
        struct c_locale c = c_locale_begin();
        int damaged = read_all(file, m);
        c_locale_end(c);
        source = damaged > 0 ? refuse_file(MACHINE_DAMAGED, why, "%s, line %d: not understood", path, damaged)
                 : any       ? MACHINE_MEASURED
                             : judge(path, machine, m, why);
        if (source == MACHINE_MEASURED)
            *machine = *m;
    }
    free(m);
    fclose(file);
    return source;
}

enum machine_source machine_read(const char *path, struct machine *machine, char why[MACHINE_TEXT])
{
    return read_file(path, machine, false, why);
}

enum machine_source machine_read_any(const char *path, struct machine *machine, char why[MACHINE_TEXT])
{
    return read_file(path, machine, true, why);
}

/* ---- writing --------------------------------------------------------------------------------------------------------------- */

void machine_print(FILE *out, const void *machine)
{
    const struct machine *m = machine;
    struct c_locale c = c_locale_begin();
    fprintf(out, "%sversion %d\nhost %s\ncpu %s\ncores %d\nblas %s\n", header, VERSION, m->host, m->cpu, m->cores, m->blas);
    if (m->transfers_measured)
        fprintf(out, "latency_us %.4g\nword_ns %.4g\nlink %s\n", 1e6 * m->t_s, 1e9 * m->t_w,
                m->over_network ? "network" : "memory");
    for (int i = 0; i < m->tasks; i++)
        fprintf(out, "task %d %.3g\n", m->task[i].threads, 1e6 * m->task[i].seconds);
    for (int i = 0; i < m->speeds; i++)
        fprintf(out, "speed %d %d %d %d %.4g\n", m->speed[i].ranks, m->speed[i].threads, m->speed[i].n, m->speed[i].nb,
                m->speed[i].gflops);
    if (m->device_rates > 0)
        fprintf(out, "devices %s\nbus %.4g %.4g\n", m->device_backend, m->bus_up, m->bus_down);
    for (int i = 0; i < m->device_rates; i++)
        fprintf(out, "device %d %.4g\n", m->device_rate[i].nb, m->device_rate[i].gflops);
    for (int i = 0; i < m->blocks; i++)
        fprintf(out, "blocks %c %d %d %d\n", m->block[i].type, m->block[i].nb, m->block[i].herk,
                m->block[i].trsm);
    for (int i = 0; i < m->shares; i++)
        fprintf(out, "share %d %d %d %d %.4g %.4g\n", m->share[i].devices, m->share[i].threads, m->share[i].n, m->share[i].nb,
                m->share[i].share, m->share[i].gflops);
    for (int i = 0; i < m->low_ranks; i++)
        fprintf(out, "low_rank %c %d %d\n", m->low_rank[i].type, m->low_rank[i].nb, m->low_rank[i].rank);
    for (int i = 0; i < m->rates; i++)
        fprintf(out, "rate %c %s %d %d " MACHINE_RATE "\n", m->rate[i].type, rate_kernel_name(m->rate[i].kernel),
                m->rate[i].threads, m->rate[i].nb, m->rate[i].gflops);
    c_locale_end(c);
}

/* With the permissions of the XDG specification. If the folder cannot be made, the file cannot be opened later. */
static void make_folder_of(const char *path)
{
    char folder[MACHINE_PATH];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    make_folders(folder, 0700);
}

int machine_try(const char *path)
{
    make_folder_of(path);
    return replace_try(path);
}

int machine_write(const char *path, const struct machine *machine)
{
    make_folder_of(path);
    return replace_by(path, machine_print, machine);
}
