// A system A x = b in C++17 on any number of ranks. Smart pointers destroy the library's objects, and statuses become exceptions.
//
//     c++ -std=c++17 $(pkg-config --cflags ompfact) -o linear_system linear_system.cpp $(pkg-config --libs ompfact)
//     mpiexec -n 5 ./linear_system
#include <cmath>
#include <cstdio>
#include <memory>
#include <ompfact.h>
#include <stdexcept>

struct Destroy {
    void operator()(ompfact_grid *grid) const { ompfact_grid_destroy(&grid); }
    void operator()(ompfact_matrix *matrix) const { ompfact_matrix_destroy(&matrix); }
};
using Grid = std::unique_ptr<ompfact_grid, Destroy>;
using Matrix = std::unique_ptr<ompfact_matrix, Destroy>;

// The status is equal on every rank: all ranks throw, or none.
static void check(ompfact_status status, const char *message)
{
    if (status != OMPFACT_SUCCESS)
        throw std::runtime_error(message);
}

static Grid make_grid(MPI_Comm comm)
{
    ompfact_options options = {};           // zero is the default of every member
    options.threads = 1;
    ompfact_grid *grid;
    char message[OMPFACT_MESSAGE];
    check(ompfact_grid_create(comm, &options, &grid, message), message);
    return Grid(grid);
}

static Matrix make_matrix(const Grid &grid, int64_t n)
{
    ompfact_shape shape = {};
    shape.m = shape.n = n;
    ompfact_matrix *matrix;
    check(ompfact_matrix_create(grid.get(), &shape, &matrix), ompfact_message(grid.get()));
    return Matrix(matrix);
}

static Matrix make_rhs(const Grid &grid, const Matrix &A)
{
    ompfact_matrix *rhs;
    check(ompfact_matrix_create_rhs(A.get(), 1, &rhs), ompfact_message(grid.get()));
    return Matrix(rhs);
}

// Makes a callback of the library from a callable that returns an element. Several threads call it at once.
template <typename Entry> static void fill(const Grid &grid, const Matrix &matrix, Entry entry)
{
    auto call = [](void *context, int64_t i, int64_t j, void *value) {
        *static_cast<double *>(value) = (*static_cast<Entry *>(context))(i, j);
    };
    check(ompfact_fill_entries(matrix.get(), call, &entry), ompfact_message(grid.get()));
}

// The solution is known: all ones.
static double solve(MPI_Comm comm, int64_t n)
{
    auto a = [n](int64_t i, int64_t j) { return i == j ? static_cast<double>(n) : std::sin(static_cast<double>(i + 2 * j)); };
    auto b = [n, a](int64_t i, int64_t) {
        double sum = 0;
        for (int64_t k = 0; k < n; k++)
            sum += a(i, k);
        return sum;
    };
    Grid grid = make_grid(comm);            // must be destroyed last
    Matrix A = make_matrix(grid, n), X = make_rhs(grid, A);
    fill(grid, A, a);
    fill(grid, X, b);
    int64_t info;
    check(ompfact_gesv(A.get(), X.get(), &info), ompfact_message(grid.get()));
    if (info != 0)
        throw std::runtime_error("A is singular");

    double error = 0;
    for (int i = -1, j = -1; ompfact_next_tile(X.get(), &i, &j);) {
        ompfact_tile tile;
        check(ompfact_tile_get(X.get(), i, j, &tile), ompfact_message(grid.get()));
        for (int r = 0; r < tile.mb; r++)
            error = std::fmax(error, std::fabs(static_cast<const double *>(tile.data)[r] - 1));
        ompfact_tile_restore(X.get(), &tile);
    }
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, comm);
    return error;
}

int main(int argc, char **argv)
{
    int level, rank, wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        double error = solve(MPI_COMM_WORLD, 500);
        wrong = !(error < 1e-10);
        if (rank == 0)
            std::printf("ompfact %s, largest error %.1e: %s\n", ompfact_version(), error, wrong ? "WRONG" : "right");
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "rank %d: %s\n", rank, failure.what());
        wrong = 2;
    }
    MPI_Finalize();
    return wrong;
}
