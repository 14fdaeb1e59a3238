#include "src/checkpoint/saver.h"
#include "src/checkpoint/saver_files.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Messages of a rank: to choose a step, the first step before which it can save, and whether this must be the last step; then the
   files that it has written. The last element of a message requests those of the other ranks (rma/rma.h). */
enum word { WORD_STEP, WORD_FILES, WORD_LAST = WORD_FILES + FILES_WORDS, WORDS };

static const double NEVER = 1e300;
static const double SOON = 0.25;        /* share of the interval after which a checkpoint is late */

enum phase { QUIET, CHOOSING, CHOSEN, SAVING, SEALING, SEALED, GATHERING, NAMING };

struct saver {
    ompfact_matrix *A;
    struct checkpoints *checkpoints;
    struct run_saver run;
    struct saving saving;
    struct rma_gather *gather;
    int rank, ranks, steps;
    pthread_mutex_t lock;           /* of the other members, except atomic ones */
    atomic_int phase;               /* enum phase */
    int next;                       /* the first step before which this rank can still save */
    int step;                       /* the chosen step K */
    int saved;                      /* tiles that were final before this step are in files that the other ranks know */
    int gathers;                      /* number of collections that this rank has begun */
    bool ends;                      /* the run is over: messages of other ranks decide, not the clock */
    bool last;                      /* a rank has requested that this step is the last */
    bool stopped;                   /* the loops have ended at this step */
    double begun;                   /* time when the step was chosen; 0: all steps are done */
    _Atomic double due;             /* time of the next checkpoint */
    const atomic_bool *spoiled;     /* NULL, or set when the saved data is worthless */
    atomic_int left;                /* tasks that save, plus one until all are submitted */
    struct saver_files files;
    struct seal *seal;              /* the thread that waits for the disk */
};

/* ---- what others wrote ----------------------------------------------------------------------------------------------------- */

static void fill_words(struct saver *s, bool sound, int64_t *words)
{
    int64_t *error = &words[WORD_FILES + FILES_ERROR];
    saver_files_words(&s->files, &words[WORD_FILES]);
    if (!sound || (s->spoiled != NULL && atomic_load(s->spoiled)))
        *error = ECANCELED;
    if (s->rank == 0 && *error == 0 && !naming_reserve(&s->files.naming, 2 * s->ranks))
        *error = ENOMEM;
    words[WORD_STEP] = s->step;
    words[WORD_LAST] = 0;
}

static int first_error(const struct saver *s, const int64_t *gathered)
{
    int error = 0;
    for (int rank = 0; rank < s->ranks && error == 0; rank++)
        error = (int)gathered[rank * WORDS + WORD_FILES + FILES_ERROR];
    return error;
}

/* On the first rank: adds this rank's files to the next manifest, which has room for them. */
static void note_files(struct saver *s, const int64_t *gathered)
{
    naming_begin(&s->files.naming, s->step, s->files.epoch);
    for (int rank = 0; rank < s->ranks; rank++)
        saver_files_note(&s->files, rank, &gathered[rank * WORDS + WORD_FILES]);
}

/* Only the first failure of a grid's checkpoints is reported. */
static void report_failure(struct saver *s, int error)
{
    const ompfact_checkpoints *how = &s->checkpoints->how;
    if (s->rank == 0 && error != ECANCELED && !s->checkpoints->failed && how->tell != NULL)
        how->tell(how->tell_context, -1, strerror(error));
    s->checkpoints->failed |= error != ECANCELED;
}

/* Reports checkpoints that take longer than the interval, once for a grid. */
static void report_time(struct saver *s, double seconds)
{
    const ompfact_checkpoints *how = &s->checkpoints->how;
    if (seconds <= how->interval_s || s->checkpoints->slow || how->tell_time == NULL)
        return;
    s->checkpoints->slow = true;
    how->tell_time(how->tell_context, seconds);
}

/* All ranks have sent their files. The next files have other names. After an error of MPI this rank cannot know what the first
   one has received. */
static void conclude(struct saver *s, const int64_t *gathered)
{
    bool unsure = rma_error(s->A->grid->rma) != MPI_SUCCESS;
    int error = unsure ? ECANCELED : first_error(s, gathered);
    if (error == 0 && s->rank == 0)
        note_files(s, gathered);
    saver_files_close(&s->files, error == 0 || unsure);
    s->files.epoch++;
    s->phase = QUIET;
    if (error != 0) {
        report_failure(s, error);
        return;
    }
    s->saved = s->step;
    if (s->rank == 0) {
        s->phase = NAMING;
        seal_request(s->seal, SEAL_NAME);
    }
}

/* ---- from state to state, under the lock ----------------------------------------------------------------------------------- */

static void begin_gather(struct saver *s, const int64_t *words, enum phase phase)
{
    rma_gather_begin(s->gather, words);
    s->gathers++;
    s->phase = phase;
}

static void begin_choosing(struct saver *s)
{
    bool last = !s->ends && atomic_load(&s->A->grid->stops);
    begin_gather(s, (int64_t[WORDS]){ [WORD_STEP] = s->next, [WORD_LAST] = last }, CHOOSING);
}

