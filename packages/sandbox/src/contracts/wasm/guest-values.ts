import { xdr } from '@stellar/stellar-sdk'
import { hostError } from '../host-error.ts'
import { integerIn, integers, isSigned } from '../values/integers.ts'
import { lettersOf, smallSymbol } from '../values/symbols.ts'

const tagBits = 8n
const handleBits = 32n
const tags = { false: 0n, true: 1n, void: 2n, error: 3n, u32: 4n, i32: 5n, firstSmall: 6n, symbol: 14n } as const
const firstObject = 64n

/** Object types in the order of their tags; integers come first, ordered as in `integers`. */
const objectTypes: ReadonlyArray<xdr.ScVal['type']> = [
  ...integers.map(({ type }) => type),
  'scvBytes',
  'scvString',
  'scvSymbol',
  'scvVec',
  'scvMap',
  'scvAddress',
]
const muxedAddressTag = firstObject + BigInt(objectTypes.length)

/** Integer types that have a small form: their index, the least value that fits, and the first that does not. */
const smallForms = new Map(
  integers.map(({ type }, place) => {
    const [least, end] = isSigned(type) ? [-(1n << 55n), 1n << 55n] : [0n, 1n << 56n]
    return [type as string, { place: BigInt(place), least, end }]
  }),
)

export const voidValue: bigint = tags.void

/** The objects passed to a frame, which refers to them by index only. */
export type Objects = xdr.ScVal[]

const objectTag = (value: xdr.ScVal): bigint => {
  if (value.type === 'scvAddress' && value.address.type === 'scAddressTypeMuxedAccount') return muxedAddressTag
  const place = objectTypes.indexOf(value.type)
  if (place < 0) throw hostError('value', 'unexpectedType', `contracts know nothing of ${value.type}`)
  return firstObject + BigInt(place)
}

/** Handles of frame objects are even. */
const objectOf = (value: xdr.ScVal, objects: Objects): bigint => {
  const handle = BigInt(objects.length * 2)
  const tag = objectTag(value)
  objects.push(value)
  return (handle << handleBits) | tag
}

const errorBody = (error: xdr.ScError): bigint => {
  const type = BigInt(xdr.ScErrorType.fromName(error.type).value)
  const code = error.type === 'sceContract' ? error.contractCode : error.code.value
  return (BigInt(code) << 24n) | type
}

const small = (body: bigint, tag: bigint): bigint => (BigInt.asUintN(56, body) << tagBits) | tag

/**
 * Encodes a value for a guest: 56 bits and a tag. Values that fit must take the small form, since guests compare bits.
 */
export const toGuest = (value: xdr.ScVal, objects: Objects): bigint => {
  if (value.type === 'scvVoid') return tags.void
  if (value.type === 'scvBool') return value.b ? tags.true : tags.false
  if (value.type === 'scvU32') return small(BigInt(value.u32) << 24n, tags.u32)
  if (value.type === 'scvI32') return small(BigInt(value.i32) << 24n, tags.i32)
  if (value.type === 'scvError') return small(errorBody(value.error), tags.error)
  if (value.type === 'scvSymbol') {
    const body = smallSymbol(value.sym.bytes)
    return body === undefined ? objectOf(value, objects) : small(body, tags.symbol)
  }
  const form = smallForms.get(value.type)
  const integer = integerIn(value)
  return form !== undefined && integer !== undefined && integer >= form.least && integer < form.end
    ? small(integer, tags.firstSmall + form.place)
    : objectOf(value, objects)
}

const forged = (raw: bigint) => hostError('value', 'invalidInput', `no value of this frame: ${raw.toString(16)}`)

const objectAt = (raw: bigint, tag: bigint, objects: Objects): xdr.ScVal => {
  const handle = Number(raw >> handleBits)
  const found = handle % 2 === 0 ? objects[handle / 2] : undefined
  if (found === undefined || objectTag(found) !== tag) throw forged(raw)
  return found
}

const errorIn = (body: bigint): xdr.ScVal => {
  const error = Buffer.alloc(8)
  error.writeUInt32BE(Number(body & 0xff_ffffn), 0)
  error.writeUInt32BE(Number(body >> 24n), 4)
  try {
    return xdr.ScVal.scvError(xdr.ScError.fromXdr(error))
  } catch {
    throw forged(body)
  }
}

/** Decodes a guest's 64-bit value. */
export const fromGuest = (signed: bigint, objects: Objects): xdr.ScVal => {
  const raw = BigInt.asUintN(64, signed)
  const tag = raw & 0xffn
  const body = raw >> tagBits
  if (tag >= firstObject && tag <= muxedAddressTag) return objectAt(raw, tag, objects)
  if (tag === tags.void) return xdr.ScVal.scvVoid()
  if (tag === tags.false || tag === tags.true) return xdr.ScVal.scvBool(tag === tags.true)
  if (tag === tags.error) return errorIn(body)
  if (tag === tags.u32) return xdr.ScVal.scvU32(Number(body >> 24n))
  if (tag === tags.i32) return xdr.ScVal.scvI32(Number(BigInt.asIntN(32, body >> 24n)))
  if (tag === tags.symbol) return xdr.ScVal.scvSymbol(lettersOf(body))
  const integer = integers[Number(tag - tags.firstSmall)]
  if (integer === undefined) throw forged(raw)
  return integer.make(isSigned(integer.type) ? BigInt.asIntN(56, body) : body)
}
