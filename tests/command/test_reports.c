/* The command's reports for programs: JSON, CSV, and the files that they go to. */
#include "tests/command/sample_facts.h"

#include <math.h>

static const char *json_of(struct facts *facts, bool solves, char buffer[FILE_TEXT])
{
    FILE *file = scratch();
    facts->parts = IN_RUN | (solves ? IN_SOLVE : 0);
    facts_write_json(file, facts);
    return contents(file, buffer);
}

/* A run is one line of JSON, with the keys that doc/ompfact.1 explains under JSON, in the order of the table of facts. */
START_TEST(json_keys)
{
    char buffer[FILE_TEXT];
    struct facts r = sample();
    ck_assert_str_eq(json_of(&r, false, buffer),
        "{\"routine\": \"getrf\", \"type\": \"d\", \"m\": 1000, \"n\": 1000, \"nrhs\": 1, \"nb\": 64, "
        "\"layout\": \"g2dbc\", \"ranks\": 5, \"threads\": 2, \"devices\": 0, \"pivot\": \"none\", "
        "\"seed\": 1, \"time_s\": 0.1, \"gflops\": 6.5, "
        "\"error\": 1.5, \"status\": \"pass\", \"info\": 0, \"transfers\": 1234, \"transfer_bytes\": 40435712, "
        "\"transfers_predicted\": 1234, \"nodes\": 3, \"wire_transfers\": 999, \"wire_bytes\": 31250000, "
        "\"wire_transfers_predicted\": 999, \"tiles_max\": 52, \"tiles_min\": 50, \"flops_max_over_mean\": 1.0625, "
        "\"cache_peak_tiles\": 40, \"memory_peak_bytes\": 3145728, \"tasks_peak\": 57, \"gemm_gflops\": 13, "
        "\"work_bound_s\": 0.5, \"link_bound_s\": 0.25, \"chain_bound_s\": 0.125, \"tasks_bound_s\": 0.0625, "
        "\"schedule\": \"static\", \"bcast\": \"chain\", \"on_node\": \"copy\", "
        "\"between_nodes\": \"one-sided\", \"rma_native\": true, \"register_s\": 0.375, "
        "\"faults_found\": 4, \"faults_corrected\": 3, \"growth\": 8, \"rows_exchanged\": 70, "
        "\"candidate_tiles\": 9, \"uplo\": \"l\", \"tree\": \"flat\", \"logdet\": -2.5, \"det_sign\": -1, \"det_phase\": null,"
        " \"smallest_pivot\": 0.125, "
        "\"device_backend\": \"host\", \"host_share\": 0.25, "
        "\"device_flops\": 3000, \"host_update_flops\": 1000, \"flops_per_device\": [1000, 2000], \"bytes_to_devices\": 4096, "
        "\"bytes_from_devices\": 2048, \"bytes_between_devices\": 512, \"max_uploads_per_tile\": 1, "
        "\"device_waits\": 5, \"device_allocations\": 6, \"bytes_unpinned\": 7, "
        "\"speeds\": [1, 0.5], \"perisum\": 3.5, "
        "\"abe_max_over_mean\": 1.125, \"abe\": null, \"abe_steps\": [3, 7], \"abe_max\": [0.3333, 2], \"abe_ideal\": null, "
        "\"cabe_spread\": null, \"cpb\": null, "
        "\"checkpoints\": 6, \"restarted_from_step\": 2, \"tiles_restored\": 11, \"rcond\": 0.125, "
        "\"copies\": 2, \"transfers_sums\": 300, \"transfers_home\": 40, "
        "\"date\": \"2026-11-27T07:00:00Z\", \"version\": \"1.0.0\", \"commit\": \"0123456789ab\", \"host\": \"n1\", "
        "\"processor\": \"Xeon\", \"mpi\": \"MPICH Version: 4.0.2\", \"blas\": \"BLIS skx\", "
        "\"command\": \"ompfact getrf\"}\n");
    json_of(&r, true, buffer);
    ck_assert_ptr_nonnull(strstr(buffer, ", \"solve_time_s\": 0.25, \"solve_transfers\": 32, \"rcond\": 0.125, "
                                         "\"refine_iterations\": 2, \"copies\": 2, "));
}
END_TEST

