#include "src/checkpoint/tile_file.h"
#include "src/io/digest.h"
#include "src/io/io.h"

struct header {
    char magic[8];
    uint64_t order;             /* shows the byte order */
    int64_t count, table;       /* number of records, and the place of their table */
    char unused[32];
};
_Static_assert(sizeof(struct header) == 64 && sizeof(struct saved_record) == 64, "files have no padding of a compiler's");

static const char MAGIC[8] = { 'o', 'm', 'p', 'f', 'a', 'c', 't', '1' };
static const uint64_t ORDER = UINT64_C(0x0102030405060708);

static uint64_t digest_of_file(const struct header *header, const struct saved_record *record)
{
    return digest_of(digest_of(0, header, sizeof *header), record, (size_t)header->count * sizeof *record);
}

/* ---- written --------------------------------------------------------------------------------------------------------------- */

static void note(struct tile_writer *w, int error)
{
    int none = 0;
    atomic_compare_exchange_strong(&w->error, &none, error);
}

void tile_writer_open(struct tile_writer *w, const char *folder, const struct manifest_file *name, int64_t room)
{
    *w = (struct tile_writer){ .path = manifest_path(folder, name->name), .file = -1, .room = room, .sealed = *name };
    w->record = calloc((size_t)room + 1, sizeof *w->record);
    atomic_store(&w->end, (int64_t)sizeof(struct header));
    if (w->path == NULL || w->record == NULL) {
        note(w, ENOMEM);
        return;
    }
    w->file = open(w->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (w->file < 0)
        note(w, errno);
}

void tile_writer_put(struct tile_writer *w, struct saved_record record, const void *data)
{
    if (atomic_load(&w->error) != 0)
        return;
    int64_t number = atomic_fetch_add(&w->count, 1);
    if (number >= w->room || data == NULL) {
        note(w, data == NULL ? ENOMEM : EFBIG);
        return;
    }
    record.offset = atomic_fetch_add(&w->end, record.bytes);
    record.digest = digest_of(0, data, (size_t)record.bytes);
    w->record[number] = record;
    int error = io_write_at(w->file, data, (size_t)record.bytes, record.offset);
    if (error != 0)
        note(w, error);
}

bool tile_writer_is_behind(const struct tile_writer *w)
{
    const int64_t MUCH = 32 << 20;
    return atomic_load(&w->error) == 0 && atomic_load(&w->end) - atomic_load(&w->pushed) >= MUCH;
}

/* Data that is being written may stay in memory until the next push. The system reports an error only once, so it is recorded
   here; a file system without this call may still sync at the end. */
void tile_writer_push(struct tile_writer *w)
{
    int64_t end = atomic_load(&w->end);
    if (w->file < 0 || atomic_load(&w->error) != 0)
        return;
    if (fdatasync(w->file) != 0 && errno != EINTR && !sync_is_unknown(errno))
        note(w, errno);
    posix_fadvise(w->file, 0, (off_t)end, POSIX_FADV_DONTNEED);
    atomic_store(&w->pushed, end);
}

static int close_file(struct tile_writer *w)
{
    int error = w->file >= 0 && close(w->file) != 0 ? errno : 0;
    w->file = -1;
    return error;
}

static int write_table(struct tile_writer *w)
{
    struct header header = { .order = ORDER, .count = atomic_load(&w->count), .table = atomic_load(&w->end) };
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    int64_t bytes = header.count * (int64_t)sizeof *w->record;
    int error = io_write_at(w->file, w->record, (size_t)bytes, header.table);
    if (error == 0)
        error = io_write_at(w->file, &header, sizeof header, 0);
    if (error == 0 && fsync(w->file) != 0 && !sync_is_unknown(errno))
        error = errno;
    posix_fadvise(w->file, 0, 0, POSIX_FADV_DONTNEED);
    w->sealed.bytes = header.table + bytes;
    w->sealed.digest = digest_of_file(&header, w->record);
    return error;
}

int tile_writer_seal(struct tile_writer *w)
{
    int error = atomic_load(&w->error);
    bool empty = error == 0 && atomic_load(&w->count) == 0;
    if (error == 0 && !empty)
        error = write_table(w);
    int closed = close_file(w);
    error = error != 0 ? error : closed;
    if (error != 0)
        note(w, error);
    if (error != 0 || empty)
        tile_writer_drop(w);
    return error;
}

void tile_writer_drop(struct tile_writer *w)
{
    close_file(w);
    if (w->path != NULL)
        unlink(w->path);
    w->sealed.bytes = 0;
}

void tile_writer_forget(struct tile_writer *w)
{
    close_file(w);
    free(w->path);
    free(w->record);
    w->path = NULL;
    w->record = NULL;
}

/* ---- read ------------------------------------------------------------------------------------------------------------------ */

/* Checks that the table has its declared size, after the tiles. */
static bool fits(const struct header *header, int64_t bytes)
{
    return memcmp(header->magic, MAGIC, sizeof MAGIC) == 0 && header->order == ORDER && header->count >= 0 &&
           header->table >= (int64_t)sizeof *header && header->table <= bytes &&
           header->count == (bytes - header->table) / (int64_t)sizeof(struct saved_record) &&
           (bytes - header->table) % (int64_t)sizeof(struct saved_record) == 0;
}

/* Every record lies between header and table, and together the records fill this space. */
static bool are_sound(const struct saved_record *record, const struct header *header)
{
    int64_t begin = sizeof *header, left = header->table - begin;
    for (int64_t i = 0; i < header->count; i++) {
        const struct saved_record *r = &record[i];
        if (r->kind < 0 || r->kind >= SAVED_KINDS || r->i < 0 || r->j < 0 || r->bytes < 0 || r->bytes > left ||
            r->offset < begin || r->offset > header->table - r->bytes)
            return false;
        left -= r->bytes;
    }
    return left == 0;
}

static int read_table(struct tile_reader *r, int file, int64_t bytes, uint64_t *digest)
{
    struct header header;
    struct stat status;
    if (fstat(file, &status) != 0)
        return errno;
    if (status.st_size != bytes)
        return EINVAL;
    int error = io_read_at(file, &header, sizeof header, 0);
    if (error == 0 && !fits(&header, bytes))
        error = EINVAL;
    if (error != 0)
        return error;
    r->count = header.count;
    r->record = malloc(((size_t)r->count + 1) * sizeof *r->record);
    if (r->record == NULL)
        return ENOMEM;
    error = io_read_at(file, r->record, (size_t)r->count * sizeof *r->record, header.table);
    if (error == 0 && !are_sound(r->record, &header))
        error = EINVAL;
    if (error == 0)
        *digest = digest_of_file(&header, r->record);
    return error;
}

int tile_reader_open(struct tile_reader *r, char *path, int64_t bytes, uint64_t *digest)
{
    *r = (struct tile_reader){ .path = path };
    if (path == NULL)
        return ENOMEM;
    int file = open_regular(path);
    if (file < 0)
        return errno;
    int error = read_table(r, file, bytes, digest);
    close(file);
    return error;
}

int tile_reader_create(struct tile_reader *r, const char *folder, const struct manifest *m, int number)
{
    const struct manifest_file *sealed = &m->file[number];
    uint64_t digest;
    int error = tile_reader_open(r, manifest_path(folder, sealed->name), sealed->bytes, &digest);
    return error != 0 ? error : digest == sealed->digest ? 0 : EINVAL;
}

int tile_reader_expect(struct tile_reader *r, const char *folder, const struct manifest *m, int number, int64_t count)
{
    *r = (struct tile_reader){ .path = manifest_path(folder, m->file[number].name), .count = count };
    r->record = malloc(((size_t)count + 1) * sizeof *r->record);
    return r->path != NULL && r->record != NULL ? 0 : ENOMEM;
}

static int read_record(int file, const struct saved_record *record, void *data)
{
    int error = io_read_at(file, data, (size_t)record->bytes, record->offset);
    return error != 0 ? error : digest_of(0, data, (size_t)record->bytes) == record->digest ? 0 : EINVAL;
}

int tile_reader_get(const struct tile_reader *r, const struct saved_record *record, void *data)
{
    int file = open_regular(r->path);
    if (file < 0)
        return errno;
    int error = read_record(file, record, data);
    close(file);
    return error;
}

int tile_reader_verify(const struct tile_reader *r, void (*meanwhile)(void *context), void *context)
{
    int64_t room = 0;
    for (int64_t i = 0; i < r->count; i++)
        room = r->record[i].bytes > room ? r->record[i].bytes : room;
    int file = open_regular(r->path), error = file < 0 ? errno : 0;
    void *data = malloc((size_t)room + 1);
    if (data == NULL)
        error = ENOMEM;
    for (int64_t i = 0; i < r->count && error == 0; i++) {
        error = read_record(file, &r->record[i], data);
        if (meanwhile != NULL)
            meanwhile(context);
    }
    free(data);
    if (file >= 0)
        close(file);
    return error;
}

void tile_reader_forget(struct tile_reader *r)
{
    free(r->path);
    free(r->record);
    *r = (struct tile_reader){ .path = NULL };
}
