import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { hashOf, usdc } from '../testing/examples.ts'
import { type Outcomes, outcomeTable } from '../testing/outcome-table.ts'
import {
  exampleAccountCreation,
  exampleAnchor,
  exampleCharge,
  exampleOfflineRotation,
  examplePayout,
  exampleRecoverySigner,
  exampleRotation,
  exampleTrustline,
  exampleUpkeep,
  indexOf,
  paidOut,
} from '../testing/outgoing-examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Intent, type IntentCommand, type IntentEvent, type IntentState } from './index.ts'

const { given } = scenario(Intent.decider)
const [ours, another] = [hashOf(1), hashOf(2)]
const place = {
  transactionHash: ours,
  operationIndex: indexOf(3),
  ledger: paidOut.ledger,
  closedAt: paidOut.closedAt,
}

const record = { type: 'RecordIntent', ...examplePayout } as const
const attach = { type: 'AttachIntent', transactionHash: ours, operationIndex: indexOf(3) } as const
const detach = { type: 'DetachIntent', transactionHash: ours, reason: 'dead' } as const
const settle = { type: 'SettleIntent', attachedTo: ours, ...place } as const
const refuse = { type: 'RefuseIntent', attachedTo: ours, ...place, code: asText('paymentNoTrust') } as const
const recover = { type: 'RecoverIntent', attachedTo: another, ...place } as const
const giveUp = { type: 'GiveUpIntent', reason: 'insufficient_funds' } as const
const report = { type: 'ReportIntent' } as const

const recorded: IntentEvent = { type: 'IntentRecorded', data: examplePayout }
const attached: IntentEvent = {
  type: 'IntentAttached',
  data: { transactionHash: ours, operationIndex: indexOf(3) },
}
const detached = (reason: 'withdrawn' | 'dead' | 'another_failed' | 'transaction_failed', by = ours): IntentEvent => ({
  type: 'IntentDetached',
  data: { transactionHash: by, reason },
})
const settled: IntentEvent = { type: 'IntentSettled', data: place }
const refused: IntentEvent = { type: 'IntentRefused', data: { ...place, code: asText('paymentNoTrust') } }
const givenUp: IntentEvent = { type: 'IntentGivenUp', data: { reason: 'insufficient_funds' } }
const reported: IntentEvent = { type: 'IntentReported', data: {} }

describe('an intent of any status', () => {
  const histories: Readonly<Record<IntentState['status'], ReadonlyArray<IntentEvent>>> = {
    absent: [],
    waiting: [recorded],
    attached: [recorded, attached],
    settled: [recorded, attached, settled],
    refused: [recorded, attached, refused],
    given_up: [recorded, attached, detached('dead'), givenUp],
    reported: [recorded, attached, settled, reported],
  }
  const commands: ReadonlyArray<IntentCommand> = [
    record,
    { ...attach, transactionHash: another },
    detach,
    settle,
    refuse,
    recover,
    giveUp,
    report,
  ]
  const over = {
    RecordIntent: 'nothing',
    AttachIntent: 'IntentHasEnded',
    DetachIntent: 'nothing',
    SettleIntent: 'IntentHasEnded',
    RecoverIntent: 'IntentHasEnded',
    RefuseIntent: 'IntentHasEnded',
    GiveUpIntent: 'IntentHasEnded',
    ReportIntent: 'IntentReported',
  }
  const expected: Outcomes<IntentState['status'], IntentCommand['type']> = {
    absent: {
      RecordIntent: 'IntentRecorded',
      AttachIntent: 'IntentNotFound',
      DetachIntent: 'IntentNotFound',
      SettleIntent: 'IntentNotFound',
      RecoverIntent: 'IntentNotFound',
      RefuseIntent: 'IntentNotFound',
      GiveUpIntent: 'IntentNotFound',
      ReportIntent: 'IntentNotFound',
    },
    waiting: {
      RecordIntent: 'nothing',
      AttachIntent: 'IntentAttached',
      DetachIntent: 'IntentDetached',
      SettleIntent: 'IntentSettled',
      RecoverIntent: 'IntentAttached, IntentSettled',
      RefuseIntent: 'IntentRefused',
      GiveUpIntent: 'IntentGivenUp',
      ReportIntent: 'IntentNotEnded',
    },
    attached: {
      RecordIntent: 'nothing',
      AttachIntent: 'IntentIsAttached',
      DetachIntent: 'IntentDetached',
      SettleIntent: 'IntentSettled',
      RecoverIntent: 'IntentDetached, IntentAttached, IntentSettled',
      RefuseIntent: 'IntentRefused',
      GiveUpIntent: 'IntentIsAttached',
      ReportIntent: 'IntentNotEnded',
    },
    settled: { ...over, SettleIntent: 'nothing', RecoverIntent: 'nothing' },
    refused: { ...over, RefuseIntent: 'nothing' },
    given_up: { ...over, GiveUpIntent: 'nothing' },
    reported: { ...over, SettleIntent: 'nothing', RecoverIntent: 'nothing', ReportIntent: 'nothing' },
  }
  it('gives the expected outcome of every command in every status', () =>
    expect(outcomeTable(Intent.decider, histories, commands)).toEqual(expected))
})

