/* Checkpoints of the soak: factorizations are saved while they run, and other grids and matrices continue from the checkpoints.
   */
#include "tests/soak.h"

const char *saved_begin(struct stage *s, struct setup *c)
{
    ompfact_checkpoints how = { .folder = c->kept.place, .interval_s = c->interval_ms / 1000.0, .about = "soak",
                                .tell = kept_record, .tell_context = &c->kept };
    kept_nothing(&c->kept);
    kept_remove_first(&c->kept);
    if (c->interval_ms > 0)
        EXPECT(ompfact_checkpoint(s->grid, &how) == OMPFACT_SUCCESS, "checkpoints were refused");
    if (c->from != NULL)
        EXPECT(ompfact_restart(s->grid, c->from) == OMPFACT_SUCCESS, "a checkpoint was refused");
    return NULL;
}

/* A Cholesky factorization with a failing pivot may end before its first checkpoint. */
const char *saved_check(struct stage *s, struct setup *c, bool sound, int64_t info)
{
    ompfact_report report = ompfact_last_report(s->A);
    bool first = my_rank() == 0, whole = sound && (info == 0 || !c->problem.hermitian);
    if (sound && c->from != NULL)
        EXPECT(report.restarted_from_step == c->step && report.tiles_restored >= 0, "the report has a wrong restart");
    if (sound && c->from == NULL)
        EXPECT(report.restarted_from_step == -1 && report.tiles_restored == -1, "the report has a restart, but there was none");
    if (c->interval_ms == 0)
        EXPECT(report.checkpoints == -1, "the report has checkpoints, but none were requested");
    else
        EXPECT(!first || (c->kept.failures == 0 && c->kept.checkpoints <= 1), "a checkpoint failed");
    if (c->interval_ms > 0 && sound)
        EXPECT(report.checkpoints >= whole, "there is no checkpoint");
    if (c->interval_ms > 0 && sound)
        EXPECT(!first || c->kept.checkpoints == (report.checkpoints > 0), "the report has a wrong number of checkpoints");
    int known[2] = { c->kept.checkpoints, c->kept.step };
    reduce(known, 2, MPI_INT, MPI_MAX);
    c->kept.checkpoints = known[0];
    c->kept.step = known[1];
    return NULL;
}

/* Continues from the first checkpoint or from the last one. */
static const char *continue_one(struct setup *next, const struct setup *c)
{
    ompfact_restarted from = { .step = -1 };
    struct stage stage = { 0 };
    bool first = draw(3) > 0;
    const char *folder = first ? c->kept.first : c->kept.place;
    int least = (int)(c->problem.m > c->problem.n ? c->problem.m : c->problem.n) / 14 + 1;      /* at most 14 tiles a side */
    int nb = c->compressed ? 0 : ONE_OF(0, c->shape.nb, least, least + draw(2 * c->shape.nb));
    EXPECT(ompfact_restart_read(folder, nb, &from, NULL) == OMPFACT_SUCCESS, "a checkpoint cannot be read");
    bool same = strcmp(from.about, "soak") == 0 && (!first || from.step == c->kept.step);
    const char *wrong = same ? NULL : "the checkpoint is of another problem";
    setup_draw_next(next, c, folder, &from);
    tally.resumed++;
    tally.in_the_middle += from.step > 0 && from.step < (from.mt < from.nt ? from.mt : from.nt);
    tally.compressed_resumed += c->compressed;
    tally.saved_again += next->interval_ms > 0;
    if (wrong == NULL)
        wrong = stage_open(&stage, next);
    if (wrong == NULL)
        wrong = stage_run(&stage, next);
    if (wrong != NULL && stage.grid != NULL)
        setup_print(ompfact_message(stage.grid));
    stage_close(&stage);
    setup_forget(next);
    ompfact_restarted_forget(&from);
    return wrong;
}

/* Each matrix continues from a checkpoint of the one before it. */
const char *saved_continue(struct setup *c)
{
    enum { MOST = 3 };
    struct setup all[MOST + 1];
    const char *wrong = NULL;
    size_t length = strlen(description);
    int i = 0;
    all[0] = *c;
    for (; i < MOST && wrong == NULL && all[i].interval_ms > 0 && all[i].kept.checkpoints > 0; i++)
        wrong = continue_one(&all[i + 1], &all[i]);
    for (; i > 0; i--)
        kept_remove_first(&all[i].kept);
    if (wrong == NULL)
        description[length] = '\0';
    return wrong;
}
