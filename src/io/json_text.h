/* JSON: writes strings, and a strict reader that modifies the text that it reads. */
#ifndef OMPFACT_SRC_IO_JSON_TEXT_H
#define OMPFACT_SRC_IO_JSON_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* Writes a string in quotes. The output is valid UTF-8: bytes that belong to no character are replaced. */
void json_write_string(FILE *out, const char *text);
/* Writes a string from which the reader below restores every byte. */
void json_write_exact(FILE *out, const char *text);

/*
 * A place in the text. Functions move the place past what they take, or return false and leave it at the error. Strings are
 * decoded in place, because no escape is shorter than the character that it stands for.
 */
struct json_place {
    char *s;
};

enum json_kind { JSON_NUMBER, JSON_STRING, JSON_BOOLEAN, JSON_OTHER };

struct json_value {
    enum json_kind kind;
    const char *text;       /* a string, or the first character of a number, true or false */
    int length;             /* length of `text` */
};

void json_skip_blanks(struct json_place *p);
bool json_take(struct json_place *p, char c);           /* takes this character after blanks */
bool json_take_string(struct json_place *p, const char **string);
/* Takes any value. Lists and objects are skipped: no caller needs them here. */
bool json_take_value(struct json_place *p, struct json_value *value);

/* Takes the value of one member of an object, whose key has been taken. Returns false if the value is wrong. */
typedef bool json_member(void *context, struct json_place *p, const char *key);
bool json_take_object(struct json_place *p, json_member *member, void *context);
/* Takes one element of a list. */
typedef bool json_element(void *context, struct json_place *p);
bool json_take_list(struct json_place *p, json_element *element, void *context);

#endif
