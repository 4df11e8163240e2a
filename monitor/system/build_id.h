// The linker's mark of this build of the program (GNU build-id note), read from the program's own memory: it
// distinguishes two executables of the same name. Libc only, and inline: the monitor's libraries share no functions.
#pragma once
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include <cstdint>

namespace andes::monitor {

/// Writes the first 16 hexadecimal digits of the mark; an empty text if the program has no mark.
inline void find_build_id(char (&digits)[17]) {
  digits[0] = 0;
  const auto look = [](dl_phdr_info* object, std::size_t, void* found) {
    constexpr std::size_t words = 3; // words of a note before its name: size of the name, size of the content, type
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = object->dlpi_phdr[i];
      if (segment.p_type != PT_NOTE) continue;
      const auto* bytes = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
      for (std::size_t at = 0; at + words * 4 <= segment.p_memsz;) {
        std::uint32_t head[words];
        memcpy(head, bytes + at, sizeof head);
        const std::size_t name = at + sizeof head, content = name + ((head[0] + 3) & ~std::size_t{3});
        at = content + ((head[1] + 3) & ~std::size_t{3});
        std::uint64_t id = 0;
        if (at > segment.p_memsz || head[2] != NT_GNU_BUILD_ID || head[0] != 4 || memcmp(bytes + name, "GNU", 4) != 0 ||
            head[1] < sizeof id)
          continue;
        for (std::size_t byte = 0; byte < sizeof id; ++byte)
          id = id << 8 | static_cast<unsigned char>(bytes[content + byte]);
        snprintf(static_cast<char*>(found), 17, "%016llx", static_cast<unsigned long long>(id));
        return 1;
      }
    }
    return 1; // stop: the program itself comes first
  };
  dl_iterate_phdr(look, digits);
}

} // namespace andes::monitor
