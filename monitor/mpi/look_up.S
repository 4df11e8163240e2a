/* look_up.S: dlsym, exported by libandes.so (x86-64). Who looks up a name of MPI in the handle of an MPI library, as ctypes
 * and Julia do, gets it from lookups.cc; every other look-up goes on to the real dlsym by a jump, with the return
 * address of its caller, on which RTLD_NEXT depends. The slot first leads to a stub that finds the real one. */

        .text
        .globl dlsym
        .type dlsym, @function
        .p2align 4
dlsym:
        .cfi_startproc
        endbr64
        leaq 1(%rdi), %rax      /* RTLD_NEXT is -1, RTLD_DEFAULT 0 */
        cmpq $1, %rax
        jbe 1f
        testq %rsi, %rsi
        jz 1f
        cmpb $'M', (%rsi)
        jne 1f
        cmpb $'P', 1(%rsi)
        jne 1f
        cmpb $'I', 2(%rsi)
        jne 1f
        cmpb $'_', 3(%rsi)
        jne 1f
        movq (%rsp), %rdx       /* the caller */
        jmp andes_look_up_mpi
1:      jmp *andes_real_dlsym(%rip)
        .cfi_endproc
        .size dlsym, . - dlsym

        .type unresolved_dlsym, @function
        .p2align 4
unresolved_dlsym:
        .cfi_startproc
        endbr64
        pushq %rdi
        .cfi_adjust_cfa_offset 8
        pushq %rsi
        .cfi_adjust_cfa_offset 8
        subq $8, %rsp
        .cfi_adjust_cfa_offset 8
        call andes_find_dlsym
        addq $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq %rsi
        .cfi_adjust_cfa_offset -8
        popq %rdi
        .cfi_adjust_cfa_offset -8
        jmp *%rax
        .cfi_endproc
        .size unresolved_dlsym, . - unresolved_dlsym

#include "look_up_slot.inc"

        .section .note.GNU-stack, "", @progbits
