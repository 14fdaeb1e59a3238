#include "src/command/session.h"

double gemm_known(const struct session *s, char type)
{
    return s->gemm_type == type ? s->gemm_gflops : 0;
}

int agree_line(struct session *s, int code, char text[COMMAND_TEXT])
{
    return together_agree(s->comm, code, text);
}

int refuse_status(struct session *s, ompfact_status status, char text[COMMAND_TEXT])
{
    return status == OMPFACT_SUCCESS ? 0 : refuse(text, "%s", ompfact_message(s->grid));
}
