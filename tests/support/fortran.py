"""What tests of Fortran with hooks and with probes have in common."""
import os
import shutil

from support.build import PREPROCESS
from support.preprocessor import InDirectory

RULED = ("module m\ncontains\nsubroutine solve\nend\nsubroutine solver\nend\nsubroutine write_it\nend\nend\n"
         "program p\nuse m\ncall solve\ncall solver\ncall write_it\nend\n")


class FortranCommands(InDirectory):

    def check_outputs(self, compiler, flags, look):
        """A command with two sources leaves the same, plain and by andes: standard output,
        names of files, module, dependencies, and what `look(done, by_andes)` returns. Returns that of the plain one."""
        self.write("src/one.f90", "module one\ncontains\nsubroutine s\ninteger :: unused\nend\nend\n")
        self.write("src/two.F90", "subroutine t\nuse one\nreal :: neither\ncall s\nend\n")
        self.write("words.rsp", "-Wall\n-J'mods dir' src/one.f90\n")
        results = []
        for words in ([compiler], [PREPROCESS, "cc", compiler]):
            place = os.path.join(self.dir, "mods dir")
            os.mkdir(place)
            done = self.run_here(*words, "@words.rsp", "src/two.F90", "-cpp", "-MMD", *flags, "-c")
            self.assertEqual(done.returncode, 0, done.stderr)
            left = sorted(os.listdir(self.dir)) + sorted(os.listdir(place))
            results.append((done.stdout, left, self.read("mods dir/one.mod"), self.read("two.d"),
                            look(done, words[0] == PREPROCESS)))
            shutil.rmtree(place)
            for name in ("one.o", "two.o", "two.d"):
                os.remove(os.path.join(self.dir, name))
        self.assertEqual(results[0], results[1])
        return results[0][-1]
