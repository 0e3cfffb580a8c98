import { CheckoutId, ExceptionId, PaymentId, ReturnId } from '../shared/ids.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { unixMs } from '../shared/units.ts'
import { exampleCredit, exampleId, hashOf, payerAccount, start } from '../testing/examples.ts'
import { type Outcomes, outcomeTable } from '../testing/outcome-table.ts'
import { ledgerOf } from '../testing/outgoing-examples.ts'
import { scenario } from '../testing/scenario.ts'
import {
  Exception,
  type ExceptionCommand,
  type ExceptionDetails,
  type ExceptionEvent,
  type ExceptionState,
} from './index.ts'

const { given } = scenario(Exception.decider)
const details: ExceptionDetails = { kind: 'unmatched', ...exampleCredit, checkoutId: null, paymentId: null }
const opened: ExceptionEvent = { type: 'ExceptionOpened', data: details }

const returnId = exampleId(ReturnId, 1)
const decision = { actor: asText('key_1'), note: asText('asked by mail') }
const moneyReturn = {
  returnId,
  destination: payerAccount,
  destinationMuxedId: null,
  startedAt: unixMs(start + 70_000),
  ...decision,
}
const startReturn = { type: 'StartReturn', ...moneyReturn } as const
const returning: ExceptionEvent = { type: 'ReturnStarted', data: moneyReturn }
const held = { returnId, transactionHash: hashOf(9), ledger: ledgerOf(1009), closedAt: unixMs(start + 80_000) }
const settleReturn = { type: 'SettleReturn', ...held } as const
const resolvedBy = (action: 'refund' | 'apply' | 'accept'): ExceptionEvent => ({
  type: 'ExceptionResolved',
  data: { action, resolvedAt: held.closedAt, ...decision },
})
const returned: ReadonlyArray<ExceptionEvent> = [{ type: 'ExceptionReturned', data: held }, resolvedBy('refund')]
const failReturn = {
  type: 'FailReturn',
  returnId,
  reason: 'destination_full',
  code: asText('paymentLineFull'),
  at: held.closedAt,
} as const
const { type: _, at: failedAt, ...failure } = failReturn
const failed: ExceptionEvent = { type: 'ReturnFailed', data: { ...failure, failedAt } }

const [checkoutId, paymentId] = [exampleId(CheckoutId, 1), exampleId(PaymentId, 1)]
const application = { checkoutId, paymentId, startedAt: unixMs(start + 70_000), ...decision }
const startApplication = { type: 'StartApplication', ...application } as const
const applying: ExceptionEvent = { type: 'ApplicationStarted', data: application }
const accept = { type: 'AcceptException', ...decision, at: held.closedAt } as const

describe('an exception of any status', () => {
  type Status = ExceptionState['status']
  const histories: Readonly<Record<Status, ReadonlyArray<ExceptionEvent>>> = {
    absent: [],
    open: [opened],
    returning: [opened, returning],
    returned: [opened, returning, ...returned.slice(0, 1)],
    applying: [opened, applying],
    resolved: [opened, resolvedBy('accept')],
  }
  const commands: ReadonlyArray<ExceptionCommand> = [
    { type: 'OpenException', ...details },
    { type: 'LeaveToPerson', reason: 'destination_full' },
    startReturn,
    settleReturn,
    failReturn,
    { type: 'PostponeReturn', returnId, sendsAt: start },
    { type: 'EndReturnWait', returnId, at: start },
    { type: 'CancelReturn', at: start },
    startApplication,
    { type: 'SettleApplication', checkoutId, at: held.closedAt },
    accept,
    { type: 'EndForReset', at: start },
    { type: 'ReleaseHold', actor: asText('operator'), note: null, at: start },
    { type: 'KeepHold', actor: asText('operator'), note: null, at: start },
  ]
  const undecided = {
    OpenException: 'nothing',
    LeaveToPerson: 'ExceptionLeftToPerson',
    StartReturn: 'ReturnStarted',
    SettleReturn: 'ReturnNotStarted',
    FailReturn: 'ReturnNotStarted',
    PostponeReturn: 'ReturnNotStarted',
    EndReturnWait: 'ReturnNotStarted',
    CancelReturn: 'ReturnNotWaiting',
    StartApplication: 'ApplicationStarted',
    SettleApplication: 'ApplicationNotStarted',
    AcceptException: 'ExceptionResolved',
    EndForReset: 'ExceptionResolved',
    ReleaseHold: 'NotHeld',
    KeepHold: 'NotHeld',
  }
  const taken = (by: string) => ({
    ...undecided,
    LeaveToPerson: by,
    StartReturn: by,
    StartApplication: by,
    AcceptException: by,
    ReleaseHold: by,
    KeepHold: by,
  })
  const expected: Outcomes<Status, ExceptionCommand['type']> = {
    absent: {
      OpenException: 'ExceptionOpened',
      LeaveToPerson: 'ExceptionNotFound',
      StartReturn: 'ExceptionNotFound',
      SettleReturn: 'ExceptionNotFound',
      FailReturn: 'ExceptionNotFound',
      PostponeReturn: 'ExceptionNotFound',
      EndReturnWait: 'ExceptionNotFound',
      CancelReturn: 'ExceptionNotFound',
      StartApplication: 'ExceptionNotFound',
      SettleApplication: 'ExceptionNotFound',
      AcceptException: 'ExceptionNotFound',
      EndForReset: 'ExceptionNotFound',
      ReleaseHold: 'ExceptionNotFound',
      KeepHold: 'ExceptionNotFound',
    },
    open: undecided,
    returning: {
      ...taken('ReturnUnderWay'),
      StartReturn: 'nothing',
      SettleReturn: 'ExceptionReturned, ExceptionResolved',
      FailReturn: 'ReturnFailed',
      PostponeReturn: 'ReturnNotWaiting',
      EndReturnWait: 'nothing',
      EndForReset: 'ReturnFailed, ExceptionResolved',
    },
    returned: { ...taken('ReturnUnderWay'), EndForReset: 'nothing' },
    applying: {
      ...taken('ApplicationUnderWay'),
      SettleApplication: 'ExceptionResolved',
    },
    resolved: { ...taken('ExceptionIsResolved'), EndForReset: 'nothing' },
  }
  it('gives the expected outcome of every command in every status', () =>
    expect(outcomeTable(Exception.decider, histories, commands)).toEqual(expected))
})

