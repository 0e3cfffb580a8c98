import fc from 'fast-check'
import type { ChannelCommand, ChannelEvent } from '../channel/index.ts'
import type { IntentCommand, IntentDetails, IntentEvent } from '../intent/index.ts'
import type { LedgerTransactionCommand, LedgerTransactionEvent } from '../ledger-transaction/index.ts'
import { accountSequence } from '../shared/account-sequence.ts'
import { IntentId } from '../shared/ids.ts'
import { MandateId } from '../shared/mandate-id.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { count } from '../shared/units.ts'
import { contractOf } from './account.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'
import { decoded, exampleId, hashOf } from './examples.ts'
import {
  exampleAccountCreation,
  exampleAnchor,
  exampleCharge,
  exampleOfflineRotation,
  examplePayout,
  exampleRecoverySigner,
  exampleRotation,
  exampleTransaction,
  exampleTrustline,
  exampleUpkeep,
  indexOf,
  ledgerOf,
  paidOut,
} from './outgoing-examples.ts'

// A few of each, so that commands meet.
const one = fc.constantFrom
const aHash = one(hashOf(1), hashOf(2), hashOf(3))
const details: fc.Arbitrary<IntentDetails> = one(
  examplePayout,
  { ...examplePayout, memo: null },
  exampleCharge,
  exampleTrustline,
  exampleAccountCreation,
  exampleRotation,
  exampleOfflineRotation,
  exampleRecoverySigner,
  exampleUpkeep,
  exampleAnchor,
)
const aCode = one(asText('paymentNoTrust'), asText('paymentLineFull'))

const command = <const Type extends string, Fields>(type: Type, fields: fc.Arbitrary<Fields>) =>
  fields.map((each) => ({ type, ...each }))

const ending = {
  attachedTo: aHash,
  transactionHash: aHash,
  ledger: one(ledgerOf(1001)),
  closedAt: one(paidOut.closedAt),
  operationIndex: one(indexOf(0)),
}
export const anyIntentCommand: fc.Arbitrary<IntentCommand> = fc.oneof(
  command('RecordIntent', details),
  {
    weight: 3,
    arbitrary: command('AttachIntent', some.record({ transactionHash: aHash, operationIndex: one(indexOf(0)) })),
  },
  command(
    'DetachIntent',
    some.record({
      transactionHash: aHash,
      reason: one('withdrawn' as const, 'dead' as const, 'another_failed' as const, 'transaction_failed' as const),
    }),
  ),
  command('SettleIntent', some.record(ending)),
  command('RefuseIntent', some.record({ ...ending, code: aCode })),
  command(
    'GiveUpIntent',
    one({ reason: 'attempts_exhausted' as const }, { reason: 'simulation_failed' as const, code: asText('10') }),
  ),
  command('ReportIntent', fc.constant({})),
)

const ofTransaction = some.record({ transactionHash: aHash })
export const anyChannelCommand: fc.Arbitrary<ChannelCommand> = fc.oneof(
  { weight: 3, arbitrary: command('TakeSequence', ofTransaction) },
  { weight: 3, arbitrary: command('FreeSequence', ofTransaction) },
  command('UseSequence', ofTransaction),
)

const aDecision = { closedAt: paidOut.closedAt, by: asText('ada'), reason: asText('looked up') }
const aBump = some.recordWith(
  {
    replaces: some.orNothing(aHash),
    transactionHash: aHash,
    envelopeXdr: one(asText('AAAA')),
    feeSource: one(exampleTransaction.sourceAccount),
    fee: one(stroops(100n), stroops(1_000n), stroops(10_000n), stroops(100_000_000n)),
  },
  { bumpedAfter: one(ledgerOf(1001), ledgerOf(1005)) },
)
export const anyLedgerTransactionCommand: fc.Arbitrary<LedgerTransactionCommand> = fc.oneof(
  command(
    'PrepareTransaction',
    one(
      exampleTransaction,
      { ...exampleTransaction, fee: stroops(200n) },
      { ...exampleTransaction, operations: [indexOf(0), indexOf(1)] },
    ),
  ),
  { weight: 3, arbitrary: command('ReleaseTransaction', fc.constant({})) },
  command('WithdrawTransaction', some.record({ reason: one('sequence_taken' as const, 'intent_taken' as const) })),
  { weight: 3, arbitrary: command('BumpFee', aBump) },
  command(
    'RecordRefusal',
    some.record({ code: one(asText('txBadAuth')), operationCodes: one([], [asText('opBadAuth')]) }),
  ),
  command('RecordBumpFailure', one({ ...paidOut, code: asText('txBadAuth') })),
  command(
    'RecordSuccess',
    one(paidOut, { ...paidOut, transactionHash: hashOf(2) }, { ...paidOut, answers: [count(0)] }),
  ),
  command('RecordFailure', one({ ...paidOut, code: asText('txFailed'), operationCodes: [asText('paymentNoTrust')] })),
  command('ReassignOperation', one({ operationIndex: indexOf(1), from: exampleId(IntentId, 2), to: null })),
  command('RecordDeath', one({ ledger: ledgerOf(1100), closedAt: paidOut.closedAt })),
  command(
    'DecideEnd',
    one(
      { as: 'succeeded' as const, ledger: ledgerOf(1001), ...aDecision },
      { as: 'failed' as const, ...aDecision },
      { as: 'dead' as const, ...aDecision },
    ),
  ),
  command('CloseTransaction', fc.constant({})),
)

