#include "src/command/machine.h"

#include "src/io/replace.h"

#include <errno.h>
#include <hwloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE = 256, VERSION = 1 };

static const char header[] =
    "# What `ompfact --tune` has measured on this machine, for --nb auto, --host-share auto and --explain.\n"
    "# Written anew by each --tune; may be deleted.\n"
    "#   version V                       of this form\n"
    "#   host NAME, cpu MODEL, cores C   whose it is: on another machine the file is not used\n"
    "#   blas KERNELS                    BLIS's kernels in use; with others the file is not used\n"
    "#   rate TYPE KERNEL THREADS NB G   GFLOP/s of so many threads together, each on tiles of order NB that come from memory\n"
    "#   latency_us T                    t_s: start of a transfer between two ranks, in microseconds\n"
    "#   word_ns T                       t_w: each word of 8 bytes of a transfer, in nanoseconds\n"
    "#   speed RANKS THREADS N NB G      GFLOP/s of potrf in double precision by RANKS ranks of THREADS threads on one node\n"
    "#   devices BACKEND                 whose devices the next lines are about\n"
    "#   device NB G                     GFLOP/s of gemm in double precision on one device, on tiles of order NB\n"
    "#   bus UP DOWN                     GB/s to a device and from it\n"
    "#   share D THREADS N NB S G        GFLOP/s of potrf in double precision by a rank with D devices, a share S of columns "
    "on the host\n";

/* ---- this machine ---------------------------------------------------------------------------------------------------------- */

/* One line, whatever the system says. */
static void set_name(char name[MACHINE_NAME], const char *value)
{
    snprintf(name, MACHINE_NAME, "%s", value == NULL || value[0] == '\0' ? "unknown" : value);
    for (char *c = name; *c != '\0'; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    for (size_t end = strlen(name); end > 1 && name[end - 1] == ' '; end--)
        name[end - 1] = '\0';
}

void machine_here(struct machine *machine, const char *blas_kernels)
{
    char host[MACHINE_NAME] = "";
    hwloc_topology_t topology;
    *machine = (struct machine){ .cores = 1, .t_s = 2e-6, .t_w = 1.5e-9 };      /* two ranks of one node */
    gethostname(host, sizeof host - 1);
    set_name(machine->host, host);
    set_name(machine->cpu, NULL);
    set_name(machine->blas, blas_kernels[0] == '\0' ? "other" : blas_kernels);
    if (hwloc_topology_init(&topology) != 0)
        return;
    if (hwloc_topology_load(topology) == 0) {
        hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
        int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
        machine->cores = cores > 0 ? cores : 1;
        set_name(machine->cpu, package == NULL ? NULL : hwloc_obj_get_info_by_name(package, "CPUModel"));
    }
    hwloc_topology_destroy(topology);
}

bool machine_path(char path[MACHINE_PATH])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length;
    if (cache != NULL && cache[0] == '/')       /* the XDG specification: a relative one is to be ignored */
        length = snprintf(path, MACHINE_PATH, "%s/ompfact/machine", cache);
    else if (home != NULL && home[0] != '\0')
        length = snprintf(path, MACHINE_PATH, "%s/.cache/ompfact/machine", home);
    else
        return false;
    return length < MACHINE_PATH;
}

/* ---- reading --------------------------------------------------------------------------------------------------------------- */

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
    struct machine_speed s;
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
    struct machine_share s;
    if (m->shares == MACHINE_SHARES ||
        sscanf(value, "%d %d %d %d %lf %lf", &s.devices, &s.threads, &s.n, &s.nb, &s.share, &s.gflops) != 6)
        return false;
    m->share[m->shares++] = s;
    return s.devices >= 0 && s.threads > 0 && s.n > 0 && s.nb > 0 && s.share >= 0 && s.share <= 1 && positive(s.gflops);
}

static bool read_bus(const char *value, struct machine *m)
{
    return sscanf(value, "%lf %lf", &m->bus_up, &m->bus_down) == 2 && positive(m->bus_up) && positive(m->bus_down);
}

static bool read_time(const char *value, double unit, double *time)
{
    double number;
    if (sscanf(value, "%lf", &number) != 1 || !positive(number))
        return false;
    *time = number * unit;
    return true;
}

