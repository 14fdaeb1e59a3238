/* The sink that makes OpenMP tasks. */
#ifndef OMPFACT_OMP_TEAM_SINK_EXECUTE_H
#define OMPFACT_OMP_TEAM_SINK_EXECUTE_H

#include "omp/execution.h"

extern const struct sink sink_execute;

#endif
