/* ompfact platform: writes a platform of SimGrid for --simulate, of equal hosts on one switch that is never the limit. */
#include "src/command/options_parts.h"
#include "src/command/text_file.h"

#include <string.h>

#define AT(member) .field = offsetof(struct options, job.member)

enum { HOSTS_MAX = 1000000, CORES_MAX = 4096 };

static const struct option table[] = {
    { "hosts", "N", "number of hosts, h1 to hN", .parse = parse_int, AT(ranks), .min = 1, .max = HOSTS_MAX },
    { "cores", "C", "cores of a host [1]", .parse = parse_int, AT(cores_per_node), .min = 1, .max = CORES_MAX },
    { "gflops", "G", "speed of a core for all kernels; default: as on this machine",
      .parse = parse_positive, AT(core_gflops) },
    { "link", "RATE[,LATENCY]", "link of a host, in each direction; a message crosses two [10gbit,10us]", .parse = parse_wire,
      .field = offsetof(struct options, job) },
    { .name = NULL },
};

static const char usage[] =
    "platform needs hosts: ompfact platform --hosts N [--cores C] [--gflops G] [--link RATE[,LATENCY]] [FILE.xml]";

/* Reads an option and its value, in one word or two. Moves *i to the last word that it takes. */
static int take(int argc, char **argv, int *i, struct options *to, char *text)
{
    const char *name = argv[*i] + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : *i + 1 < argc ? argv[++*i] : NULL;
    for (const struct option *o = table; o->name != NULL; o++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0)
            return value != NULL ? o->parse(o, value, (char *)to + o->field, text)
                                 : refuse(text, "--%s needs %s", o->name, o->form);
    return refuse(text, "platform: unknown option \"%.64s\"; ompfact platform --help lists the known ones", name - 2);
}

int options_platform(int argc, char **argv, struct options *o, char *text)
{
    o->job = (ompfact_job){ .cores_per_node = 1, .wire_rate = 10e9 / 8, .wire_latency = 10e-6 };
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            o->help = (struct help_page){ HELP_PLATFORM, "help" };
        if (o->help.word != NULL)
            return 0;
        if (argv[i][0] != '-' && o->platform == NULL)
            o->platform = argv[i];
        else if (strncmp(argv[i], "--", 2) != 0 || take(argc, argv, &i, o, text) != 0)
            return text[0] != '\0' ? COMMAND_USAGE : refuse(text, "%s", usage);
    }
    o->platform = o->platform != NULL ? o->platform : "-";
    return o->job.ranks > 0 ? 0 : refuse(text, "%s", usage);
}

void platform_help(FILE *out)
{
    fputs("Usage: ompfact platform --hosts N [options] [FILE.xml]\n\n"
          "Writes a SimGrid platform for ompfact --simulate: equal hosts on one switch that never\n"
          "limits.\n\n", out);
    for (const struct option *o = table; o->name != NULL; o++)
        fprintf(out, "  --%-6s %-15s %s\n", o->name, o->form, o->help);
}

/* Without --gflops the speed only matters to SimGrid: kernels have the rates of this machine. */
static void print_platform(FILE *out, const ompfact_job *j)
{
    fprintf(out, "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                 "<platform version=\"4.1\">\n"
                 "  <cluster id=\"hosts\" prefix=\"h\" suffix=\"\" radical=\"1-%d\" speed=\"%.9gf\" core=\"%d\" bw=\"%.9gBps\" "
                 "lat=\"%.9gs\" sharing_policy=\"SPLITDUPLEX\">\n%s  </cluster>\n</platform>\n",
            j->ranks, 1e9 * (j->core_gflops > 0 ? j->core_gflops : 1), j->cores_per_node, j->wire_rate, j->wire_latency,
            j->core_gflops > 0 ? "    <prop id=\"kernel_rates\" value=\"flat\"/>\n" : "");
}

int platform_write(const struct options *o, char text[COMMAND_TEXT])
{
    CLEANUP(output_drop) struct output out = { 0 };
    TRY_STEP(output_open(&out, NULL, o->platform, text));
    print_platform(out.file, &o->job);
    return output_close(&out, text);
}
