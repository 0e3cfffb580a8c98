import type { Environment } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { timesOf } from '../../kernel/clock.ts'
import type { Delivery } from '../../stores/deliveries/delivery.ts'
import { holdingEndpoints, inAnyOrder } from '../../stores/deliveries/soon-durable.ts'
import type { Roles } from '../../stores/roles.ts'
import { attempt } from './attempt.ts'
import { claimDue } from './claim-due.ts'
import { disable } from './disable.ts'
import type { Endpoint } from './endpoint.ts'
import { endpointIsolation } from './endpoint-isolation.ts'
import { endpointViews } from './endpoint-views.ts'
import { type Examined, examine } from './examine.ts'
import { createWorkFinder } from './find-work.ts'
import { workFinderInRole } from './find-work-in-role.ts'
import { gathering } from './gathering.ts'
import { webhookIn } from './new-events.ts'
import type { Outcome } from './outcome.ts'
import { createPace, type Limits } from './pace.ts'
import { type EndedAttempt, isArrived, recordOutcomes } from './record-outcomes.ts'
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
  /** Of which one is to turn events into deliveries, where several processes share a database; null elsewhere. */
  readonly roles: Roles | null
  /** Called for each event once its first delivery is recorded. It must not throw. */
  readonly onArrival?: (arrival: Arrival) => void
}

/** An event that has reached an endpoint, and how long after its recording. */
export type Arrival = { readonly environment: Environment; readonly delayMs: number }

/** The work of a deliverer, one turn at a time. It rouses the deliverer when there may be work. */
export interface Pump {
  /** Records what has ended, examines endpoints, and begins due attempts. A thorough turn looks everywhere for work. */
  readonly turn: (isThorough: boolean) => Promise<void>
  readonly isNotified: () => boolean
  /** Whether nothing can be done until an attempt ends or a notification comes. */
  readonly isIdle: () => boolean
  /** Whether nothing is left to do, and no attempt is open. */
  readonly isDone: () => boolean
  readonly hasEnded: () => boolean
  readonly underWay: ReadonlySet<Promise<void>>
  /** Begins no more attempts. */
  readonly close: () => void
  /** After the last turn: leaves to another process what one at a time does. */
  readonly standDown: () => Promise<void>
  /** When the next attempt in an environment falls due after now (Unix milliseconds). */
  readonly nextDue: (environment: Environment) => Promise<number | null>
}

/** A transaction may block the whole process, so each turn handles at most so many items. */
const [examinedAtOnce, rowsAtOnce, dueAtOnce] = [100, 500, 1_000]
/** How many endpoints are examined at once while each has many new events. */
const fewAtOnce = 2
const promptMs = 2_000

