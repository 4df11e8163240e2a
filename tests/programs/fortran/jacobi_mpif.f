C     jacobi_mpif.f: the twin of ../jacobi.c in Fortran 77 with mpif.h, in fixed form. Its
C     procedures have the names of the functions there and make the same calls in the same
C     order; what is a row there is a column here. Grids lie in one array, one behind the
C     other; NOW and NEXT say where each begins.
C
C       jacobi SIZE ITERATIONS [late|early]
      PROGRAM JACOBI
      INCLUDE 'mpif.h'
      INTEGER MAXPTS, MAXROW
      PARAMETER (MAXPTS = 200000, MAXROW = 1000)
      INTEGER RANK, RANKS, N, FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      INTEGER ITERS, IERR
      LOGICAL EARLY
      DOUBLE PRECISION GRIDS(2*MAXPTS), SINE(0:MAXROW+1), LAST, DIST
      DOUBLE PRECISION SOLVE, CHECK
      COMMON /STRIP/ FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      COMMON /ALL/ GRIDS, SINE
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, RANKS, IERR)
      CALL READ_ARGUMENTS(N, ITERS, EARLY)
      IF (N .GT. MAXROW .OR. (N+2)**2 .GT. MAXPTS) THEN
        PRINT *, 'jacobi: larger than its arrays'
        CALL MPI_ABORT(MPI_COMM_WORLD, 1, IERR)
      END IF
      CALL MAKE_SINES(N, SINE)
      CALL MAKE_STRIP(N, RANK, RANKS, SINE, GRIDS)
      LAST = SOLVE(N, GRIDS, ITERS, EARLY)
      DIST = CHECK(N, GRIDS, SINE, ITERS)
      IF (RANK .EQ. 0) THEN
        IF (DIST .LT. 1D-11) THEN
          WRITE (*, 100) N, ITERS, LAST, DIST, 'right'
        ELSE
          WRITE (*, 100) N, ITERS, LAST, DIST, 'WRONG'
        END IF
      END IF
 100  FORMAT ('jacobi: ', I0, ' squared, ', I0, ' iterations: change ',
     &        1P, E19.12, ', error ', E9.3, ': ', A)
      CALL FREE_STRIP
      CALL MPI_FINALIZE(IERR)
      END

      SUBROUTINE READ_ARGUMENTS(N, ITERS, EARLY)
      INTEGER N, ITERS
      LOGICAL EARLY
      CHARACTER*32 WORD
      CALL GETARG(1, WORD)
      READ (WORD, *) N
      CALL GETARG(2, WORD)
      READ (WORD, *) ITERS
      CALL GETARG(3, WORD)
      EARLY = WORD .EQ. 'early'
      END

C     One row of the solution; MODE is the share of the eigenvector that is left.
      SUBROUTINE SOLUTION_ROW(OUT, SINE, N, ROW, MODE)
      INTEGER N, ROW, J
      DOUBLE PRECISION OUT(0:N+1), SINE(0:N+1), MODE, H, X, Y
      H = 1D0 / (N + 1)
      Y = ROW * H
      DO 10 J = 0, N + 1
        X = J * H
        OUT(J) = X*X - Y*Y + MODE * SINE(J) * SINE(ROW)
 10   CONTINUE
      END

      SUBROUTINE MAKE_SINES(N, SINE)
      INTEGER N, I
      DOUBLE PRECISION SINE(0:N+1)
      DO 10 I = 0, N
        SINE(I) = SIN(ACOS(-1D0) * I / (N + 1))
 10   CONTINUE
      SINE(N+1) = 0
      END

      SUBROUTINE MAKE_STRIP(N, RANK, RANKS, SINE, GRIDS)
      INCLUDE 'mpif.h'
      INTEGER N, RANK, RANKS, I
      DOUBLE PRECISION SINE(0:N+1), GRIDS(*)
      INTEGER FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      COMMON /STRIP/ FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      FIRST = N * RANK / RANKS + 1
      ROWS = N * (RANK + 1) / RANKS + 1 - FIRST
      ABOVE = MPI_PROC_NULL
      BELOW = MPI_PROC_NULL
      IF (RANK .GT. 0) ABOVE = RANK - 1
      IF (RANK .LT. RANKS - 1) BELOW = RANK + 1
      NOW = 1
      NEXT = 1 + (N + 2) * (ROWS + 2)
      DO 10 I = 0, ROWS + 1
        CALL SOLUTION_ROW(GRIDS(NOW + I*(N+2)), SINE, N, FIRST - 1 + I,
     &                    1D0)
 10   CONTINUE
      DO 20 I = 0, NEXT - NOW - 1
        GRIDS(NEXT + I) = GRIDS(NOW + I)
 20   CONTINUE
      END

