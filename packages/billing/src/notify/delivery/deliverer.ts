import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type { Services } from '../../services/services.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import { attempt, type Outcome } from './attempt.ts'
import { claimDue } from './claim-due.ts'
import { disable } from './disable.ts'
import type { Endpoint } from './endpoint.ts'
import { endpointViews } from './endpoint-views.ts'
import { endpointsApart } from './endpoints-apart.ts'
import { type Examined, examine } from './examine.ts'
import { endpointsOf, feedReader, webhookIn } from './news-of-feed.ts'
import { createPace, type Limits, usualLimits } from './pace.ts'
import { type EndedAttempt, isArrived, recordOutcomes, type ToDisable } from './record-outcomes.ts'
import { keptMs } from './schedule.ts'
import type { Sender } from './sending/sender.ts'

export type DelivererOptions = {
  readonly sender: Sender
  /** Unix milliseconds: for signatures and leases, which the sandbox's clock does not move. */
  readonly wallNow: () => number
  /** From 0 to below 1. */
  readonly random: () => number
  readonly limits: Limits
  /** For how long an attempt is nobody else's: longer than one takes. */
  readonly leaseMs: number
  /** How often it looks for what nobody has told it of. */
  readonly pollMs: number
}

const usual: Omit<DelivererOptions, 'sender'> = {
  wallNow: Date.now,
  random: Math.random,
  limits: usualLimits,
  leaseMs: 60_000,
  pollMs: 250,
}

/** Sends what endpoints are told. Several processes may do this on one file: no two send the same attempt at once. */
export interface Deliverer {
  /**
   * Delivers until the signal aborts; then ends what is under way. `raise` is told what was thrown: it is tried again.
   */
  readonly run: (signal: AbortSignal, raise: (defect: unknown) => void) => Promise<void>
  /** Attempts all that is due, until nothing is. */
  readonly settle: () => Promise<void>
  /** When the next attempt falls due after now (Unix milliseconds). */
  readonly nextDue: () => number | null
}

/** Others have their turn after so much: nothing else in the process goes on within a transaction. */
const [examinedAtOnce, rowsAtOnce, dueAtOnce, purgedAtOnce] = [100, 500, 1_000, 500]
/** While each of them has much to look at. */
const fewAtOnce = 2
const betweenSweepsMs = 60_000
const promptMs = 2_000
/** What is under way at the end may still be answered; then it is sent again by who comes next. */
const graceMs = 1_000
/** What ends within so long is written together. */
const gatherMs = 2

