import {
  AccountId,
  AccountSequence,
  AssetId,
  ContractId,
  IncomingPayment,
  IncomingPaymentKind,
  LedgerSequence,
  MandateId,
  OperationIndex,
  Stroops,
  TransactionHash,
  UnixMs,
} from '@quittance/domain'
import type {
  IncomingPayment as LedgerIncomingPayment,
  MandateFact,
  Movement,
  OwnTransaction,
  TransactionOutcome,
} from '@quittance/ledger'
import * as t from 'io-ts'
import { orNull } from '../sql/query.ts'

/** A whole number of any size, as decimal digits. */
const Whole = new t.Type<bigint, string>(
  'Whole',
  (value): value is bigint => typeof value === 'bigint',
  (value, context) =>
    typeof value === 'string' && /^-?\d+$/.test(value) ? t.success(BigInt(value)) : t.failure(value, context),
  String,
)

const Memo = t.union([
  t.strict({ _tag: t.literal('none') }),
  t.strict({ _tag: t.keyof({ text: null, id: null, hash: null, return: null }), value: t.string }),
])

/** An incoming payment, as the ledger tells it. */
export const IncomingPaymentFact: t.Type<LedgerIncomingPayment, unknown> = t.intersection([
  IncomingPayment,
  t.strict({
    kind: IncomingPaymentKind,
    fromMuxedId: orNull(t.string),
    fromContract: orNull(t.string),
    destination: AccountId,
    muxedId: orNull(t.string),
    memo: Memo,
  }),
])

const Party = t.union([AccountId, ContractId])
const inLedger = {
  contract: ContractId,
  transactionHash: TransactionHash,
  innerHash: orNull(TransactionHash),
  ledger: LedgerSequence,
  closedAt: UnixMs,
}
const ofMandate = { ...inLedger, mandate: MandateId, customer: Party, payee: Party }
const approval = { allowance: Whole, allowanceExpiryLedger: t.number }
const MandateRecord = t.strict({
  customer: Party,
  payee: Party,
  operator: Party,
  token: ContractId,
  cap: Whole,
  intervalUnit: t.keyof({ day: null, week: null, month: null, year: null }),
  intervalCount: t.number,
  firstChargeAt: UnixMs,
  endsAt: orNull(UnixMs),
  reference: t.string,
  lastPeriodStart: orNull(UnixMs),
  lastReference: t.string,
  isCancelled: t.boolean,
})
const answer = { mandate: MandateId, periodStart: UnixMs, reference: t.string, amount: Whole, number: t.number }

/** What happened in a mandate contract. */
export const MandateFactCodec: t.Type<MandateFact, unknown> = t.union([
  t.strict({
    _tag: t.literal('MandateCreated'),
    ...ofMandate,
    ...approval,
    firstAmount: Whole,
    record: MandateRecord,
  }),
  t.strict({
    _tag: t.literal('MandateCharged'),
    ...ofMandate,
    amount: Whole,
    periodStart: UnixMs,
    reference: t.string,
    token: ContractId,
    credit: orNull(t.strict({ operationIndex: OperationIndex, ordinal: t.number })),
  }),
  t.strict({ _tag: t.literal('AllowanceRenewed'), ...ofMandate, ...approval }),
  t.exact(
    t.intersection([
      t.type({ _tag: t.literal('MandateCancelled'), ...ofMandate, by: Party }),
      t.partial({ replacedBy: MandateId }),
    ]),
  ),
  t.strict({ _tag: t.literal('ChargesAnswered'), ...inLedger, answers: t.readonlyArray(t.strict(answer)) }),
])

const Counterparty = t.union([
  t.strict({ _tag: t.literal('account'), account: AccountId, muxedId: orNull(t.string) }),
  t.strict({ _tag: t.literal('contract'), contract: t.string }),
  t.strict({ _tag: t.literal('claimable_balance'), id: t.string, sponsor: orNull(AccountId) }),
  t.strict({ _tag: t.literal('liquidity_pool'), id: t.string }),
])

const MovementKind = t.keyof({
  payment: null,
  path_payment: null,
  account_created: null,
  account_merged: null,
  claimable_balance_created: null,
  claimable_balance_claimed: null,
  clawback: null,
  trade: null,
  pool_deposit: null,
  pool_withdrawal: null,
  contract_transfer: null,
  contract_mint: null,
  contract_burn: null,
  contract_clawback: null,
  contract_call: null,
  fee: null,
  fee_refund: null,
  other: null,
})

/** A change of a balance. */
export const MovementFact: t.Type<Movement, unknown> = t.strict({
  _tag: MovementKind,
  transactionHash: TransactionHash,
  innerHash: orNull(TransactionHash),
  operationIndex: orNull(OperationIndex),
  ordinal: t.number,
  ledger: LedgerSequence,
  closedAt: UnixMs,
  source: AccountId,
  account: AccountId,
  muxedId: orNull(t.string),
  counterparty: orNull(Counterparty),
  assetId: AssetId,
  delta: Whole,
  memo: Memo,
})

/** The outcome of a transaction of ours. */
export const OutcomeFact: t.Type<TransactionOutcome, unknown> = t.strict({
  _tag: t.keyof({ Succeeded: null, Failed: null, BumpFailed: null }),
  transactionHash: TransactionHash,
  innerHash: orNull(TransactionHash),
  ledger: LedgerSequence,
  closedAt: UnixMs,
  code: t.string,
  operationCodes: t.readonlyArray(t.string),
  feeCharged: Stroops,
  feeSource: AccountId,
})

/** A transaction of ours that the log does not know. */
export const OwnTransactionFact: t.Type<OwnTransaction, unknown> = t.intersection([
  t.strict({
    outcome: OutcomeFact,
    envelopeXdr: t.string,
    sourceAccount: AccountId,
    accountSequence: AccountSequence,
    maxTime: orNull(UnixMs),
    fee: Stroops,
    memo: Memo,
    signers: t.readonlyArray(AccountId),
    payments: t.readonlyArray(
      t.strict({
        operationIndex: OperationIndex,
        from: AccountId,
        destination: AccountId,
        muxedId: orNull(t.string),
        assetId: AssetId,
        amount: Stroops,
      }),
    ),
    isCall: t.boolean,
    isSetUp: t.boolean,
  }),
  t.partial({
    rotations: t.readonlyArray(t.strict({ operationIndex: OperationIndex, account: AccountId, to: AccountId })),
  }),
])
