#include "src/command/text_file.h"

#include "src/io/text_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool is_stdout(const char *path)
{
    return path && !strcmp(path, "-");
}

static int failed(const struct output *output, int error, char *text)
{
    const char *why = error ? strerror(error) : "cannot be written";
    if (is_stdout(output->path))
        return refuse(text, "stdout: %s", why);
    return output->option == NULL ? refuse(text, "%.256s: %s", output->path, why)
                                  : refuse(text, "--%s %.256s: %s", output->option, output->path, why);
}

/* ---- one text -------------------------------------------------------------------------------------------------------------- */

int output_open(struct output *output, const char *option, const char *path, char text[COMMAND_TEXT])
{
    *output = (struct output){ .option = option, .path = path };
    if (!path)
        return 0;
    if (is_stdout(path)) {
        output->file = stdout;
        return 0;
    }
    int error = replace_begin(path, &output->place);
    if (!error && !(output->file = replace_open(&output->place))) {
        error = errno;
        replace_drop(&output->place);
    }
    return error ? failed(output, error, text) : 0;
}

int output_flush(const struct output *output, char text[COMMAND_TEXT])
{
    if (!output->file)
        return 0;
    bool broken = fflush(output->file) || ferror(output->file);
    return broken ? failed(output, errno, text) : 0;        /* errno may be that of an earlier print */
}

int output_close(struct output *output, char text[COMMAND_TEXT])
{
    int status = output_flush(output, text);
    if (output->file && output->file != stdout && fclose(output->file) && !status)
        status = failed(output, errno, text);
    output->file = NULL;
    int error = status || !output->place.place ? 0 : replace_commit(&output->place);
    replace_drop(&output->place);
    return error ? failed(output, error, text) : status;
}

void output_drop(struct output *output)
{
    if (output->file && output->file != stdout)
        fclose(output->file);
    output->file = NULL;
    replace_drop(&output->place);
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------ */

int rows_open(struct row_file *rows, const char *option, const char *path, char text[COMMAND_TEXT])
{
    *rows = (struct row_file){ .option = option, .path = path };
    if (!path)
        return 0;
    if (is_stdout(path) || replace_in_place(path)) {
        int status = output_open(&rows->stream, option, path, text);
        rows->file = rows->stream.file;
        return status;
    }
    int error = replace_try(path);
    if (!error && !(rows->file = text_stream(&rows->all, &rows->length)))
        error = errno;
    return error ? failed(&(struct output){ .option = option, .path = path }, error, text) : 0;
}

/* Replaces the file with all rows: a file that grows in place could be read, or left, with half a row. */
static int replace_all(struct row_file *rows, char *text)
{
    struct output output;
    int status = output_open(&output, rows->option, rows->path, text);
    if (status)
        return status;
    fwrite(rows->all, 1, rows->length, output.file);
    status = output_close(&output, text);
    if (!status)
        rows->written = rows->length;
    return status;
}

int rows_publish(struct row_file *rows, bool now, char text[COMMAND_TEXT])
{
    if (rows->stream.file)
        return output_flush(&rows->stream, text);
    if (!rows->file || !now)
        return 0;
    if (fflush(rows->file) || ferror(rows->file))
        return refuse(text, "--%s %.256s: no memory for its rows", rows->option, rows->path);
    return rows->length > rows->written ? replace_all(rows, text) : 0;
}

int rows_close(struct row_file *rows, char text[COMMAND_TEXT])
{
    int status = rows_publish(rows, true, text);
    char unread[COMMAND_TEXT];
    if (rows->stream.file)
        status = output_close(&rows->stream, status ? unread : text) || status ? COMMAND_USAGE : 0;
    else if (rows->file)
        fclose(rows->file);
    free(rows->all);
    rows->all = NULL;
    rows->file = NULL;
    return status;
}
