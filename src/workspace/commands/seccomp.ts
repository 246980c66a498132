import { constants } from 'node:os'
import type { SyscallTable } from './syscalls.ts'

/** Offsets in the kernel's `struct seccomp_data`; both machines are little-endian, so an argument's low half comes first. */
const numberAt = 0
const archAt = 4
const argumentAt = (index: number) => 16 + 8 * index

const load = 0x20 // BPF_LD | BPF_W | BPF_ABS
const jumpEqual = 0x15
const jumpAtLeast = 0x35
const jumpAnyBit = 0x45
const answer = 0x06 // BPF_RET | BPF_K

const allow = 0x7fff0000
const killProcess = 0x80000000
const refuse = (errno: number) => 0x00050000 | errno

const { EPERM, ENOSYS, EAFNOSUPPORT, EOPNOTSUPP } = constants.errno

// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
const newNamespaces = 0x7e020000
const unixAndInternet = [1, 2, 10] // AF_UNIX, AF_INET, AF_INET6
const terminalTricks = [0x5412, 0x541c] // TIOCSTI, TIOCLINUX: they type into the terminal
const harmlessPersonalities = [0, 0xffffffff] // the usual one, and the question which it is

/** One instruction: code, jumps when true and false, constant. */
type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, constant: number]

/**
 * A classic BPF program for `bwrap --seccomp`, which loads it for the command and all that comes from it. It is what
 * stands between a command and the parts of the kernel that holes are found in; namespaces alone leave them open.
 */
export function seccompProgram (table: SyscallTable): Buffer {
  const program: Instruction[] = [
    [load, 0, 0, archAt],
    [jumpEqual, 1, 0, table.auditArch],
    [answer, 0, 0, killProcess],
    [load, 0, 0, numberAt],
    ...(table.otherAbiFrom === null ? [] : [[jumpAtLeast, 0, 1, table.otherAbiFrom], [answer, 0, 0, killProcess]] satisfies Instruction[]),
    ...table.refused.flatMap((number) => onCall(number, [[answer, 0, 0, refuse(EPERM)]])),
    ...onCall(table.clone3, [[answer, 0, 0, refuse(ENOSYS)]]), // its flags are behind a pointer; libc falls back to clone
    ...onCall(table.fallocate, [[answer, 0, 0, refuse(EOPNOTSUPP)]]), // fills a disk faster than anything can watch
    ...onCall(table.clone, [
      [load, 0, 0, argumentAt(0)],
      [jumpAnyBit, 0, 1, newNamespaces],
      [answer, 0, 0, refuse(EPERM)],
      [answer, 0, 0, allow]
    ]),
    ...onCall(table.socket, unlessOneOf(argumentAt(0), unixAndInternet, refuse(EAFNOSUPPORT))),
    ...onCall(table.socketpair, unlessOneOf(argumentAt(0), unixAndInternet, refuse(EAFNOSUPPORT))),
    ...onCall(table.personality, unlessOneOf(argumentAt(0), harmlessPersonalities, refuse(EPERM))),
    ...onCall(table.ioctl, [
      [load, 0, 0, argumentAt(1)],
      ...terminalTricks.flatMap((request) => [[jumpEqual, 0, 1, request], [answer, 0, 0, refuse(EPERM)]] satisfies Instruction[]),
      [answer, 0, 0, allow]
    ]),
    [answer, 0, 0, allow]
  ]
  return assemble(program)
}

/** A block that is passed over unless the number, which is loaded, is this one. It must end in an answer. */
function onCall (number: number, block: readonly Instruction[]): Instruction[] {
  return [[jumpEqual, 0, block.length, number], ...block]
}

function unlessOneOf (at: number, values: readonly number[], otherwise: number): Instruction[] {
  return [
    [load, 0, 0, at],
    ...values.map((value, index): Instruction => [jumpEqual, values.length - index, 0, value]),
    [answer, 0, 0, otherwise],
    [answer, 0, 0, allow]
  ]
}

function assemble (program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, jumpTrue, jumpFalse, constant]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(jumpTrue, index * 8 + 2)
    bytes.writeUInt8(jumpFalse, index * 8 + 3)
    bytes.writeUInt32LE(constant >>> 0, index * 8 + 4)
  }
  return bytes
}
