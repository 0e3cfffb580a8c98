import { type Environment, type UnixMs, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { platform } from '../kernel/platform.ts'
import { severalAtOnce } from '../kernel/several-at-once.ts'
import { inOwnTrace } from '../kernel/tracing/spans.ts'
import type { Loop } from '../stores/setbacks/loop.ts'
import type { Failed, Item, Setback } from '../stores/setbacks/setbacks.ts'
import { attempt, type ProbedServices } from './attempt.ts'
import type { ProcessFailure } from './process-failure.ts'
import type { Services } from './services.ts'

/** What every loop that works off items may touch. */
export type IsolationServices = ProbedServices & Pick<Services, 'setbacks' | 'cursors' | 'clock' | 'left'>

/**
 * How every loop works off its items, so that one merchant's trouble stays with that merchant:
 *
 * ```ts
 * export const resumeRefunds = (services: RefundServices, environment: Environment) =>
 *   eachIsolated(services, environment, {
 *     loop: 'refunds',                                  // add the name to loop.ts
 *     items: refundClaims.due(environment, now),        // anything with merchantId, environment and id
 *     again: ({ id }) => refundClaims.withId(id),       // null: nothing is left to do
 *     work: (claim) => resume(services, claim),         // Left or throw: only this item is set back
 *   })
 * ```
 */
export type LoopOver<A extends Item> = {
  readonly loop: Loop
  readonly items: Iterable<A> | AsyncIterable<A>
  /**
   * The item of a setback that is not on the list any more, since work may fail halfway: the item, to be worked on again;
   * null if nothing is left to do; undefined if it waits to be on the list again. `work` must write nothing twice.
   */
  readonly again: (setback: Item) => Promise<A | null | undefined>
  readonly work: (item: A) => Promise<E.Either<ProcessFailure, unknown>>
  /** False leaves an item for a later step. It is not called for paused items. */
  readonly isInTurn?: (item: A) => Promise<boolean>
  /** How many items are worked on side by side. */
  readonly atOnce?: number
}

/** The most items of one merchant that a loop sets back one by one; it sets back the others together. */
const mostOfMerchant = 100
/** Stands for all items of a merchant that have no setback of their own. */
const wholeMerchant = '*'

/**
 * Works off the items of a loop, except those of merchants that have left. An item that fails, by a `Left` or by a throw, is recorded and paused, for longer with each
 * failure; the others go on in the same step. Only a failure that concerns everybody ends the loop: it is returned or
 * thrown, and nothing is recorded.
 */
export const eachIsolated = async <A extends Item>(
  services: IsolationServices,
  environment: Environment,
  { loop, items, again, work, isInTurn = async () => true, atOnce = 1 }: LoopOver<A>,
): Promise<E.Either<ProcessFailure, void>> => {
  const { setbacks } = services
  const now = await nowIn(services, environment)
  const known = new Map((await setbacks.of(environment, loop)).map((each) => [keyOf(each), each]))
  const wholes = new Map([...known].filter(([, { id }]) => id === wholeMerchant))
  const failures = new Map<string, number>()
  const met = new Set<string>()

  const isPaused = (item: Item): boolean => {
    const own = known.get(keyOf(item))
    if (own !== undefined) return own.nextAt > now
    const others = wholes.get(keyOf(whole(item)))
    return others !== undefined && (others.nextAt > now || (failures.get(item.merchantId) ?? 0) >= mostOfMerchant)
  }
  const fail = async (item: A, failed: Failed): Promise<void> => {
    failures.set(item.merchantId, (failures.get(item.merchantId) ?? 0) + 1)
    const isCrowded = !known.has(keyOf(item)) && countOf(known, item.merchantId) >= mostOfMerchant
    const named = isCrowded ? whole(item) : item
    // A setback counts one failure in a pass, however many items it stands for.
    const before = known.get(keyOf(named))
    if (before !== undefined && before.nextAt > now) return
    const recorded = await setbacks.record(loop, named, failed, now)
    known.set(keyOf(recorded), recorded)
    if (isCrowded) wholes.set(keyOf(recorded), recorded)
  }
  const end = async (setback: Item): Promise<void> => {
    known.delete(keyOf(setback))
    await setbacks.clear(loop, setback)
  }
  const mayBeWorkedOn = async (item: A): Promise<boolean> => {
    met.add(keyOf(item))
    return !(await services.left.has(item.merchantId)) && !isPaused(item) && isInTurn(item)
  }
  const wanted = async function* (): AsyncGenerator<A> {
    for await (const item of items) if (await mayBeWorkedOn(item)) yield item
  }
  const workOn = async (item: A): Promise<E.Either<ProcessFailure, void>> => {
    const attempted = await attempt(services, environment, () => traced(loop, environment, () => work(item)))
    if (E.isLeft(attempted)) return attempted
    if (attempted.right._tag === 'Failed') await fail(item, attempted.right)
    else if (known.has(keyOf(item))) await end(item)
    return E.right(undefined)
  }

  const passed = await severalAtOnce(wanted(), atOnce, workOn)
  if (E.isLeft(passed) || known.size === 0) return passed
  const left = [...known.values()].filter((each) => each.nextAt <= now && !met.has(keyOf(each)))
  return severalAtOnce(left, atOnce, async (each) => {
    const item = each.id === wholeMerchant ? null : await again(each)
    if (item === null) await end(each)
    else if (item !== undefined && (await mayBeWorkedOn(item))) return workOn(item)
    return E.right(undefined)
  })
}

/** They mostly find nothing to do, at each ledger or four times a second. */
const untraced: ReadonlySet<Loop> = new Set<Loop>(['pass', 'invariants', 'service_accounts'])

/** Work on an item is a trace. */
const traced = <A>(
  loop: Loop,
  environment: Environment,
  work: () => Promise<E.Either<ProcessFailure, A>>,
): Promise<E.Either<ProcessFailure, A>> =>
  untraced.has(loop)
    ? work()
    : inOwnTrace(`work ${loop}`, { 'quittance.environment': environment, 'quittance.loop': loop }, work)

/** Runs work that is no item's; null if it failed and that does not concern everybody. Records nothing. */
export const unlessLocal = async <A>(
  services: ProbedServices,
  environment: Environment,
  work: () => Promise<E.Either<ProcessFailure, A>>,
): Promise<E.Either<ProcessFailure, A | null>> => {
  const attempted = await attempt(services, environment, work)
  if (E.isLeft(attempted)) return attempted
  return E.right(attempted.right._tag === 'Done' ? attempted.right.value : null)
}

/** One piece of work outside of a loop's list. */
type Piece = {
  readonly loop: Loop
  readonly item: Item
  readonly work: () => Promise<E.Either<ProcessFailure, unknown>>
}

/** Runs work that is not on a list. If it fails by itself, `keep` puts it on one, and then the setback is recorded. */
export const setBack = async (
  services: IsolationServices,
  environment: Environment,
  { loop, item, work }: Piece,
  keep: () => Promise<void>,
): Promise<E.Either<ProcessFailure, void>> => {
  const attempted = await attempt(services, environment, () => traced(loop, environment, work))
  if (E.isLeft(attempted)) return attempted
  if (attempted.right._tag === 'Failed') {
    await keep()
    await services.setbacks.record(loop, item, attempted.right, await nowIn(services, environment))
  }
  return E.right(undefined)
}

/** Whether an item of a loop is paused, for callers that group items before they work on them. */
export const pausedIn = async (
  services: IsolationServices,
  environment: Environment,
  loop: Loop,
): Promise<(item: Item) => boolean> => {
  const now = await nowIn(services, environment)
  const paused = new Set(
    (await services.setbacks.of(environment, loop)).flatMap((each) => (each.nextAt > now ? [keyOf(each)] : [])),
  )
  return (item) => paused.has(keyOf(item)) || paused.has(keyOf(whole(item)))
}

/** A part of a worker's step. If it fails as a whole and by itself, it holds up no other part. */
export type Part = { readonly loop: Loop; readonly run: () => Promise<E.Either<ProcessFailure, unknown>> }

/**
 * Runs parts one after the other; a part that failed as a whole is paused. Each reads what the ones before it have written, also
 * where read models follow the log.
 */
export const partsIsolated = (
  services: IsolationServices,
  environment: Environment,
  parts: ReadonlyArray<Part>,
): Promise<E.Either<ProcessFailure, void>> =>
  eachIsolated(services, environment, {
    loop: 'pass',
    items: parts.map(({ loop, run }) => ({ merchantId: platform, environment, id: loop, run })),
    again: async () => null,
    work: async ({ run }) => {
      await services.caughtUp.withAllOwnWrites()
      return run()
    },
  })

/** The later of the ledger's time and this machine's. */
const nowIn = async (
  { clock, cursors }: Pick<Services, 'clock' | 'cursors'>,
  environment: Environment,
): Promise<UnixMs> => unixMs(Math.max(clock.now(environment), (await cursors.closedAt(environment)) ?? 0))

const keyOf = ({ merchantId, id }: Item): string => `${merchantId} ${id}`
const whole = ({ merchantId, environment }: Item): Item => ({ merchantId, environment, id: wholeMerchant })
const countOf = (known: ReadonlyMap<string, Setback>, merchantId: string): number =>
  [...known.values()].filter((each) => each.merchantId === merchantId).length
