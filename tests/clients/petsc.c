/*
 * usage: petsc
 *
 * A user's program for PETSc: solves a system of 500 in MATSCALAPACK by LU and by Cholesky. x is all ones. The program prints the
 * norms of the solutions.
 */
#include <petscmat.h>

enum { N = 500 };

static void fill(Mat A)
{
    IS rows, cols;
    const PetscInt *row, *col;
    PetscInt m, n;
    MatGetOwnershipIS(A, &rows, &cols);
    ISGetLocalSize(rows, &m);
    ISGetLocalSize(cols, &n);
    ISGetIndices(rows, &row);
    ISGetIndices(cols, &col);
    for (PetscInt i = 0; i < m; i++)
        for (PetscInt j = 0; j < n; j++)
            MatSetValue(A, row[i], col[j], 1 / (1.0 + PetscAbsInt(row[i] - col[j])) + (row[i] == col[j] ? 20 : 0),
                        INSERT_VALUES);
    MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY);
    MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY);
}

/* The norm of A \ b. */
static PetscReal solve(Mat A, MatFactorType type, Vec b, Vec x)
{
    Mat F;
    PetscReal length;
    MatGetFactor(A, MATSOLVERSCALAPACK, type, &F);
    if (type == MAT_FACTOR_LU) {
        MatLUFactorSymbolic(F, A, NULL, NULL, NULL);
        MatLUFactorNumeric(F, A, NULL);
    } else {
        MatCholeskyFactorSymbolic(F, A, NULL, NULL);
        MatCholeskyFactorNumeric(F, A, NULL);
    }
    MatSolve(F, b, x);
    VecNorm(x, NORM_2, &length);
    MatDestroy(&F);
    return length;
}

int main(int argc, char **argv)
{
    Mat A;
    Vec b, x;
    PetscInitialize(&argc, &argv, NULL, NULL);
    MatCreate(PETSC_COMM_WORLD, &A);
    MatSetSizes(A, PETSC_DECIDE, PETSC_DECIDE, N, N);
    MatSetType(A, MATSCALAPACK);
    MatSetUp(A);
    fill(A);
    MatCreateVecs(A, &x, &b);
    VecSet(x, 1);
    MatMult(A, x, b);
    PetscReal lu = solve(A, MAT_FACTOR_LU, b, x), cholesky = solve(A, MAT_FACTOR_CHOLESKY, b, x);
    PetscPrintf(PETSC_COMM_WORLD, "lengths %.12f %.12f\n", (double)lu, (double)cholesky);
    VecDestroy(&b);
    VecDestroy(&x);
    MatDestroy(&A);
    return PetscFinalize();
}