/* Unknown and infinite values are null. */
START_TEST(json_null)
{
    char buffer[FILE_TEXT];
    struct facts r = sample();
    r.pivot = NULL;
    r.error = NAN;
    r.gflops = INFINITY;
    r.info = r.rma_native = FACT_NONE;
    json_of(&r, false, buffer);
    ck_assert_ptr_nonnull(strstr(buffer, "\"pivot\": null, "));
    ck_assert_ptr_nonnull(strstr(buffer, "\"gflops\": null, \"error\": null, "));
    ck_assert_ptr_nonnull(strstr(buffer, "\"info\": null, "));
    ck_assert_ptr_nonnull(strstr(buffer, "\"rma_native\": null, "));
}
END_TEST

/* Texts are escaped, and a reader gets every value back. */
START_TEST(json_round_trip)
{
    char buffer[FILE_TEXT];
    struct facts r = sample(), back;
    r.layout = "file:a \"b\"\\c\n\t\001/é.map";
    r.time_s = 1.0 / 3;
    r.gflops = 1e300;
    r.error = 5e-324;
    r.seed = INT64_MAX;
    json_of(&r, true, buffer);
    ck_assert_ptr_nonnull(strstr(buffer, "\"file:a \\\"b\\\"\\\\c\\n\\t\\u0001/é.map\""));
    ck_assert_ptr_eq(strchr(buffer, '\n'), buffer + strlen(buffer) - 1);

    ck_assert_ptr_null(facts_read_json(&back, buffer));
    ck_assert_str_eq(back.layout, r.layout);
    ck_assert_str_eq(back.pivot, "none");
    ck_assert(back.type == 'd' && back.time_s == r.time_s && back.gflops == r.gflops && back.error == r.error);
    ck_assert(back.seed == r.seed && back.solve_transfers == 32 && back.rma_native == 1);
    r.rma_native = 0;
    json_of(&r, true, buffer);
    ck_assert_ptr_null(facts_read_json(&back, buffer));
    ck_assert(back.rma_native == 0);
}
END_TEST

/* Output is valid UTF-8 (RFC 3629), whatever bytes names have: bytes that belong to no character are replaced. */
START_TEST(json_utf8)
{
    static const struct { const char *bytes, *written; } names[] = {
        { "é€😀\x7f", "é€😀\x7f" },  { "\xff", "�" },         { "a\xe9", "a�" },
        { "\xc3\x28", "�(" },        { "\xe2\x82", "��" },    { "\xc0\xaf", "��" },
        { "\xed\xa0\x80", "���" },   { "\xf4\x90\x80\x80", "����" }, { "\xf0\x9f\x98\"", "���\\\"" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char buffer[FILE_TEXT], expected[64];
        struct facts r = sample();
        r.layout = names[i].bytes;
        json_of(&r, true, buffer);
        snprintf(expected, sizeof expected, "\"layout\": \"%s\", ", names[i].written);
        ck_assert_msg(strstr(buffer, expected), "%s instead of %s", buffer, expected);
    }
}
END_TEST

/* The reader skips unknown keys, and treats a value of the wrong kind as unknown. */
START_TEST(json_lenient)
{
    char line[] = " { \"routine\" : \"a\\u00e9\\u20AC\\/\", \"speeds\": [1, -2.5e+3, \"x\"], \"e\": [], \"ok\": true, "
                  "\"n\": 1.5, \"m\": \"3\", \"type\": \"dd\", \"nb\": -12, \"time_s\": 2, "
                  "\"rma_native\": 1, \"info\": false } \r\n";
    struct facts r;
    ck_assert_ptr_null(facts_read_json(&r, line));
    ck_assert_str_eq(r.routine, "aé€/");
    ck_assert(r.n == FACT_NONE && r.m == FACT_NONE && r.type == '\0' && r.nb == -12 && r.time_s == 2);
    ck_assert(isnan(r.error) && r.layout == NULL && r.rma_native == FACT_NONE && r.info == FACT_NONE);
}
END_TEST

/* Text that is not a JSON object is refused. */
START_TEST(json_strict)
{
    static const char *const lines[] = {
        "", "[]", "{", "{}x", "{\"a\"}", "{\"a\": }", "{\"a\": 01}", "{\"a\": 1.}", "{\"a\": .5}", "{\"a\": +1}",
        "{\"a\": 1e}", "{\"a\": nan}", "{\"a\": 1,}", "{\"a\": 1 \"b\": 2}", "{a: 1}", "{\"a\": {]}",
        "{\"a\": [1,]}", "{\"a\": [[1]}", "{\"a\": \"x", "{\"a\": \"\\", "{\"a\": \"\\q\"}",
        "{\"a\": \"\\u12\"}", "{\"a\": \"\\u0000\"}", "{\"a\": \"\\ud800\"}", "{\"a\": \"\t\"}",
        "{\"a\": 1} {\"a\": 2}", "{\"a\": truex}",
    };
    struct facts r;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char *line = strdup(lines[i]);
        ck_assert_msg(facts_read_json(&r, line), "accepted: %s", lines[i]);
        free(line);
    }
    char empty[] = "{}";
    ck_assert_ptr_null(facts_read_json(&r, empty));
}
END_TEST