/* Whether the clock, or a rank that must end the factorization, requests a checkpoint, once. */
static bool is_time(const struct saver *s)
{
    if (run_clock() >= s->due)
        return true;
    bool stops = atomic_load_explicit(&s->A->grid->stops, memory_order_relaxed) || rma_gather_is_requested(s->gather);
    return stops && !s->ends && !s->last;
}

/* A rank that has submitted all of its tasks has nothing to choose any more. All ranks receive this at about the same time, and
   count from then on: their own clocks would drift apart. */
static void choose(struct saver *s, const int64_t *gathered)
{
    int step = 0;
    for (int rank = 0; rank < s->ranks; rank++) {
        step = (int)gathered[rank * WORDS + WORD_STEP] > step ? (int)gathered[rank * WORDS + WORD_STEP] : step;
        s->last |= gathered[rank * WORDS + WORD_LAST] != 0;
    }
    s->step = step;
    s->begun = run_clock();
    bool chosen = step < s->steps && !s->ends;
    s->due = chosen ? run_clock() + s->checkpoints->how.interval_s : NEVER;
    s->phase = chosen ? CHOSEN : QUIET;
}

/* The thread that waits for the disk has finished its request. */
static void sealed(struct saver *s)
{
    if (s->phase == SEALING) {
        s->phase = SEALED;
    } else if (s->phase == NAMING) {
        int error = seal_error(s->seal);
        if (error != 0)
            report_failure(s, error);
        else if (s->begun > 0)
            report_time(s, run_clock() - s->begun);
        s->begun = 0;
        s->phase = QUIET;
    }
}

static void go_on(struct saver *s, bool (*is_sound)(const struct run *run), const struct run *run)
{
    const int64_t *gathered = s->phase == CHOOSING || s->phase == GATHERING ? rma_gather_result(s->gather) : NULL;
    if ((s->phase == SEALING || s->phase == NAMING) && seal_is_done(s->seal))
        sealed(s);
    if (s->phase == QUIET && is_time(s)) {
        begin_choosing(s);
    } else if (s->phase == SEALED) {
        int64_t words[WORDS];
        fill_words(s, is_sound == NULL || is_sound(run), words);
        begin_gather(s, words, GATHERING);
    } else if (gathered != NULL) {
        (s->phase == CHOOSING ? choose : conclude)(s, gathered);
    }
}

/* Returns early in the common case that nothing is due. */
static void poll(void *context, const struct run *run)
{
    struct saver *s = context;
    bool quiet = atomic_load_explicit(&s->phase, memory_order_relaxed) == QUIET;
    if ((quiet && !is_time(s)) || pthread_mutex_trylock(&s->lock) != 0)
        return;
    go_on(s, run_is_sound, run);
    pthread_mutex_unlock(&s->lock);
}

static enum due is_due(void *context, int k)
{
    struct saver *s = context;
    enum due due = DUE_NO;
    pthread_mutex_lock(&s->lock);
    if (s->phase == CHOOSING || (s->phase == QUIET && is_time(s)))
        due = DUE_UNKNOWN;
    else if (s->phase == CHOSEN && s->step == k)
        due = s->last ? DUE_LAST : DUE_YES;
    if (due == DUE_NO)
        s->next = k + 1;
    if (due == DUE_YES || due == DUE_LAST) {
        s->stopped = s->last;
        s->phase = SAVING;
        s->next = s->last ? s->steps : k + 1;
        atomic_store(&s->left, 1);
        saver_files_open(&s->files);
    }
    pthread_mutex_unlock(&s->lock);
    return due;
}

/* ---- tasks ----------------------------------------------------------------------------------------------------------------- */

static void one_less(struct saver *s)
{
    if (atomic_fetch_sub(&s->left, 1) > 1)
        return;
    pthread_mutex_lock(&s->lock);
    s->phase = SEALING;
    seal_request(s->seal, SEAL_FILES);
    pthread_mutex_unlock(&s->lock);
}

void saver_put(struct saver *s, const struct to_save *what)
{
    if (saver_files_put(&s->files, s->step, what))
        seal_push(s->seal);
}

static void save(void *context, const struct to_save *what)
{
    saver_put(context, what);
    one_less(context);
}

void saver_add(struct saver *s)
{
    atomic_fetch_add(&s->left, 1);
}

void saver_added(struct saver *s)
{
    one_less(s);
}

/* ---- life ------------------------------------------------------------------------------------------------------------------ */

const struct run_saver *saver_of_run(const struct saver *s)
{
    return s == NULL ? NULL : &s->run;
}

const struct saving *saver_saving(const struct saver *s)
{
    return &s->saving;
}

int saver_saved(const struct saver *s)
{
    return s->saved;
}

bool saver_has_stopped(const struct saver *s)
{
    return s != NULL && s->stopped;
}

int saver_checkpoints(const struct saver *s)
{
    return s->files.naming.written;
}