describe('an exception', () => {
  it('rejects an id that names another exception', () =>
    given([opened])
      .when({ type: 'OpenException', ...details, amount: stroops(1n) })
      .rejects({ _tag: 'ExceptionAlreadyOpen', details }))
  it('ends with its return, as the person who started that decided', () =>
    given([opened, returning]).when(settleReturn).then(returned))
  it('records its end once', () => {
    given([opened, returning, ...returned])
      .when(settleReturn)
      .then([])
    given([opened, returning, failed]).when(failReturn).then([])
    given([opened, applying, resolvedBy('apply')])
      .when({ type: 'SettleApplication', checkoutId, at: held.closedAt })
      .then([])
    given([opened, { type: 'ExceptionLeftToPerson', data: { reason: 'sender_unknown' } }])
      .when({ type: 'LeaveToPerson', reason: 'destination_full' })
      .then([])
  })
  it('rejects a return that has failed before', () =>
    given([opened, returning, failed]).when(startReturn).rejects({ _tag: 'ReturnNotStarted', returnId }))
  it('accepts another return once one has failed', () => {
    const next = { ...moneyReturn, returnId: exampleId(ReturnId, 2) }
    given([opened, returning, failed])
      .when({ type: 'StartReturn', ...next })
      .then([{ type: 'ReturnStarted', data: next }])
  })
  it('does not take the end of a failed return for that of the next', () => {
    const next: ExceptionEvent = { type: 'ReturnStarted', data: { ...moneyReturn, returnId: exampleId(ReturnId, 2) } }
    const history = [opened, returning, failed, next]
    given(history).when(failReturn).then([])
    given(history).when(settleReturn).rejects({ _tag: 'ReturnNotStarted', returnId })
  })
  it('cannot be applied during a return, nor returned during an application', () => {
    given([opened, returning]).when(startApplication).rejects({ _tag: 'ReturnUnderWay', returnId })
    given([opened, applying]).when(startReturn).rejects({ _tag: 'ApplicationUnderWay', checkoutId })
  })
  it('rejects an end by a checkout that it was not applied to', () => {
    const other = exampleId(CheckoutId, 2)
    const notStarted = { _tag: 'ApplicationNotStarted', checkoutId: other } as const
    given([opened, applying]).when({ type: 'SettleApplication', checkoutId: other, at: start }).rejects(notStarted)
  })
})

