#pragma once

#include "base/error.hpp"
#include "solver/solver.hpp"
#include "tasks/updates.hpp"

#include <cstring>

namespace qcd
{

/// A method whose scalars are this struct.
template <class Struct>
class KrylovMethod : public Solver
{
protected:
    KrylovMethod(const Operator& A, Method method) : Solver(A, method), c(A.graph()) {}

    Scalars<Struct> c;

    std::vector<double> scalars(int rhs) const override
    {
        const Struct s = c.wait(rhs);
        std::vector<double> values(sizeof s / sizeof(double));
        std::memcpy(values.data(), &s, sizeof s);
        return values;
    }
    void set_scalars(const std::vector<double>& values, int rhs) override
    {
        Struct s;
        if (values.size() * sizeof(double) != sizeof s)
            throw Error("the state of a solve has other scalars than the method");
        std::memcpy(&s, values.data(), sizeof s);
        c.set(s, rhs);
    }

private:
    const ScalarData& scalar_data() const override { return c; }
};

} // namespace qcd
