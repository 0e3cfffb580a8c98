import { createHash } from 'node:crypto'
import { filterInTurn, perhapsPaid } from '@quittance/billing/testing/internals'
import { hourMs, minuteMs, secondMs } from '@quittance/domain'
import type { Table } from '@quittance/projections'
import { undone } from './connections.ts'
import { courseOf } from './course.ts'
import { customerMoves } from './customers.ts'
import { enemiesOf } from './enemies/enemies.ts'
import { faultMoves } from './faults.ts'
import type { Fixture } from './fixture.ts'
import type { World } from './fixtures.ts'
import { invariants } from './invariants/index.ts'
import { invoicePaymentMoves } from './invoice-payments.ts'
import { chooseMove, type Move } from './move.ts'
import { neighbourMoves } from './neighbours.ts'
import { operatorsOf } from './operators/operators.ts'
import { payoutMoves } from './payouts.ts'
import { peopleOf } from './people.ts'
import type { Player } from './player.ts'
import { type Random, seededRandom } from './random.ts'
import { refundMoves } from './refunds.ts'
import { openRequests, type Requests } from './requests.ts'
import { createScheduler, type EffectOutcome, type EffectTarget } from './scheduler.ts'
import { openStage, type PlantedBug, type Stage, workers } from './stage.ts'
import { subscriberMoves } from './subscribers.ts'
import { subscriptionCommandMoves } from './subscription-commands.ts'
import { withTimers } from './timers.ts'

/** The result of a run. `broken` lists violations and defects; `outcomes` counts the outcomes of effects. */
export type Run = {
  readonly seed: number
  readonly trace: ReadonlyArray<string>
  readonly digest: string
  readonly broken: ReadonlyArray<string>
  readonly outcomes: Readonly<Record<EffectOutcome, number>>
}

const turns: Readonly<Record<World, number>> = { shop: 90, till: 120, club: 220, market: 90 }
/** How many effects run before the next move. */
const effectsInRow = { shop: [1], till: [1], club: [1, 1, 4, 30], market: [1, 1, 30] }
/** Weight of faults, time and refunds relative to the other moves. */
const faultWeights = { shop: 1, till: 1, club: 3, market: 1 }
const troubledRounds = 8

const worldOf = ({ plans, destinations, neighbour }: Fixture): World => {
  if (neighbour !== null) return 'market'
  if (plans.length > 0) return 'club'
  return destinations.length > 0 ? 'till' : 'shop'
}

/** Draws the failure rates of a run: a process dies, or a reply is lost, once in so many effects; 0 is never. */
const outcomeChooser = (random: Random, outcomes: Record<EffectOutcome, number>) => {
  const death = random.oneOf([0, 300, 80, 25])
  const loss = {
    itself: 0,
    store: random.oneOf([0, 200, 40, 12]),
    node: random.oneOf([0, 40, 10, 4]),
    submission: random.oneOf([0, 10, 4, 2]),
  }
  let isQuiet = false
  const outcomeOf = (target: EffectTarget): EffectOutcome => {
    if (isQuiet) return 'done'
    if (random.onceIn(death)) return random.oneOf(['diedBefore', 'diedAfter'])
    return random.onceIn(loss[target]) ? random.oneOf(['replyLost', 'neverDone']) : 'done'
  }
  return {
    chooseOutcome: (target: EffectTarget): EffectOutcome => {
      const outcome = outcomeOf(target)
      outcomes[outcome] += 1
      return outcome
    },
    stopFailures: () => {
      isQuiet = true
    },
  }
}

const clubOn = (stage: Stage, requests: Requests): ReadonlyArray<Move> => {
  const people = peopleOf(stage)
  return [
    ...subscriberMoves(stage, people, requests),
    ...invoicePaymentMoves(stage, people),
    ...subscriptionCommandMoves(stage, people, requests),
  ]
}

const tillOn = (stage: Stage, requests: Requests): ReadonlyArray<Move> => [
  ...customerMoves(stage, requests),
  ...payoutMoves(stage, requests),
]

const marketOn = (stage: Stage, requests: Requests): ReadonlyArray<Move> => [
  ...customerMoves(stage, requests),
  ...neighbourMoves(stage, requests),
]

const play = async ({ random, scheduler, note, fixture }: Stage, moves: ReadonlyArray<Move>): Promise<void> => {
  for (let turn = 0; turn < turns[worldOf(fixture)] && scheduler.defects.length === 0; turn++) {
    if (scheduler.waiting() > 0 && !random.onceIn(4)) {
      const effects = random.oneOf(effectsInRow[worldOf(fixture)])
      for (let effect = 0; effect < effects && scheduler.waiting() > 0; effect++)
        await scheduler.runEffect(random.below(scheduler.waiting()))
    } else {
      const { name, act } = chooseMove(random, moves)
      note(name)
      await act()
      await scheduler.settled()
    }
  }
}

