import { IntentId } from '../shared/ids.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { count, unixMs } from '../shared/units.ts'
import { exampleId, hashOf, payerAccount, start } from '../testing/examples.ts'
import { type Outcomes, outcomeTable } from '../testing/outcome-table.ts'
import { exampleTransaction, indexOf, ledgerOf, paidOut } from '../testing/outgoing-examples.ts'
import { scenario } from '../testing/scenario.ts'
import {
  LedgerTransaction,
  type LedgerTransactionCommand,
  type LedgerTransactionEvent,
  type LedgerTransactionState,
} from './index.ts'

const { given } = scenario(LedgerTransaction.decider)
const refusal = { code: asText('txBadAuth'), operationCodes: [] }
const failure = { ...paidOut, code: asText('txFailed'), operationCodes: [asText('paymentNoTrust')] }
const death = { ledger: ledgerOf(1020), closedAt: unixMs(start + 95_000) }
const bumped = {
  transactionHash: hashOf(9),
  envelopeXdr: asText('BBBB'),
  feeSource: payerAccount,
  fee: stroops(1_000n),
  bumpedAfter: ledgerOf(1004),
}

const prepare = { type: 'PrepareTransaction', ...exampleTransaction } as const
const release = { type: 'ReleaseTransaction' } as const
const withdraw = { type: 'WithdrawTransaction', reason: 'sequence_taken' } as const
const bump = { type: 'BumpFee', replaces: null, ...bumped } as const
const refuse = { type: 'RecordRefusal', ...refusal } as const
const succeed = { type: 'RecordSuccess', ...paidOut } as const
const fail = { type: 'RecordFailure', ...failure } as const
const bumpFail = { type: 'RecordBumpFailure', ...paidOut, code: asText('txBadAuth') } as const
const die = { type: 'RecordDeath', ...death } as const
const decision = { closedAt: death.closedAt, by: asText('ada'), reason: asText('looked up elsewhere') }
const decideDead = { type: 'DecideEnd', as: 'dead', ...decision } as const
const decideSucceeded = { type: 'DecideEnd', as: 'succeeded', ledger: paidOut.ledger, ...decision } as const
const close = { type: 'CloseTransaction' } as const
const [planned, spare] = [exampleId(IntentId, 1), exampleId(IntentId, 2)]
const reassign = { type: 'ReassignOperation', operationIndex: indexOf(3), from: planned, to: spare } as const

const prepared: LedgerTransactionEvent = { type: 'TransactionPrepared', data: exampleTransaction }
const released: LedgerTransactionEvent = { type: 'TransactionReleased', data: {} }
const withdrawn: LedgerTransactionEvent = { type: 'TransactionWithdrawn', data: { reason: 'sequence_taken' } }
const feeBumped: LedgerTransactionEvent = { type: 'FeeBumped', data: bumped }
const refused: LedgerTransactionEvent = { type: 'SubmissionRefused', data: refusal }
const succeeded: LedgerTransactionEvent = { type: 'TransactionSucceeded', data: paidOut }
const failed: LedgerTransactionEvent = { type: 'TransactionFailed', data: failure }
const bumpFailed: LedgerTransactionEvent = { type: 'FeeBumpFailed', data: { ...paidOut, code: asText('txBadAuth') } }
const died: LedgerTransactionEvent = { type: 'TransactionDied', data: death }
const decidedDead: LedgerTransactionEvent = { type: 'TransactionDecided', data: { as: 'dead', ...decision } }
const decidedSucceeded: LedgerTransactionEvent = {
  type: 'TransactionDecided',
  data: { as: 'succeeded', ledger: paidOut.ledger, ...decision },
}
const closed: LedgerTransactionEvent = { type: 'TransactionClosed', data: {} }

