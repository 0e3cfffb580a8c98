import type { Guest } from './guest.ts'

/** A function that contracts import. Arguments and result are raw 64-bit guest values. */
export type HostFunction = { readonly name: string; readonly run: (guest: Guest, ...args: bigint[]) => bigint }

/** Host functions by import name: module, dot, function. */
export type HostFunctions = Readonly<Record<string, HostFunction>>
