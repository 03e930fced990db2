#pragma once
// tasks.csv, data.csv, transfers.csv, evictions.csv and messages.csv: a line for each task, piece of
// data, copy, buffer given up and message between ranks, the units in the head of each column;
// microseconds since the recording began. trace.meta.json: what ran, by which workers. Together
// they are a trace that can be read again.

#include "traces/trace.hpp"

namespace qcd
{

void write_tasks(const std::string& path, const Trace&);     ///< Throws Error.
void write_data(const std::string& path, const Trace&);      ///< Throws Error.
void write_transfers(const std::string& path, const Trace&); ///< Throws Error.
void write_evictions(const std::string& path, const Trace&); ///< Throws Error.
void write_messages(const std::string& path, const Trace&);  ///< Throws Error.
void write_meta(const std::string& path, const Trace&);      ///< Throws Error.

/// Is there a file that write_meta() has written, of whatever version?
bool is_meta(const std::string& path);
/// Sets what ran, workers and memories. Throws Error with one line that names file and fault; so do
/// the others.
void read_meta(const std::string& path, Trace&);
void read_data(const std::string& path, Trace&);
/// These read what concerns the workers, memories and data that `trace` has.
void read_tasks(const std::string& path, Trace&);
void read_transfers(const std::string& path, Trace&);
void read_evictions(const std::string& path, Trace&);
void read_messages(const std::string& path, Trace&);

} // namespace qcd