/** Performs effects until none is waiting. */
const drainEffects = async ({ scheduler }: Stage, chosen: () => number): Promise<void> => {
  await scheduler.settled()
  while (scheduler.waiting() > 0 && scheduler.defects.length === 0) await scheduler.runEffect(chosen())
  if (scheduler.defects.length === 0) for (const name of scheduler.stuck()) scheduler.defects.push(`${name} is stuck`)
}
const first = (): number => 0

/** Runs all workers at once, under the same faults. */
const workThroughFaults = async (stage: Stage, players: ReadonlyArray<Player>, rounds: number): Promise<void> => {
  const { network, scheduler, step, random } = stage
  for (let round = 0; round < rounds && scheduler.defects.length === 0; round++) {
    await network.wait(5 * secondMs)
    stage.acceptLog()
    for (const { attend } of players) await attend()
    for (const worker of workers) step(worker)
    await drainEffects(stage, () => random.below(scheduler.waiting()))
  }
}

const maxRounds = 100

/** Lets everything end: failures cease, clients ask until they are answered, time passes. */
const settle = async (
  stage: Stage,
  { unanswered, send, put }: Requests,
  players: ReadonlyArray<Player>,
): Promise<ReadonlyArray<string>> => {
  const { network, scheduler, step, faultFree } = stage
  const { payments, checkouts, intents, ledgerTransactions, refundClaims, subscriptions, payoutClaims } =
    faultFree.readModels
  const dueIn = async (tables: ReadonlyArray<Pick<Table<unknown>, 'due'>>): Promise<ReadonlyArray<string>> => {
    const ids: Array<string> = []
    for (const table of tables) for await (const { id } of table.due('testnet', Number.MAX_SAFE_INTEGER)) ids.push(id)
    return ids
  }
  const attempted = async () =>
    (await subscriptions.all()).flatMap(({ id, row }) => (row.attempts.at(-1)?.status === 'under_way' ? [id] : []))
  /** The next step of a subscription may follow from a worker's last action. */
  const nextOf = async () => {
    const now = (await faultFree.cursors.closedAt('testnet')) ?? 0
    return Array.fromAsync(subscriptions.due('testnet', now), ({ id }) => id)
  }
  /** A payout may wait a day for money. */
  const isWaiting = async (owner: string) =>
    (await intents.withKey(owner)).some(({ row }) => row.status === 'waiting' && row.details.class === 'payout')
  const claimed = async () => {
    const due = await Array.fromAsync(payoutClaims.due('testnet', Number.MAX_SAFE_INTEGER))
    const ids = due.flatMap(({ row }) => row.claims.map(({ payoutId }) => payoutId))
    return filterInTurn(ids, async (id) => !(await isWaiting(id)))
  }
  const sent = async () =>
    filterInTurn(
      await dueIn([intents]),
      async (id) => !(await isWaiting((await intents.withId(id))?.row.details.owner ?? '')),
    )
  const pending = async () => [
    ...(await sent()),
    ...(await dueIn([ledgerTransactions, refundClaims])),
    ...(await claimed()),
    ...(await attempted()),
    ...(await nextOf()),
  ]
  /** An invoice has no deadline, so a subscription with a partly paid one is canceled in the end. */
  const canceled = new Set<string>()
  const cancelPartlyPaid = async (): Promise<void> => {
    for await (const { row } of payments.due('testnet', Number.MAX_SAFE_INTEGER)) {
      const { invoiceId, subscriptionId: id } = row.details
      if (invoiceId === undefined || id === null || canceled.has(id)) continue
      canceled.add(id)
      put(`now of ${id}`, ({ subscriptions }, context) => subscriptions.cancel(context, id, 'now'))
    }
  }
  /** A payout that may be one of those that a restored log has forgotten waits for a person: the merchant cancels it. */
  const cancelPerhapsPaid = async (): Promise<void> => {
    for (const { merchantId, environment, row } of await intents.all()) {
      const { owner, action, class: of } = row.details
      if (row.status !== 'waiting' || of !== 'payout' || action._tag !== 'payment' || canceled.has(owner)) continue
      if ((await perhapsPaid(faultFree, { merchantId, environment }, action)) === null) continue
      canceled.add(owner)
      put(`a cancellation of ${owner}`, ({ payouts }, context) => payouts.cancel(context, owner))
    }
  }
  network.sandbox.faults.set({})
  network.rates.isOut = false
  await drainEffects(stage, first)
  let longWaits = 0
  for (let round = 0; round < maxRounds && scheduler.defects.length === 0; round++) {
    const isBusy = unanswered().length > 0 || (await pending()).length > 0
    if (!isBusy && longWaits >= 2 && (await dueIn([payments, checkouts, payoutClaims])).length === 0) return []
    // Outgoing money settles in some ledgers, or its transaction dies within minutes, or it waits a day for its money, at
    // most; sessions end within a day.
    const isLong = !isBusy || round % 40 === 39
    const waitedMs = isLong ? 25 * hourMs : round % 8 === 7 ? 10 * minuteMs : 5 * secondMs
    if (!isBusy) longWaits += 1
    if (longWaits > 2) await cancelPartlyPaid()
    if (longWaits > 2) await cancelPerhapsPaid()
    await network.wait(waitedMs)
    stage.acceptLog()
    for (const { attend } of players) await attend()
    for (const request of unanswered()) send(request)
    step(workers[round % workers.length] ?? '')
    await drainEffects(stage, first)
  }
  return scheduler.defects.length > 0
    ? []
    : [
        `the run does not settle: ${[...unanswered().map(({ key }) => key), ...(await pending()), ...(await dueIn([payments, checkouts]))].join(', ')}`,
      ]
}

