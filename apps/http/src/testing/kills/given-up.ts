import { decoded } from '@quittance/domain/testing'
import * as t from 'io-ts'
import type { Written } from './books.ts'
import type { Stage } from './stage.ts'

/** Where the network loses everything, a payment is given up after so many dead transactions in a row, as the guide says. */
const deadInARow = 5

const Recorded = t.type({ owner: t.string })
const Detached = t.type({ transactionHash: t.string, reason: t.string })
const GivenUp = t.type({ reason: t.string })

type Judged = Pick<Stage, 'histories' | 'events'> & {
  readonly network: {
    readonly sandbox: { readonly read: { readonly findTransaction: (hash: string) => unknown } }
  }
}

/**
 * The refunds, returns and payouts that were rightly given up: the last five transactions that carried each of them died, by the log,
 * and no ledger holds one of these.
 */
export const givenUpRightly = ({ histories, events, network: { sandbox } }: Judged): ReadonlySet<string> => {
  const transactions = histories('stellartx')
  const isDead = (hash: string): boolean =>
    transactions.get(`stellartx-${hash}`)?.includes('TransactionDied') === true &&
    sandbox.read.findTransaction(hash) === undefined
  return new Set(
    [...events('intent').values()].flatMap((intent) => (wasExhausted(intent, isDead) ? ownerOf(intent) : [])),
  )
}

/** What was given up otherwise, with the reason. */
export const givenUpWrongly = (judged: Judged): ReadonlyArray<string> => {
  const rightly = givenUpRightly(judged)
  return [...judged.events('intent').values()].flatMap((intent) => {
    const reasons = dataOf(intent, 'IntentGivenUp').map((data) => decoded(GivenUp, data).reason)
    if (reasons.length === 0) return []
    return ownerOf(intent).flatMap((owner) => (rightly.has(owner) ? [] : [`${owner}: ${reasons.join(', ')}`]))
  })
}

const ownerOf = (intent: ReadonlyArray<Written>): ReadonlyArray<string> =>
  dataOf(intent, 'IntentRecorded').map((data) => decoded(Recorded, data).owner)

const wasExhausted = (intent: ReadonlyArray<Written>, isDead: (hash: string) => boolean): boolean => {
  const isGivenUp = dataOf(intent, 'IntentGivenUp').some(
    (data) => decoded(GivenUp, data).reason === 'attempts_exhausted',
  )
  // A withdrawn transaction was never sent, and is no attempt.
  const attempts = dataOf(intent, 'IntentDetached')
    .map((data) => decoded(Detached, data))
    .filter(({ reason }) => reason !== 'withdrawn')
    .slice(-deadInARow)
  return (
    isGivenUp &&
    attempts.length === deadInARow &&
    attempts.every(({ transactionHash, reason }) => reason === 'dead' && isDead(transactionHash))
  )
}

const dataOf = (events: ReadonlyArray<Written>, wanted: string): ReadonlyArray<unknown> =>
  events.flatMap(({ type, data }) => (type === wanted ? [data] : []))
