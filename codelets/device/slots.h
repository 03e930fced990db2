#pragma once
// An operation's slots stand once, in codelets/NAME/slots.h: QCD_SLOTS_NAME(S, op), a list, in their
// order, that hands each slot to a macro S, and QCD_DECLARE_SLOTS(NAME). A line of the list is
//   S(op, x, updates, spinor, plain, optional)
// The columns of a slot, after what the names of its operation begin with, which the list hands on:
//   name      of its place in the enum, NAME_x, and of its pointer among the buffers
//   use       reads writes updates as of Mode (runtime/operation.hpp), or one that says more about
//             what is read: reads_part reads_one_of(n) updates_with(SLOT) stays
//             (runtime/slot_table.hpp)
//   contents  what it holds, a word of codelets/slots.hpp
//   type      of the elements in kernels
//   presence  required optional, or several(n): so many slots, each of which may be absent
// These are made from the list:
//   enum NAME_slot      NAME_x, ..., and NAME_slots, how many there are
//   NAME_buffers        in kernels: a struct of pointers in the order of the slots
//   QCD_SLOT_TABLE(NAME)  on the host (runtime/slot_table.hpp)
//   QCD_SLOT_PARAMETERS(NAME) QCD_SLOT_VALUES(NAME)  what follows the arguments of an OpenCL kernel,
//                       and the same as values of NAME_buffers

#include "codelets/device/lang.h"
#include "codelets/device/plain_structs.h"
#include "codelets/device/solve_scalars.h"

// `op` is always pasted to something, because OpenCL implementations have macros such as `dot`.
#define QCD_SLOT_ENUM(op)                                                                          \
    QCD_PLAIN_BEGIN                                                                                \
    enum op##_slot{QCD_SLOTS_##op(QCD_SLOT_NUMBER, op##_) op##_slots};                             \
    QCD_PLAIN_END
#ifdef QCD_PRECISION
#define QCD_DECLARE_SLOTS(op)                                                                      \
    QCD_PLAIN_BEGIN                                                                                \
    enum op##_slot{QCD_SLOTS_##op(QCD_SLOT_NUMBER, op##_) op##_slots};                             \
    QCD_PLAIN_END                                                                                  \
    QCD_BEGIN                                                                                      \
    typedef struct {                                                                               \
        QCD_SLOTS_##op(QCD_SLOT_POINTER, op##_)                                                    \
    } op##_buffers;                                                                                \
    QCD_END
#else
#define QCD_DECLARE_SLOTS QCD_SLOT_ENUM
#endif

#define QCD_SLOT_PARAMETERS(op) QCD_SLOTS_##op(QCD_SLOT_PARAMETER, op##_)
#define QCD_SLOT_VALUES(op) QCD_SLOTS_##op(QCD_SLOT_VALUE, op##_)

// What follows reads the columns.
#define QCD_SLOT_NUMBER(op, name, use, contents, type, presence)                                   \
    op##name, op##last_##name = op##name + QCD_SLOTS_IN_##presence - 1,
#define QCD_SLOT_POINTER(op, name, use, contents, type, presence)                                  \
    QCD_GLOBAL QCD_CONST_##use type* name QCD_ARRAY_##presence;
#define QCD_SLOT_PARAMETER(op, name, use, contents, type, presence)                                \
    QCD_EACH_##presence(QCD_PARAMETER, QCD_CONST_##use type, name)
#define QCD_SLOT_VALUE(op, name, use, contents, type, presence)                                    \
    QCD_EACH_##presence(QCD_VALUE, type, name)
#define QCD_PARAMETER(type, name) , QCD_GLOBAL type* name
#define QCD_VALUE(type, name) name,

#define QCD_CONST_reads const
#define QCD_CONST_reads_part const
#define QCD_CONST_reads_one_of(n) const
#define QCD_CONST_writes
#define QCD_CONST_updates
#define QCD_CONST_updates_with(slot)
#define QCD_CONST_stays

#define QCD_SLOTS_IN_required 1
#define QCD_SLOTS_IN_optional 1
#define QCD_SLOTS_IN_several(n) n
#define QCD_ARRAY_required
#define QCD_ARRAY_optional
#define QCD_ARRAY_several(n) [n]
// f(type, name) for each pointer, several as name0, name1, ...
#define QCD_EACH_required(f, type, name) f(type, name)
#define QCD_EACH_optional(f, type, name) f(type, name)
#define QCD_EACH_several(n) QCD_JOIN(QCD_EACH_OF_, n)
#define QCD_EACH_OF_2(f, type, name) f(type, name##0) f(type, name##1)
#define QCD_EACH_OF_3(f, type, name) QCD_EACH_OF_2(f, type, name) f(type, name##2)
#define QCD_EACH_OF_4(f, type, name)                                                               \
    f(type, name##0) f(type, name##1) f(type, name##2) f(type, name##3)
#define QCD_EACH_OF_6(f, type, name) QCD_EACH_OF_4(f, type, name) f(type, name##4) f(type, name##5)
#define QCD_EACH_OF_8(f, type, name) QCD_EACH_OF_6(f, type, name) f(type, name##6) f(type, name##7)
#define QCD_EACH_OF_12(f, type, name)                                                              \
    QCD_EACH_OF_8(f, type, name)                                                                   \
    f(type, name##8) f(type, name##9) f(type, name##10) f(type, name##11)
#define QCD_EACH_OF_14(f, type, name)                                                              \
    QCD_EACH_OF_12(f, type, name) f(type, name##12) f(type, name##13)
#define QCD_EACH_OF_15(f, type, name) QCD_EACH_OF_14(f, type, name) f(type, name##14)
#define QCD_EACH_OF_16(f, type, name) QCD_EACH_OF_15(f, type, name) f(type, name##15)