C     Arrays of Fortran 77 are never freed; the C twin has the call.
      SUBROUTINE FREE_STRIP
      END

      SUBROUTINE RELAX_ROWS(N, GRIDS, FROM, TO)
      INTEGER N, FROM, TO, I, J, ROW, OUT
      DOUBLE PRECISION GRIDS(*)
      INTEGER FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      COMMON /STRIP/ FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      DO 20 I = FROM, TO
        ROW = NOW + I * (N + 2)
        OUT = NEXT + I * (N + 2)
        DO 10 J = 1, N
          GRIDS(OUT + J) = 0.25D0 * (GRIDS(ROW + J - (N + 2))
     &      + GRIDS(ROW + J + (N + 2))
     &      + GRIDS(ROW + J - 1) + GRIDS(ROW + J + 1))
 10     CONTINUE
 20   CONTINUE
      END

      SUBROUTINE SEND_EDGE(BUFFER, N, TO, TAG, REQ)
      INCLUDE 'mpif.h'
      DOUBLE PRECISION BUFFER(*)
      INTEGER N, TO, TAG, REQ, IERR
      CALL MPI_ISEND(BUFFER, N + 2, MPI_DOUBLE_PRECISION, TO, TAG,
     &               MPI_COMM_WORLD, REQ, IERR)
      END

      SUBROUTINE SEND_EDGES(N, GRIDS, REQS)
      INTEGER N, REQS(2)
      DOUBLE PRECISION GRIDS(*)
      INTEGER FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      COMMON /STRIP/ FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      CALL SEND_EDGE(GRIDS(NOW + N + 2), N, ABOVE, 1, REQS(1))
      CALL SEND_EDGE(GRIDS(NOW + ROWS*(N+2)), N, BELOW, 2, REQS(2))
      END

      SUBROUTINE RECEIVE_EDGE(BUFFER, N, FROM, TAG)
      INCLUDE 'mpif.h'
      DOUBLE PRECISION BUFFER(*)
      INTEGER N, FROM, TAG, IERR
      CALL MPI_RECV(BUFFER, N + 2, MPI_DOUBLE_PRECISION, FROM, TAG,
     &              MPI_COMM_WORLD, MPI_STATUS_IGNORE, IERR)
      END

      SUBROUTINE RECEIVE_EDGES(N, GRIDS)
      INTEGER N
      DOUBLE PRECISION GRIDS(*)
      INTEGER FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      COMMON /STRIP/ FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      CALL RECEIVE_EDGE(GRIDS(NOW), N, ABOVE, 2)
      CALL RECEIVE_EDGE(GRIDS(NOW + (ROWS+1)*(N+2)), N, BELOW, 1)
      END

      SUBROUTINE COMPLETE_SENDS(REQS)
      INCLUDE 'mpif.h'
      INTEGER REQS(2), IERR
      CALL MPI_WAITALL(2, REQS, MPI_STATUSES_IGNORE, IERR)
      END

      SUBROUTINE SWAP_GRIDS
      INTEGER FIRST, ROWS, ABOVE, BELOW, NOW, NEXT, KEPT
      COMMON /STRIP/ FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      KEPT = NOW
      NOW = NEXT
      NEXT = KEPT
      END

      SUBROUTINE ITERATE_LATE(N, GRIDS)
      INTEGER N, REQS(2)
      DOUBLE PRECISION GRIDS(*)
      INTEGER FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      COMMON /STRIP/ FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      CALL RELAX_ROWS(N, GRIDS, 1, ROWS)
      CALL SWAP_GRIDS
      CALL SEND_EDGES(N, GRIDS, REQS)
      CALL RECEIVE_EDGES(N, GRIDS)
      CALL COMPLETE_SENDS(REQS)
      END

      SUBROUTINE ITERATE_EARLY(N, GRIDS)
      INTEGER N, REQS(2)
      DOUBLE PRECISION GRIDS(*)
      INTEGER FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      COMMON /STRIP/ FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      CALL SEND_EDGES(N, GRIDS, REQS)
      CALL RELAX_ROWS(N, GRIDS, 2, ROWS - 1)
      CALL RECEIVE_EDGES(N, GRIDS)
      CALL RELAX_ROWS(N, GRIDS, 1, 1)
      IF (ROWS .GT. 1) CALL RELAX_ROWS(N, GRIDS, ROWS, ROWS)
      CALL COMPLETE_SENDS(REQS)
      CALL SWAP_GRIDS
      END

