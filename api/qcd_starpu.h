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

/* Links that are written, likewise. */
typedef struct qcd_mutable_links {
    double* data;
    ptrdiff_t site, direction, row, column;
} qcd_mutable_links;

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
     * --restart --precondition --domain --mg-blocks --mg-vectors --mg-first --mg-setup --mg-cycle
     * --mg-coarse --mg-tol --max-iterations --rhs --plan --tiles */
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

/* Options as above: --cpus --cuda --opencl --cores-per-worker --sched --sched-lib --gpu-memory.
 * Where they say nothing, the workers are those that suit --lattice (16x16x16x32), --plan, --tiles
 * and --precision. NULL: failed. */
QCD_API qcd_session* qcd_session_open(const char* options, qcd_error* error);
/* NULL is let pass. StarPU ends with the last of session and solvers. */
QCD_API void qcd_session_close(qcd_session* session);

/* Copies the links. NULL: failed. */
QCD_API qcd_solver* qcd_solver_open(qcd_session* session, const qcd_problem* problem,
                                    qcd_error* error);
QCD_API void qcd_solver_close(qcd_solver* solver);
/* The same for the twelve sources of a propagator: where the options name neither --solver nor
 * --sloppy nor --precision, the method is that of the program's propagator, and where they have no
 * --rhs, as many are solved together as memory holds (qcd_solver_rhs). NULL: failed. */
QCD_API qcd_solver* qcd_solver_open_propagator(qcd_session* session, const qcd_problem* problem,
                                               qcd_error* error);
/* How it is executed, in one line; lives as long as the solver. */
QCD_API const char* qcd_solver_plan(const qcd_solver* solver);
/* What to type for such a solve, with FIELD for --gauge and SOURCE for --source: the caller alone
 * knows what its arrays are. Lives as long as the solver. */
QCD_API const char* qcd_solver_command(const qcd_solver* solver);
/* How many right-hand sides it solves for together; 0 for NULL. */
QCD_API int qcd_solver_rhs(const qcd_solver* solver);

/* For a problem of one right-hand side. x_is_guess: not 0: begins with what stands in x, else with
 * 0. x may be b. report may be NULL. x is written with QCD_DONE, QCD_NOT_CONVERGED and
 * QCD_VERIFY_FAILED. */
QCD_API qcd_status qcd_solver_solve(qcd_solver* solver, qcd_const_spinor b, qcd_spinor x,
                                    int x_is_guess, qcd_report* report, qcd_error* error);
/* For all right-hand sides of a problem with --rhs `count` at once: arrays of so many, reports may
 * be NULL. The status is the worst of them, and the message is of the first that has it. */
QCD_API qcd_status qcd_solver_solve_all(qcd_solver* solver, int count, const qcd_const_spinor* b,
                                        const qcd_spinor* x, int x_are_guesses, qcd_report* reports,
                                        qcd_error* error);
/* Ends the solve that runs, within some iterations: QCD_NOT_CONVERGED, and the message begins with
 * "interrupted". Does nothing where none runs. Any thread and any handler of signals may call it,
 * while the solver is open. */
QCD_API void qcd_solver_stop(qcd_solver* solver);
/* y = D x, in the precision of the problem. y may be x. */
QCD_API qcd_status qcd_solver_apply(qcd_solver* solver, qcd_const_spinor x, qcd_spinor y,
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

/* A gauge field of any format, or a generated one. extents: all 0: those of the file are written
 * there; else those that it must have. Where links.data is NULL they are not read. options: of the
 * program, --reunitarize --gauge-number --ignore-checksum; NULL: none. What a user should know of a
 * file that is read although it is not as it should be is in the message of a QCD_DONE. */
QCD_API qcd_status qcd_read_gauge_with(const char* field, const char* options, int extents[4],
                                       qcd_mutable_links links, qcd_error* error);
/* As qcd_read_source_for() where problem is not NULL, else as qcd_read_source(), by the options
 * --source-number --basis --phases --ignore-checksum. */
QCD_API qcd_status qcd_read_source_with(const qcd_problem* problem, const int extents[4],
                                        const char* source, const char* options, qcd_spinor b,
                                        qcd_error* error);

/* Into a file, whose ending tells the format (docs/gauge-files.md), in numbers of so many bits: 32
 * or 64. */
QCD_API qcd_status qcd_write_gauge(const char* file, const int extents[4], qcd_links links,
                                   int bits, qcd_error* error);
/* Into a file (docs/spinor-files.md), in DeGrand-Rossi, the phases at the boundary.
 * is_propagator, not 0: they are the twelve of one, number 3 spin + colour of the source. info: a
 * line for who reads the file; NULL: none. */
QCD_API qcd_status qcd_write_spinors(const char* file, const int extents[4], int count,
                                     int is_propagator, const qcd_const_spinor* spinors, int bits,
                                     const char* info, qcd_error* error);

/* Averages of (1/3) Re tr over plaquettes, of all planes, and over links. Any of both may be NULL. */
QCD_API qcd_status qcd_plaquette(const int extents[4], qcd_links links, double* plaquette,
                                 double* link_trace, qcd_error* error);
/* Smears psi in space, on each time slice and for each spin alike: `steps` times psi + sigma (H_s -
 * 6) psi with sigma = width^2/(4 steps) (docs/propagator.md). theta: of --theta, whose phases the
 * links get; NULL: none. */
QCD_API qcd_status qcd_smear(const int extents[4], qcd_links links, const double theta[4],
                             double width, int steps, qcd_spinor psi, qcd_error* error);
/* C(d) += |S|^2 summed over the sites at distance d from the origin (x, y, z, t), for `count`
 * spinors of a propagator: LT numbers along_t, LZ along_z (docs/propagator.md). Either may be NULL. */
QCD_API qcd_status qcd_pion(const int extents[4], const int origin[4], int count,
                            const qcd_const_spinor* spinors, double* along_t, double* along_z,
                            qcd_error* error);
/* m with cosh m = (C(d-1) + C(d+1)) / (2 C(d)) of so many distances; NaN where there is none. */
QCD_API qcd_status qcd_effective_masses(int count, const double* correlator, double* masses,
                                        qcd_error* error);
/* psi in DeGrand-Rossi = U psi in this basis (docs/spinor-files.md): the 4x4 numbers of U, which is
 * real and orthogonal, rows one after the other. */
QCD_API qcd_status qcd_spin_rotation(const char* basis, double u[16], qcd_error* error);

/* What can be asked of this library and of the program, as JSON: the rows from which the program's
 * command line and help are made. {"commands": {NAME: {"summary": TEXT, "options": [ROW]}}}; a ROW
 * is {"name": "--solver", "names": ["--solver", "--method"], "group", "help", "type", "default":
 * TEXT, "advanced", "flag", "list": BOOL, "of": [WORD]} where WORDs say who else reads the option:
 * "session" qcd_session_open(), "operator" and "solve" a qcd_problem, "gauge"
 * qcd_read_gauge_with(), "source" qcd_read_source_with(). */
QCD_API const char* qcd_options(void);

/* "1.2.3", of the library that is loaded. */
QCD_API const char* qcd_version(void);

#ifdef __cplusplus
}
#endif

#endif
