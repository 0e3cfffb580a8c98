/** A side of a payment; `muxedId` is the id inside its `M…` address. */
export type Party = { readonly account: string; readonly muxedId: string | null }

/** An incoming payment as two readers of a ledger compare it. */
export type PaymentFacts = {
  readonly operation: number
  readonly kind: string
  readonly from: Party
  readonly fromContract: string | null
  readonly to: Party
  readonly asset: string
  readonly amount: bigint
}

/** What all payments of a transaction share; `innerHash` is that of the transaction in a fee bump. */
export type TransactionFacts = { readonly memo: string; readonly innerHash: string | null }

const partyText = ({ account, muxedId }: Party): string => (muxedId === null ? account : `${account} (${muxedId})`)

export const paymentLine = (
  { operation, kind, from, fromContract, to, asset, amount }: PaymentFacts,
  { memo, innerHash }: TransactionFacts,
): string => {
  const sender = fromContract === null ? partyText(from) : `${partyText(from)} through ${fromContract}`
  const inner = innerHash === null ? '' : `, in ${innerHash}`
  return `operation ${operation}: ${kind} of ${amount} ${asset} from ${sender} to ${partyText(to)}, memo ${memo}${inner}`
}

export const feeLine = (kind: string, account: string, delta: bigint): string => `${kind} of ${delta} for ${account}`

export const memoText = (type: string, value: string): string => (type === 'none' ? type : `${type} ${value}`)
