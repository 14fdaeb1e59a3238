/* Speeds of ranks, and figures of a machine. */
#include "src/command/speeds.h"
#include "src/machine/machine.h"
#include "tests/fuzz/fuzz_readers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 3 };

void read_speeds(const uint8_t *bytes, size_t size)
{
    struct speeds speeds;
    char text[COMMAND_TEXT] = "";
    if (speeds_read(reader_file(bytes, size), RANKS, &speeds, text) != 0) {
        EXPECT(speeds.speed == NULL);
        reader_expect_line(text, sizeof text);
        return;
    }
    for (int r = 0; r < RANKS; r++)
        EXPECT(speeds.count == RANKS && speeds.speed[r] > 0 && isfinite(speeds.speed[r]));
    speeds_forget(&speeds);
}

/* The file's machine name is taken for this machine's; otherwise its figures would not be used. */
void read_machine(const uint8_t *bytes, size_t size)
{
    static struct machine machine;
    char why[MACHINE_TEXT] = "";
    machine = (struct machine){ .host = "here", .cpu = "a processor", .blas = "other", .cores = 2, .t_s = 1, .t_w = 1 };
    enum machine_source source = machine_read(reader_file(bytes, size), &machine, why);
    if (source != MACHINE_MEASURED) {
        EXPECT(source != MACHINE_NO_FILE);
        reader_expect_line(why, sizeof why);
        return;
    }
    EXPECT(machine.rates >= 0 && machine.rates <= MACHINE_RATES && machine.speeds <= MACHINE_SPEEDS);
    EXPECT(machine.t_s > 0 && isfinite(machine.t_s) && machine.t_w > 0 && isfinite(machine.t_w));
    for (int i = 0; i < machine.rates; i++)
        EXPECT(machine.rate[i].nb > 0 && machine.rate[i].threads > 0 && machine.rate[i].gflops > 0);
}