/* False where the line is not understood: the whole file is damaged then. */
static bool read_line(const char *line, struct machine *m, int *version)
{
    const char *value;
    if (line[0] == '#' || line[0] == '\0')
        return true;
    if ((value = value_of(line, "version")) != NULL)
        return sscanf(value, "%d", version) == 1;
    if ((value = value_of(line, "cores")) != NULL)
        return sscanf(value, "%d", &m->cores) == 1 && m->cores > 0;
    if ((value = value_of(line, "rate")) != NULL)
        return read_rate(value, m);
    if ((value = value_of(line, "speed")) != NULL)
        return read_speed(value, m);
    if ((value = value_of(line, "latency_us")) != NULL)
        return m->transfers_measured = read_time(value, 1e-6, &m->t_s);
    if ((value = value_of(line, "word_ns")) != NULL)
        return m->transfers_measured = read_time(value, 1e-9, &m->t_w);
    if ((value = value_of(line, "devices")) != NULL)
        return sscanf(value, "%15s", m->device_backend) == 1;
    if ((value = value_of(line, "device")) != NULL)
        return read_device(value, m);
    if ((value = value_of(line, "bus")) != NULL)
        return read_bus(value, m);
    if ((value = value_of(line, "share")) != NULL)
        return read_share(value, m);
    if ((value = value_of(line, "host")) != NULL)
        return set_name(m->host, value), true;
    if ((value = value_of(line, "cpu")) != NULL)
        return set_name(m->cpu, value), true;
    if ((value = value_of(line, "blas")) != NULL)
        return set_name(m->blas, value), true;
    return false;
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
    return version == VERSION && m->rates > 0 ? 0 : number + 1;
}

enum machine_source machine_read(const char *path, struct machine *machine, char why[COMMAND_TEXT])
{
    FILE *file = fopen(path, "r");
    struct machine *m = file == NULL ? NULL : malloc(sizeof *m);
    enum machine_source source = MACHINE_NO_FILE;
    why[0] = '\0';
    if (m == NULL) {
        refuse(why, "%s: %s", path, file == NULL ? strerror(errno) : "out of memory");
    } else {
        *m = (struct machine){ .t_s = machine->t_s, .t_w = machine->t_w };
        int damaged = read_all(file, m);
        source = MACHINE_MEASURED;
        if (damaged > 0) {
            source = MACHINE_DAMAGED;
            refuse(why, "%s, line %d: not understood", path, damaged);
        } else if (strcmp(m->host, machine->host) != 0 || strcmp(m->cpu, machine->cpu) != 0 || m->cores != machine->cores) {
            source = MACHINE_OTHER;
            refuse(why, "%s is of another machine: %s, %s, %d cores", path, m->host, m->cpu, m->cores);
        } else if (strcmp(m->blas, machine->blas) != 0) {
            source = MACHINE_OTHER;
            refuse(why, "%s was measured with other BLAS kernels: %s, not %s", path, m->blas, machine->blas);
        } else {
            *machine = *m;
        }
    }
    free(m);
    if (file != NULL)
        fclose(file);
    return source;
}

int machine_know(struct machine_known *known, const char *blas_kernels, char text[COMMAND_TEXT])
{
    char path[MACHINE_PATH];
    known->machine = malloc(sizeof *known->machine);
    if (known->machine == NULL)
        return refuse(text, "no memory for the rates of a machine");
    machine_here(known->machine, blas_kernels);
    if (machine_path(path)) {
        known->source = machine_read(path, known->machine, known->why);
    } else {
        known->source = MACHINE_NO_FILE;
        refuse(known->why, "neither XDG_CACHE_HOME nor HOME is set");
    }
    return 0;
}

void machine_forget(struct machine_known *known)
{
    free(known->machine);
    known->machine = NULL;
}

/* ---- writing --------------------------------------------------------------------------------------------------------------- */

void machine_print(const struct machine *m, FILE *out)
{
    fprintf(out, "%sversion %d\nhost %s\ncpu %s\ncores %d\nblas %s\n", header, VERSION, m->host, m->cpu, m->cores, m->blas);
    if (m->transfers_measured)
        fprintf(out, "latency_us %.4g\nword_ns %.4g\n", 1e6 * m->t_s, 1e9 * m->t_w);
    for (int i = 0; i < m->speeds; i++)
        fprintf(out, "speed %d %d %d %d %.4g\n", m->speed[i].ranks, m->speed[i].threads, m->speed[i].n, m->speed[i].nb,
                m->speed[i].gflops);
    if (m->device_rates > 0)
        fprintf(out, "devices %s\nbus %.4g %.4g\n", m->device_backend, m->bus_up, m->bus_down);
    for (int i = 0; i < m->device_rates; i++)
        fprintf(out, "device %d %.4g\n", m->device_rate[i].nb, m->device_rate[i].gflops);
    for (int i = 0; i < m->shares; i++)
        fprintf(out, "share %d %d %d %d %.4g %.4g\n", m->share[i].devices, m->share[i].threads, m->share[i].n, m->share[i].nb,
                m->share[i].share, m->share[i].gflops);
    for (int i = 0; i < m->rates; i++)
        fprintf(out, "rate %c %s %d %d %.4g\n", m->rate[i].type, rate_kernel_name(m->rate[i].kernel), m->rate[i].threads,
                m->rate[i].nb, m->rate[i].gflops);
}

