import type { AccountId, IncomingPayment as DomainIncomingPayment, IncomingPaymentKind } from '@quittance/domain'

/** A transaction's memo. `id` is an unsigned decimal number, `hash` and `return` are 64 lower-case hex digits. */
export type Memo =
  | { readonly _tag: 'none' }
  | { readonly _tag: 'text' | 'id' | 'hash' | 'return'; readonly value: string }

/**
 * Value that a closed ledger brought to a watched account: what the domain judges, and how it was addressed.
 *
 * `transactionHash` is the hash the ledger lists (of a fee bump, the outer one) and with `operationIndex` names the
 * credit for ever; where an operation brought several, `ordinal` tells them apart: the place, from 0, among all that it
 * brought to anyone, left out when it is 0. `innerHash` is the hash of the transaction inside a fee bump, left out
 * elsewhere: what the payer's wallet signed and knows. `amount` is what arrived, measured in the ledger's own changes,
 * never what was asked for. `muxedId` and `fromMuxedId` are the ids inside `M…` addresses, as unsigned decimal text.
 *
 * Of the ways of being paid, `contract_call` is a gain that no event of the asset's own contract names.
 *
 * `from` is the account that paid. Where that is none, or unknown, it is the account that sent the operation
 * (`fromContract` then names a contract that paid) or, of a claimable balance, the one that paid its reserve.
 */
export type IncomingPayment = DomainIncomingPayment & {
  readonly kind: IncomingPaymentKind
  readonly fromMuxedId: string | null
  readonly fromContract: string | null
  readonly destination: AccountId
  readonly muxedId: string | null
  readonly memo: Memo
}
