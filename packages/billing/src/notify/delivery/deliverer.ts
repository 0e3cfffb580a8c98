import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import { attempt, type Outcome } from './attempt.ts'
import { claimDue } from './claim-due.ts'
import { disable } from './disable.ts'
import type { Endpoint } from './endpoint.ts'
import { endpointIsolation } from './endpoint-isolation.ts'
import { endpointViews } from './endpoint-views.ts'
import { type Examined, examine } from './examine.ts'
import { endpointsOf, newEventReader, webhookIn } from './new-events.ts'
import { createPace, type Limits, usualLimits } from './pace.ts'
import { type EndedAttempt, isArrived, recordOutcomes, type ToDisable } from './record-outcomes.ts'
import { keptMs } from './schedule.ts'
import type { Sender } from './sending/sender.ts'
import type { DeliveryServices } from './services.ts'

export type DelivererOptions = {
  readonly sender: Sender
  /** Unix milliseconds: for signatures and leases, which the sandbox's clock does not move. */
  readonly wallNow: () => number
  /** From 0 to below 1. */
  readonly random: () => number
  readonly limits: Limits
  /** How long a claimed attempt is reserved for its process: longer than an attempt takes. */
  readonly leaseMs: number
  /** How often it looks for work without a notification. */
  readonly pollMs: number
}

const usual: Omit<DelivererOptions, 'sender'> = {
  wallNow: Date.now,
  random: Math.random,
  limits: usualLimits,
  leaseMs: 60_000,
  pollMs: 250,
}

/**
 * Delivers public events to endpoints. Several processes may deliver from one file: no two send the same attempt at
 * once.
 */
export interface Deliverer {
  /** Delivers until the signal aborts, then ends open attempts. Passes defects to `raise` and retries. */
  readonly run: (signal: AbortSignal, raise: (defect: unknown) => void) => Promise<void>
  /** Attempts all due deliveries, until none is due. */
  readonly settle: () => Promise<void>
  /** When the next attempt falls due after now (Unix milliseconds). */
  readonly nextDue: () => number | null
}

/** A transaction blocks the whole process, so each one handles at most so many items. */
const [examinedAtOnce, rowsAtOnce, dueAtOnce, purgedAtOnce] = [100, 500, 1_000, 500]
/** How many endpoints are examined at once while each has many new events. */
const fewAtOnce = 2
const betweenSweepsMs = 60_000
const promptMs = 2_000
/** How long open attempts may still be answered at the end. The next process retries the others. */
const graceMs = 1_000
/** Attempts that end within so long are recorded together. */
const gatherMs = 2

