# The Fortran modules, if there is a compiler. One file a line; the dependences of a file are below.
if HAVE_FORTRAN
flavour_exec_LIBRARIES += libompfact_fortran.a
plain_names += $(libdir)/libompfact_fortran.a=ompfact/$(MPI_FLAVOUR)/libompfact_fortran.a
fortran_mod_DATA = \
  %D%/ompfact.mod \
  %D%/ompfact_c.mod \
  %D%/ompfact_factors.mod \
  %D%/ompfact_fill.mod \
  %D%/ompfact_indefinite.mod \
  %D%/ompfact_objects.mod \
  %D%/ompfact_plan_c.mod \
  %D%/ompfact_plans.mod \
  %D%/ompfact_routines.mod \
  %D%/ompfact_scalapack.mod \
  %D%/ompfact_settings.mod
CLEANFILES += $(fortran_mod_DATA)
pkgconfig_DATA += ompfact_fortran-$(MPI_FLAVOUR).pc
plain_names += $(pkgconfigdir)/ompfact_fortran.pc=ompfact_fortran-$(MPI_FLAVOUR).pc
CLEANFILES += ompfact_fortran-$(MPI_FLAVOUR).pc
endif
ompfact_fortran-$(MPI_FLAVOUR).pc: ompfact_fortran.pc
	$(AM_V_GEN)cp ompfact_fortran.pc $@
libompfact_fortran_a_SOURCES = \
  %D%/handles.c \
  %D%/ompfact_c.f90 \
  %D%/ompfact_factors.f90 \
  %D%/ompfact_indefinite.f90 \
  %D%/ompfact_objects.f90 \
  %D%/ompfact_plan_c.f90 \
  %D%/ompfact_plans.f90 \
  %D%/ompfact_routines.f90 \
  %D%/ompfact_settings.f90 \
  %D%/ompfact.f90
fortran_libs = libompfact_fortran.a libompfact.a $(MPI_FCLIBS) $(ompfact_libs) $(OPENMP_LIBS)
AM_FCFLAGS = -fPIC $(FC_MODOUT)%D% $(FC_MODINC)%D% $(MPI_FCFLAGS)

%D%/ompfact_settings.$(OBJEXT): %D%/ompfact_c.$(OBJEXT)
%D%/ompfact_objects.$(OBJEXT): %D%/ompfact_settings.$(OBJEXT)
%D%/ompfact_factors.$(OBJEXT): %D%/ompfact_objects.$(OBJEXT)
%D%/ompfact_fill.$(OBJEXT): %D%/ompfact_objects.$(OBJEXT) %D%/ompfact_plans.$(OBJEXT)
%D%/ompfact_indefinite.$(OBJEXT): %D%/ompfact_objects.$(OBJEXT)
%D%/ompfact_routines.$(OBJEXT): %D%/ompfact_objects.$(OBJEXT)
%D%/ompfact_plan_c.$(OBJEXT): %D%/ompfact_c.$(OBJEXT)
%D%/ompfact_plans.$(OBJEXT): %D%/ompfact_plan_c.$(OBJEXT) %D%/ompfact_settings.$(OBJEXT)
%D%/ompfact.$(OBJEXT): %D%/ompfact_fill.$(OBJEXT) %D%/ompfact_indefinite.$(OBJEXT) %D%/ompfact_plans.$(OBJEXT)
%D%/ompfact.$(OBJEXT): %D%/ompfact_factors.$(OBJEXT) %D%/ompfact_routines.$(OBJEXT)

# Procedures for each type, from one body.
fortran_each_type = %D%/ompfact_fill.f90 %D%/ompfact_scalapack.f90
nodist_libompfact_fortran_a_SOURCES = $(fortran_each_type)
CLEANFILES += $(fortran_each_type)
EXTRA_DIST += %D%/each_type.awk %D%/ompfact_fill.f90.in %D%/ompfact_scalapack.f90.in
$(fortran_each_type): %D%/each_type.awk %D%/ompfact_fill.f90.in %D%/ompfact_scalapack.f90.in
	$(AM_V_GEN)$(MKDIR_P) %D% && $(AWK) -f $(srcdir)/%D%/each_type.awk $(srcdir)/$@.in > $@.tmp && mv $@.tmp $@

# The compiler writes a module together with its object.
%D%/ompfact.mod: %D%/ompfact.$(OBJEXT)
	@test -f $@
%D%/ompfact_c.mod: %D%/ompfact_c.$(OBJEXT)
	@test -f $@
%D%/ompfact_factors.mod: %D%/ompfact_factors.$(OBJEXT)
	@test -f $@
%D%/ompfact_fill.mod: %D%/ompfact_fill.$(OBJEXT)
	@test -f $@
%D%/ompfact_indefinite.mod: %D%/ompfact_indefinite.$(OBJEXT)
	@test -f $@
%D%/ompfact_objects.mod: %D%/ompfact_objects.$(OBJEXT)
	@test -f $@
%D%/ompfact_plan_c.mod: %D%/ompfact_plan_c.$(OBJEXT)
	@test -f $@
%D%/ompfact_plans.mod: %D%/ompfact_plans.$(OBJEXT)
	@test -f $@
%D%/ompfact_routines.mod: %D%/ompfact_routines.$(OBJEXT)
	@test -f $@
%D%/ompfact_scalapack.mod: %D%/ompfact_scalapack.$(OBJEXT)
	@test -f $@
%D%/ompfact_settings.mod: %D%/ompfact_settings.$(OBJEXT)
	@test -f $@
