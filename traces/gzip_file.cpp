#include "traces/gzip_file.hpp"

#include "base/error.hpp"

#include <zlib.h>

#include <array>

namespace qcd
{

struct GzipFile::Stream {
    z_stream z{};
    ~Stream() { deflateEnd(&z); }
};

GzipFile::GzipFile(const std::string& path) : file_(path), stream_(std::make_unique<Stream>())
{
    constexpr int gzip = 16 + MAX_WBITS, memory_level = 8;
    if (deflateInit2(&stream_->z, Z_BEST_SPEED, Z_DEFLATED, gzip, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        throw Error("trace: no memory to compress {}", path);
}

GzipFile::~GzipFile() = default;

void GzipFile::compress(bool last)
{
    z_stream& z = stream_->z;
    z.next_in = reinterpret_cast<Bytef*>(text_.data());
    z.avail_in = uInt(text_.size());
    std::array<std::byte, 1 << 16> out;
    do {
        z.next_out = reinterpret_cast<Bytef*>(out.data());
        z.avail_out = uInt(out.size());
        deflate(&z, last ? Z_FINISH : Z_NO_FLUSH);
        file_.append(std::span(out).first(out.size() - z.avail_out));
    } while (z.avail_out == 0);
    text_.clear();
}

void GzipFile::commit()
{
    compress(true);
    file_.commit();
}

} // namespace qcd