export const createDeliverer = (
  services: DeliveryServices,
  given: Pick<DelivererOptions, 'sender'> & Partial<DelivererOptions>,
): Deliverer => {
  const { sender, wallNow, random, limits, leaseMs, pollMs } = { ...usual, ...given }
  const { toDo, clock, readModels, caughtUp, changes, freshId } = services
  const owner = freshId()
  const pace = createPace(limits)
  const views = endpointViews(services)
  const send = attempt(services, views.recent, { sender, wallNow })
  const record = recordOutcomes(services, { owner, random })
  const examineEndpoint = examine(services)
  const claim = claimDue(services, pace, () => ({ owner, until: wallNow() + leaseMs }))
  const isolation = endpointIsolation(services)
  const readNewEvents = newEventReader(services)
  toDo.begunAt(clock.now())

  /** Endpoints that may have due deliveries, and endpoints to examine again. */
  const [ready, toExamine] = [new Set<string>(), new Set<string>()]
  const underWay = new Set<Promise<void>>()
  const ended: Array<EndedAttempt> = []
  const defects: Array<{ readonly webhookId: string; readonly defect: unknown }> = []
  let [isNotified, isClosing, isBehind] = [true, false, false]
  let [sweptAt, polledAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let rouse = (): void => undefined

  changes.listen((stream) => {
    isNotified = true
    const webhookId = webhookIn(stream)
    if (webhookId !== null) toExamine.add(webhookId)
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

  /** Finds work without a notification: of other processes, due by the clock, or missed before. */
  const poll = (isThorough: boolean): void => {
    const wall = performance.now()
    if (!isThorough && wall - polledAt < pollMs) return
    polledAt = wall
    for (const webhookId of toDo.deliveries.expire(wallNow(), clock.now())) {
      toDo.endpoints.refresh(webhookId)
      ready.add(webhookId)
    }
    for (const webhookId of toDo.endpoints.due(clock.now(), dueAtOnce)) ready.add(webhookId)
    for (const webhookId of isolation.dueNow()) toExamine.add(webhookId)
    if (wall - sweptAt < betweenSweepsMs) return
    sweptAt = wall
    for (const { id, row } of readModels.webhooks.all()) if (row.status === 'living') toExamine.add(id)
    for (const webhookId of toDo.endpoints.all()) toExamine.add(webhookId)
    toDo.deliveries.purge(clock.now() - keptMs, purgedAtOnce)
  }

  const noteNewEvents = (): void => {
    const { scopes, lastEvent, isAll } = readNewEvents()
    for (const scope of scopes) for (const webhookId of endpointsOf(services, scope)) toExamine.add(webhookId)
    if (lastEvent !== null) toDo.looked(lastEvent)
    if (!isAll) isNotified = true
  }

  const readEndpoints = async () => {
    const found: Array<{ readonly webhookId: string; readonly endpoint: Endpoint | null }> = []
    for (const webhookId of [...toExamine].slice(0, isBehind ? fewAtOnce : examinedAtOnce)) {
      toExamine.delete(webhookId)
      try {
        const endpoint = await views.read(webhookId)()
        if (E.isRight(endpoint)) found.push({ webhookId, endpoint: endpoint.right })
        else toExamine.add(webhookId)
      } catch (defect) {
        defects.push({ webhookId, defect })
      }
    }
    return found
  }

  /** Undoes what the examination wrote if it throws. The endpoint is examined again once its setback is due. */
  const examineIsolated = (webhookId: string, endpoint: Endpoint | null, most: number): Examined => {
    try {
      const examined = toDo.part(() => examineEndpoint(webhookId, endpoint, most))
      isolation.recovered(webhookId)
      return examined
    } catch (defect) {
      defects.push({ webhookId, defect })
      return { finding: 'idle', rows: 0 }
    }
  }

  const pumpOnce = async (isThorough: boolean): Promise<void> => {
    if (isNotified || isThorough) {
      isNotified = false
      await caughtUp.withLog()
    }
    toDo.transaction(() => {
      poll(isThorough)
      noteNewEvents()
    })
    const endpoints = await readEndpoints()
    let claimed: ReadonlyArray<Delivery> = []
    let failing: ReadonlyArray<ToDisable> = []
    const written = ended.length
    const work = (): void => {
      failing = record(ended.slice(0, written))
      let rowsLeft = rowsAtOnce
      for (const { webhookId, endpoint } of endpoints) {
        const { finding, rows } = rowsLeft > 0 ? examineIsolated(webhookId, endpoint, rowsLeft) : notYet
        rowsLeft -= rows
        if (finding === 'again') toExamine.add(webhookId)
        if (finding !== 'idle') ready.add(webhookId)
      }
      isBehind = rowsLeft <= 0
      claimed = isClosing ? [] : claim(ready)
    }
    try {
      toDo.transaction(work)
    } catch (cause) {
      // Nothing was written: all of it is done again.
      for (const { webhookId } of claimed) pace.undone(webhookId)
      for (const { webhookId } of endpoints) toExamine.add(webhookId)
      throw cause
    }
    ended.splice(0, written)
    claimed.forEach(begin)
    for (const each of failing) {
      const { id } = each.endpoint
      await disable(services)(each).catch((defect: unknown) => defects.push({ webhookId: id, defect }))
      toExamine.add(id)
    }
    for (let met = defects.shift(); met !== undefined; met = defects.shift()) await setBack(met)
  }

  /** Throws a defect that concerns every endpoint, and examines the endpoint again in the next turn. */
  const setBack = async ({ webhookId, defect }: (typeof defects)[number]): Promise<void> => {
    try {
      await isolation.setBack(webhookId, defect)
    } catch (cause) {
      toExamine.add(webhookId)
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
    toExamine.size === 0 && ended.length === 0 && (pace.isFull() || [...ready].every(pace.waits))
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
        await (isIdle() && !isNotified ? resting : nextTurn())
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
        if (toExamine.size === 0 && ended.length === 0 && ready.size === 0 && underWay.size === 0) return
        await (isIdle() && underWay.size > 0 ? Promise.race(underWay) : nextTurn())
        if (ended.length > 0) await pause(gatherMs)
      }
    },
    nextDue: () => {
      const dues = [toDo.endpoints.nextDue(clock.now()), isolation.nextDue(clock.now())].filter((due) => due !== null)
      return dues.length === 0 ? null : Math.min(...dues)
    },
  }
}

const notYet: Examined = { finding: 'again', rows: 0 }

const hasArrived = (outcome: Outcome): boolean => outcome._tag === 'Attempted' && isArrived(outcome.result)
const isPrompt = (outcome: Outcome): boolean =>
  hasArrived(outcome) && outcome._tag === 'Attempted' && outcome.durationMs < promptMs
