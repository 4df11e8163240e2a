/* jumps.S: every name of MPI that libandes.so exports, as a jump through a table (x86-64).
 *
 * Each slot of the table first leads to a stub that asks entry.cc for the function's address and
 * fills the slot; from then on a call costs one indirect jump. The stub keeps all data of a call:
 * integer and vector argument registers, the count in al of variadic calls, and the stack position,
 * so that the function sees its caller's frame. Position independent, no lazy binding.
 * jumps.inc (generated) has a line JUMP name, slot for each name. */
#include "count.inc"

        .text
        .macro JUMP name, slot
        .globl \name
        .type \name, @function
        .p2align 4
\name:
        .cfi_startproc
        endbr64
        jmp *(andes_mpi_slots + 8 * \slot)(%rip)
        .cfi_endproc
        .endm

#include "jumps.inc"

        /* A stub of 16 bytes for each slot: leads to `next` with the slot's number in r11, which no call uses. */
        .macro STUBS next
        .set slot, 0
        .rept ANDES_MPI_SLOTS
        .cfi_startproc
        .p2align 4
        endbr64
        movl $slot, %r11d
        jmp \next
        .cfi_endproc
        .set slot, slot + 1
        .endr
        .endm

        .p2align 4
unresolved:
        STUBS resolve

        .p2align 4
        .type resolve, @function
resolve:
        .cfi_startproc
        pushq %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq %rsp, %rbp
        .cfi_def_cfa_register %rbp
        andq $-16, %rsp
        subq $208, %rsp
        movq %rdi, 0(%rsp)
        movq %rsi, 8(%rsp)
        movq %rdx, 16(%rsp)
        movq %rcx, 24(%rsp)
        movq %r8, 32(%rsp)
        movq %r9, 40(%rsp)
        movq %rax, 48(%rsp)
        movq %r10, 56(%rsp)
        movaps %xmm0, 64(%rsp)
        movaps %xmm1, 80(%rsp)
        movaps %xmm2, 96(%rsp)
        movaps %xmm3, 112(%rsp)
        movaps %xmm4, 128(%rsp)
        movaps %xmm5, 144(%rsp)
        movaps %xmm6, 160(%rsp)
        movaps %xmm7, 176(%rsp)
        movl %r11d, %edi
        call andes_mpi_resolve
        movq %rax, %r11
        movaps 176(%rsp), %xmm7
        movaps 160(%rsp), %xmm6
        movaps 144(%rsp), %xmm5
        movaps 128(%rsp), %xmm4
        movaps 112(%rsp), %xmm3
        movaps 96(%rsp), %xmm2
        movaps 80(%rsp), %xmm1
        movaps 64(%rsp), %xmm0
        movq 56(%rsp), %r10
        movq 48(%rsp), %rax
        movq 40(%rsp), %r9
        movq 32(%rsp), %r8
        movq 24(%rsp), %rcx
        movq 16(%rsp), %rdx
        movq 8(%rsp), %rsi
        movq 0(%rsp), %rdi
        leave
        .cfi_def_cfa %rsp, 8
        jmp *%r11
        .cfi_endproc
        .size resolve, . - resolve

        /* Slots of Fortran names without a wrapper, used with setting call_sites: the MPI library's
         * Fortran layer behind them calls a C function, whose wrapper asks where the layer was called. */
        .p2align 4
        .globl andes_mpi_remember
        .hidden andes_mpi_remember
andes_mpi_remember:
        STUBS remember

        .p2align 4
        .type remember, @function
remember:
        .cfi_startproc
        movq andes_layer_call@gottpoff(%rip), %r10
        movq (%rsp), %rax
        movq %rax, %fs:(%r10)
        movq %rsp, %fs:8(%r10)
        leaq andes_mpi_behind(%rip), %r10
        jmp *(%r10, %r11, 8)
        .cfi_endproc
        .size remember, . - remember

#include "jump_tables.inc"

        .section .note.GNU-stack, "", @progbits
