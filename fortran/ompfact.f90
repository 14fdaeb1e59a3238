! The Fortran interface of ompfact: the contents of ompfact.h and ompfact_plan.h, with the same names. Elements, tiles and steps
! count from 1, ranks from 0.
module ompfact
    use ompfact_c, only: ompfact_report, ompfact_tile_precisions
    use ompfact_settings
    use ompfact_objects
    use ompfact_fill
    use ompfact_routines
    use ompfact_indefinite
    use ompfact_factors
    use ompfact_plans
    implicit none
    public
    private :: return_status, return_result, return_line, to_fortran, to_c_text, to_c_options, to_c_shape, held_shape, to_tile
    private :: factor_by, eliminate_by, solve_by, refine_by
end module
