/* Bit flips of the soak: tiles carry checksums, and in some cases a bit flips. */
#include "tests/soak.h"

/* Draws any stored tile, any step before it becomes final, and a bit of the exponent or the sign. */
static void draw_flip(struct setup *c)
{
    const ompfact_shape *shape = &c->shape;
    const struct problem *p = &c->problem;
    bool ragged = shape->mt > 0, single = p->type == 's' || p->type == 'c';
    int mt = ragged ? shape->mt : (int)((p->m + shape->nb - 1) / shape->nb);
    int nt = ragged ? shape->nt : (int)((p->n + shape->nb - 1) / shape->nb);
    int i = draw(mt), j = draw(nt), part = is_complex(p->type) ? draw(2) : 0, below = ONE_OF(1, 1, 1, 0, 2, 3);
    if (is_beyond(p, i, j)) {
        int swapped = i;
        i = j;
        j = swapped;
    }
    /* Nobody reads the imaginary part of a Hermitian matrix's diagonal; the flipped element is on the diagonal of a diagonal
       tile. */
    if (p->hermitian && i == j)
        part = 0;
    c->testing.flip = (ompfact_flip){ .on = true, .step = draw((i < j ? i : j) + 1), .i = i, .j = j,
                                      .bit = (single ? 31 : 63) - below + part * (single ? 32 : 64) };
}

void faults_draw(struct setup *c)
{
    bool sums = draw(3) == 0, flips = draw(2);
    c->options.abft = sums && c->accuracy == 0 && c->shape.copies == 1 &&
                      (!c->shape.bf16_tiles || c->options.devices == 0);
    if (c->options.abft && flips && c->from == NULL)
        draw_flip(c);
}

int faults_describe(const struct setup *c, char *text, size_t room)
{
    const ompfact_flip *f = &c->testing.flip;
    return snprintf(text, room, f->on ? " abft=%d inject=step=%d,tile=%d,%d,bit=%d" : " abft=%d", c->options.abft, f->step, f->i,
                    f->j, f->bit);
}

bool faults_are_reported(const struct setup *c, ompfact_status status)
{
    return c->testing.flip.on && status == OMPFACT_FAULT_FOUND;
}

/* Whether a flip must be found. The highest exponent bit turns small numbers into large ones, and others into almost nothing.
   In large tiles in single precision this may be less than rounding errors, and then nobody finds it. */
static bool is_obvious(const struct setup *c)
{
    int bit = c->testing.flip.bit;
    bool single = c->problem.type == 's' || c->problem.type == 'c';
    return !c->large && (single ? bit % 32 == 30 : bit % 64 == 62);
}

const char *faults_check(const struct setup *c, const ompfact_report *report)
{
    int64_t found = report->faults_found, corrected = report->faults_corrected;
    EXPECT(agreed(found) && agreed(corrected), "ranks do not agree on faults");
    EXPECT(c->testing.flip.on || (found == 0 && corrected == 0), "an alarm without a flip");
    EXPECT(found == corrected, "a fault was not corrected, and the status does not report it");
    EXPECT(!c->testing.flip.on || found > 0 || !is_obvious(c), "a flip of an exponent's highest bit was not found");
    return NULL;
}
