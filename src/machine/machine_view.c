/* The public view of a machine's figures. */
#include "src/machine/machine_known.h"

#include "src/io/text_stream.h"

static const ompfact_machine_source sources[] = {
    [MACHINE_MEASURED] = OMPFACT_MACHINE_TUNED,  [MACHINE_QUICK] = OMPFACT_MACHINE_RATED,
    [MACHINE_NO_FILE] = OMPFACT_MACHINE_TYPICAL, [MACHINE_DAMAGED] = OMPFACT_MACHINE_TYPICAL,
    [MACHINE_OTHER] = OMPFACT_MACHINE_TYPICAL,   [MACHINE_GIVEN] = OMPFACT_MACHINE_GIVEN,
};

ompfact_machine machine_view(const struct machine_known *known)
{
    const struct machine *m = &known->machine;
    return (ompfact_machine){
        .host = m->host, .processor = m->cpu, .blas = m->blas, .cores = m->cores, .source = sources[known->source],
        .why = known->why, .runs = m->speeds, .run = m->speed, .transfer_s = m->t_s, .word_s = m->t_w,
        .transfers_measured = m->transfers_measured, .over_network = m->over_network, .device_backend = m->device_backend,
        .device_nb = machine_device_tile(m), .device_gflops = machine_device_rate(m), .bus_up = m->bus_up,
        .bus_down = m->bus_down, .blocks = m->blocks, .block = m->block, .shares = m->shares, .share = m->share,
        .best_share = machine_best_share(m), .rates = m,
    };
}

double ompfact_machine_rate(const ompfact_machine *machine, char type, const char *kernel, int threads, int nb)
{
    int found = rate_kernel_find(kernel);
    if (found < 0 || precision_of(type) == NULL || threads < 1 || nb < 1)
        return 0;
    return machine_thread_rate(machine->rates, type, (enum rate_kernel)found, threads, nb);
}

double ompfact_machine_task(const ompfact_machine *machine, int threads)
{
    return machine_task_seconds(machine->rates, threads);
}

char *ompfact_machine_text(const ompfact_machine *machine)
{
    char *text;
    size_t length;
    FILE *out = text_stream(&text, &length);
    if (out == NULL)
        return NULL;
    machine_print(out, machine->rates);
    return text_stream_end(out, &text);
}
