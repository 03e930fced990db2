#pragma once
// What reading and writing of HDF5 files share. Included where the library is.

#include "base/error.hpp"

#include <hdf5.h>
#include <string>

namespace qcd
{

/// What the library gave, and how it is given back.
class Hdf5Handle
{
public:
    Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Hdf5Handle()
    {
        if (id_ >= 0) close_(id_);
    }
    Hdf5Handle(const Hdf5Handle&) = delete;
    Hdf5Handle& operator=(const Hdf5Handle&) = delete;

    operator hid_t() const { return id_; }
    bool good() const { return id_ >= 0; }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

void prepare_hdf5();

/// "FILE: HDF5: problem"
Error hdf5_error(const std::string& file, const std::string& problem);

/// To files that are locked already, and on file systems without locks.
Hdf5Handle hdf5_file_access();

} // namespace qcd
