import { decimalFromStroops, maximumStroops, stroops } from '@quittance/domain'

/** Stroops of an asset in its units, with a sign where they are less than none; at most what an account can hold. */
export const signed = (amount: bigint): string => {
  const size = amount < 0n ? -amount : amount
  const decimal = decimalFromStroops(stroops(size > maximumStroops ? maximumStroops : size))
  return amount < 0n ? `-${decimal}` : decimal
}
