import { hourMs } from '@quittance/domain'
import { eventually } from '../eventually.ts'
import { type Counts, killAll, type Life, type Play } from '../kills/kill-all.ts'
import type { Stage } from '../kills/stage.ts'
import { isOfDeadTransaction, troubled, troubleFor } from '../kills/trouble.ts'
import { join } from './joining.ts'
import { openScenes, type Scene } from './scenes.ts'
import { pass, passUntilDead, underWay } from './time.ts'

/** The events of a renewal in their usual order, and those of one whose transaction dies. */
const renewalSteps = [
  'ChargeAttempted',
  'PaymentOpened',
  'IntentRecorded',
  'ChargeHandedOver',
  'TransactionPrepared',
  'SequenceTaken',
  'IntentAttached',
  'TransactionReleased',
  'PaymentConfirmed',
  'TransactionSucceeded',
  'SequenceUsed',
  'IntentSettled',
  'TransactionClosed',
  'ChargeConfirmed',
  'IntentReported',
  'TransactionDied',
  'SequenceFreed',
  'IntentDetached',
]

/** Half of the members are charged at one time of the day, half at another, so that some are due every half day. */
const peopleInHalf = 4
const halfADayMs = 12 * hourMs
const endedWithinMs = 300_000

/** Renewals and other steps of subscriptions; the latter without network faults for wallets. */
const renewing = (stage: Stage, scenes: Readonly<Record<string, Scene>>): Play => {
  const all = Object.values(scenes)
  const sceneFor = ({ death, number, drawn }: Life): Scene | undefined => {
    if (death._tag === 'append') return scenes[death.step]
    return death._tag === 'moment' && drawn >= troubled ? all[number % all.length] : undefined
  }
  return {
    steps: [...renewalSteps, ...Object.keys(scenes)],
    troubleFor: (life) => (sceneFor(life) ? {} : troubleFor(life)),
    occasion: async (round, look) => {
      const scene = sceneFor(round)
      if (scene !== undefined) await scene(round, look)
      else if (isOfDeadTransaction(round.death)) passUntilDead(stage, halfADayMs)
      else pass(stage, halfADayMs, look)
    },
  }
}

/** Kills services while subscriptions renew, begin and end; then two of them complete everything. */
export const killWhileRenewing = async (stage: Stage, kills: number, seed: number): Promise<Counts> => {
  const ask = stage.askAt(await stage.listening('other'))
  const { products, scenes } = await openScenes(stage, ask)
  for (const product of [products.plain, products.twin]) {
    await Promise.all(Array.from({ length: peopleInHalf }, () => join(stage, ask, product)))
    stage.network.skip(halfADayMs)
  }
  const counts = await killAll(stage, renewing(stage, scenes), kills, seed)
  await endAll(stage)
  return counts
}

/** Lets two services work until nothing is under way, moves the clock, and repeats that once. */
export const endAll = async (stage: Stage): Promise<void> => {
  stage.network.sandbox.faults.set({})
  for (const place of ['one', 'other'] as const) await stage.kill(place)
  const url = await stage.listening('one')
  await stage.listening('other')
  for (let half = 0; half < 2; half++) {
    stage.network.skip(halfADayMs)
    await stage.walksOn(url)
    await eventually(
      async () => underWay(stage),
      (count) => count === 0,
      endedWithinMs,
    )
  }
  await stage.walksOn(url)
}
