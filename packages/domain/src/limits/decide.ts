import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { unixMs } from '../shared/units.ts'
import type { AdmitOutflow, CountOutflow, LimitsCommand, SetLimit } from './commands.ts'
import type { ApprovalCause, LimitsEvent, Outflow, RequestedOutflow } from './events.ts'
import {
  amountAt,
  boundTogether,
  isHigher,
  isLimited,
  isSameLimit,
  type LimitsState,
  limitWindowMs,
  recent,
  sumOf,
} from './state.ts'

type Decision = E.Either<never, ReadonlyArray<LimitsEvent>>

/** Who lowers a limit is obeyed at once; whoever raises one could be a thief, so everybody has a day to notice. */
const set = ({ type: _, acceptedAt, at, ...wanted }: SetLimit, { limits }: LimitsState): Decision => {
  const known = limits.find((each) => isSameLimit(each, wanted))
  if (known === undefined && wanted.amount === null) return nothing
  if (known?.amount === wanted.amount) return nothing
  const before = known === undefined ? null : amountAt(known, at, acceptedAt)
  const effectiveAt = isHigher(wanted.amount, before) ? unixMs(at + limitWindowMs) : at
  return E.right([{ type: 'LimitSet', data: { ...wanted, before, setAt: at, effectiveAt } }])
}

const admit = (command: AdmitOutflow, state: LimitsState): Decision => {
  const { mayWait, acceptedAt } = command
  if (!isLimited(state, command.at, command.acceptedAt)) return nothing
  const outflow = outflowOf(command)
  const cause = mayWait ? causeToWait(state, outflow, acceptedAt) : null
  return E.right([
    cause === null ? { type: 'OutflowCounted', data: outflow } : { type: 'ApprovalNeeded', data: { outflow, cause } },
  ])
}

const count = (command: CountOutflow, state: LimitsState): Decision =>
  isLimited(state, command.at, command.acceptedAt) && !state.counted.some(({ subject }) => subject === command.subject)
    ? E.right([{ type: 'OutflowCounted', data: outflowOf(command) }])
    : nothing

const outflowOf = <O extends Outflow>({ subject, requester, value, at }: O): Pick<O, keyof Outflow> => ({
  subject,
  requester,
  value,
  at,
})

/** Why an outflow needs an approval; null if every limit has room for it. */
const causeToWait = (
  { limits, counted }: LimitsState,
  { requester, value, at }: RequestedOutflow,
  acceptedAt: AdmitOutflow['acceptedAt'],
): ApprovalCause | null => {
  for (const limit of limits) {
    const most = amountAt(limit, at, acceptedAt)
    const others = boundTogether(limit, recent(counted, at), requester)
    if (most === null || others === null) continue
    const sum = sumOf([...others, { value }])
    if (sum === null) return 'value_unknown'
    if (sum > most) return limit.scope === 'merchant' ? 'merchant_limit' : 'key_limit'
  }
  return null
}

export const decide =
  (command: LimitsCommand) =>
  (state: LimitsState): Decision => {
    switch (command.type) {
      case 'SetLimit':
        return set(command, state)
      case 'AdmitOutflow':
        return admit(command, state)
      case 'CountOutflow':
        return count(command, state)
    }
  }