export const createDeliverer = (
  services: Services,
  given: Pick<DelivererOptions, 'sender'> & Partial<DelivererOptions>,
): Deliverer => {
  const { sender, wallNow, random, limits, leaseMs, pollMs } = { ...usual, ...given }
  const { toDo, clock, readModels, caughtUp, changes, freshId } = services
  const owner = freshId()
  const pace = createPace(limits)
  const views = endpointViews(services)
  const send = attempt(services, views.recent, { sender, wallNow })
  const record = recordOutcomes(services, { owner, random })
  const look = examine(services)
  const claim = claimDue(services, pace, () => ({ owner, until: wallNow() + leaseMs }))
  const apart = endpointsApart(services)
  const readFeed = feedReader(services)
  toDo.begunAt(clock.now())

  /** Endpoints that may have something due; those that are to be looked at anew. */
  const [ready, unseen] = [new Set<string>(), new Set<string>()]
  const underWay = new Set<Promise<void>>()
  const ended: Array<EndedAttempt> = []
  const defects: Array<{ readonly webhookId: string; readonly defect: unknown }> = []
  let [isNewsHeard, isClosing, isBehind] = [true, false, false]
  let [sweptAt, polledAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let rouse = (): void => undefined

  changes.listen((stream) => {
    isNewsHeard = true
    const webhookId = webhookIn(stream)
    if (webhookId !== null) unseen.add(webhookId)
    rouse()
  })

  const begin = (delivery: Delivery): void => {
    const done = send(delivery).then((outcome) => {
      underWay.delete(done)
      pace.ended(delivery.webhookId, isPrompt(outcome))
      ended.push({ delivery, outcome: isClosing && !hasArrived(outcome) ? { _tag: 'Suspended' } : outcome })
      ready.add(delivery.webhookId)
      rouse()
    })
    underWay.add(done)
  }

  /** What nobody has told of: other processes' work, what the clock has made due, and whoever was missed. */
  const poll = (isThorough: boolean): void => {
    const wall = performance.now()
    if (!isThorough && wall - polledAt < pollMs) return
    polledAt = wall
    for (const webhookId of toDo.deliveries.expire(wallNow(), clock.now())) {
      toDo.endpoints.refresh(webhookId)
      ready.add(webhookId)
    }
    for (const webhookId of toDo.endpoints.due(clock.now(), dueAtOnce)) ready.add(webhookId)
    for (const webhookId of apart.areDue()) unseen.add(webhookId)
    if (wall - sweptAt < betweenSweepsMs) return
    sweptAt = wall
    for (const { id, row } of readModels.webhooks.all()) if (row.status === 'living') unseen.add(id)
    for (const webhookId of toDo.endpoints.all()) unseen.add(webhookId)
    toDo.deliveries.purge(clock.now() - keptMs, purgedAtOnce)
  }

  const readNews = (): void => {
    const { scopes, lastEvent, isAll } = readFeed()
    for (const scope of scopes) for (const webhookId of endpointsOf(services, scope)) unseen.add(webhookId)
    if (lastEvent !== null) toDo.looked(lastEvent)
    if (!isAll) isNewsHeard = true
  }

  const readEndpoints = async () => {
    const found: Array<{ readonly webhookId: string; readonly endpoint: Endpoint | null }> = []
    for (const webhookId of [...unseen].slice(0, isBehind ? fewAtOnce : examinedAtOnce)) {
      unseen.delete(webhookId)
      try {
        const endpoint = await views.read(webhookId)()
        if (E.isRight(endpoint)) found.push({ webhookId, endpoint: endpoint.right })
        else unseen.add(webhookId)
      } catch (defect) {
        defects.push({ webhookId, defect })
      }
    }
    return found
  }

  /** What it wrote is undone with it; the endpoint is looked at again once it is due. */
  const lookApart = (webhookId: string, endpoint: Endpoint | null, most: number): Examined => {
    try {
      const examined = toDo.part(() => look(webhookId, endpoint, most))
      apart.goesOn(webhookId)
      return examined
    } catch (defect) {
      defects.push({ webhookId, defect })
      return { finding: 'idle', rows: 0 }
    }
  }

  const pumpOnce = async (isThorough: boolean): Promise<void> => {
    if (isNewsHeard || isThorough) {
      isNewsHeard = false
      await caughtUp.withLog()
    }
    toDo.transaction(() => {
      poll(isThorough)
      readNews()
    })
    const endpoints = await readEndpoints()
    let claimed: ReadonlyArray<Delivery> = []
    let failing: ReadonlyArray<ToDisable> = []
    const written = ended.length
    const work = (): void => {
      failing = record(ended.slice(0, written))
      let rowsLeft = rowsAtOnce
      for (const { webhookId, endpoint } of endpoints) {
        const { finding, rows } = rowsLeft > 0 ? lookApart(webhookId, endpoint, rowsLeft) : notYet
        rowsLeft -= rows
        if (finding === 'again') unseen.add(webhookId)
        if (finding !== 'idle') ready.add(webhookId)
      }
      isBehind = rowsLeft <= 0
      claimed = isClosing ? [] : claim(ready)
    }
    try {
      toDo.transaction(work)
    } catch (cause) {
      // Nothing of it was written: all of it is done again.
      for (const { webhookId } of claimed) pace.undone(webhookId)
      for (const { webhookId } of endpoints) unseen.add(webhookId)
      throw cause
    }
    ended.splice(0, written)
    claimed.forEach(begin)
    for (const each of failing) {
      const { id } = each.endpoint
      await disable(services)(each).catch((defect: unknown) => defects.push({ webhookId: id, defect }))
      unseen.add(id)
    }
    for (let met = defects.shift(); met !== undefined; met = defects.shift()) await setBack(met)
  }

  /** Where a defect is everybody's, it is thrown, and the endpoint looked at anew with the next turn. */
  const setBack = async ({ webhookId, defect }: (typeof defects)[number]): Promise<void> => {
    try {
      await apart.setBack(webhookId, defect)
    } catch (cause) {
      unseen.add(webhookId)
      throw cause
    }
  }

  let turn: Promise<unknown> = Promise.resolve()
  const pump = (isThorough: boolean): Promise<void> => {
    const done = turn.then(() => pumpOnce(isThorough))
    turn = done.catch(() => undefined)
    return done
  }
  const isIdle = (): boolean =>
    unseen.size === 0 && ended.length === 0 && (pace.isFull() || [...ready].every(pace.waits))
  const roused = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs)
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  return {
    run: async (signal, raise) => {
      signal.addEventListener('abort', () => rouse(), { once: true })
      while (!signal.aborted) {
        const resting = roused()
        await pump(false).catch(raise)
        await (isIdle() && !isNewsHeard ? resting : nextTurn())
        if (ended.length > 0) await pause(gatherMs)
      }
      isClosing = true
      await Promise.race([Promise.all(underWay), pause(graceMs, undefined, { ref: false })])
      await sender.close()
      await Promise.all(underWay)
      await pump(false).catch(raise)
    },
    settle: async () => {
      for (;;) {
        await pump(true)
        if (unseen.size === 0 && ended.length === 0 && ready.size === 0 && underWay.size === 0) return
        await (isIdle() && underWay.size > 0 ? Promise.race(underWay) : nextTurn())
        if (ended.length > 0) await pause(gatherMs)
      }
    },
    nextDue: () => {
      const dues = [toDo.endpoints.nextDue(clock.now()), apart.nextDue(clock.now())].filter((due) => due !== null)
      return dues.length === 0 ? null : Math.min(...dues)
    },
  }
}

const notYet: Examined = { finding: 'again', rows: 0 }

const hasArrived = (outcome: Outcome): boolean => outcome._tag === 'Attempted' && isArrived(outcome.answer)
const isPrompt = (outcome: Outcome): boolean =>
  hasArrived(outcome) && outcome._tag === 'Attempted' && outcome.durationMs < promptMs