describe('a return that waits', () => {
  const sendsAt = unixMs(start + 1_000)
  const waiting: ReadonlyArray<ExceptionEvent> = [opened, { type: 'ReturnStarted', data: { ...moneyReturn, sendsAt } }]
  const ended: ExceptionEvent = { type: 'ReturnWaitEnded', data: { returnId } }
  const postpone = (to: number): ExceptionCommand => ({ type: 'PostponeReturn', returnId, sendsAt: unixMs(to) })
  const postponed: ExceptionEvent = { type: 'ReturnPostponed', data: { returnId, sendsAt: unixMs(sendsAt + 1) } }
  const canceled: ExceptionEvent = {
    type: 'ReturnFailed',
    data: { returnId, reason: 'return_canceled', code: asText('canceled'), failedAt: start },
  }
  const end = (at: number): ExceptionCommand => ({ type: 'EndReturnWait', returnId, at: unixMs(at) })
  const cancel: ExceptionCommand = { type: 'CancelReturn', at: start }

  it('ends its wait when its time has come, and not a millisecond before', () => {
    given(waiting).when(end(sendsAt)).then([ended])
    given(waiting)
      .when(end(sendsAt - 1))
      .rejects({ _tag: 'ReturnWaits', sendsAt })
    given([...waiting, postponed])
      .when(end(sendsAt))
      .rejects({ _tag: 'ReturnWaits', sendsAt: unixMs(sendsAt + 1) })
    given([...waiting, ended])
      .when(end(sendsAt))
      .then([])
  })
  it('is postponed, and never brought forward', () => {
    given(waiting)
      .when(postpone(sendsAt + 1))
      .then([postponed])
    given(waiting).when(postpone(sendsAt)).then([])
    given(waiting)
      .when(postpone(sendsAt - 1))
      .then([])
  })
  it('is canceled as long as it waits, and a person decides again', () => {
    given(waiting).when(cancel).then([canceled])
    given([...waiting, canceled])
      .when(cancel)
      .then([])
    given([...waiting, ended])
      .when(cancel)
      .rejects({ _tag: 'ReturnNotWaiting' })
    given([...waiting, canceled])
      .when(end(sendsAt))
      .rejects({ _tag: 'ReturnNotStarted', returnId })
    given([...waiting, canceled])
      .when(startReturn)
      .rejects({ _tag: 'ReturnNotStarted', returnId })
  })
})

describe('possible resolutions of an exception', () => {
  const ofKind = (kind: ExceptionDetails['kind']): ReadonlyArray<ExceptionEvent> => [
    { type: 'ExceptionOpened', data: { ...details, kind } },
  ]
  it.each(['overpaid', 'unexplained'] as const)('rejects applying %s money', (kind) =>
    given(ofKind(kind)).when(startApplication).rejects({ _tag: 'NotApplicable', kind }),
  )
  it('rejects returning money that left an account', () =>
    given(ofKind('unexplained')).when(startReturn).rejects({ _tag: 'NotReturnable', kind: 'unexplained' }))
  it('allows keeping money of any kind', () =>
    given(ofKind('unexplained'))
      .when(accept)
      .then([resolvedBy('accept')]))
  it('allows applying money that was applied before', () =>
    given([{ type: 'ExceptionOpened', data: { ...details, appliedFrom: exampleId(ExceptionId, 2) } }])
      .when(startApplication)
      .then([applying]))
})

describe('an exception that a screening has stopped', () => {
  const screened: ExceptionEvent = { type: 'ExceptionOpened', data: { ...details, kind: 'screened' } }
  const by = (actor: string) => ({ actor: asText(actor), note: null })
  const change = { ...by('operator'), at: start }
  const kept: ExceptionEvent = { type: 'HoldKept', data: change }
  const released: ExceptionEvent = { type: 'HoldReleased', data: change }
  const ofMerchant: ReadonlyArray<ExceptionCommand> = [
    { ...startReturn, ...by('key_1') },
    { ...startApplication, ...by('key_1') },
    { ...accept, ...by('key_1') },
    { ...startReturn, ...by('process') },
    { ...accept, ...by('process') },
  ]

  it.each(ofMerchant)('is not decided by $actor: $type', (command) => {
    given([screened]).when(command).rejects({ _tag: 'HeldForOperator' })
    given([screened, kept]).when(command).rejects({ _tag: 'HeldForOperator' })
    given([screened, returning, failed])
      .when({ ...command, ...('returnId' in command ? { returnId: exampleId(ReturnId, 2) } : {}) })
      .rejects({ _tag: 'HeldForOperator' })
  })
  it('waits for a person from the beginning, so that nothing happens to it by itself', () =>
    given([screened]).when({ type: 'LeaveToPerson', reason: 'sender_unknown' }).then([]))
  it('goes back, or is kept, if the operator decides so', () => {
    const decided = { ...moneyReturn, ...by('operator') }
    given([screened])
      .when({ type: 'StartReturn', ...decided })
      .then([{ type: 'ReturnStarted', data: decided }])
    given([screened])
      .when({ type: 'KeepHold', ...change })
      .then([kept])
    given([screened, kept])
      .when({ type: 'KeepHold', ...change })
      .then([])
  })
  it('is the merchant’s to decide about once the operator has released it', () => {
    given([screened, kept])
      .when({ type: 'ReleaseHold', ...change })
      .then([released])
    given([screened, released])
      .when({ type: 'ReleaseHold', ...change })
      .then([])
    given([screened, released])
      .when({ type: 'KeepHold', ...change })
      .rejects({ _tag: 'NotHeld' })
    given([screened, released])
      .when({ ...startReturn, ...by('key_1') })
      .then([{ type: 'ReturnStarted', data: { ...moneyReturn, ...by('key_1') } }])
  })
})