export const createPump = (services: DeliveryServices, options: DelivererOptions, rouse: () => void): Pump => {
  const { sender, wallNow, random, limits, leaseMs, pollMs, onArrival } = options
  const { toDo, clock, caughtUp, changes, freshId, logStanding } = services
  const owner = freshId()
  const pace = createPace(limits)
  const views = endpointViews(services)
  const send = attempt(services, views.recent, { sender, wallNow })
  const record = recordOutcomes(services, { owner, random })
  const examineEndpoint = examine(services)
  const isolation = endpointIsolation(services)
  const openedAt = clock.now('testnet')
  let isOpen = false

  /** A log that went back repeats what it has told, and may tell what is wrong: nothing is told until a person accepts. */
  const isWithheld = () => logStanding.now()._tag === 'RolledBack'

  /** Endpoints that may have due deliveries, and endpoints to examine again. */
  const [ready, toExamine] = [new Set<string>(), new Set<string>()]
  const underWay = new Set<Promise<void>>()
  const ended: Array<EndedAttempt> = []
  const defects: Array<{ readonly webhookId: string; readonly defect: unknown }> = []
  let [isNotified, isClosing, isBehind] = [true, false, false]
  /** Of these, `ready` ones whose deliveries other processes are at. */
  let heldElsewhere: ReadonlySet<string> = new Set()
  const finder = workFinderInRole(
    createWorkFinder(services, isolation, options, { ready, toExamine }),
    options.roles,
    pollMs,
  )
  let polledAt = Number.NEGATIVE_INFINITY

  const gathered = gathering(() => {
    isNotified = true
    rouse()
  })
  changes.listen((stream) => {
    const webhookId = webhookIn(stream)
    // The endpoint itself has changed, or somebody has added a delivery to it.
    if (webhookId !== null) for (const each of [toExamine, ready]) each.add(webhookId)
    gathered.changed()
  })

  const begin = (delivery: Delivery): void => {
    const done = send(delivery).then((outcome) => {
      underWay.delete(done)
      pace.ended(delivery.webhookId, isPrompt(outcome))
      ended.push({ delivery, outcome: isClosing && !hasArrived(outcome) ? { _tag: 'Suspended' } : outcome })
      rouse()
    })
    underWay.add(done)
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

  const claim = claimDue(services, pace, () => ({ owner, until: wallNow() + leaseMs }), begin)

  /** Writes nothing if the examination throws. The endpoint is examined again once its setback is due. */
  const examineIsolated = async (webhookId: string, endpoint: Endpoint | null, most: number): Promise<Examined> => {
    try {
      const examined = await examineEndpoint(webhookId, endpoint, most)
      await isolation.recovered(webhookId)
      return examined
    } catch (defect) {
      defects.push({ webhookId, defect })
      return { finding: 'idle', rows: 0 }
    }
  }

  const recordEnded = async (): Promise<void> => {
    const written = [...ended]
    if (written.length === 0) return
    const failing = await toDo.sql.run(record(written), holdingEndpoints)
    ended.splice(0, written.length)
    // Only now may the next delivery of the same resource begin.
    for (const { delivery } of written) ready.add(delivery.webhookId)
    for (const { delivery, outcome } of written)
      if (onArrival !== undefined && outcome._tag === 'Attempted' && outcome.delayMs !== null && hasArrived(outcome))
        onArrival({ environment: delivery.environment, delayMs: outcome.delayMs })
    for (const each of failing) {
      const { id } = each.endpoint
      await disable(services)(each).catch((defect: unknown) => defects.push({ webhookId: id, defect }))
      toExamine.add(id)
    }
  }

  const examineAll = async (): Promise<void> => {
    const found = await readEndpoints()
    let rowsLeft = rowsAtOnce
    for (const { webhookId, endpoint } of found) {
      const { finding, rows } = rowsLeft > 0 ? await examineIsolated(webhookId, endpoint, rowsLeft) : notYet
      rowsLeft -= rows
      if (finding === 'again') toExamine.add(webhookId)
      if (finding !== 'idle') ready.add(webhookId)
    }
    isBehind = rowsLeft <= 0
  }

  /** Of whichever process, and since time has passed. */
  const findDue = async (isThorough: boolean): Promise<void> => {
    const wall = performance.now()
    if (!isThorough && wall - polledAt < pollMs) return
    polledAt = wall
    for (const webhookId of await toDo.sql.run(toDo.endpoints.due(timesOf(clock), dueAtOnce))) ready.add(webhookId)
  }

  const pumpOnce = async (isThorough: boolean): Promise<void> => {
    if (!isOpen) await toDo.sql.run(toDo.begunAt(openedAt), inAnyOrder)
    isOpen = true
    if (isWithheld() && ended.length === 0) return
    if (isNotified || isThorough) {
      isNotified = false
      gathered.began()
      await caughtUp.withLog()
    }
    if (await finder.find(isThorough)) isNotified = true
    await findDue(isThorough)
    await recordEnded()
    await examineAll()
    if (!isClosing && !isWithheld()) heldElsewhere = await claim(ready)
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

  const hasToWait = (webhookId: string): boolean => heldElsewhere.has(webhookId) || pace.waits(webhookId)

  let turn: Promise<unknown> = Promise.resolve()
  return {
    turn: (isThorough) => {
      const done = turn.then(() => pumpOnce(isThorough))
      turn = done.catch(() => undefined)
      return done
    },
    isNotified: () => isNotified,
    isIdle: () =>
      isWithheld() || (toExamine.size === 0 && ended.length === 0 && (pace.isFull() || [...ready].every(hasToWait))),
    isDone: () =>
      underWay.size === 0 && (isWithheld() || (toExamine.size === 0 && ended.length === 0 && ready.size === 0)),
    hasEnded: () => ended.length > 0,
    underWay,
    close: () => {
      isClosing = true
    },
    standDown: finder.standDown,
    nextDue: async (environment) => {
      const next = await toDo.sql.run(toDo.endpoints.nextDue(environment, clock.now(environment)))
      const dues = [next, await isolation.nextDue(environment)].filter((due) => due !== null)
      return dues.length === 0 ? null : Math.min(...dues)
    },
  }
}

const notYet: Examined = { finding: 'again', rows: 0 }

const hasArrived = (outcome: Outcome): boolean => outcome._tag === 'Attempted' && isArrived(outcome.result)
const isPrompt = (outcome: Outcome): boolean =>
  hasArrived(outcome) && outcome._tag === 'Attempted' && outcome.durationMs < promptMs
