/* D x = b from C, for two quark masses with the same links and source. */
#include <qcd_starpu.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int complain(const qcd_error* error)
{
    fprintf(stderr, "solve: %s\n", error->message);
    return error->status;
}

int main(void)
{
    enum { sites = 4 * 4 * 4 * 8 };
    static double links[72 * sites], b[24 * sites], x[24 * sites];
    qcd_problem problem = {.extents = {4, 4, 4, 8}, .options = "--solver bicgstab"};
    qcd_error error;

    /* Here stands what fills your links and source; see qcd_starpu.h for their order. */
    if (qcd_read_gauge("weak:0.2", problem.extents, links, &error) != QCD_DONE ||
        qcd_read_source("random:1", problem.extents, b, &error) != QCD_DONE)
        return complain(&error);
    problem.links.data = links;

    qcd_session* session = qcd_session_open("--cpus 1", &error);
    if (!session) return complain(&error);
    const double kappas[] = {0.12, 0.124};
    for (int i = 0; i < 2; ++i) {
        problem.kappa = kappas[i];
        const qcd_const_spinor source = {.data = b};
        const qcd_spinor solution = {.data = x};
        qcd_report report;
        if (qcd_solve(session, &problem, source, solution, &report, &error) != QCD_DONE)
            return complain(&error); /* also where it has not converged: x is there all the same */
        printf("kappa %g: %d iterations, |b - D x|/|b| = %.2e, digest %016" PRIx64 "\n",
               problem.kappa, report.iterations, report.residual, report.digest);
    }
    qcd_session_close(session);
    return 0;
}
