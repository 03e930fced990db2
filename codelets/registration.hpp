#pragma once
// An operation is registered by one line:
//   QCD_SITE_OPERATION(FAMILY, NAME, FLOPS)  in the folder's operations.h, of one that goes site by
//                                            site: its kernels are made of NAME/site.h
//   QCD_SCALAR_OPERATIONS(NAME)              there, of the steps of a method's scalars, which
//                                            NAME/args.h lists (scalar_registration.hpp)
//   QCD_OPERATION(FAMILY, NAME, ...)         in NAME/codelet.cpp, of any other: which files the
//                                            folder has decides which kinds of workers have kernels
// It defines NAME_codelet (NAME/NAME.hpp) from NAME_args, the slots (NAME/slots.h) and what is given
// of Operation's other members (runtime/operation.hpp), and NAME_operations for all_operations.hpp.
// FAMILY is one of the lists of codelets/variants.hpp, which says the variants that there are, and
// the parameters of NAME_codelet:
//   fields half_fields  (Precision)
//   links half_links    (Precision, LinkStorage)
//   mixed               (Precision lower)
//   gauge               ()
//   scalars             ()
// A codelet's variant is its Precision. cmake/QcdOperations.cmake defines QCD_HAS_CPU, _CUDA and
// _OPENCL, the name of the OpenCL text among them. A codelet of a variant that is not there has no
// kernels.

#include "codelets/slots.hpp"
#include "codelets/variants.hpp"
#include "runtime/kernel_declarations.hpp"

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#if defined(QCD_HAS_OPENCL) && defined(QCD_SIMULATOR)
#define QCD_OPENCL_TEXT "" // there is one, which nobody reads
#elif defined(QCD_HAS_OPENCL)
extern const char QCD_HAS_OPENCL[];
#define QCD_OPENCL_TEXT QCD_HAS_OPENCL
#else
#define QCD_OPENCL_TEXT nullptr
#endif

namespace qcd::registration
{

/// The kernels of one variant, still without an OpenCL program.
struct VariantKernels {
    Precision precision;
    LinkStorage links;
    Kernels kernels;
};

/// The OpenCL program that has the operations of a family in a variant; text null: none.
OpenclProgram program_of(const char* text, std::string_view family, Precision, LinkStorage);

/// The codelets of an operation, in every variant: those that are not given have no kernels.
class VariantCodelets
{
public:
    VariantCodelets(const Operation&, const char* opencl_text, std::string_view family,
                    std::vector<VariantKernels>);
    const Codelet& of(Precision p, LinkStorage links = LinkStorage::full) const
    {
        return *codelets_[index(links)][int(p)];
    }
    const Codelet& first() const { return *first_; } ///< that the family's list has

private:
    const Codelet* first_ = nullptr;
    std::array<std::array<std::unique_ptr<Codelet>, precisions>, 3> codelets_;
};

/// Stands for kernels in a simulation (QCD_SIMULATOR), and says that there are some.
inline void not_run(const void*, void* const*, CpuShare) {}
inline void not_run_on_cuda(const void*, void* const*, const CudaCall&) {}

/// What mixed operations are called by in variants.hpp.
constexpr Precision mixed_with(Precision lower)
{
    return is_fixed_point(lower) ? Precision::f16_in_f64 : Precision::f32_in_f64;
}

} // namespace qcd::registration

#define QCD_PARAMETERS_fields (Precision precision)
#define QCD_CHOICE_fields (precision)
#define QCD_PARAMETERS_half_fields QCD_PARAMETERS_fields
#define QCD_CHOICE_half_fields QCD_CHOICE_fields
#define QCD_PARAMETERS_links (Precision precision, LinkStorage storage)
#define QCD_CHOICE_links (precision, storage)
#define QCD_PARAMETERS_half_links QCD_PARAMETERS_links
#define QCD_CHOICE_half_links QCD_CHOICE_links
#define QCD_PARAMETERS_mixed (Precision lower)
#define QCD_CHOICE_mixed (registration::mixed_with(lower))
#define QCD_PARAMETERS_gauge ()
#define QCD_CHOICE_gauge (Precision::f64)
#define QCD_PARAMETERS_scalars ()
#define QCD_CHOICE_scalars (Precision::f64)

#define QCD_SITE_OPERATION(family, op, ...)                                                        \
    QCD_OPERATION(family, op, .blocks = blocks_in, .flops = __VA_ARGS__,                           \
                  .idle = qcd::idle_behind<qcd::gate_slot(QCD_SLOT_TABLE(op))>)
#define QCD_OPERATION(family, op, ...)                                                             \
    QCD_OPERATION_OF(QCD_OPENCL_TEXT, family, op, .slots = QCD_SLOT_TABLE(op), __VA_ARGS__)        \
    QCD_OPERATIONS(op, &op##_variants().first())

// text: the OpenCL text that has the operation's kernel; nullptr: it has none.
#define QCD_OPERATION_OF(text, family, op, ...)                                                    \
    QCD_VARIANTS_##family(QCD_DECLARE_VARIANT, op) namespace qcd                                   \
    {                                                                                              \
        static const registration::VariantCodelets& op##_variants()                                \
        {                                                                                          \
            static const Operation operation{                                                      \
                .name = #op, .args_size = sizeof(op##_args), __VA_ARGS__};                         \
            static const registration::VariantCodelets codelets(                                   \
                operation, text, #family, {QCD_VARIANTS_##family(QCD_KERNELS_OF_VARIANT, op)});    \
            return codelets;                                                                       \
        }                                                                                          \
    }                                                                                              \
    const qcd::Codelet& qcd::op##_codelet QCD_PARAMETERS_##family                                  \
    {                                                                                              \
        return op##_variants().of QCD_CHOICE_##family;                                             \
    }

// A codelet of each operation that a line registers.
#define QCD_OPERATIONS(name, ...)                                                                  \
    std::vector<const qcd::Codelet*> name##_operations()                                           \
    {                                                                                              \
        using namespace qcd;                                                                       \
        return {__VA_ARGS__};                                                                      \
    }

#define QCD_DECLARE_VARIANT(op, precision, links)                                                  \
    QCD_DECLARE_KERNELS(QCD_VARIANT_NAMESPACE(precision, links), op)
#define QCD_KERNELS_OF_VARIANT(op, p, links)                                                       \
    {Precision::p, LinkStorage(links), QCD_KERNELS(QCD_VARIANT_NAMESPACE(p, links), op)},

/// The Kernels of a namespace, without an OpenCL program.
#define QCD_KERNELS(precision, op)                                                                 \
    {                                                                                              \
        {QCD_CPU_KERNELS(precision, op)}, { QCD_CUDA_KERNEL(precision, op) }                       \
    }

#if defined(QCD_HAS_CPU) && defined(QCD_SIMULATOR)
#define QCD_CPU_KERNELS(precision, op)                                                             \
    qcd::registration::not_run, qcd::registration::not_run, qcd::registration::not_run
#elif defined(QCD_HAS_CPU)
#define QCD_CPU_KERNELS QCD_CPU_KERNELS_OF
#else
#define QCD_CPU_KERNELS(precision, op)
#endif
#if defined(QCD_HAS_CUDA) && defined(QCD_SIMULATOR)
#define QCD_CUDA_KERNEL(precision, op) qcd::registration::not_run_on_cuda
#elif defined(QCD_HAS_CUDA)
#define QCD_CUDA_KERNEL QCD_CUDA_KERNEL_OF
#else
#define QCD_CUDA_KERNEL(precision, op)
#endif
