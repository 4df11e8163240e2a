#include "postproc/view/packed.h"

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <new>
#include <zlib.h>

namespace andes::postproc {
namespace {

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  // The input is in memory and the room is enough: only memory can be missing.
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
                Z_BEST_COMPRESSION) != Z_OK)
    throw std::bad_alloc();
  out.resize(size);
  return out;
}

} // namespace

std::string packed(std::string_view bytes) {
  using namespace boost::archive::iterators;
  using Digits = base64_from_binary<transform_width<std::string::const_iterator, 6, 8>>;
  std::string in = deflated(bytes);
  const std::size_t padding = (3 - in.size() % 3) % 3;
  in.append(padding, '\0'); // whole groups, for the iterators read on to the end of one
  std::string out(Digits(in.cbegin()), Digits(in.cend()));
  out.replace(out.size() - padding, padding, padding, '=');
  return out;
}

} // namespace andes::postproc