describe('a transaction of any status', () => {
  type Status = LedgerTransactionState['status']
  const histories: Readonly<Record<Status, ReadonlyArray<LedgerTransactionEvent>>> = {
    absent: [],
    prepared: [prepared],
    released: [prepared, released],
    withdrawn: [prepared, withdrawn],
    succeeded: [prepared, released, succeeded],
    failed: [prepared, released, failed],
    dead: [prepared, released, died],
    decided: [prepared, released, decidedDead],
    closed: [prepared, released, succeeded, closed],
  }
  const commands: ReadonlyArray<LedgerTransactionCommand> = [
    prepare,
    release,
    withdraw,
    bump,
    refuse,
    bumpFail,
    succeed,
    fail,
    reassign,
    die,
    decideDead,
    close,
  ]
  const over = {
    PrepareTransaction: 'nothing',
    ReleaseTransaction: 'nothing',
    WithdrawTransaction: 'TransactionHasEnded',
    BumpFee: 'TransactionHasEnded',
    RecordRefusal: 'nothing',
    RecordBumpFailure: 'TransactionHasEnded',
    RecordSuccess: 'TransactionHasEnded',
    RecordFailure: 'TransactionHasEnded',
    ReassignOperation: 'OperationNotAssigned',
    RecordDeath: 'TransactionHasEnded',
    DecideEnd: 'TransactionHasEnded',
    CloseTransaction: 'TransactionClosed',
  }
  const expected: Outcomes<Status, LedgerTransactionCommand['type']> = {
    absent: {
      PrepareTransaction: 'TransactionPrepared',
      ReleaseTransaction: 'TransactionNotFound',
      WithdrawTransaction: 'TransactionNotFound',
      BumpFee: 'TransactionNotFound',
      RecordRefusal: 'TransactionNotFound',
      RecordBumpFailure: 'TransactionNotFound',
      RecordSuccess: 'TransactionNotFound',
      RecordFailure: 'TransactionNotFound',
      ReassignOperation: 'TransactionNotFound',
      RecordDeath: 'TransactionNotFound',
      DecideEnd: 'TransactionNotFound',
      CloseTransaction: 'TransactionNotFound',
    },
    prepared: {
      PrepareTransaction: 'nothing',
      ReleaseTransaction: 'TransactionReleased',
      WithdrawTransaction: 'TransactionWithdrawn',
      BumpFee: 'TransactionNotReleased',
      RecordRefusal: 'TransactionNotReleased',
      RecordBumpFailure: 'FeeBumpFailed',
      RecordSuccess: 'TransactionSucceeded',
      RecordFailure: 'TransactionFailed',
      ReassignOperation: 'OperationNotAssigned',
      RecordDeath: 'TransactionNotReleased',
      DecideEnd: 'TransactionNotReleased',
      CloseTransaction: 'TransactionNotEnded',
    },
    released: {
      PrepareTransaction: 'nothing',
      ReleaseTransaction: 'nothing',
      WithdrawTransaction: 'TransactionIsReleased',
      BumpFee: 'FeeBumped',
      RecordRefusal: 'SubmissionRefused',
      RecordBumpFailure: 'FeeBumpFailed',
      RecordSuccess: 'TransactionSucceeded',
      RecordFailure: 'TransactionFailed',
      ReassignOperation: 'OperationNotAssigned',
      RecordDeath: 'TransactionDied',
      DecideEnd: 'TransactionDecided',
      CloseTransaction: 'TransactionNotEnded',
    },
    withdrawn: {
      ...over,
      ReleaseTransaction: 'TransactionHasEnded',
      WithdrawTransaction: 'nothing',
      RecordRefusal: 'TransactionHasEnded',
    },
    succeeded: { ...over, RecordSuccess: 'nothing' },
    failed: { ...over, RecordFailure: 'nothing', DecideEnd: 'TransactionDecided' },
    dead: { ...over, RecordDeath: 'nothing' },
    decided: { ...over, RecordDeath: 'nothing', DecideEnd: 'nothing' },
    closed: { ...over, RecordSuccess: 'nothing', CloseTransaction: 'nothing' },
  }
  it('gives the expected outcome of every command in every status', () =>
    expect(outcomeTable(LedgerTransaction.decider, histories, commands)).toEqual(expected))
})

describe('preparing a transaction', () => {
  it('rejects the same bytes prepared for something else', () =>
    given([prepared])
      .when({ ...prepare, intents: [] })
      .rejects({ _tag: 'TransactionAlreadyPrepared' }))
})

describe('releasing and withdrawing', () => {
  it('release and withdrawal exclude each other, even after the end', () => {
    given([prepared, withdrawn, closed]).when(release).rejects({ _tag: 'TransactionHasEnded', end: 'withdrawn' })
    given([prepared, released, died, closed]).when(withdraw).rejects({ _tag: 'TransactionHasEnded', end: 'dead' })
  })
  it('rejects the success of a withdrawn transaction', () =>
    given([prepared, withdrawn]).when(succeed).rejects({ _tag: 'TransactionHasEnded', end: 'withdrawn' }))
})

describe('bumping the fee of a transaction', () => {
  it('accepts a fee up to the cap and above the previous bid', () => {
    const more = { ...bumped, transactionHash: hashOf(10), fee: exampleTransaction.feeCap }
    given([prepared, released, feeBumped])
      .when({ type: 'BumpFee', replaces: bumped.transactionHash, ...more })
      .then([{ type: 'FeeBumped', data: more }])
  })
  it('rejects a fee one stroop above the cap', () =>
    given([prepared, released])
      .when({ ...bump, fee: stroops(exampleTransaction.feeCap + 1n) })
      .rejects({ _tag: 'FeeAboveCap', feeCap: exampleTransaction.feeCap }))
  it('rejects a fee equal to the previous bid', () => {
    const same = { ...bump, transactionHash: hashOf(10) }
    given([prepared, released, feeBumped])
      .when({ ...same, replaces: bumped.transactionHash })
      .rejects({ _tag: 'FeeNotHigher', fee: bumped.fee })
    given([prepared, released])
      .when({ ...same, fee: exampleTransaction.fee })
      .rejects({ _tag: 'FeeNotHigher', fee: exampleTransaction.fee })
  })
  it('records a fee bump once, whenever it is repeated', () => {
    given([prepared, released, feeBumped]).when(bump).then([])
    given([prepared, released, feeBumped])
      .when({ ...bump, bumpedAfter: ledgerOf(1009) })
      .then([])
  })
  it('rejects a fee bump when another one was made meanwhile', () =>
    given([prepared, released, feeBumped])
      .when({ ...bump, transactionHash: hashOf(10), fee: exampleTransaction.feeCap })
      .rejects({ _tag: 'FeeBumpedMeanwhile', transactionHash: bumped.transactionHash }))
  it('bumps the fee again after a bump stored by an earlier version without its ledger', () => {
    const { bumpedAfter: _, ...earlier } = bumped
    const more = { ...bumped, transactionHash: hashOf(10), fee: exampleTransaction.feeCap }
    given([prepared, released, { type: 'FeeBumped', data: earlier }])
      .when({ type: 'BumpFee', replaces: bumped.transactionHash, ...more })
      .then([{ type: 'FeeBumped', data: more }])
  })
  it('records a failed fee bump once, and can still succeed', () => {
    given([prepared, released, feeBumped]).when(bumpFail).then([bumpFailed])
    given([prepared, released, feeBumped, bumpFailed]).when(bumpFail).then([])
    given([prepared, released, feeBumped, bumpFailed]).when(succeed).then([succeeded])
  })
  it('rejects a fee bump of a transaction that the network refused', () =>
    given([prepared, released, refused]).when(bump).rejects({ _tag: 'TransactionIsRefused' }))
})

