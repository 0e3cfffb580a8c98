import type { Guest } from './guest.ts'

/** A function that contracts import. Arguments and answer are raw 64-bit numbers, as the guest knows its values. */
export type HostFunction = { readonly name: string; readonly run: (guest: Guest, ...args: bigint[]) => bigint }

/** Host functions by the short names they are imported by: module, dot, function. */
export type HostFunctions = Readonly<Record<string, HostFunction>>