describe('recording an intent', () => {
  it('rejects another movement under the same id', () => {
    const action = { ...examplePayout.action, amount: stroops(1n) }
    given([recorded])
      .when({ ...record, action })
      .rejects({ _tag: 'IntentAlreadyRecorded', details: examplePayout })
  })
})

describe('a charge', () => {
  const wanted: IntentEvent = { type: 'IntentRecorded', data: exampleCharge }
  const refusal = { reason: 'simulation_failed', code: asText('10') } as const
  it('records a charge once, like any movement', () => {
    given([])
      .when({ type: 'RecordIntent', ...exampleCharge })
      .then([wanted])
    given([wanted])
      .when({ type: 'RecordIntent', ...exampleCharge })
      .then([])
  })
  it('gives up a charge that a simulation refuses, with the error number of the contract', () => {
    const end = { type: 'IntentGivenUp', data: refusal } as const
    given([wanted])
      .when({ type: 'GiveUpIntent', ...refusal })
      .then([end])
    const { evolve, initial } = Intent.decider
    expect([wanted, end].reduce(evolve, initial)).toMatchObject({ end: { _tag: 'given_up', ...refusal } })
  })
  it('does not give up an attached charge because of a simulation', () =>
    given([wanted, attached])
      .when({ type: 'GiveUpIntent', ...refusal })
      .rejects({ _tag: 'IntentIsAttached', transactionHash: ours }))
})

describe('giving up an intent after too many attempts', () => {
  const giveUpTried = { type: 'GiveUpIntent', reason: 'attempts_exhausted' } as const
  const tried = (times: number) => Array.from({ length: times }, () => [attached, detached('dead')]).flat()
  it('rejects giving up after four failed attempts', () =>
    given([recorded, ...tried(4)])
      .when(giveUpTried)
      .rejects({ _tag: 'AttemptsNotExhausted' }))
  it('gives up after five failed attempts', () =>
    given([recorded, ...tried(5)])
      .when(giveUpTried)
      .then([{ type: 'IntentGivenUp', data: { reason: 'attempts_exhausted' } }]))
})

describe('attaching an intent to a transaction', () => {
  it('records the transaction and the operation index', () => given([recorded]).when(attach).then([attached]))
  it('records nothing when the attachment is repeated', () => given([recorded, attached]).when(attach).then([]))
  it('rejects an attachment at another operation of the same transaction', () =>
    given([recorded, attached])
      .when({ ...attach, operationIndex: indexOf(4) })
      .rejects({ _tag: 'IntentIsAttached', transactionHash: ours }))
  it('attaches to another transaction after it was detached', () =>
    given([recorded, attached, detached('dead')])
      .when({ ...attach, transactionHash: another })
      .then([{ type: 'IntentAttached', data: { transactionHash: another, operationIndex: indexOf(3) } }]))
  it('rejects an attachment to a transaction it was detached from, even if never attached', () => {
    given([recorded, attached, detached('dead')])
      .when(attach)
      .rejects({
        _tag: 'IntentWasDetached',
        transactionHash: ours,
      })
    given([recorded, detached('withdrawn')])
      .when(attach)
      .rejects({ _tag: 'IntentWasDetached', transactionHash: ours })
  })
})

