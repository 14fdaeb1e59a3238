/* JSON as text: strings written, and a strict reader that changes what it reads. */
#ifndef OMPFACT_SRC_IO_JSON_TEXT_H
#define OMPFACT_SRC_IO_JSON_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* In quotes. What is written is UTF-8 whatever the text is: bytes that belong to no character are replaced. */
void json_write_string(FILE *out, const char *text);
/* The same for our own reader, which gets every byte back. */
void json_write_exact(FILE *out, const char *text);

/*
 * A place in the text. Functions move it past what they take, or return false and leave it at what is wrong. Strings are decoded
 * in place: no escape is shorter than what it stands for.
 */
struct json_place {
    char *s;
};

enum json_kind { JSON_NUMBER, JSON_STRING, JSON_BOOLEAN, JSON_OTHER };

struct json_value {
    enum json_kind kind;
    const char *text;       /* a string, or where a number, true or false begins */
    int length;             /* of these */
};

void json_skip_blanks(struct json_place *p);
bool json_take(struct json_place *p, char c);           /* takes this character after blanks */
bool json_take_string(struct json_place *p, const char **string);
/* Skips any value, including lists and objects, which no reader here needs. */
bool json_take_value(struct json_place *p, struct json_value *value);

/* Takes one member of an object, its key taken: true, or false where it is wrong. */
typedef bool json_member(void *context, struct json_place *p, const char *key);
bool json_take_object(struct json_place *p, json_member *member, void *context);
/* Takes one element of a list. */
typedef bool json_element(void *context, struct json_place *p);
bool json_take_list(struct json_place *p, json_element *element, void *context);

#endif
