# The bind(c) types of Fortran modules as C has to see them, and assertions that they are the public headers' structures: as many
# fields, of the same names, places and sizes. A file that does not compile names what differs.
BEGIN {
    print "#include \"src/ompfact_plan.h\"\n#include <stddef.h>"
    print "#pragma GCC diagnostic error \"-Wmissing-field-initializers\"\n#pragma GCC diagnostic ignored \"-Wmissing-braces\""
    kinds["integer(c_int)"] = "int"
    kinds["integer(c_int64_t)"] = "int64_t"
    kinds["real(c_double)"] = "double"
    kinds["logical(c_bool)"] = "bool"
    kinds["character(kind=c_char)"] = "char"
    kinds["type(c_ptr)"] = "void *"
    kinds["type(c_funptr)"] = "pointer_to_function"
    print "typedef void (*pointer_to_function)(void);"
}
/&$/ { sub(/&$/, ""); sub(/^ +/, ""); line = line $0; next }
{ $0 = line $0; line = ""; sub(/^ +/, "") }
/^integer, parameter :: / { sub(/.*:: /, ""); print "enum { " $0 " };" }
/^type, bind\(c\) :: / {
    mirror = $NF
    name = mirror
    sub(/^c_/, "ompfact_", name)
    print "struct mirror_" mirror " {"
    count = 0
    next
}
/^end type/ && mirror {
    print "};\n_Static_assert(sizeof(struct mirror_" mirror ") == sizeof(" name "), \"" name "\");"
    zeros = ""
    for (i = 1; i <= count; i++) {
        f = field[i]
        zeros = zeros (i > 1 ? ", " : "") zero[i]
        print "_Static_assert(offsetof(struct mirror_" mirror ", " f ") == offsetof(" name ", " f ") &&"
        print "    sizeof(((struct mirror_" mirror " *)0)->" f ") == sizeof(((" name " *)0)->" f "), \"" name ", " f "\");"
    }
    print "extern " name " whole_" mirror ";\n" name " whole_" mirror " = { " zeros " };"
    mirror = ""
}
mirror {
    kind = $0
    sub(/ ::.*/, "", kind)
    sub(/.*:: /, "")
    known = kind in kinds
    if (!known) {           # type(...): one of those before
        inner = kind
        gsub(/type\(|\)/, "", inner)
    }
    n = split($0, part, /, */)
    for (i = 1; i <= n; i++) {
        sub(/ *=.*/, "", part[i])
        is_array = sub(/\(/, "[", part[i]) && sub(/\)/, "]", part[i])
        print "    " (known ? kinds[kind] : "struct mirror_" inner) " " part[i] ";"
        sub(/\[.*/, "", part[i])
        field[++count] = part[i]
        zero[count] = known && !is_array ? "0" : "{ 0 }"
    }
}
