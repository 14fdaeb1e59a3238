# Repeats the lines between "!for each type" and "!end" for each of s, d, c and z: @t@ is the letter, @element@ the type of an element, @or@
# the letters in LAPACK's names for matrices with orthonormal columns.
BEGIN {
    split("s d c z", letter)
    split("real(c_float) real(c_double) complex(c_float_complex) complex(c_double_complex)", element)
    split("or or un un", orthonormal)
}
/^ *!for each type$/ { inside = 1; block = ""; next }
/^ *!end$/ {
    for (t = 1; t <= 4; t++) {
        text = block
        gsub(/@t@/, letter[t], text)
        gsub(/@element@/, element[t], text)
        gsub(/@or@/, orthonormal[t], text)
        printf "%s", text
    }
    inside = 0
    next
}
inside { block = block $0 "\n"; next }
{ print }
