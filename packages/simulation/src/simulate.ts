import { createHash } from 'node:crypto'
import { hourMs, minuteMs, secondMs } from '@quittance/domain'
import type { Table } from '@quittance/projections'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { undone } from './connections.ts'
import { customersOn, type Move } from './customers.ts'
import { debtsOn } from './debts.ts'
import { type Draws, drawsFrom } from './draws.ts'
import type { Fixture } from './fixture.ts'
import { invariants } from './invariants/index.ts'
import { membersOn } from './members.ts'
import { ordersOn } from './orders.ts'
import { payoutsOn } from './payouts.ts'
import { peopleOf } from './people.ts'
import { refundsOn } from './refunds.ts'
import { type Requests, requestsOn } from './requests.ts'
import { type Asked, createScheduler, type Fate } from './scheduler.ts'
import { type Plant, type Stage, setStage, workers } from './stage.ts'
import { troublesOn } from './troubles.ts'

/** How a run went. `broken`: which rules do not hold, and defects; `met`: how often each fate was met. */
export type Run = {
  readonly seed: number
  readonly trace: ReadonlyArray<string>
  readonly digest: string
  readonly broken: ReadonlyArray<string>
  readonly met: Readonly<Record<Fate, number>>
}

const turns = { shop: 90, till: 120, club: 220 }
/** For how many effects things go on before something else happens. */
const stretches = { shop: [1], till: [1], club: [1, 1, 4, 30] }
/** How often time passes, things go wrong and money is given back, beside all that people do. */
const otherwise = { shop: 1, till: 1, club: 3 }
const troubledRounds = 8

const kindOf = ({ plans, destinations }: Fixture): keyof typeof turns => {
  if (plans.length > 0) return 'club'
  return destinations.length > 0 ? 'till' : 'shop'
}

/** How bad the world of a run is: a process dies, or an answer is lost, once in so many effects; 0 is never. */
const fatesOf = (draws: Draws, met: Record<Fate, number>) => {
  const death = draws.oneOf([0, 300, 80, 25])
  const loss = {
    itself: 0,
    store: draws.oneOf([0, 200, 40, 12]),
    node: draws.oneOf([0, 40, 10, 4]),
    submission: draws.oneOf([0, 10, 4, 2]),
  }
  let isQuiet = false
  const fateOf = (asked: Asked): Fate => {
    if (isQuiet) return 'done'
    if (draws.onceIn(death)) return draws.oneOf(['diedBefore', 'diedAfter'])
    return draws.onceIn(loss[asked]) ? draws.oneOf(['replyLost', 'neverDone']) : 'done'
  }
  return {
    fates: (asked: Asked): Fate => {
      const fate = fateOf(asked)
      met[fate] += 1
      return fate
    },
    quieten: () => {
      isQuiet = true
    },
  }
}

const clubOn = (stage: Stage, requests: Requests): ReadonlyArray<Move> => {
  const people = peopleOf(stage)
  return [...membersOn(stage, people, requests), ...debtsOn(stage, people), ...ordersOn(stage, people, requests)]
}

const tillOn = (stage: Stage, requests: Requests): ReadonlyArray<Move> => [
  ...customersOn(stage, requests),
  ...payoutsOn(stage, requests),
]

const choose = (draws: Draws, moves: ReadonlyArray<Move>): Move => {
  const total = moves.reduce((sum, { weight }) => sum + weight, 0)
  let left = draws.below(total)
  for (const move of moves) {
    left -= move.weight
    if (left < 0) return move
  }
  throw new Error('unreachable')
}

const play = async ({ draws, scheduler, note, fixture }: Stage, moves: ReadonlyArray<Move>): Promise<void> => {
  for (let turn = 0; turn < turns[kindOf(fixture)] && scheduler.defects.length === 0; turn++) {
    if (scheduler.waiting() > 0 && !draws.onceIn(4)) {
      const effects = draws.oneOf(stretches[kindOf(fixture)])
      for (let effect = 0; effect < effects && scheduler.waiting() > 0; effect++)
        await scheduler.goOn(draws.below(scheduler.waiting()))
    } else {
      const { name, act } = choose(draws, moves)
      note(name)
      await act()
      await scheduler.settled()
    }
  }
}

/** Lets all go on, in this order, until nobody waits for an effect. */
const goThrough = async ({ scheduler }: Stage, chosen: () => number): Promise<void> => {
  await scheduler.settled()
  while (scheduler.waiting() > 0 && scheduler.defects.length === 0) await scheduler.goOn(chosen())
  if (scheduler.defects.length === 0)
    for (const name of scheduler.heldUp()) scheduler.defects.push(`${name} is held up`)
}
const first = (): number => 0

/** The workers carry on with what was begun, all at once, in the same trouble. */
const carryOn = async (stage: Stage): Promise<void> => {
  const { network, scheduler, step, draws } = stage
  for (let round = 0; round < troubledRounds && scheduler.defects.length === 0; round++) {
    network.wait(5 * secondMs)
    for (const worker of workers) step(worker)
    await goThrough(stage, () => draws.below(scheduler.waiting()))
  }
}

const mostRounds = 100

