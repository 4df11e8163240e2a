"""What the tests in Python share. PYTHONPATH leads here; andes_python_test() of tests/CMakeLists.txt sets it, and
TEST_BUILD, the build tree (names with ANDES_ are settings of andes)."""
