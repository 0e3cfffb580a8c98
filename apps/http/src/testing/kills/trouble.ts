import type { Faults } from '@quittance/sandbox'
import type { Death } from './deaths.ts'
import type { Life } from './kill-all.ts'
import { transactionEnds } from './proofs.ts'
import type { Stage } from './stage.ts'

/** Longer than our transactions wait for a ledger. */
export const lifetimeMs = 150_000
/** The share of other lives with faults. */
export const troubled = 0.6

const ofDeadTransaction = new Set(['TransactionDied', 'SequenceFreed', 'IntentDetached'])

export const isOfDeadTransaction = (death: Death): boolean =>
  death._tag === 'append' && ofDeadTransaction.has(death.step)

/** The faults of the network during a life. It loses all transactions where one has to die. */
export const troubleFor = ({ death, drawn }: Life): Faults => {
  if (isOfDeadTransaction(death)) return { drop: {} }
  if (drawn < 0.2) return { lose_reply: { times: 1 } }
  if (drawn < 0.4) return { drop: { times: 1 } }
  return drawn < troubled ? { include_late: { ledgers: 4, times: 1 } } : {}
}

/** Whether a sent transaction has no outcome. If it was lost, it dies with time. */
export const isSent = ({ histories }: Stage): boolean =>
  [...histories('stellartx').values()].some(
    (types) => types.includes('TransactionReleased') && !types.some((type) => transactionEnds.includes(type)),
  )

/** A payment is given up after five dead transactions in a row. One more may be on its way when this many have died. */
const mostDead = 2

const isNearlyGivenUp = ({ histories }: Stage): boolean =>
  [...histories('intent').values()].some(
    (types) =>
      types.filter((type) => type === 'IntentDetached').length >= mostDead && !types.includes('IntentReported'),
  )

/**
 * Lets sent transactions die, where it can without those of a payment that would be given up soon: five lives in a row may
 * still lose one each. Answers whether there were any, so that no other is needed.
 */
export const letDie = (stage: Stage): boolean => {
  stage.network.sandbox.faults.set(isNearlyGivenUp(stage) ? {} : { drop: {} })
  const isWaiting = isSent(stage)
  if (isWaiting) stage.network.skip(lifetimeMs)
  return isWaiting
}