/** Lets everything come to its end: nothing fails any more, clients ask until they are answered, time passes. */
const settle = async (stage: Stage, { unanswered, send, put }: Requests): Promise<ReadonlyArray<string>> => {
  const { network, scheduler, step, untroubled } = stage
  const { payments, checkouts, intents, ledgerTransactions, refundClaims, subscriptions, payoutClaims } =
    untroubled.readModels
  const dueIn = (tables: ReadonlyArray<Pick<Table<unknown>, 'due'>>): ReadonlyArray<string> =>
    tables.flatMap((table) => [...table.due('testnet', Number.MAX_SAFE_INTEGER)].map(({ id }) => id))
  const attempted = () =>
    subscriptions.all().flatMap(({ id, row }) => (row.attempts.at(-1)?.status === 'under_way' ? [id] : []))
  /** What a subscription comes to next may follow from the last thing that a worker did. */
  const nextOf = () =>
    [...subscriptions.due('testnet', untroubled.cursors.closedAt('testnet') ?? 0)].map(({ id }) => id)
  /** A payout may wait for money for a day. */
  const isWaiting = (owner: string) =>
    intents.withKey(owner).some(({ row }) => row.status === 'waiting' && row.details.class === 'payout')
  const claimed = () =>
    [...payoutClaims.due('testnet', Number.MAX_SAFE_INTEGER)].flatMap(({ row }) =>
      row.claims.map(({ payoutId }) => payoutId).filter((id) => !isWaiting(id)),
    )
  const sent = () => dueIn([intents]).filter((id) => !isWaiting(intents.withId(id)?.row.details.owner ?? ''))
  const onTheWay = () => [
    ...sent(),
    ...dueIn([ledgerTransactions, refundClaims]),
    ...claimed(),
    ...attempted(),
    ...nextOf(),
  ]
  /** An invoice has no deadline: whoever has paid a part of one, and pays no more, is canceled in the end. */
  const given = new Set<string>()
  const giveUp = (): void => {
    for (const { row } of payments.due('testnet', Number.MAX_SAFE_INTEGER)) {
      const { invoiceId, subscriptionId: id } = row.details
      if (invoiceId === undefined || id === null || given.has(id)) continue
      given.add(id)
      put(`now of ${id}`, ({ subscriptions }, context) =>
        TE.map(() => 'done')(subscriptions.cancel(context, id, 'now')),
      )
    }
  }
  network.sandbox.faults.set({})
  network.rates.isOut = false
  await goThrough(stage, first)
  let longWaits = 0
  for (let round = 0; round < mostRounds && scheduler.defects.length === 0; round++) {
    const isBusy = unanswered().length > 0 || onTheWay().length > 0
    if (!isBusy && longWaits >= 2 && dueIn([payments, checkouts, payoutClaims]).length === 0) return []
    // Money goes out in some ledgers, or its transaction dies in minutes; sessions end in a day.
    const waitedMs = isBusy ? (round % 8 === 7 ? 10 * minuteMs : 5 * secondMs) : 25 * hourMs
    if (!isBusy) longWaits += 1
    if (longWaits > 2) giveUp()
    network.wait(waitedMs)
    for (const request of unanswered()) send(request)
    step(workers[round % workers.length] ?? '')
    await goThrough(stage, first)
  }
  return scheduler.defects.length > 0
    ? []
    : [
        `it does not settle: ${[...unanswered().map(({ key }) => key), ...onTheWay(), ...dueIn([payments, checkouts])].join(', ')}`,
      ]
}

/** Plays one run from its seed, and holds what is left to every rule. The fixture is as before afterwards. */
export const simulate = (fixture: Fixture, seed: number, plant: Plant = (services) => services): Promise<Run> =>
  undone([fixture.log, fixture.ledger], async () => {
    const trace: Array<string> = []
    const note = (line: string): void => void trace.push(line)
    const draws = drawsFrom(seed)
    const met: Record<Fate, number> = { done: 0, replyLost: 0, neverDone: 0, diedBefore: 0, diedAfter: 0 }
    const { fates, quieten } = fatesOf(draws, met)
    const scheduler = createScheduler(fates, note)
    const stage = setStage(fixture, draws, scheduler, note, plant)
    const requests = requestsOn(stage)
    const lives = { shop: customersOn, till: tillOn, club: clubOn }[kindOf(fixture)](stage, requests)
    const others = [...refundsOn(stage, requests), ...troublesOn(stage)]
    const weigh = (move: Move) => ({ ...move, weight: move.weight * otherwise[kindOf(fixture)] })
    await play(stage, [...lives, ...others.map(weigh)])
    await carryOn(stage)
    quieten()
    const broken = [...(await settle(stage, requests)), ...scheduler.defects]
    const settled = {
      fixture,
      network: stage.network,
      services: stage.untroubled,
      log: fixture.log,
      requests: requests.requests,
      givenUp: requests.givenUp(),
      paidForNothing: stage.paidForNothing,
    }
    if (broken.length === 0)
      for (const { rule, broken: complaintsOf } of invariants)
        for (const complaint of await complaintsOf(settled)) broken.push(`${rule}: ${complaint}`)
    const events = fixture.log.prepare('SELECT digest FROM events ORDER BY position DESC LIMIT 1').get()
    note(`the log ends with ${events?.digest}`)
    return { seed, trace, digest: createHash('sha256').update(trace.join('\n')).digest('hex'), broken, met }
  })
