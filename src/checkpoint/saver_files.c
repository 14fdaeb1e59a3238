#include "src/checkpoint/saver_files.h"

static struct manifest_file named(const struct saver_files *f, int rank, bool final)
{
    struct manifest_file file = { .bytes = 0 };
    manifest_name(file.name, f->naming.manifest.run, f->epoch, rank, final);
    return file;
}

void saver_files_open(struct saver_files *f)
{
    struct manifest_file final = named(f, f->rank, true), work = named(f, f->rank, false);
    tile_writer_open(&f->final, f->naming.folder, &final, f->room);
    tile_writer_open(&f->work, f->naming.folder, &work, f->room);
    f->open = true;
}

void saver_files_close(struct saver_files *f, bool keep)
{
    struct tile_writer *files[] = { &f->final, &f->work };
    for (int i = 0; i < 2 && f->open; i++) {
        if (!keep)
            tile_writer_drop(files[i]);
        tile_writer_forget(files[i]);
    }
    f->open = false;
}

static int saved_precision(const struct tile_form *form)
{
    if (form_precision(form) < form->filled)
        return form->filled == IN_BF16 ? SAVED_FROM_BF16 : SAVED_WIDENED;
    return form->narrow ? SAVED_NARROW : SAVED_PLAIN;
}

bool saver_files_put(struct saver_files *f, int step, const struct to_save *what)
{
    struct saved_record record = { .kind = what->kind, .i = what->i, .j = what->j, .rank = TILE_DENSE,
                                   .bytes = (int64_t)what->bytes };
    if (what->form != NULL) {
        record.rank = what->form->rank;
        record.pending = what->form->pending;
        record.left_out = what->form->left_out;
        record.rounded = what->form->rounded;
        record.precision = saved_precision(what->form);
    }
    bool final = what->kind != SAVED_TILE || (what->i < what->j ? what->i : what->j) < step;
    struct tile_writer *w = final ? &f->final : &f->work;
    tile_writer_put(w, record, what->bytes > 0 ? what->data : "");
    return tile_writer_is_behind(w);
}

void saver_files_words(const struct saver_files *f, int64_t words[FILES_WORDS])
{
    int error = atomic_load(&f->final.error);
    words[FILES_ERROR] = error != 0 ? error : atomic_load(&f->work.error);
    words[FILES_FINAL] = f->final.sealed.bytes;
    words[FILES_FINAL_DIGEST] = (int64_t)f->final.sealed.digest;
    words[FILES_WORK] = f->work.sealed.bytes;
    words[FILES_WORK_DIGEST] = (int64_t)f->work.sealed.digest;
}

void saver_files_note(struct saver_files *f, int rank, const int64_t words[FILES_WORDS])
{
    struct manifest_file final = named(f, rank, true), work = named(f, rank, false);
    final.bytes = words[FILES_FINAL];
    final.digest = (uint64_t)words[FILES_FINAL_DIGEST];
    work.bytes = words[FILES_WORK];
    work.digest = (uint64_t)words[FILES_WORK_DIGEST];
    naming_add(&f->naming, &final, true);
    naming_add(&f->naming, &work, false);
}
