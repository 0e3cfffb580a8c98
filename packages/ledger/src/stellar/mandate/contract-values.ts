import type { MandateId, UnixMs } from '@quittance/domain'
import { Address, xdr } from '@stellar/stellar-sdk'
import type { IntervalUnit, MandateParty } from '../../mandate.ts'

const lowHalf = 0xffff_ffff_ffff_ffffn

export const i128 = (amount: bigint): xdr.ScVal =>
  xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: amount >> 64n, lo: amount & lowHalf }))
export const u32 = (number: number): xdr.ScVal => xdr.ScVal.scvU32(number)
export const address = (party: MandateParty): xdr.ScVal => new Address(party).toScVal()
export const idBytes = (id: MandateId): xdr.ScVal => xdr.ScVal.scvBytes(Buffer.from(id, 'hex'))
export const textBytes = (text: string): xdr.ScVal => xdr.ScVal.scvBytes(Buffer.from(text, 'utf8'))
export const symbol = (name: string): xdr.ScVal => xdr.ScVal.scvSymbol(name)
export const vector = (...items: ReadonlyArray<xdr.ScVal>): xdr.ScVal => xdr.ScVal.scvVec([...items])

/** Throws for a moment that is no whole second: the caller's defect. */
export const seconds = (moment: UnixMs): xdr.ScVal => xdr.ScVal.scvU64(BigInt(moment / 1000))

export const secondsOrNone = (moment: UnixMs | null): xdr.ScVal =>
  moment === null ? xdr.ScVal.scvVoid() : seconds(moment)

const unitNumbers: Readonly<Record<IntervalUnit, number>> = { day: 1, week: 2, month: 3, year: 4 }
export const unitNumber = (unit: IntervalUnit): xdr.ScVal => u32(unitNumbers[unit])

/** A map as contracts write structures: by name, in ascending order, which hosts insist on. */
export const structure = (fields: Readonly<Record<string, xdr.ScVal>>): xdr.ScVal =>
  xdr.ScVal.scvMap(
    Object.entries(fields)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, val]) => new xdr.ScMapEntry({ key: symbol(name), val })),
  )
