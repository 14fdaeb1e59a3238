/*
 * --completion: what bash and zsh offer behind "ompfact", from the tables of options and routines.
 *
 * Of an option that takes words the completion offers these; of others the words that their form has beside placeholders
 * ("FILE|auto"), and files where they name one; of --layout and --matrix the names of schemes and kinds, of --debug its keys.
 */
#include "src/command/options_parts.h"

#include <ctype.h>
#include <string.h>

/* Adds a word of this length and its end, after a blank if it is not the first one, as long as there is room. */
static void add_word(char words[OPTION_WORDS], const char *word, size_t length, const char *end)
{
    size_t used = strlen(words);
    if (length > 0 && used + length + 2 < OPTION_WORDS)
        snprintf(words + used, OPTION_WORDS - used, "%s%.*s%s", used ? " " : "", (int)length, word, end);
}

void option_names(const char *list, char words[OPTION_WORDS])
{
    words[0] = '\0';
    for (const char *s = list; *s; s += strspn(s, ", ")) {
        size_t name = strcspn(s, "[:, ");
        add_word(words, s, name, s[name] == ':' ? ":" : "");
        while (*s && !strchr(", ", *s))
            s += *s == '[' ? strcspn(s, "]") : 1;
    }
}

static bool is_placeholder(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (isupper((unsigned char)word[i]) || word[i] == '=' || word[i] == '.' || word[i] == '[')
            return true;
    return length == 0;
}

/* The words of a form "this|that" that a user types literally. */
static void take_words(const char *form, char words[OPTION_WORDS])
{
    words[0] = '\0';
    for (const char *s = form; s && *s;) {
        size_t length = strcspn(s, "|");
        if (!is_placeholder(s, length))
            add_word(words, s, length, "");
        s += length + (s[length] == '|');
    }
}

static void words_of(const struct option *option, const char *layouts, const char *matrices, char words[OPTION_WORDS])
{
    words[0] = '\0';
    if (!strcmp(option->name, "layout"))
        option_names(layouts, words);
    else if (!strcmp(option->name, "matrix"))
        option_names(matrices, words);
    else if (!strcmp(option->name, "debug"))
        for (const struct option *o = option_table; o->name; o++)
            add_word(words, o->name, o->group == GROUP_DEBUG ? strlen(o->name) : 0, "=");
    else if (strchr(option->form, '='))     /* words inside a value of several parts */
        return;
    else
        take_words(option->form, words);
}

static bool is_offered(const struct option *option)
{
    return option->group != GROUP_DEBUG;
}

/* ---- bash ------------------------------------------------------------------------------------------------------------------ */

static void print_all(FILE *out, bool dashes)
{
    const char *blank = "";
    for (const struct option *o = option_table; o->name; o++)
        if (dashes && is_offered(o)) {
            fprintf(out, "%s--%s", blank, o->name);
            blank = " ";
        }
    for (const ompfact_routine *r = ompfact_routines(); r->name && !dashes; r++) {
        fprintf(out, "%s%s", blank, r->name);
        blank = " ";
    }
}

static void bash(FILE *out, const char *layouts, const char *matrices)
{
    fputs("# bash completion of ompfact: source <(ompfact --completion bash)\n"
          "_ompfact()\n{\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} words= files=\n"
          "    # --option=word comes as three words, --option= as two\n"
          "    if [[ $current == = ]]; then\n        current=\n"
          "    elif [[ $option == = ]]; then\n        option=${COMP_WORDS[COMP_CWORD-2]}\n    fi\n"
          "    COMPREPLY=()\n"
          "    case $option in\n", out);
    for (const struct option *o = option_table; o->name; o++) {
        char words[OPTION_WORDS];
        if (!is_offered(o) || !o->form || o->implied)
            continue;
        words_of(o, layouts, matrices, words);
        fprintf(out, "    --%s) words='%s' files=%s ;;\n", o->name, words, o->file && !o->file_after ? "y" : "n");
    }
    for (const struct option *o = option_table; o->name; o++)
        if (o->implied) {    /* the next word may be its value, or not */
            char words[OPTION_WORDS];
            take_words(o->form, words);
            fprintf(out, "    --%s) [[ $current == -* ]] || { words='%s' files=%s; } ;;\n", o->name, words, o->file ? "y" : "n");
        }
    fputs("    esac\n"
          "    if [[ -z $files && $current == -* ]]; then\n        words='", out);
    print_all(out, true);
    fputs("'\n    elif [[ -z $files ]]; then\n        words='", out);
    print_all(out, false);
    fputs(" compare report platform help'\n"
          "        [[ ${COMP_WORDS[1]} != compare && ${COMP_WORDS[1]} != report ]] || { words= files=y; }\n"
          "        [[ ${COMP_WORDS[1]} != help ]] || words+=' all debug'\n"
          "    fi\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\"; [[ $files != y ]] || compgen -f -- \"$current\")\n"
          "}\n"
          "complete -o filenames -F _ompfact ompfact\n", out);
}

/* ---- zsh ------------------------------------------------------------------------------------------------------------------- */

/* Prints text in an argument's specification, within quotes of the shell. */
static void print_quoted(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\'", out);
        else if (strchr("[]:\\", *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void zsh(FILE *out, const char *layouts, const char *matrices)
{
    fputs("#compdef ompfact\n# zsh completion of ompfact: source <(ompfact --completion zsh)\n"
          "_ompfact() {\n    local -a arguments\n    arguments=(\n", out);
    for (const struct option *o = option_table; o->name; o++) {
        char words[OPTION_WORDS];
        if (!is_offered(o))
            continue;
        fprintf(out, "        '--%s[", o->name);
        print_quoted(out, o->help);
        fputc(']', out);
        if (o->form) {
            words_of(o, layouts, matrices, words);
            fprintf(out, "%s%s:", o->implied ? "::" : ":", o->name);
            if (words[0])
                fprintf(out, "(%s)", words);
            else
                fputs(o->file ? "_files" : " ", out);
        }
        fputs("'\n", out);
    }
    fputs("        '1:routine:((", out);
    for (const ompfact_routine *r = ompfact_routines(); r->name; r++) {
        fprintf(out, "%s\\:\"", r->name);
        print_quoted(out, r->help);
        fputs("\" ", out);
    }
    fputs(
        "compare\\:\"two files side by side\" report\\:\"the page of a trace\" "
        "platform\\:\"a platform for --simulate\" "
        "help\\:\"usage\"))'\n"
        "        '*:file:_files'\n    )\n    _arguments $arguments\n}\n"
        "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n    _ompfact \"$@\"\nelse\n    compdef _ompfact ompfact\nfi\n",
        out);
}

void options_completion(FILE *out, const char *shell, const char *layouts, const char *matrices)
{
    (strcmp(shell, "zsh") == 0 ? zsh : bash)(out, layouts, matrices);
}
