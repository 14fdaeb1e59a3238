# Converts a header for Doxygen. Chapters become groups:
#   /* ---- grid ---- ... */
function end_group() { if (in_group) print "/** @} */"; in_group = 0 }
/^\/\* ---- .* -+ \*\/$/ {
    title = $0
    gsub(/^\/\* ---- | -+ \*\/$/, "", title)
    group = title
    gsub(/[^A-Za-z]+/, "_", group)
    end_group()
    print "/** @defgroup ompfact_group_" group " " toupper(substr(title, 1, 1)) substr(title, 2) "\n    @{ */"
    in_group = 1
    next
}
in_group && /^#ifdef __cplusplus/ { end_group() }

# Doxygen applies a comment behind several names only to the last name. So each name gets its own line with the comment.
#   int mt, nt;     /**< tile rows and columns */
function flush(    i, names) {
    names = split(list, name, /, */)
    for (i = 1; i <= names; i++)
        printf "    %s%s; %s\n", type, name[i], text
    held = 0
}
held { text = text "\n" $0; if (/\*\//) flush(); next }
/^    (const )?[a-z_0-9]+ +\*?[a-z_0-9]+(, \*?[a-z_0-9]+)+; +\/\*\*</ {
    text = substr($0, index($0, "/**<"))
    list = substr($0, 1, index($0, ";") - 1)
    match(list, /^ *(const )?[a-z_0-9]+ +/)
    type = substr(list, 5, RLENGTH - 4)
    list = substr(list, RLENGTH + 1)
    held = 1
    if (text ~ /\*\//) flush()
    next
}
# Breathe needs a separate entry for each parameter.
#   @param row, col  its place
match($0, /@param [a-z_0-9]+(, [a-z_0-9]+)+ /) {
    before = substr($0, 1, RSTART - 1)
    after = substr($0, RSTART + RLENGTH)
    names = split(substr($0, RSTART + 7, RLENGTH - 8), name, /, */)
    for (i = 1; i < names; i++)
        print (i == 1 ? before : " * ") "@param " name[i] " see " name[names]
    print " * @param " name[names] " " after
    next
}
{ print }
