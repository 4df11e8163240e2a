/* jumps_aarch64.S: as jumps.S, for AArch64. x16 and x17, which linkers use between a call and its function, carry the
 * target and the slot's number; x0 to x8 and q0 to q7 are kept, and with the stack pointer and x30 the function sees its
 * caller's frame. Every target of a branch through a register begins with `bti c`.
 * A slot is read by `ldar`: who finds the function of a slot that another thread has just filled must also find what that
 * thread stored before, which the function reads (Wrappers::real, andes_mpi_behind). A branch alone orders no loads.
 * jumps.inc (generated) has a line JUMP name, slot for each name. */
#include "count.inc"

        .text
        .macro JUMP name, slot
        .globl \name
        .type \name, %function
        .p2align 4
\name:
        .cfi_startproc
        hint #34                /* bti c */
        adrp x16, andes_mpi_slots + 8 * \slot
        add x16, x16, :lo12:andes_mpi_slots + 8 * \slot
        ldar x16, [x16]
        br x16
        .cfi_endproc
        .endm

#include "jumps.inc"

        /* A stub of 16 bytes for each slot: leads to `next` with the slot's number in w17. */
        .macro STUBS next
        .set slot, 0
        .rept ANDES_MPI_SLOTS
        .cfi_startproc
        .p2align 4
        hint #34
        movz w17, #slot
        b \next
        .cfi_endproc
        .set slot, slot + 1
        .endr
        .endm

        .p2align 4
unresolved:
        STUBS resolve

        .p2align 4
        .type resolve, %function
resolve:
        .cfi_startproc
        stp x29, x30, [sp, #-224]!
        .cfi_def_cfa_offset 224
        .cfi_offset x29, -224
        .cfi_offset x30, -216
        mov x29, sp
        stp x0, x1, [sp, #16]
        stp x2, x3, [sp, #32]
        stp x4, x5, [sp, #48]
        stp x6, x7, [sp, #64]
        str x8, [sp, #80]
        stp q0, q1, [sp, #96]
        stp q2, q3, [sp, #128]
        stp q4, q5, [sp, #160]
        stp q6, q7, [sp, #192]
        mov w0, w17
        bl andes_mpi_resolve
        mov x16, x0
        ldp q6, q7, [sp, #192]
        ldp q4, q5, [sp, #160]
        ldp q2, q3, [sp, #128]
        ldp q0, q1, [sp, #96]
        ldr x8, [sp, #80]
        ldp x6, x7, [sp, #64]
        ldp x4, x5, [sp, #48]
        ldp x2, x3, [sp, #32]
        ldp x0, x1, [sp, #16]
        ldp x29, x30, [sp], #224
        .cfi_restore x29
        .cfi_restore x30
        .cfi_def_cfa_offset 0
        br x16
        .cfi_endproc
        .size resolve, . - resolve

        /* As in jumps.S, but the call is not recorded: its return address is in a register, so that nobody could tell later
         * whether the call has returned. Call sites of Fortran names without a wrapper are those in the MPI library. */
        .p2align 4
        .globl andes_mpi_remember
        .hidden andes_mpi_remember
andes_mpi_remember:
        STUBS pass_on

        .p2align 4
        .type pass_on, %function
pass_on:
        .cfi_startproc
        adrp x16, andes_mpi_behind
        add x16, x16, :lo12:andes_mpi_behind
        ldr x16, [x16, w17, uxtw #3]
        br x16
        .cfi_endproc
        .size pass_on, . - pass_on

#include "jump_tables.inc"

        .section .note.GNU-stack, "", %progbits