describe('ends of transactions that a person decides', () => {
  it('keeps the decided end, and rejects a ledger result that conflicts with it', () => {
    given([prepared, released, decidedSucceeded, closed]).when(decideSucceeded).then([])
    given([prepared, released, decidedSucceeded, closed]).when(succeed).then([])
    given([prepared, released, decidedSucceeded, closed])
      .when(fail)
      .rejects({ _tag: 'TransactionHasEnded', end: 'decided' })
    given([prepared, released, decidedDead, closed])
      .when(succeed)
      .rejects({ _tag: 'TransactionHasEnded', end: 'decided' })
    given([prepared, released, decidedDead, closed])
      .when(decideSucceeded)
      .rejects({ _tag: 'TransactionHasEnded', end: 'decided' })
  })
  it('replaces only a failure that nobody has acted on', () => {
    given([prepared, released, failed]).when(decideSucceeded).then([decidedSucceeded])
    given([prepared, released, failed, closed])
      .when(decideSucceeded)
      .rejects({ _tag: 'TransactionHasEnded', end: 'failed' })
  })
})

describe('a call of many charges', () => {
  it('a call of many charges ends with the answer to each', () => {
    const answered = { ...paidOut, answers: [count(0), count(10)] }
    given([prepared, released])
      .when({ type: 'RecordSuccess', ...answered })
      .then([{ type: 'TransactionSucceeded', data: answered }])
  })
})

describe('the end of a transaction', () => {
  it('accepts a success after a refusal, from an earlier send', () =>
    given([prepared, released, refused]).when(succeed).then([succeeded]))
  it('rejects the same end in another ledger', () =>
    given([prepared, released, succeeded])
      .when({ ...succeed, ledger: ledgerOf(1002) })
      .rejects({ _tag: 'TransactionHasEnded', end: 'succeeded' }))
  it('records nothing for a later refusal', () =>
    given([prepared, released, refused])
      .when({ ...refuse, code: asText('txMalformed') })
      .then([]))
})

describe('an operation of a recovered transaction', () => {
  const operations = [indexOf(1), indexOf(3)]
  const recovered: LedgerTransactionEvent = {
    type: 'TransactionPrepared',
    data: { ...exampleTransaction, intents: [exampleId(IntentId, 3), planned], operations },
  }
  const toSpare: LedgerTransactionEvent = {
    type: 'OperationReassigned',
    data: { operationIndex: indexOf(3), intentId: spare },
  }
  it('is given to another intent than the planned one, once', () => {
    given([recovered, succeeded]).when(reassign).then([toSpare])
    given([recovered, succeeded, toSpare]).when(reassign).then([])
    given([recovered, succeeded, toSpare])
      .when({ ...reassign, to: null })
      .rejects({ _tag: 'OperationNotAssigned' })
  })
  it('is given to an intent, if none was planned', () => {
    const other = { ...toSpare, data: { operationIndex: indexOf(2), intentId: spare } } as const
    given([recovered, succeeded])
      .when({ ...reassign, operationIndex: indexOf(2), from: null })
      .then([other])
    given([recovered, succeeded, other])
      .when({ ...reassign, operationIndex: indexOf(2), from: null })
      .then([])
  })
  it('is left without an intent, and the others keep theirs', () => {
    const toNone: LedgerTransactionEvent = {
      type: 'OperationReassigned',
      data: { operationIndex: indexOf(3), intentId: null },
    }
    given([recovered, succeeded])
      .when({ ...reassign, to: null })
      .then([toNone])
    const state = [recovered, succeeded, toNone].reduce(
      LedgerTransaction.decider.evolve,
      LedgerTransaction.decider.initial,
    )
    expect(state).toMatchObject({ details: { intents: [exampleId(IntentId, 3)], operations: [indexOf(1)] } })
  })
})
