import fc from 'fast-check'
import type { ApprovalCommand, ApprovalEvent } from '../approval/index.ts'
import type { LimitScope, LimitsCommand, LimitsEvent } from '../limits/index.ts'
import { cents } from '../shared/cents.ts'
import { ApiKeyId, PayoutId, RefundId } from '../shared/ids.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { unixMs } from '../shared/units.ts'
import { accountOf } from './account.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'
import { exampleId, start, usdc } from './examples.ts'

// A few of each, so that commands meet.
const one = fc.constantFrom
const aKey = exampleId(ApiKeyId, 1)
const aScope = one<LimitScope>('merchant', 'each_key', aKey)
const aSetter = one('operator' as const, 'merchant' as const)
const anAmount = one(null, cents(0n), cents(100n), cents(200n))
const aTime = one(start, unixMs(start + 1), unixMs(start + 86_400_000), unixMs(start + 90_000_000))
const aCause = one('merchant_limit' as const, 'key_limit' as const, 'value_unknown' as const)
const aPerson = one(asText(aKey), asText('operator'))
const anOutflow = some.record({
  subject: one(asText('rf_1'), asText('po_1'), asText('po_2')),
  requester: aPerson,
  value: anAmount,
  at: aTime,
})
const acceptedAt = some.orNothing(aTime)

const command = <const Type extends string, Fields>(type: Type, fields: fc.Arbitrary<Fields>) =>
  fields.map((each) => ({ type, ...each }))

export const anyLimitsCommand: fc.Arbitrary<LimitsCommand> = fc.oneof(
  command(
    'SetLimit',
    some.record({ setter: aSetter, scope: aScope, amount: anAmount, at: aTime, by: aPerson, acceptedAt }),
  ),
  fc
    .tuple(anOutflow, fc.boolean(), acceptedAt)
    .map(([outflow, mayWait, at]) => ({ type: 'AdmitOutflow' as const, ...outflow, mayWait, acceptedAt: at })),
  fc
    .tuple(anOutflow, acceptedAt)
    .map(([outflow, at]) => ({ type: 'CountOutflow' as const, ...outflow, acceptedAt: at })),
)

const anyOutflow = some.record({
  subject: some.anyText,
  requester: some.anyText,
  value: some.orNothing(some.anyCents),
  at: some.anyTime,
})
const limitsEvents: ByType<LimitsEvent> = {
  LimitSet: event(
    'LimitSet',
    some.record({
      setter: aSetter,
      scope: aScope,
      amount: some.orNothing(some.anyCents),
      before: some.orNothing(some.anyCents),
      setAt: some.anyTime,
      effectiveAt: some.anyTime,
      by: some.anyText,
    }),
  ),
  OutflowCounted: event(
    'OutflowCounted',
    fc
      .tuple(anyOutflow, fc.boolean())
      .map(([outflow, isKnown]) => ({ ...outflow, requester: isKnown ? outflow.requester : null })),
  ),
  ApprovalNeeded: event('ApprovalNeeded', some.record({ outflow: anyOutflow, cause: aCause })),
}
export const anyLimitsEvent: fc.Arbitrary<LimitsEvent> = fc.oneof(...Object.values(limitsEvents))

const details = some.record({
  subject: one(exampleId(RefundId, 1), exampleId(PayoutId, 1)),
  requestedBy: aPerson,
  assetId: one(usdc),
  amount: one(stroops(1n), stroops(100_000_000n)),
  destination: one(accountOf(1)),
  value: anAmount,
  cause: aCause,
  expiresAt: aTime,
})
const decision = some.record({ by: aPerson, note: one(null, asText('seen')), at: aTime })

export const anyApprovalCommand: fc.Arbitrary<ApprovalCommand> = fc.oneof(
  command('RequestApproval', details),
  command('GrantApproval', decision),
  command('RejectApproval', decision),
  command('ExpireApproval', some.record({ at: aTime })),
  command('WithdrawApproval', some.record({ at: aTime })),
)

const approvalEvents: ByType<ApprovalEvent> = {
  ApprovalRequested: event('ApprovalRequested', details),
  ApprovalGranted: event('ApprovalGranted', decision),
  ApprovalRejected: event('ApprovalRejected', decision),
  ApprovalExpired: event('ApprovalExpired', some.record({ at: some.anyTime })),
  ApprovalWithdrawn: event('ApprovalWithdrawn', some.record({ at: some.anyTime })),
}
export const anyApprovalEvent: fc.Arbitrary<ApprovalEvent> = fc.oneof(...Object.values(approvalEvents))
