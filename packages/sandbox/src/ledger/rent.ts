import { rates } from './contract-settings.ts'

/** An entry that is to live longer, by so many ledgers; its size in bytes of XDR. */
export type Extension = {
  readonly size: number
  readonly ledgers: number
  readonly isPersistent: boolean
  readonly isCode: boolean
}

const lifetimeBytes = 48
const codeDiscount = 3n

const quotientUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

const rentOf = ({ size, ledgers, isPersistent, isCode }: Extension): bigint => {
  const denominator = isPersistent ? rates.persistentRentDenominator : rates.temporaryRentDenominator
  const rent = quotientUp(BigInt(size) * rates.rentPer1Kb * BigInt(ledgers), 1_024n * denominator)
  return isCode ? quotientUp(rent, codeDiscount) : rent
}

/** What these extensions cost, in stroops. Source: soroban-env-host, fees.rs, `compute_rent_fee`. */
export const rentFee = (extensions: ReadonlyArray<Extension>): bigint => {
  const lifetimes = BigInt(extensions.length)
  const writing = quotientUp(lifetimes * BigInt(lifetimeBytes) * rates.perWrite1Kb, 1_024n)
  return extensions.reduce((sum, each) => sum + rentOf(each), lifetimes * rates.perWriteEntry + writing)
}
