import type { Stage } from '../kills/stage.ts'
import { isSent, lifetimeMs } from '../kills/trouble.ts'

const endsOfAttempts = ['ChargeConfirmed', 'ChargeFailed', 'PaymentSetAside']

const isUnderWay = (types: ReadonlyArray<string>): boolean =>
  types.lastIndexOf('ChargeAttempted') > Math.max(...endsOfAttempts.map((type) => types.lastIndexOf(type)))

/** How many attempts, transactions and intents have no end yet, by the log. */
export const underWay = ({ histories }: Stage): number =>
  [...histories('subscription').values()].filter(isUnderWay).length +
  [...histories('stellartx').values()].filter((types) => types.at(-1) !== 'TransactionClosed').length +
  [...histories('intent').values()].filter((types) => types.at(-1) !== 'IntentReported').length

/** By then what is on its way has come, unless the network has lost it. */
const patientLooks = 10

/** Lets so much time pass, once nothing is on its way any more; before, what takes too long dies. */
export const pass = (stage: Stage, ms: number, look: number): void => {
  if (underWay(stage) === 0) stage.network.skip(ms)
  else if (look % patientLooks === patientLooks - 1) stage.network.skip(lifetimeMs)
}

/** The same where transactions are to die: as soon as one was sent. */
export const passUntilDead = (stage: Stage, ms: number): void => {
  if (isSent(stage)) stage.network.skip(lifetimeMs)
  else if (underWay(stage) === 0) stage.network.skip(ms)
}
