import type { Stage } from '../kills/stage.ts'
import { isSent, lifetimeMs } from '../kills/trouble.ts'

const endsOfAttempts = ['ChargeConfirmed', 'ChargeFailed', 'PaymentSetAside']

const isUnderWay = (types: ReadonlyArray<string>): boolean =>
  types.lastIndexOf('ChargeAttempted') > Math.max(...endsOfAttempts.map((type) => types.lastIndexOf(type)))

/** How many attempts, transactions and intents have no outcome in the log. */
export const underWay = ({ histories }: Pick<Stage, 'histories'>): number =>
  [...histories('subscription').values()].filter(isUnderWay).length +
  [...histories('stellartx').values()].filter((types) => types.at(-1) !== 'TransactionClosed').length +
  [...histories('intent').values()].filter((types) => types.at(-1) !== 'IntentReported').length

/** Long enough for a transaction to arrive, unless the network lost it. */
const patientLooks = 10

/** Moves the clock once nothing is under way; before that, slow transactions die. */
export const pass = (stage: Stage, ms: number, look: number): void => {
  if (underWay(stage) === 0) stage.network.skip(ms)
  else if (look % patientLooks === patientLooks - 1) stage.network.skip(lifetimeMs)
}

/** Moves the clock as soon as a transaction was sent, where transactions have to die. */
export const passUntilDead = (stage: Stage, ms: number): void => {
  if (isSent(stage)) stage.network.skip(lifetimeMs)
  else if (underWay(stage) === 0) stage.network.skip(ms)
}