C     Largest change of the last iteration over all ranks.
      DOUBLE PRECISION FUNCTION CHANGE(N, GRIDS)
      INCLUDE 'mpif.h'
      INTEGER N, I, J, IERR
      DOUBLE PRECISION GRIDS(*), MOST
      INTEGER FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      COMMON /STRIP/ FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      MOST = 0
      DO 20 I = 1, ROWS
        DO 10 J = I * (N + 2) + 1, I * (N + 2) + N
          MOST = MAX(MOST, ABS(GRIDS(NOW + J) - GRIDS(NEXT + J)))
 10     CONTINUE
 20   CONTINUE
      CALL MPI_ALLREDUCE(MOST, CHANGE, 1, MPI_DOUBLE_PRECISION, MPI_MAX,
     &                   MPI_COMM_WORLD, IERR)
      END

      DOUBLE PRECISION FUNCTION SOLVE(N, GRIDS, ITERS, EARLY)
      INTEGER N, ITERS, K
      LOGICAL EARLY
      DOUBLE PRECISION GRIDS(*), CHANGE
      SOLVE = 0
      DO 10 K = 1, ITERS
        IF (EARLY) THEN
          CALL ITERATE_EARLY(N, GRIDS)
        ELSE
          CALL ITERATE_LATE(N, GRIDS)
        END IF
        IF (MOD(K, 100) .EQ. 0 .OR. K .EQ. ITERS) THEN
          SOLVE = CHANGE(N, GRIDS)
        END IF
 10   CONTINUE
      END

C     Largest distance from the known answer, on rank 0. The other grid is overwritten.
      DOUBLE PRECISION FUNCTION CHECK(N, GRIDS, SINE, ITERS)
      INCLUDE 'mpif.h'
      INTEGER N, ITERS, I, J, IERR
      DOUBLE PRECISION GRIDS(*), SINE(0:N+1), MODE, MOST
      INTEGER FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      COMMON /STRIP/ FIRST, ROWS, ABOVE, BELOW, NOW, NEXT
      MODE = COS(ACOS(-1D0) / (N + 1))**ITERS
      MOST = 0
      DO 20 I = 1, ROWS
        CALL SOLUTION_ROW(GRIDS(NEXT + I*(N+2)), SINE, N, FIRST - 1 + I,
     &                    MODE)
        DO 10 J = I * (N + 2) + 1, I * (N + 2) + N
          MOST = MAX(MOST, ABS(GRIDS(NOW + J) - GRIDS(NEXT + J)))
 10     CONTINUE
 20   CONTINUE
      CHECK = 0
      CALL MPI_REDUCE(MOST, CHECK, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0,
     &                MPI_COMM_WORLD, IERR)
      END
