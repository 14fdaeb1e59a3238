#include "src/command/session.h"

#include "src/grid/grid.h"

double gemm_known(const struct session *s, char type)
{
    return s->gemm_type == type ? s->gemm_gflops : 0;
}

int agree_line(struct session *s, int code, char text[COMMAND_TEXT])
{
    bool told = agree_on(s->grid->rma, &code, text, COMMAND_TEXT) == MPI_SUCCESS;
    return told ? code : refuse(text, "ranks could not tell each other whether to go on: MPI failed");
}

int refuse_status(struct session *s, ompfact_status status, char text[COMMAND_TEXT])
{
    return status == OMPFACT_SUCCESS ? 0 : refuse(text, "%s", ompfact_message(s->grid));
}