describe('detaching an intent', () => {
  const { evolve, initial } = Intent.decider
  it('stays attached when another transaction is detached', () => {
    given([recorded, attached])
      .when({ ...detach, transactionHash: another })
      .then([detached('dead', another)])
    expect([recorded, attached, detached('dead', another)].reduce(evolve, initial)).toMatchObject({
      status: 'attached',
      attachedTo: ours,
      attempts: 0,
    })
  })
  it('records nothing when the detachment is repeated', () =>
    given([recorded, attached, detached('dead')])
      .when(detach)
      .then([]))
  it.each([
    ['withdrawn', 0, 0],
    ['dead', 1, 0],
    ['transaction_failed', 1, 0],
    ['another_failed', 0, 1],
  ] as const)('detaching as %s counts %i attempts and %i collateral failures', (reason, attempts, collateralFailures) =>
    expect([recorded, attached, detached(reason)].reduce(evolve, initial)).toEqual({
      status: 'waiting',
      details: examplePayout,
      attachedTo: null,
      detachedFrom: [ours],
      attempts,
      collateralFailures,
    }),
  )
})

describe('the end of an intent in a ledger', () => {
  it('records the hash of the transaction as the ledger lists it', () =>
    given([recorded, attached])
      .when({ ...settle, transactionHash: another })
      .then([{ type: 'IntentSettled', data: { ...place, transactionHash: another } }]))
  it.each([settle, refuse])('rejects the end from a transaction that does not carry the intent', (command) =>
    given([recorded, attached])
      .when({ ...command, attachedTo: another })
      .rejects({ _tag: 'IntentIsAttached', transactionHash: ours }),
  )
  it.each([settle, refuse])('rejects the end at an operation that does not carry the intent', (command) =>
    given([recorded, attached])
      .when({ ...command, operationIndex: indexOf(4) })
      .rejects({ _tag: 'IntentIsAttached', transactionHash: ours }),
  )
  it.each([settle, refuse])('rejects the end from a transaction that the intent was detached from', (command) =>
    given([recorded, attached, detached('dead')])
      .when(command)
      .rejects({ _tag: 'IntentWasDetached', transactionHash: ours }),
  )
  it('rejects another end once the intent has ended', () => {
    given([recorded, attached, settled]).when(refuse).rejects({ _tag: 'IntentHasEnded', status: 'settled' })
    given([recorded, attached, refused]).when(settle).rejects({ _tag: 'IntentHasEnded', status: 'refused' })
    given([recorded, attached, refused])
      .when({ ...refuse, code: asText('paymentLineFull') })
      .rejects({ _tag: 'IntentHasEnded', status: 'refused' })
    given([recorded, givenUp]).when(settle).rejects({ _tag: 'IntentHasEnded', status: 'given_up' })
  })
  it('records nothing when the end is repeated after the report to the owner', () =>
    given([recorded, attached, refused, reported]).when(refuse).then([]))
})

describe('an intent to set up an account, to rotate its key, to keep a contract or to anchor a checkpoint', () => {
  it.each([
    exampleTrustline,
    exampleAccountCreation,
    exampleRotation,
    exampleOfflineRotation,
    exampleRecoverySigner,
    exampleUpkeep,
    exampleAnchor,
  ])('is recorded once, and its end like any other: $owner', (wanted) => {
    const [wish, wished] = [
      { type: 'RecordIntent', ...wanted } as const,
      { type: 'IntentRecorded', data: wanted } as const,
    ]
    given([]).when(wish).then([wished])
    given([wished]).when(wish).then([])
    given([wished, attached]).when(settle).then([settled])
  })
  it('rejects another set-up change under the same id', () => {
    const wish = { type: 'RecordIntent', ...exampleTrustline } as const
    given([{ type: 'IntentRecorded', data: exampleTrustline }])
      .when({ ...wish, action: { _tag: 'change_trust', assetId: usdc, limit: 'remove' } })
      .rejects({ _tag: 'IntentAlreadyRecorded', details: exampleTrustline })
  })
})