/* CSV has JSON's keys as its header, quotes where they are needed, and empty fields for unknown values. */
START_TEST(csv)
{
    char buffer[FILE_TEXT];
    struct facts r = sample();
    FILE *file = scratch();
    r.layout = "file:a,\"b\"";
    r.error = NAN;
    facts_write_csv_header(file, r.parts);
    facts_write_csv(file, &r);
    ck_assert_str_eq(contents(file, buffer),
        "routine,type,m,n,nrhs,nb,layout,ranks,threads,devices,pivot,seed,time_s,gflops,error,status,info,transfers,"
        "transfer_bytes,transfers_predicted,nodes,wire_transfers,wire_bytes,wire_transfers_predicted,tiles_max,"
        "tiles_min,flops_max_over_mean,cache_peak_tiles,"
        "memory_peak_bytes,tasks_peak,gemm_gflops,work_bound_s,link_bound_s,chain_bound_s,tasks_bound_s,"
        "schedule,bcast,on_node,between_nodes,rma_native,register_s,"
        "faults_found,faults_corrected,growth,rows_exchanged,candidate_tiles,uplo,tree,"
        "logdet,det_sign,"
        "det_phase,smallest_pivot,device_backend,host_share,device_flops,host_update_flops,flops_per_device,"
        "bytes_to_devices,bytes_from_devices,bytes_between_devices,max_uploads_per_tile,device_waits,device_allocations,"
        "bytes_unpinned,speeds,perisum,"
        "abe_max_over_mean,abe,abe_steps,abe_max,abe_ideal,cabe_spread,cpb,"
        "checkpoints,restarted_from_step,tiles_restored,rcond,copies,transfers_sums,transfers_home,"
        "date,version,commit,host,processor,mpi,blas,command\n"
        "getrf,d,1000,1000,1,64,\"file:a,\"\"b\"\"\",5,2,0,none,1,0.1,6.5,,pass,0,1234,40435712,1234,3,999,31250000,999,52,50,"
        "1.0625,40,3145728,57,13,0.5,0.25,0.125,0.0625,"
        "static,chain,copy,one-sided,true,0.375,"
        "4,3,8,70,9,l,flat,-2.5,-1,,0.125,host,0.25,3000,1000,\"[1000, 2000]\",4096,2048,512,1,5,6,7,"
        "\"[1, 0.5]\",3.5,1.125,,\"[3, 7]\",\"[0.3333, 2]\",,,,6,2,11,0.125,2,300,40,"
        "2026-11-27T07:00:00Z,1.0.0,0123456789ab,n1,Xeon,MPICH Version: 4.0.2,BLIS skx,ompfact getrf\n");
}
END_TEST