/** Runs one seed and checks every rule. Leaves the fixture unchanged. */
export const simulate = (fixture: Fixture, seed: number, plant: PlantedBug = (services) => services): Promise<Run> =>
  undone([fixture.log, fixture.ledger, fixture.vault], async () => {
    const trace: Array<string> = []
    const note = (line: string): void => void trace.push(line)
    const random = seededRandom(seed)
    const outcomes: Record<EffectOutcome, number> = { done: 0, replyLost: 0, neverDone: 0, diedBefore: 0, diedAfter: 0 }
    const { chooseOutcome, stopFailures } = outcomeChooser(random, outcomes)
    const interruptions: Array<bigint> = []
    const newest = fixture.log.prepare('SELECT max(position) AS position FROM events')
    const lastPosition = (): bigint => BigInt(Number(newest.get()?.position ?? 0))
    const interrupted = () => void interruptions.push(lastPosition())
    const scheduler = createScheduler(chooseOutcome, note, interrupted)
    const stage = openStage(fixture, random, scheduler, note, plant)
    const { course, watcher } = courseOf(lastPosition)
    stage.watch(watcher)
    const requests = openRequests(stage)
    const closings = new Map<number, bigint>()
    stage.network.beforeEachLedger(() => closings.set(stage.network.sandbox.clock().ledger + 1, lastPosition()))
    const moves = { shop: customerMoves, till: tillOn, club: clubOn, market: marketOn }[worldOf(fixture)](
      stage,
      requests,
    )
    const others = [...refundMoves(stage, requests), ...faultMoves(stage)]
    const weigh = (move: Move) => ({ ...move, weight: move.weight * faultWeights[worldOf(fixture)] })
    const players = [...enemiesOf(worldOf(fixture), seed, stage, requests), ...operatorsOf(seed, stage, requests)]
    const broken = await withTimers(scheduler, async () => {
      await workThroughFaults(stage, players, Math.max(0, ...players.map(({ siege = 0 }) => siege)))
      await play(stage, [...moves, ...others.map(weigh), ...players.flatMap((player) => player.moves)])
      await workThroughFaults(stage, players, troubledRounds)
      stopFailures()
      for (const { rest } of players) rest()
      return [...(await settle(stage, requests, players)), ...scheduler.defects, ...stage.witnessed]
    })
    const settled = {
      fixture,
      network: stage.network,
      services: stage.faultFree,
      log: fixture.log,
      requests: requests.requests,
      givenUp: requests.givenUp(),
      unmatchedHashes: stage.unmatchedHashes,
      wrongAccess: stage.wrongAccess,
      granted: stage.granted,
      sentTooEarly: stage.sentTooEarly,
      putBackBefore: stage.putBackBefore,
      isPutBack: stage.isPutBack(),
      interruptions,
      closings,
      course,
    }
    if (broken.length === 0)
      for (const { rule, broken: violationsOf } of invariants)
        for (const violation of await violationsOf(settled)) broken.push(`${rule}: ${violation}`)
    const events = fixture.log.prepare('SELECT digest FROM events ORDER BY position DESC LIMIT 1').get()
    note(`the log ends with ${events?.digest}`)
    return { seed, trace, digest: createHash('sha256').update(trace.join('\n')).digest('hex'), broken, outcomes }
  })
