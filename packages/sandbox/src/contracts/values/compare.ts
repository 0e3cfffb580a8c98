import { xdr } from '@stellar/stellar-sdk'
import { integerIn } from './integers.ts'

const order = (left: number | bigint, right: number | bigint): number => (left < right ? -1 : left > right ? 1 : 0)

const typeOf = ({ type }: xdr.ScVal): number => xdr.ScValType.fromName(type).value

const compareAll = (left: ReadonlyArray<xdr.ScVal>, right: ReadonlyArray<xdr.ScVal>): number => {
  for (const [place, value] of left.entries()) {
    const other = right[place]
    const found = other === undefined ? 1 : compare(value, other)
    if (found !== 0) return found
  }
  return order(left.length, right.length)
}

const flat = (entries: ReadonlyArray<xdr.ScMapEntry>): ReadonlyArray<xdr.ScVal> =>
  entries.flatMap(({ key, val }) => [key, val])

/** The network's total order of values: by type, then by content. Negative, zero or positive. */
export const compare = (left: xdr.ScVal, right: xdr.ScVal): number => {
  if (left === right) return 0
  if (left.type !== right.type) return order(typeOf(left), typeOf(right))
  if (left.type === 'scvSymbol' && right.type === 'scvSymbol') return Buffer.compare(left.sym.bytes, right.sym.bytes)
  if (left.type === 'scvString' && right.type === 'scvString') return Buffer.compare(left.str.bytes, right.str.bytes)
  if (left.type === 'scvBytes' && right.type === 'scvBytes') return Buffer.compare(left.bytes.value, right.bytes.value)
  if (left.type === 'scvVec' && right.type === 'scvVec') return compareAll(left.vec ?? [], right.vec ?? [])
  if (left.type === 'scvMap' && right.type === 'scvMap') return compareAll(flat(left.map ?? []), flat(right.map ?? []))
  if (left.type === 'scvI32' && right.type === 'scvI32') return order(left.i32, right.i32)
  const [one, other] = [integerIn(left), integerIn(right)]
  if (one !== undefined && other !== undefined) return order(one, other)
  // The remaining types (booleans, unsigned 32-bit numbers, errors, addresses) sort by their XDR.
  return Math.sign(Buffer.compare(left.toXdr(), right.toXdr()))
}
