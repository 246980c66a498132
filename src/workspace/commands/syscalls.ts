/** What the filter needs to know of a machine: AUDIT_ARCH of its programs, and the numbers of its system calls. */
export interface SyscallTable {
  readonly auditArch: number
  /** Numbers from here on are another ABI (x32) that would slip past the list. */
  readonly otherAbiFrom: number | null
  /** Refused whatever the arguments. */
  readonly refused: readonly number[]
  readonly clone: number
  readonly clone3: number
  readonly socket: number
  readonly socketpair: number
  readonly ioctl: number
  readonly personality: number
  readonly fallocate: number
}

/**
 * Calls that are new enough have one number on every machine: io_uring_setup, _enter, _register; open_tree, move_mount,
 * fsopen, fsconfig, fsmount, fspick; pidfd_getfd; mount_setattr; open_tree_attr.
 */
const refusedEverywhere = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 467]

/** From the kernel's asm/unistd_64.h. */
const x64: SyscallTable = {
  auditArch: 0xc000003e,
  otherAbiFrom: 0x40000000,
  refused: [
    ...refusedEverywhere,
    101, 310, 311, 312, // ptrace, process_vm_readv, process_vm_writev, kcmp
    248, 249, 250, // add_key, request_key, keyctl
    321, 298, 323, // bpf, perf_event_open, userfaultfd
    165, 166, 155, 161, // mount, umount2, pivot_root, chroot
    272, 308, 303, 304, // unshare, setns, name_to_handle_at, open_by_handle_at
    175, 313, 176, 246, 320, // init_module, finit_module, delete_module, kexec_load, kexec_file_load
    169, 167, 168, 179, 163, 103, // reboot, swapon, swapoff, quotactl, acct, syslog
    164, 159, 227, 305, // settimeofday, adjtimex, clock_settime, clock_adjtime
    172, 173, 300 // iopl, ioperm, fanotify_init
  ],
  clone: 56,
  clone3: 435,
  socket: 41,
  socketpair: 53,
  ioctl: 16,
  personality: 135,
  fallocate: 285
}

/** From the kernel's asm-generic/unistd.h. */
const arm64: SyscallTable = {
  auditArch: 0xc00000b7,
  otherAbiFrom: null,
  refused: [
    ...refusedEverywhere,
    117, 270, 271, 272, // ptrace, process_vm_readv, process_vm_writev, kcmp
    217, 218, 219, // add_key, request_key, keyctl
    280, 241, 282, // bpf, perf_event_open, userfaultfd
    40, 39, 41, 51, // mount, umount2, pivot_root, chroot
    97, 268, 264, 265, // unshare, setns, name_to_handle_at, open_by_handle_at
    105, 273, 106, 104, 294, // init_module, finit_module, delete_module, kexec_load, kexec_file_load
    142, 224, 225, 60, 89, 116, // reboot, swapon, swapoff, quotactl, acct, syslog
    170, 171, 112, 266, // settimeofday, adjtimex, clock_settime, clock_adjtime
    262 // fanotify_init
  ],
  clone: 220,
  clone3: 435,
  socket: 198,
  socketpair: 199,
  ioctl: 29,
  personality: 92,
  fallocate: 47
}

/** By Node's name of the architecture; undefined where no filter is known. */
export const syscallTables: Readonly<Partial<Record<string, SyscallTable>>> = { x64, arm64 }