static ompfact_status prepare(struct saver *s, const char *factorization, const char *pivot)
{
    ompfact_grid *grid = s->A->grid;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t run = ((uint64_t)now.tv_sec << 30 | (uint64_t)now.tv_nsec) ^ (uint64_t)getpid() << 44;
    TRY_MPI(grid, rma_bcast(grid->rma, &run, 1, MPI_UINT64_T, 0));
    if (naming_prepare(&s->files.naming, s->A, &s->checkpoints->how, run, factorization, pivot))
        s->seal = seal_create(&s->files.naming, &s->files.final, &s->files.work);
    TRY(agree_memory(grid, s->seal != NULL, "for checkpoints"));
    TRY_MPI(grid, rma_gather_create(grid->rma, WORDS, &s->gather));
    return OMPFACT_SUCCESS;
}

ompfact_status saver_begin(ompfact_matrix *A, const char *factorization, const char *pivot, int done, int64_t beside,
                           const atomic_bool *spoiled, struct saver **saver)
{
    ompfact_grid *grid = A->grid;
    *saver = NULL;
    if (grid->checkpoints == NULL || grid->restart != NULL)     /* another factorization will continue, and its checkpoint
                                                                   stays */
        return OMPFACT_SUCCESS;
    CLEANUP(saver_destroy) struct saver *s = calloc(1, sizeof *s);
    TRY(agree_memory(grid, s != NULL, "for checkpoints"));
    int64_t most = layout_tiles(A->layout, A->me) + beside;
    double interval = grid->checkpoints->how.interval_s;
    *s = (struct saver){ .A = A, .checkpoints = grid->checkpoints, .run = { s, most, SOON * interval, is_due, poll },
                         .saving = { s, save }, .spoiled = spoiled, .rank = A->me, .ranks = A->ranks,
                         .steps = A->mt < A->nt ? A->mt : A->nt, .next = done, .lock = PTHREAD_MUTEX_INITIALIZER,
                         .due = run_clock() + interval,
                         .files = { .rank = A->me, .room = most, .final.file = -1, .work.file = -1 } };
    TRY(prepare(s, factorization, pivot));
    *saver = s;
    s = NULL;
    return OMPFACT_SUCCESS;
}

/* Ranks that have sent fewer messages than others send that they have nothing to save; then all come to rest. */
ompfact_status saver_end(struct saver *s, bool sound, bool whole)
{
    ompfact_grid *grid = s->A->grid;
    struct rma_backoff backoff = { 0 };
    pthread_mutex_lock(&s->lock);
    s->next = s->steps;
    if (!sound || s->phase == SAVING)       /* or tasks were skipped, because a pivot has failed */
        atomic_store(&s->files.final.error, ECANCELED);
    if (s->phase == SAVING) {
        s->phase = SEALING;
        seal_request(s->seal, SEAL_FILES);
    }
    s->ends = true;
    s->due = NEVER;
    s->spoiled = NULL;              /* the memory that it points to is gone; `sound` has the value */
    pthread_mutex_unlock(&s->lock);
    for (int quiet = 0; !quiet;) {
        int gathers = s->gathers;
        TRY_MPI(grid, rma_allreduce(grid->rma, &gathers, 1, MPI_INT, MPI_MAX));
        do {
            pthread_mutex_lock(&s->lock);
            if (s->phase == QUIET && s->gathers < gathers)
                begin_choosing(s);
            go_on(s, NULL, NULL);
            quiet = s->phase == QUIET && s->gathers >= gathers;
            pthread_mutex_unlock(&s->lock);
            rma_progress(grid->rma, false);
            rma_back_off(&backoff);
        } while (!quiet);
        quiet = s->gathers == gathers;
        TRY_MPI(grid, rma_allreduce(grid->rma, &quiet, 1, MPI_INT, MPI_MIN));
    }
    if (whole)
        s->step = s->steps;
    return OMPFACT_SUCCESS;
}

void saver_open_last(struct saver *s)
{
    saver_files_open(&s->files);
}

ompfact_status saver_close_last(struct saver *s)
{
    ompfact_grid *grid = s->A->grid;
    struct rma_backoff backoff = { 0 };
    pthread_mutex_lock(&s->lock);
    s->phase = SEALING;
    seal_request(s->seal, SEAL_FILES);
    pthread_mutex_unlock(&s->lock);
    for (bool quiet = false; !quiet;) {
        pthread_mutex_lock(&s->lock);
        go_on(s, NULL, NULL);
        quiet = s->phase == QUIET;
        pthread_mutex_unlock(&s->lock);
        rma_progress(grid->rma, false);
        rma_back_off(&backoff);
    }
    TRY_MPI(grid, rma_barrier(grid->rma));
    return OMPFACT_SUCCESS;
}

void saver_destroy(struct saver **saver)
{
    struct saver *s = *saver;
    if (s == NULL)
        return;
    seal_destroy(&s->seal);
    saver_files_close(&s->files, s->phase == GATHERING);
    rma_gather_destroy(&s->gather);
    manifest_forget(&s->files.naming.manifest);
    free(s);
    *saver = NULL;
}
