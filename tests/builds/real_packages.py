"""The packages of Debian that real_builds.py builds: how each is configured, built and tested by its own build system. Commands are
of the shell, in the package's tree; {jobs} is the number of jobs. Debian's own packaging is not used."""
from dataclasses import dataclass

HPCC_MAKE = r"""sed -e 's|^MPdir .*|MPdir =|' -e 's|^MPinc .*|MPinc =|' -e 's|^MPlib .*|MPlib =|' \
  -e 's|^LAdir .*|LAdir =|' -e 's|^LAinc .*|LAinc =|' -e 's|^LAlib .*|LAlib = -lblas|' -e 's|^CC .*|CC = mpicc|' \
  -e 's|^LINKER .*|LINKER = mpicc|' -e 's|^F2CDEFS .*|F2CDEFS = -DAdd_ -DF77_INTEGER=int -DStringSunStyle -DHPL_NO_MPI_DATATYPE|' \
  hpl/setup/Make.Linux_PII_FBLAS > hpl/Make.andes"""
HPCC_RUN = r"""sed -e 's/^1000\( *Ns\)/200\1/' -e 's/^2\( *Ps\)/1\1/' _hpccinf.txt > hpccinf.txt && mpirun -n 2 ./hpcc && \
  grep -c PASSED hpccoutf.txt && grep '^Success=' hpccoutf.txt"""
BLAS_INC = "cp make.inc.example make.inc"
AUTOGEN = "autoreconf -fi"


@dataclass
class Package:
    name: str
    system: str  # of the build
    languages: str
    build: str
    configure: str = "true"
    test: str = "true"
    results: str = ""  # regular expression of the lines of the test's output that count; empty: the usual ones
    mpi: bool = False
    run: str = ""  # a program with MPI, for `andes run -- mpirun -n 2 RUN`
    source: str = ""  # the source package, if its name is another
    patched: bool = True  # with Debian's patches, where they do not need Debian's packaging


