#ifndef QCD_STARPU_H
#define QCD_STARPU_H
/* D x = b for the Wilson-Dirac matrix, from C: links and source in, solution out (docs/library.md).
 *
 *     D psi(x) = psi(x) + i mubar gamma5 psi(x)
 *                - kappa sum_mu [ (1 - gamma_mu) U_mu(x) psi(x + mu)
 *                                 + (1 + gamma_mu) U_mu(x - mu)^dagger psi(x - mu) ]
 *
 * in the DeGrand-Rossi basis (docs/conventions.md). Arrays are doubles of the caller's, sites in
 * order: site ((t LZ + z) LY + y) LX + x. What is wrong with an argument or a machine is one line
 * in the qcd_error, which may be NULL. Calls that share a session come from one thread at a time.
 */

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define QCD_API __attribute__((visibility("default")))
#else
#define QCD_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The exit statuses of the program. */
typedef enum qcd_status {
    QCD_DONE = 0,           /* of a solve: converged, and |b - D x| recomputed says so, too */
    QCD_NOT_CONVERGED = 1,  /* x is the last one */
    QCD_BAD_INPUT = 2,      /* an argument, option or file */
    QCD_VERIFY_FAILED = 3,  /* |b - D x| recomputed contradicts the method's residual */
    QCD_MISSING_DEVICE = 4, /* workers, StarPU features or memory are not there, or failed */
} qcd_status;

typedef struct qcd_error {
    qcd_status status;
    char message[512]; /* one line, ended by 0, shortened where it is longer; "": QCD_DONE */
} qcd_error;

/* Links U_mu(x), row r, column c: its real part is data[site x.number + direction mu + row r +
 * column c], and the imaginary part follows. Strides count doubles; 0 stands for the usual one. */
typedef struct qcd_links {
    const double* data;
    ptrdiff_t site;      /* 0: 72 */
    ptrdiff_t direction; /* 0: 18; mu = x, y, z, t */
    ptrdiff_t row;       /* 0: 6 */
    ptrdiff_t column;    /* 0: 2 */
} qcd_links;

/* A spinor field: data[site x.number + spin s + colour c] is a real part, likewise. */
typedef struct qcd_spinor {
    double* data;
    ptrdiff_t site;   /* 0: 24 */
    ptrdiff_t spin;   /* 0: 6 */
    ptrdiff_t colour; /* 0: 2 */
} qcd_spinor;
typedef struct qcd_const_spinor { /* the same, read only */
    const double* data;
    ptrdiff_t site, spin, colour;
} qcd_const_spinor;

/* What does not stand here is 0. */
typedef struct qcd_problem {
    int extents[4];      /* LX, LY, LZ, LT: even, from 2 on */
    double kappa, mubar; /* kappa > 0 */
    double tolerance;    /* on |b - D x|/|b|; 0: 1e-10, in single precision 1e-4 */
    qcd_links links;     /* in SU(3) within 1e-5; read by qcd_solver_open() only */
    /* Options of the program, as typed there (docs/options.md), joined by blanks; NULL: none.
     * --csw --boundary --theta --solver --even-odd --precision --links --sloppy --sloppy-drop
     * --restart --precondition --domain --max-iterations --rhs --plan --tiles */
    const char* options;
} qcd_problem;

typedef struct qcd_report {
    int iterations;
    double residual; /* |b - D x|/|b|, recomputed from x alone in double */
    double iterated; /* that of the method */
    double norm2;    /* |x|^2 */
    uint64_t digest; /* of x, as the program prints it in 16 hexadecimal digits */
    double seconds;  /* of the solve, without copies in and out and verification */
    long tasks;      /* StarPU's, of the solve */
} qcd_report;

typedef struct qcd_session qcd_session; /* StarPU with its workers; one at a time in a process */
typedef struct qcd_solver qcd_solver;   /* a problem's links and vectors, laid out by a plan */

/* Options as above: --cpus --cuda --opencl --cores-per-worker --sched --gpu-memory. Where they say
 * nothing, the workers are those that suit --lattice (16x16x16x32), --plan, --tiles and
 * --precision. NULL: failed. */
QCD_API qcd_session* qcd_session_open(const char* options, qcd_error* error);
/* NULL is let pass. StarPU ends with the last of session and solvers. */
QCD_API void qcd_session_close(qcd_session* session);

/* Copies the links. NULL: failed. */
QCD_API qcd_solver* qcd_solver_open(qcd_session* session, const qcd_problem* problem,
                                    qcd_error* error);
QCD_API void qcd_solver_close(qcd_solver* solver);
/* How it is executed, in one line; lives as long as the solver. */
QCD_API const char* qcd_solver_plan(const qcd_solver* solver);

/* For a problem of one right-hand side. x_is_guess: not 0: begins with what stands in x, else with 0. x may be b. report may be NULL. x
 * is written with QCD_DONE, QCD_NOT_CONVERGED and QCD_VERIFY_FAILED. */
QCD_API qcd_status qcd_solver_solve(qcd_solver* solver, qcd_const_spinor b, qcd_spinor x,
                                    int x_is_guess, qcd_report* report, qcd_error* error);
/* For all right-hand sides of a problem with --rhs `count` at once: arrays of so many, reports may
 * be NULL. The status is the worst of them, and the message is of the first that has it. */
QCD_API qcd_status qcd_solver_solve_all(qcd_solver* solver, int count, const qcd_const_spinor* b,
                                        const qcd_spinor* x, int x_are_guesses, qcd_report* reports,
                                        qcd_error* error);
/* A solver for one source. */
QCD_API qcd_status qcd_solve(qcd_session* session, const qcd_problem* problem, qcd_const_spinor b,
                             qcd_spinor x, qcd_report* report, qcd_error* error);

/* Into `links` (72 doubles a site, usual strides): a gauge file of any format that the program
 * reads, or one of its generated fields (--gauge). Needs no session. */
QCD_API qcd_status qcd_read_gauge(const char* field, const int extents[4], double* links,
                                  qcd_error* error);
/* Into `b` (24 doubles a site): a generated source (--source), or the only spinor of a file. One
 * whose boundary phases are spread over all links, as tmLQCD's are, is refused where the file does
 * not say their angles: for a problem they are known. */
QCD_API qcd_status qcd_read_source(const char* source, const int extents[4], double* b,
                                   qcd_error* error);
/* The same for a problem, on its lattice: spread phases become those that its --boundary and
 * --theta put at the boundary (docs/conventions.md). Needs no links. */
QCD_API qcd_status qcd_read_source_for(const qcd_problem* problem, const char* source, double* b,
                                       qcd_error* error);

/* "1.2.3", of the library that is loaded. */
QCD_API const char* qcd_version(void);

#ifdef __cplusplus
}
#endif

#endif
