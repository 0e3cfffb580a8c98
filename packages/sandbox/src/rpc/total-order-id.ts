/** A position in history as one number: 32 bits of ledger, 20 of order, 12 of operation (SEP-35). */
export const totalOrderId = (ledger: number, order: number, operation: number): bigint =>
  (BigInt(ledger) << 32n) | (BigInt(order) << 12n) | BigInt(operation)

export const sequenceOf = (id: bigint): number => Number(id >> 32n)
export const orderOf = (id: bigint): number => Number((id >> 12n) & 0xfffffn)