PACKAGES = [
    # Without MPI.
    Package("hello", "autotools, gnulib", "C", "make -j{jobs}", "./configure", "make check"),
    Package("gzip", "autotools, gnulib", "C", "make -j{jobs} MAKEINFO=true", "./configure", "make check MAKEINFO=true", patched=False),
    Package("dash", "autotools, sources made by programs of the build", "C", "make -j{jobs}", "./configure",
            "./src/dash -c 'for i in 1 2 3; do echo $((i * i)); done; case abc in a*) echo yes;; esac'", "."),
    Package("jansson", "CMake", "C", "cmake --build b -j{jobs}", "cmake -B b -DJANSSON_BUILD_DOCS=OFF", "cd b && ctest"),
    Package("cjson", "CMake, -Werror, shared library", "C", "cmake --build b -j{jobs}",
            "cmake -B b -DENABLE_CJSON_UTILS=ON -DCMAKE_BUILD_TYPE=Release", "cd b && ctest"),
    Package("tinyxml2", "meson", "C++", "ninja -j{jobs} -C b", "meson setup b -Dtests=true", "meson test -C b"),
    Package("pugixml", "CMake, ninja", "C++", "ninja -j{jobs} -C b", "cmake -B b -G Ninja -DPUGIXML_BUILD_TESTS=ON",
            "cd b && ctest"),
    Package("yajl", "script around CMake", "C", "cmake --build build -j{jobs}", "./configure",
            "cd test/parsing && ./run_tests.sh ../../build/test/parsing/yajl_test", "success|FAIL|tests"),
    Package("zlib", "hand-written configure, make, static and shared", "C", "make -j{jobs}", "./configure", "make test", r"OK|FAILED"),
    Package("bzip2", "make", "C", "make -j{jobs} libbz2.a bzip2 bzip2recover", test="make test", results="cmp|If|identical"),
    Package("lua5.4", "make", "C", "make -C src linux -j{jobs}",
            test="cd src && ./lua -e 'for i=1,9 do io.write(i*i, \" \") end print(string.rep(\"x\",3), pcall(error, 1))'", results=".", patched=False),
    Package("libdeflate", "make, LTO", "C", "make -j{jobs} CFLAGS='-O2 -flto' test_programs all",
            test="for t in test_checksums test_custom_malloc test_slow_decompression test_trailing_bytes; do "
                 "./build/programs/$t 2>/dev/null || ./$t; echo $t $?; done", results="^test_"),
    Package("fribidi", "autotools, libtool, tables made by programs of the build", "C", "make -j{jobs}", "./configure", "make check"),
    Package("fasttree", "one command", "C", "sh -e build.sh",
            "printf 'gcc -O2 -finline-functions -funroll-loops -Wall -o FastTree fasttree.c -lm\\n' > build.sh",
            "printf '>a\\nACGTAC\\n>b\\nACGTTC\\n>c\\nACCTAC\\n>d\\nTCCTAC\\n' | ./FastTree -nt 2>/dev/null", "."),
    Package("mafft", "make", "C", "make -C core -j{jobs} CC=gcc", test="ls core/disttbfast core/tbfast core/dvtditr", results="."),
    Package("metis", "make around CMake", "C", "make -j{jobs}", "make config shared=1",
            "b=$(echo build/Linux-*); $b/programs/gpmetis graphs/4elt.graph 4 | grep -i edgecut; "
            "$b/programs/graphchk graphs/4elt.graph | tail -1", "."),
    Package("sed", "autotools, gnulib", "C", "make -j{jobs}", "./configure",
            "printf 'a\\nb\\n' | ./sed/sed -e 's/a/x/;2d' && make -C gnulib-tests check"),
    # Fortran.
    Package("minpack", "autotools and libtool of 1999", "Fortran 77", "make", "sh ./configure", "printf '      program t\\n"
            "      double precision enorm, x(3)\\n      x = (/3d0, 4d0, 12d0/)\\n      print *, enorm(3, x)\\n      end\\n' > t.f && "
            "gfortran t.f $(find . -name libminpack.a) -o t && ./t", "."),
    Package("lapack-blas", "make, one command for each file", "Fortran 77, 90", "make -j{jobs} blaslib", BLAS_INC, "make blas_testing && "
            "cat BLAS/TESTING/*.out", "PASSED|FAIL", source="lapack"),
    Package("mumps", "make, sequential", "Fortran 90, C", "make -j1 d",
            "sed -e 's|^FC .*|FC = gfortran -fallow-argument-mismatch|' -e 's|^ORDERINGSF.*|ORDERINGSF = -Dpord|' -e 's|^[IL]SCOTCH .*||' "
            "-e 's|^[IL]METIS .*||' Make.inc/Makefile.debian.SEQ > Makefile.inc",
            "cd examples && LD_LIBRARY_PATH=$(find .. -name '*.so*' -printf '%h:') ./dsimpletest < input_simpletest_real",
            r"^(?!.*[Tt]ime).*\d"),
    # MPI.
    Package("openmpi-examples", "make", "C, Fortran", "make -C examples hello_c ring_c connectivity_c hello_mpifh ring_mpifh "
            "hello_usempi ring_usempi hello_usempif08 ring_usempif08", test="cd examples && for p in ring_c connectivity_c ring_mpifh "
            "ring_usempi ring_usempif08; do "
            "mpirun -n 2 ./$p | sort; done", results=".", mpi=True, run="examples/ring_usempi", source="openmpi"),
    Package("netpipe", "make", "C", "make mpi", test="mpirun -n 2 ./NPmpi -u 64 -n 5 2>&1 | grep -c bytes", results=".", mpi=True,
            run="NPmpi -u 64 -n 5"),
    Package("hpcc", "make with one file for the machine", "C", "make arch=andes", HPCC_MAKE, HPCC_RUN, r"^\d+$|Success", mpi=True,
            run="hpcc"),
    Package("ampliconnoise", "makefiles in directories", "C", "make", test="printf '>a\\nACGTACGGTA\\n>b\\nACGTTCGGTA\\n>c\\nACCTACCGTA\\n' > t.fa; "
            "mpirun -n 2 NDist/NDist -i -in t.fa", results=".", mpi=True, run="NDist/NDist -i -in t.fa"),
    Package("examl", "make, flags for the processor", "C", "make -C parser -f Makefile.SSE3.gcc && make -j{jobs} -C examl -f Makefile.SSE3.gcc",
            test="cd testData && ../parser/parse-examl -s 49 -m DNA -n t && mpirun -n 2 ../examl/examl -s t.binary -t 49.tree -m GAMMA "
            "-n t -f E >log; cat ExaML_info.t", results=r"Likelihood tree \d+: -", mpi=True),
    Package("p4est", "autotools, libtool", "C", "make -j{jobs}", "./bootstrap && ./configure --enable-mpi CC=mpicc CFLAGS=-O1",
            "cd sc && make check -j{jobs}", mpi=True, run="example/simple/p4est_simple unit 3"),
    Package("phyml", "autotools", "C", "make -j{jobs}", AUTOGEN + " && ./configure --enable-phyml-mpi CC=mpicc",
            "mpirun -n 2 src/phyml-mpi -i examples/nucleic -b 2 --r_seed 1 --quiet >log 2>&1; cat examples/nucleic_phyml_stats*",
            "[Ll]ikelihood|Parsimony|Tree size", mpi=True),
    Package("mrbayes", "autotools", "C", "make -j{jobs}", "./configure --with-mpi --with-readline=no --with-beagle=no",
            "printf 'set autoclose=yes nowarn=yes\\nset seed=1\\nset swapseed=1\\nexecute examples/primates.nex\\n"
            "mcmc ngen=200 samplefreq=100 printfreq=100 nruns=1 nchains=2\\nquit\\n' | mpirun -n 2 src/mb | sed 's/ -- [0-9:]*$//'",
            r"^ +\d+ --", mpi=True),
    Package("ffindex", "make, static and shared library", "C", "make HAVE_MPI=1", test="make -C src test", results=".", mpi=True),
    # Its random numbers begin with the clock.
    Package("mocassin", "make, modules of Fortran in one order", "Fortran 90", "make mocassin FC='mpif90 -fallow-argument-mismatch' "
            "PREFIX=$PWD/inst", "mkdir -p inst/share input output && ln -s $PWD inst/share/mocassin && cp benchmarks/gas/HII20/* input && "
            "sed -i -e /autoPackets/d -e 's/^maxIterateMC.*/maxIterateMC 2 100./' -e 's/^nPhotons.*/nPhotons 20000/' "
            "-e 's/^nbins.*/nbins 300/' input/input.in", "mpirun -n 2 ./mocassin", "clean exit", mpi=True, run="mocassin"),
    Package("pnetcdf", "autotools, libtool, sources made by m4", "C, C++, Fortran", "make -j{jobs}",
            AUTOGEN + " && ./configure --disable-dependency-tracking", "make -C test/C check", mpi=True),
    # Needs the package libdivsufsort-dev.
    Package("hmmer", "hand-written makefiles, autoconf", "C", "make -j{jobs}",
            "autoconf && (cd easel && autoconf); ./configure --enable-mpi CC=mpicc",
            "cd src && make check 2>&1 | tail -3; ./hmmbuild /tmp/hmmer-$$.hmm ../tutorial/globins4.sto | grep -v '^#'; rm -f /tmp/hmmer-$$.hmm",
            r"^\d+ ", mpi=True),
    Package("scotch", "CMake, flex and bison", "C, Fortran", "cmake --build b -j{jobs}",
            "cmake -B b -DCMAKE_BUILD_TYPE=Release -DBUILD_PTSCOTCH=ON", "cd b && ctest", mpi=True),
]
