import { xdr } from '@stellar/stellar-sdk'
import {
  argument,
  assembled,
  callOfImport,
  constant,
  dropped,
  hashOf,
  type Imports,
  load,
  unreachable,
} from './assembled.ts'

const imports: Imports = [
  ['d._', 3],
  ['d.0', 3],
  ['l._', 3],
  ['l.1', 2],
  ['a.0', 1],
  ['x.5', 1],
  ['x.1', 2],
  ['v.3', 1],
  ['x.0', 2],
  ['a._', 2],
]
const [call, tryCall, put, get, demand, fail, emit, lengthOf, compare, demandFor] = imports.map((_, place) =>
  callOfImport(place),
)

/** Error 7 of the contract as a value, and a host error, which no contract may return. */
const ownError = (7n << 32n) | 3n
const hostsError = (6n << 32n) | (2n << 8n) | 3n
const temporary = constant(0n)
const instance = constant(2n)
const forwarded = [...argument(0), ...argument(1), ...argument(2)]
const nothing = constant(2n)
const ops = (...parts: ReadonlyArray<ReadonlyArray<number> | undefined>): number[] =>
  parts.flatMap((part) => part ?? [])

/** A contract with one function for each behaviour, right or wrong. */
export const probe = assembled(imports, {
  // Index of the first own function, right after the imports: it calls itself.
  recurse: { takes: 0, body: callOfImport(imports.length) },
  forward: { takes: 3, body: ops(forwarded, call) },
  try_forward: { takes: 3, body: ops(forwarded, tryCall) },
  // Stores the result of the tried call under its first argument.
  try_and_keep: { takes: 3, body: ops(argument(1), forwarded, tryCall, temporary, put) },
  keep: { takes: 2, body: ops(argument(0), argument(1), temporary, put) },
  kept: { takes: 1, body: ops(argument(0), temporary, get) },
  keep_with_instance: { takes: 2, body: ops(argument(0), argument(1), instance, put) },
  kept_with_instance: { takes: 1, body: ops(argument(0), instance, get) },
  keep_and_fail: {
    takes: 2,
    body: ops(argument(0), argument(1), temporary, put, dropped, constant(ownError), fail),
  },
  announce_and_fail: { takes: 2, body: ops(argument(0), argument(1), emit, dropped, constant(ownError)) },
  demand: { takes: 1, body: ops(argument(0), demand) },
  demand_for: { takes: 2, body: ops(argument(0), argument(1), demandFor) },
  demand_twice: { takes: 1, body: ops(argument(0), demand, dropped, argument(0), demand) },
  demand_and_forward_twice: {
    takes: 4,
    body: ops(argument(3), demand, dropped, forwarded, call, dropped, forwarded, call),
  },
  demand_and_fail: { takes: 1, body: ops(argument(0), demand, dropped, constant(ownError), fail) },
  answer_with_hosts_error: { takes: 0, body: ops(constant(hostsError)) },
  fail_with_hosts_error: { takes: 0, body: ops(constant(hostsError), fail) },
  trap: { takes: 0, body: ops(unreachable) },
  read_outside: { takes: 0, body: ops(load(65_535)) },
  forge: { takes: 0, body: ops(constant((9n << 32n) | 75n), lengthOf) },
  forge_odd: { takes: 1, body: ops(constant((1n << 32n) | 75n), lengthOf) },
  echo: { takes: 1, body: ops(argument(0)) },
  compare: { takes: 2, body: ops(argument(0), argument(1), compare, dropped, nothing) },
  __secret: { takes: 0, body: ops(nothing) },
})

export const probeHash = hashOf(probe)

export const upload = (code: Uint8Array): xdr.HostFunction => xdr.HostFunction.hostFunctionTypeUploadContractWasm(code)
