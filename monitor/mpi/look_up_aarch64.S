/* look_up_aarch64.S: as look_up.S, for AArch64. The return address of the caller stays in x30. */

        .text
        .globl dlsym
        .type dlsym, %function
        .p2align 4
dlsym:
        .cfi_startproc
        hint #34                /* bti c */
        add x16, x0, #1         /* RTLD_NEXT is -1, RTLD_DEFAULT 0 */
        cmp x16, #1
        b.ls 1f
        cbz x1, 1f
        ldrb w16, [x1]
        cmp w16, #'M'
        b.ne 1f
        ldrb w16, [x1, #1]
        cmp w16, #'P'
        b.ne 1f
        ldrb w16, [x1, #2]
        cmp w16, #'I'
        b.ne 1f
        ldrb w16, [x1, #3]
        cmp w16, #'_'
        b.ne 1f
        mov x2, x30             /* the caller */
        b andes_look_up_mpi
1:      adrp x16, andes_real_dlsym
        ldr x16, [x16, :lo12:andes_real_dlsym]
        br x16
        .cfi_endproc
        .size dlsym, . - dlsym

        .type unresolved_dlsym, %function
        .p2align 4
unresolved_dlsym:
        .cfi_startproc
        hint #34
        stp x29, x30, [sp, #-32]!
        .cfi_def_cfa_offset 32
        .cfi_offset x29, -32
        .cfi_offset x30, -24
        mov x29, sp
        stp x0, x1, [sp, #16]
        bl andes_find_dlsym
        mov x16, x0
        ldp x0, x1, [sp, #16]
        ldp x29, x30, [sp], #32
        .cfi_restore x29
        .cfi_restore x30
        .cfi_def_cfa_offset 0
        br x16
        .cfi_endproc
        .size unresolved_dlsym, . - unresolved_dlsym

#include "look_up_slot.inc"

        .section .note.GNU-stack, "", %progbits
