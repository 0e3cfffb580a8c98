import type {
  AccountId,
  AssetId,
  ContractId,
  LedgerSequence,
  MandateId,
  OperationIndex,
  Stroops,
  TransactionHash,
  UnixMs,
} from '@quittance/domain'

/** Calendar intervals in UTC, clamped to the month's end. */
export type IntervalUnit = 'day' | 'week' | 'month' | 'year'

/**
 * The terms that a customer signs. Moments are whole seconds × 1000; amounts are of `assetId`, and `cap` is for one
 * interval. `allowance` and `allowanceExpiryLedger` belong to the customer's approval, which all mandates of one
 * customer and token share. `firstAmount` is charged at once, 0 for none. `reference` has 1 to 32 bytes of UTF-8.
 * `replaces` is a mandate of the same contract that ends in the same call.
 */
export type MandateTerms = {
  readonly contract: ContractId
  readonly customer: AccountId
  readonly payee: AccountId
  readonly operator: AccountId
  readonly assetId: AssetId
  readonly cap: Stroops
  readonly intervalUnit: IntervalUnit
  readonly intervalCount: number
  readonly firstChargeAt: UnixMs
  readonly endsAt: UnixMs | null
  readonly firstAmount: Stroops
  readonly allowance: Stroops
  readonly allowanceExpiryLedger: LedgerSequence
  readonly reference: string
  readonly replaces?: MandateId
}

/** One charge. `periodStart` and `reference` identify it. */
export type MandateCharge = {
  readonly mandate: MandateId
  readonly periodStart: UnixMs
  readonly amount: Stroops
  readonly reference: string
}

/** Anyone may create a mandate, other contracts too. */
export type MandateParty = AccountId | ContractId

/**
 * A mandate as its contract stores it. Amounts may be anything up to 2^127. `endsAt` is null for no end, and for one
 * beyond the range of our clock. References that are no UTF-8 have replacement characters: they are not ours.
 * `lastReference` is empty before the first charge.
 */
export type MandateRecord = {
  readonly customer: MandateParty
  readonly payee: MandateParty
  readonly operator: MandateParty
  readonly token: ContractId
  readonly cap: bigint
  readonly intervalUnit: IntervalUnit
  readonly intervalCount: number
  readonly firstChargeAt: UnixMs
  readonly endsAt: UnixMs | null
  readonly reference: string
  readonly lastPeriodStart: UnixMs | null
  readonly lastReference: string
  readonly isCancelled: boolean
}

type InLedger = {
  readonly contract: ContractId
  readonly transactionHash: TransactionHash
  readonly innerHash: TransactionHash | null
  readonly ledger: LedgerSequence
  readonly closedAt: UnixMs
}

type OfMandate = InLedger & {
  readonly mandate: MandateId
  readonly customer: MandateParty
  readonly payee: MandateParty
}

type Approval = { readonly allowance: bigint; readonly allowanceExpiryLedger: number }

export type MandateCreated = OfMandate &
  Approval & { readonly _tag: 'MandateCreated'; readonly firstAmount: bigint } & {
    /** Before the first charge. */
    readonly record: MandateRecord
  }

/** `replacedBy` is the mandate that ended this one by its creation; none where this one was cancelled for itself. */
export type MandateCancelled = OfMandate & {
  readonly _tag: 'MandateCancelled'
  readonly by: MandateParty
  readonly replacedBy?: MandateId
}

/**
 * The incoming payment of a charge, as `IncomingPayment` names it; `ordinal` is 0 for the first, which has none there.
 */
export type ChargedPayment = { readonly operationIndex: OperationIndex; readonly ordinal: number }

/** `credit` names the incoming payment; null where the token is no asset of the network. */
export type MandateCharged = OfMandate & {
  readonly _tag: 'MandateCharged'
  readonly amount: bigint
  readonly periodStart: UnixMs
  readonly reference: string
  readonly token: ContractId
  readonly credit: ChargedPayment | null
}

/** One item of a batch, and the contract's result: 0 for charged, else the number of the refusal. */
export type ChargeAnswer = {
  readonly mandate: MandateId
  readonly periodStart: UnixMs
  readonly reference: string
  readonly amount: bigint
  readonly number: number
}

/**
 * A fact of a successful transaction in a mandate contract. The ledger's header covers events and results, so no node
 * can forge them. `transactionHash` is the one that the ledger lists, `innerHash` that inside a fee bump.
 * `ChargesAnswered` comes after the charges of its batch.
 */
export type MandateFact =
  | MandateCreated
  | MandateCharged
  | (OfMandate & Approval & { readonly _tag: 'AllowanceRenewed' })
  | MandateCancelled
  | (InLedger & { readonly _tag: 'ChargesAnswered'; readonly answers: ReadonlyArray<ChargeAnswer> })