/* A report writes the requested files, with one header and a line for each run. */
START_TEST(report_files)
{
    char json[32], csv[32], line[256], buffer[FILE_TEXT], text[COMMAND_TEXT];
    struct words w;
    struct report report;
    struct facts r = sample();
    make_file(json, "old");
    make_file(csv, "old");
    snprintf(line, sizeof line, "--quiet --json %s --csv %s gesv", json, csv);
    struct options o = good(&w, line);
    r.parts |= IN_SOLVE;
    ck_assert_int_eq(report_open(&report, &o, text), 0);
    ck_assert_ptr_null(report.table.file);
    ck_assert_int_eq(report_run(&report, &r, text), 0);
    ck_assert_int_eq(report_run(&report, &r, text), 0);
    ck_assert_int_eq(report_close(&report, text), 0);

    take_file(json, buffer);
    char *second = strchr(buffer, '\n') + 1;
    ck_assert_int_eq(strlen(second), (size_t)(second - buffer));
    ck_assert_ptr_nonnull(strstr(second, "solve_transfers"));
    take_file(csv, buffer);
    ck_assert(!strncmp(buffer, "routine,", 8));
    ck_assert_ptr_null(strstr(buffer + 8, "routine,"));
    options_free(&o);
}
END_TEST

/* The message names a file that cannot be opened or written. */
START_TEST(report_failures)
{
    char text[COMMAND_TEXT];
    struct words w;
    struct report report;
    struct facts r = sample();
    struct options o = good(&w, "--quiet --json /nonexistent/a.json");
    ck_assert_int_eq(report_open(&report, &o, text), COMMAND_USAGE);
    ck_assert_str_eq(text, "--json /nonexistent/a.json: No such file or directory");
    options_free(&o);
    if (access("/dev/full", W_OK))
        return;
    o = good(&w, "--quiet --csv /dev/full");
    ck_assert_int_eq(report_open(&report, &o, text), 0);
    ck_assert_int_eq(report_run(&report, &r, text), COMMAND_USAGE);
    ck_assert_str_eq(text, "--csv /dev/full: No space left on device");
    report_close(&report, text);
    options_free(&o);
}
END_TEST

/* The table goes to stderr if another output takes stdout. */
START_TEST(report_stdout)
{
    static const char *const takers[] = { "--json -", "--csv -", "--map -", "--owners -", "--quiet" };
    char text[COMMAND_TEXT];
    struct words w;
    struct report report;
    for (int i = 0; i < 5; i++) {
        struct options o = good(&w, takers[i]);
        ck_assert_int_eq(report_open(&report, &o, text), 0);
        ck_assert_ptr_null(report.table.file);
        ck_assert_int_eq(report_close(&report, text), 0);
        options_free(&o);
    }
    struct options o = good(&w, "potrf");
    ck_assert_int_eq(report_open(&report, &o, text), 0);
    ck_assert_ptr_eq(report.table.file, stdout);
    ck_assert_int_eq(report_close(&report, text), 0);
    options_free(&o);
}
END_TEST

static TCase *report_case(void)
{
    TCase *c = tcase_create("report");
    tcase_add_test(c, json_keys);
    tcase_add_test(c, json_null);
    tcase_add_test(c, json_round_trip);
    tcase_add_test(c, json_utf8);
    tcase_add_test(c, json_lenient);
    tcase_add_test(c, json_strict);
    tcase_add_test(c, csv);
    tcase_add_test(c, report_files);
    tcase_add_test(c, report_failures);
    tcase_add_test(c, report_stdout);
    return c;
}

int main(void)
{
    Suite *suite = suite_create("reports");
    suite_add_tcase(suite, report_case());
    return run_serial_suite(suite);
}
