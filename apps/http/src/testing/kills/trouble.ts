import type { Faults } from '@quittance/sandbox'
import type { Death } from './deaths.ts'
import type { Life } from './kill-all.ts'
import { transactionEnds } from './proofs.ts'
import type { Stage } from './stage.ts'

/** Longer than a transaction of ours waits for a ledger. */
export const lifetimeMs = 150_000
/** Of lives for which nothing else is drawn, so many are lived in trouble. */
export const troubled = 0.6

const ofDeadTransaction = new Set(['TransactionDied', 'SequenceFreed', 'IntentDetached'])

/** Whether a process is to die beside the death of a transaction. */
export const isOfDeadTransaction = (death: Death): boolean =>
  death._tag === 'append' && ofDeadTransaction.has(death.step)

/** What the network does wrong while a victim lives: it loses all that is sent where a transaction has to die. */
export const troubleFor = ({ death, drawn }: Life): Faults => {
  if (isOfDeadTransaction(death)) return { drop: {} }
  if (drawn < 0.2) return { lose_reply: { times: 1 } }
  if (drawn < 0.4) return { drop: { times: 1 } }
  return drawn < troubled ? { include_late: { ledgers: 4, times: 1 } } : {}
}

/** Whether the network was sent a transaction that has no end: lost, it is dead once time has passed. */
export const isSent = ({ histories }: Stage): boolean =>
  [...histories('stellartx').values()].some(
    (types) => types.includes('TransactionReleased') && !types.some((type) => transactionEnds.includes(type)),
  )