static void make_folders(const char *path)
{
    char folder[MACHINE_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0777);        /* fails where it is there already, and where it cannot be: opening the file tells */
        *slash = '/';
    }
}

static int refuse_writing(const char *path, int error, char text[COMMAND_TEXT])
{
    return refuse(text, "--tune cannot write %s: %s; XDG_CACHE_HOME names another place", path, strerror(error));
}

int machine_try(const char *path, char text[COMMAND_TEXT])
{
    make_folders(path);
    int error = replace_try(path);
    return error != 0 ? refuse_writing(path, error, text) : 0;
}

int machine_write(const char *path, const struct machine *machine, char text[COMMAND_TEXT])
{
    struct replacement place;
    make_folders(path);
    int error = replace_begin(path, &place);
    if (error != 0)
        return refuse_writing(path, error, text);
    FILE *file = fopen(replace_path(&place), "w");
    error = file == NULL ? errno : 0;
    if (file != NULL) {
        errno = EIO;
        machine_print(machine, file);
        bool whole = ferror(file) == 0;
        whole &= fclose(file) == 0;
        error = whole ? replace_commit(&place) : errno;
    }
    replace_drop(&place);
    return error != 0 ? refuse_writing(path, error, text) : 0;
}

/* ---- rates ----------------------------------------------------------------------------------------------------------------- */

/* Typical: half of the full rate at an order of `half`, then towards it, and no faster where a tile outgrows the second-level
   cache. A core that runs DGEMM at 50 GFLOP/s. */
static double typical_rate(char type, enum rate_kernel kernel, double nb)
{
    static const double half[RATE_KERNELS] = { 230, 200, 150, 170, 110 };
    nb = nb < 448 ? nb : 448;
    return 50.0 * (type == 's' || type == 'c' ? 2 : 1) * nb * nb / (nb * nb + half[kernel] * half[kernel]);
}

/* The rate of one of so many threads at nb from what was measured on exactly so many; 0: nothing was. */
static double measured_rate(const struct machine *m, char type, enum rate_kernel kernel, int threads, double nb)
{
    const struct machine_rate *below = NULL, *above = NULL;
    for (int i = 0; i < m->rates; i++) {
        const struct machine_rate *r = &m->rate[i];
        if (r->type != type || r->kernel != kernel || r->threads != threads)
            continue;
        if (r->nb <= nb && (below == NULL || r->nb > below->nb))
            below = r;
        if (r->nb >= nb && (above == NULL || r->nb < above->nb))
            above = r;
    }
    if (below == NULL && above == NULL)
        return 0;
    if (below == NULL)      /* smaller than all: as it typically falls from there */
        return above->gflops / threads * typical_rate(type, kernel, nb) / typical_rate(type, kernel, above->nb);
    if (above == NULL || above == below)
        return below->gflops / threads;
    double weight = (nb - below->nb) / (above->nb - below->nb);
    return ((1 - weight) * below->gflops + weight * above->gflops) / threads;
}

/* The number of threads among those measured that is nearest to the one wanted. */
static int nearest_threads(const struct machine *m, char type, int threads)
{
    int nearest = 0;
    for (int i = 0; i < m->rates; i++)
        if (m->rate[i].type == type && (nearest == 0 || abs(m->rate[i].threads - threads) < abs(nearest - threads)))
            nearest = m->rate[i].threads;
    return nearest;
}

double machine_thread_rate(const struct machine *m, char type, enum rate_kernel kernel, int threads, double nb)
{
    double rate = measured_rate(m, type, kernel, nearest_threads(m, type, threads), nb);
    if (rate == 0 && type != 'd')       /* this type was not measured: it relates to d as it typically does */
        rate = measured_rate(m, 'd', kernel, nearest_threads(m, 'd', threads), nb) * typical_rate(type, kernel, nb) /
               typical_rate('d', kernel, nb);
    return rate > 0 ? rate : typical_rate(type, kernel, nb);
}
