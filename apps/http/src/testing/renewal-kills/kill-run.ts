import { setTimeout as pause } from 'node:timers/promises'
import { hourMs } from '@quittance/domain'
import type { Faults } from '@quittance/sandbox'
import { eventually } from '../eventually.ts'
import { randomFrom } from '../random.ts'
import { type Death, drawDeaths, nameOf } from '../refund-kills/deaths.ts'
import type { Stage } from '../refund-kills/stage.ts'
import { outlive } from '../refund-kills/victim.ts'
import { subscribeAll } from './club.ts'

/** The events of a renewal, in their usual order, and those of one whose transaction dies. */
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
const ofDeadTransaction = new Set(['TransactionDied', 'SequenceFreed', 'IntentDetached'])

/** Half of the people are charged at one time of the day, half at the other: some are due in each round. */
const peopleInHalf = 6
const halfADayMs = 12 * hourMs
/** So many rounds in a row a second service is there, and then so many it is not. */
const roundsInCompany = 5
/** By then a victim has come to its step, or will not. */
const longestLifeMs = 5_000
/** Longer than a transaction of ours waits for a ledger. */
const lifetimeMs = 150_000
const endedWithinMs = 300_000

const isOfDeadTransaction = (death: Death): boolean => death._tag === 'append' && ofDeadTransaction.has(death.step)

/** What the network does wrong while a victim lives: it loses all that is sent where a transaction has to die. */
const troubleFor = (death: Death, drawn: number): Faults => {
  if (isOfDeadTransaction(death)) return { drop: { times: 50 } }
  if (drawn < 0.2) return { lose_reply: { times: 1 } }
  if (drawn < 0.4) return { drop: { times: 1 } }
  return drawn < 0.6 ? { include_late: { ledgers: 4, times: 1 } } : {}
}

/**
 * Kills services, as real processes on one data directory, while subscriptions renew, and has two of them bring everything
 * to its end. Answers how often a process was killed where. The same seed draws the same deaths.
 */
export const killWhileRenewing = async (
  stage: Stage,
  kills: number,
  seed: number,
): Promise<Readonly<Record<string, number>>> => {
  const url = await stage.listening('other')
  for (let half = 0; half < 2; half++) {
    await subscribeAll(stage, url, peopleInHalf)
    if (half === 0) stage.network.skip(halfADayMs)
  }
  const counts: Record<string, number> = {}
  const count = (name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  const random = randomFrom(-seed)
  for (const [round, death] of drawDeaths(kills, randomFrom(seed), renewalSteps).entries()) {
    const isAlone = Math.floor(round / roundsInCompany) % 2 === 1
    if (isAlone) await stage.kill('other')
    else if (stage.living('other') === null) await stage.listening('other')
    stage.network.sandbox.faults.set(troubleFor(death, random()))
    const victim = stage.start('one', death)
    const timePasses = victim.url.then(async () => {
      stage.network.skip(halfADayMs)
      if (!isOfDeadTransaction(death)) return
      await pause(1_500)
      stage.network.skip(lifetimeMs)
    })
    // However long it takes to start: null where it has died of it.
    if (death._tag !== 'moment') await victim.url
    const isAsDrawn = await outlive(victim, longestLifeMs)
    await timePasses
    count(isAsDrawn ? nameOf(death) : 'where its step never came')
    count(isAlone ? 'while alone' : 'beside another service')
  }
  await endAll(stage)
  return counts
}

const endsOfAttempts = ['ChargeConfirmed', 'ChargeFailed', 'PaymentSetAside']

const isUnderWay = (types: ReadonlyArray<string>): boolean =>
  types.lastIndexOf('ChargeAttempted') > Math.max(...endsOfAttempts.map((type) => types.lastIndexOf(type)))

/** Lets two services go on until nothing is on its way, then some time pass, and once more. */
const endAll = async (stage: Stage): Promise<void> => {
  stage.network.sandbox.faults.set({})
  for (const place of ['one', 'other'] as const) await stage.kill(place)
  for (const place of ['one', 'other'] as const) await stage.listening(place)
  const left = async (): Promise<number> =>
    [...stage.histories('subscription').values()].filter(isUnderWay).length +
    [...stage.histories('stellartx').values()].filter((types) => types.at(-1) !== 'TransactionClosed').length +
    [...stage.histories('intent').values()].filter((types) => types.at(-1) !== 'IntentReported').length
  for (const passes of [halfADayMs, halfADayMs, lifetimeMs]) {
    stage.network.skip(passes)
    await pause(3_000)
    await eventually(left, (count) => count === 0, endedWithinMs)
  }
}
