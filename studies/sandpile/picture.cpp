#include "studies/sandpile/picture.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"

#include <png.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace qcd::studies
{

void write_picture(const std::string& file, const Pile& pile)
{
    static const png_byte colours[] = {0x14, 0x1e, 0x46, 0x41, 0x69, 0xe1, 0x87, 0xce,
                                       0xeb, 0xff, 0xd7, 0x00, 0xff, 0xff, 0xff};
    std::vector<png_byte> pixels;
    pixels.reserve(pile.grains.size());
    for (const int grains : pile.grains) pixels.push_back(png_byte(std::min(grains, 4)));
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = png_uint_32(pile.nx);
    image.height = png_uint_32(pile.ny);
    image.format = PNG_FORMAT_RGB_COLORMAP;
    image.colormap_entries = sizeof colours / 3;
    png_alloc_size_t bytes = 0;
    const auto write = [&](void* memory) {
        if (!png_image_write_to_memory(&image, memory, &bytes, 0, pixels.data(), 0, colours))
            throw Error("--png: " + file + ": " + image.message);
    };
    write(nullptr);
    std::vector<std::byte> png(bytes);
    write(png.data());
    png.resize(bytes);
    write_whole(file, png);
}

} // namespace qcd::studies
