import { xdr } from '@stellar/stellar-sdk'
import { sha256 } from '../../network.ts'
import { hostError } from '../host-error.ts'
import { compare } from '../values/compare.ts'
import { integerIn } from '../values/integers.ts'
import { isSymbol } from '../values/symbols.ts'
import {
  type Guest,
  give,
  readBytes,
  readSlices,
  readValues,
  take,
  takeBytes,
  takeMap,
  takeU32,
  takeVec,
  writeValues,
} from './guest.ts'
import { voidValue } from './guest-values.ts'
import type { HostFunctions } from './host-function.ts'

const integer = (guest: Guest, raw: bigint, type: 'scvU64' | 'scvI128'): bigint => {
  const value = take(guest, raw)
  const found = value.type === type ? integerIn(value) : undefined
  if (found === undefined) throw hostError('value', 'unexpectedType', `expected ${type}`)
  return found
}

const symbolOf = (letters: Uint8Array): xdr.ScVal => {
  if (!isSymbol(letters)) throw hostError('value', 'invalidInput', 'no letters of a symbol')
  return xdr.ScVal.scvSymbol(letters)
}

/** Rejects unsorted or repeated keys: guests and stored maps rely on the order. */
const mapOf = (keys: ReadonlyArray<xdr.ScVal>, values: ReadonlyArray<xdr.ScVal>): xdr.ScVal => {
  const entries = keys.flatMap((key, place) => {
    const [before, val] = [keys[place - 1], values[place]]
    if (before !== undefined && compare(before, key) >= 0)
      throw hostError('object', 'invalidInput', 'keys out of order')
    return val === undefined ? [] : [new xdr.ScMapEntry({ key, val })]
  })
  return xdr.ScVal.scvMap(entries)
}

const vecOf = (values: ReadonlyArray<xdr.ScVal>): xdr.ScVal => xdr.ScVal.scvVec([...values])

/** Host functions for vectors, maps, bytes, symbols, integers and hashes. */
export const valueFunctions: HostFunctions = {
  'v._': { name: 'vec_new', run: (guest) => give(guest, vecOf([])) },
  'v.1': {
    name: 'vec_get',
    run: (guest, vec, place) => {
      const found = takeVec(guest, vec)[takeU32(guest, place)]
      if (found === undefined) throw hostError('object', 'indexBounds', 'no such place in the vector')
      return give(guest, found)
    },
  },
  'v.3': { name: 'vec_len', run: (guest, vec) => give(guest, xdr.ScVal.scvU32(takeVec(guest, vec).length)) },
  'v.6': {
    name: 'vec_push_back',
    run: (guest, vec, value) => give(guest, vecOf([...takeVec(guest, vec), take(guest, value)])),
  },
  'v.g': {
    name: 'vec_new_from_linear_memory',
    run: (guest, values, count) => give(guest, vecOf(readValues(guest, takeU32(guest, values), takeU32(guest, count)))),
  },
  'm.9': {
    name: 'map_new_from_linear_memory',
    run: (guest, keys, values, count) => {
      const length = takeU32(guest, count)
      const names = readSlices(guest, takeU32(guest, keys), length)
      return give(guest, mapOf(names.map(symbolOf), readValues(guest, takeU32(guest, values), length)))
    },
  },
  'm.a': {
    name: 'map_unpack_to_linear_memory',
    run: (guest, map, keys, values, count) => {
      const entries = takeMap(guest, map)
      if (entries.length !== takeU32(guest, count)) throw hostError('object', 'unexpectedSize', 'map of another size')
      const names = readSlices(guest, takeU32(guest, keys), entries.length)
      const isSame = entries.every(({ key }, place) => {
        const name = names[place]
        return key.type === 'scvSymbol' && name !== undefined && Buffer.compare(key.sym.bytes, name) === 0
      })
      if (!isSame) throw hostError('value', 'unexpectedType', 'map with other keys')
      writeValues(
        guest,
        takeU32(guest, values),
        entries.map(({ val }) => val),
      )
      return voidValue
    },
  },
  'b._': {
    name: 'serialize_to_bytes',
    run: (guest, value) => give(guest, xdr.ScVal.scvBytes(take(guest, value).toXdr())),
  },
  'b.4': { name: 'bytes_new', run: (guest) => give(guest, xdr.ScVal.scvBytes(new Uint8Array())) },
  'b.8': { name: 'bytes_len', run: (guest, bytes) => give(guest, xdr.ScVal.scvU32(takeBytes(guest, bytes).length)) },
  'b.j': {
    name: 'symbol_new_from_linear_memory',
    run: (guest, position, length) =>
      give(guest, symbolOf(readBytes(guest, takeU32(guest, position), takeU32(guest, length)))),
  },
  'c._': {
    name: 'compute_hash_sha256',
    run: (guest, bytes) => give(guest, xdr.ScVal.scvBytes(sha256(takeBytes(guest, bytes)))),
  },
  'i._': { name: 'obj_from_u64', run: (guest, value) => give(guest, xdr.ScVal.scvU64(BigInt.asUintN(64, value))) },
  'i.0': { name: 'obj_to_u64', run: (guest, object) => integer(guest, object, 'scvU64') },
  'i.6': {
    name: 'obj_from_i128_pieces',
    run: (guest, hi, lo) =>
      give(guest, xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: BigInt.asIntN(64, hi), lo: BigInt.asUintN(64, lo) }))),
  },
  'i.7': { name: 'obj_to_i128_lo64', run: (guest, object) => integer(guest, object, 'scvI128') },
  'i.8': { name: 'obj_to_i128_hi64', run: (guest, object) => integer(guest, object, 'scvI128') >> 64n },
  'x.0': {
    name: 'obj_cmp',
    run: (guest, left, right) => BigInt(compare(take(guest, left), take(guest, right))),
  },
}
