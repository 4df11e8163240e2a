// Directories for what a command needs while it runs.
#pragma once
#include <string>

namespace andes {

/// A new directory under TMPDIR that only this user can enter; removed with the object. With the same
/// `purpose` it has the same name each time, unless that name exists.
class PrivateDirectory {
public:
  explicit PrivateDirectory(const std::string& purpose = ""); // on failure path() is empty, and errno says why
  ~PrivateDirectory();
  PrivateDirectory(const PrivateDirectory&) = delete;
  PrivateDirectory& operator=(const PrivateDirectory&) = delete;
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

} // namespace andes
