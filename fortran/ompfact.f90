! ompfact from Fortran: what ompfact.h has, under the same names. Elements and tiles count from 1, ranks from 0.
module ompfact
    use ompfact_c, only: ompfact_report
    use ompfact_objects
    use ompfact_fill
    use ompfact_routines
    implicit none
    public
    private :: tell, tell_info, to_fortran, to_tile
end module
