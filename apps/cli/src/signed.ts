import { decimalFromStroops, maximumStroops, stroops } from '@quittance/domain'

/** Signed stroops in units of the asset, limited to the most that an account can hold. */
export const signed = (amount: bigint): string => {
  const size = amount < 0n ? -amount : amount
  const decimal = decimalFromStroops(stroops(size > maximumStroops ? maximumStroops : size))
  return amount < 0n ? `-${decimal}` : decimal
}