const anyHash = { transactionHash: some.anyTransactionHash }
const anyIntentId = some.anyId(IntentId)
const anyPlace = { ledger: some.anyLedger, closedAt: some.anyTime }
const inLedger = { ...anyHash, operationIndex: some.anyOperationIndex, ...anyPlace }

const anyPaymentAction = some.recordWith(
  {
    _tag: fc.constant('payment' as const),
    destination: some.anyAccount,
    assetId: some.anyAsset,
    amount: some.anyStroops,
  },
  { destinationMuxedId: some.anyMuxedId },
)
const anyChargeAction = some.record({
  _tag: fc.constant('charge' as const),
  contractId: fc.nat({ max: 255 }).map(contractOf),
  mandateId: some.anyTransactionHash.map((hash) => decoded(MandateId, hash)),
  customer: some.anyAccount,
  periodStart: some.anyTime,
  periodEnd: some.anyTime,
  amount: some.anyStroops,
  assetId: some.anyAsset,
  reference: some.anyText,
})

const anyAnchorAction = some.record({
  _tag: fc.constant('anchor' as const),
  checkpoint: some.anyText,
  signatures: some.anyText,
})

const intentEvents: ByType<IntentEvent> = {
  IntentRecorded: event(
    'IntentRecorded',
    some.record({
      class: one('refund', 'return', 'charge', 'anchor'),
      owner: some.anyText,
      source: some.anyAccount,
      action: fc.oneof(anyPaymentAction, anyChargeAction, anyAnchorAction),
      memo: some.orNothing(some.anyText),
    }),
  ),
  IntentAttached: event('IntentAttached', some.record({ ...anyHash, operationIndex: some.anyOperationIndex })),
  IntentDetached: event(
    'IntentDetached',
    some.record({ ...anyHash, reason: one('withdrawn', 'dead', 'another_failed', 'transaction_failed') }),
  ),
  IntentSettled: event('IntentSettled', some.record(inLedger)),
  IntentRefused: event('IntentRefused', some.record({ ...inLedger, code: some.anyText })),
  IntentGivenUp: event(
    'IntentGivenUp',
    some.recordWith({ reason: one('attempts_exhausted', 'simulation_failed', 'withdrawn') }, { code: some.anyText }),
  ),
  IntentReported: event('IntentReported', fc.constant({})),
}
export const anyIntentEvent: fc.Arbitrary<IntentEvent> = fc.oneof(...Object.values(intentEvents))

const channelEvents: ByType<ChannelEvent> = {
  SequenceTaken: event('SequenceTaken', some.record(anyHash)),
  SequenceFreed: event('SequenceFreed', some.record(anyHash)),
  SequenceUsed: event('SequenceUsed', some.record(anyHash)),
}
export const anyChannelEvent: fc.Arbitrary<ChannelEvent> = fc.oneof(...Object.values(channelEvents))

const anyRefusal = { code: some.anyText, operationCodes: fc.array(some.anyText, { maxLength: 3 }) }
const anySuccess = { ...anyHash, ...anyPlace, feeSource: some.anyAccount, feeCharged: some.anyStroops }
const anyDecision = { closedAt: some.anyTime, by: some.anyText, reason: some.anyText }
const ledgerTransactionEvents: ByType<LedgerTransactionEvent> = {
  TransactionPrepared: event(
    'TransactionPrepared',
    some.recordWith(
      {
        envelopeXdr: some.anyText,
        sourceAccount: some.anyAccount,
        accountSequence: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(accountSequence),
        maxTime: some.anyTime,
        preparedAfter: some.anyLedger,
        preparedAt: some.anyTime,
        class: one('refund', 'return', 'charge'),
        fee: some.anyStroops,
        feeCap: some.anyStroops,
        intents: fc.array(anyIntentId, { maxLength: 3 }),
      },
      { resourceFee: some.anyStroops, operations: fc.array(some.anyOperationIndex, { maxLength: 3 }) },
    ),
  ),
  TransactionReleased: event('TransactionReleased', fc.constant({})),
  TransactionWithdrawn: event(
    'TransactionWithdrawn',
    some.record({ reason: one('sequence_taken', 'intent_taken', 'out_of_time') }),
  ),
  FeeBumped: event(
    'FeeBumped',
    some.recordWith(
      { ...anyHash, envelopeXdr: some.anyText, feeSource: some.anyAccount, fee: some.anyStroops },
      { bumpedAfter: some.anyLedger },
    ),
  ),
  SubmissionRefused: event('SubmissionRefused', some.record(anyRefusal)),
  FeeBumpFailed: event('FeeBumpFailed', some.record({ ...anySuccess, code: some.anyText })),
  TransactionSucceeded: event(
    'TransactionSucceeded',
    some.recordWith(anySuccess, { answers: fc.array(some.anyCount, { maxLength: 3 }) }),
  ),
  TransactionFailed: event('TransactionFailed', some.record({ ...anySuccess, ...anyRefusal })),
  OperationReassigned: event(
    'OperationReassigned',
    some.record({ operationIndex: some.anyOperationIndex, intentId: fc.option(anyIntentId) }),
  ),
  TransactionDied: event('TransactionDied', some.record(anyPlace)),
  TransactionDecided: event(
    'TransactionDecided',
    fc.oneof(
      some.record({ as: fc.constant('succeeded' as const), ledger: some.anyLedger, ...anyDecision }),
      some.record({ as: one('failed' as const, 'dead' as const), ...anyDecision }),
    ),
  ),
  TransactionClosed: event('TransactionClosed', fc.constant({})),
}
export const anyLedgerTransactionEvent: fc.Arbitrary<LedgerTransactionEvent> = fc.oneof(
  ...Object.values(ledgerTransactionEvents),
)
