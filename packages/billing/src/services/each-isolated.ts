import { type Environment, type UnixMs, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { platform } from '../kernel/platform.ts'
import { severalAtOnce } from '../kernel/several-at-once.ts'
import type { FailureTag } from '../stores/setbacks/failures.ts'
import type { Loop } from '../stores/setbacks/loop.ts'
import type { Failed, Item, Setback } from '../stores/setbacks/setbacks.ts'
import { concernsEverybody, type Probed } from './concerns-everybody.ts'
import type { ProcessFailure } from './process-failure.ts'
import type { Services } from './services.ts'

export type IsolationServices = Probed & Pick<Services, 'setbacks' | 'cursors' | 'clock'>

/**
 * How every loop works off its items, so that one merchant's trouble stays with that merchant:
 *
 * ```ts
 * export const resumeRefunds = (services: Services) => (environment: Environment) => () =>
 *   eachIsolated(services, environment, {
 *     loop: 'refunds',                                  // add the name to loop.ts
 *     items: refundClaims.due(environment, now),        // whatever has merchantId, environment and id
 *     again: ({ id }) => refundClaims.withId(id),       // null: nothing of it is left to do
 *     work: (claim) => carry(services, claim),          // Left or throw: this item alone is set back
 *   })
 * ```
 */
export type LoopOver<A extends Item> = {
  readonly loop: Loop
  readonly items: Iterable<A>
  /**
   * What has failed before and is not on the list any more, as what failed halfway may be: the item, to be worked on again;
   * null where nothing of it is left to do; undefined where it waits to be on the list again. `work` on it must write
   * nothing twice.
   */
  readonly again: (setback: Item) => A | null | undefined
  readonly work: (item: A) => Promise<E.Either<ProcessFailure, unknown>>
  /** Asked of each item that is not paused: false leaves it for a later step. */
  readonly isInTurn?: (item: A) => boolean
  /** How many items are worked on side by side. */
  readonly atOnce?: number
}

/** So many items of one merchant are set back in a loop each by itself; more are set back together. */
const mostOfMerchant = 100
/** Stands for all items of a merchant that have no setback of their own. */
const wholeMerchant = '*'

/**
 * Works off the items of a loop. One that fails, by a `Left` of any class or by a throw, is recorded and left out until its
 * next time, in pauses that grow; the others go on in the same step. Ends early only with what concerns everybody: then
 * nothing is recorded, and the failure is answered, or thrown.
 */
export const eachIsolated = async <A extends Item>(
  services: IsolationServices,
  environment: Environment,
  { loop, items, again, work, isInTurn = () => true, atOnce = 1 }: LoopOver<A>,
): Promise<E.Either<ProcessFailure, void>> => {
  const { setbacks } = services
  const now = nowIn(services, environment)
  const known = new Map(setbacks.of(environment, loop).map((each) => [keyOf(each), each]))
  const wholes = new Map([...known].filter(([, { id }]) => id === wholeMerchant))
  const failures = new Map<string, number>()
  const met = new Set<string>()

  const isPaused = (item: Item): boolean => {
    const own = known.get(keyOf(item))
    if (own !== undefined) return own.nextAt > now
    const others = wholes.get(keyOf(whole(item)))
    return others !== undefined && (others.nextAt > now || (failures.get(item.merchantId) ?? 0) >= mostOfMerchant)
  }
  const fail = async (item: A, failed: Failed): Promise<boolean> => {
    if (await concernsEverybody(services, environment, failed.failure)) return false
    failures.set(item.merchantId, (failures.get(item.merchantId) ?? 0) + 1)
    const isCrowded = !known.has(keyOf(item)) && countOf(known, item.merchantId) >= mostOfMerchant
    const named = isCrowded ? whole(item) : item
    // Counted once for a pass, however many items it stands for.
    const before = known.get(keyOf(named))
    if (before !== undefined && before.nextAt > now) return true
    const recorded = setbacks.record(loop, named, failed, now)
    known.set(keyOf(recorded), recorded)
    if (isCrowded) wholes.set(keyOf(recorded), recorded)
    return true
  }
  const end = (setback: Item): void => {
    known.delete(keyOf(setback))
    setbacks.clear(loop, setback)
  }
  const attempt = async (item: A): Promise<E.Either<ProcessFailure, unknown>> => {
    met.add(keyOf(item))
    if (isPaused(item) || !isInTurn(item)) return E.right(undefined)
    try {
      const done = await work(item)
      if (E.isLeft(done)) return (await fail(item, failedBy(done.left))) ? E.right(undefined) : done
    } catch (defect) {
      if (await fail(item, { failure: 'Defect', cause: String(defect) })) return E.right(undefined)
      throw defect
    }
    if (known.has(keyOf(item))) end(item)
    return E.right(undefined)
  }

  const passed = await severalAtOnce(items, atOnce, attempt)
  if (E.isLeft(passed) || known.size === 0) return passed
  const left = [...known.values()].filter((each) => each.nextAt <= now && !met.has(keyOf(each)))
  return severalAtOnce(left, atOnce, async (each) => {
    const item = each.id === wholeMerchant ? null : again(each)
    if (item === null) end(each)
    else if (item !== undefined) return attempt(item)
    return E.right(undefined)
  })
}

/** Work that is no one's item: null where it has failed, and that is not everybody's trouble. Nothing is recorded. */
export const unlessLocal = async <A>(
  services: IsolationServices,
  environment: Environment,
  work: () => Promise<E.Either<ProcessFailure, A>>,
): Promise<E.Either<ProcessFailure, A | null>> => {
  try {
    const done = await work()
    if (E.isRight(done)) return done
    return (await concernsEverybody(services, environment, tagOf(done.left))) ? done : E.right(null)
  } catch (defect) {
    if (await concernsEverybody(services, environment, 'Defect')) throw defect
    return E.right(null)
  }
}

/** One piece of work outside of a loop's list. */
type Piece = {
  readonly loop: Loop
  readonly item: Item
  readonly work: () => Promise<E.Either<ProcessFailure, unknown>>
}

/**
 * Work that is not on any list: where it fails, and that is not everybody's trouble, `keep` has to put it on one, before the
 * setback is recorded. What `keep` throws is thrown.
 */
export const setBack = async (
  services: IsolationServices,
  environment: Environment,
  { loop, item, work }: Piece,
  keep: () => void,
): Promise<E.Either<ProcessFailure, unknown>> => {
  const keepFor = (failed: Failed): void => {
    keep()
    services.setbacks.record(loop, item, failed, nowIn(services, environment))
  }
  try {
    const done = await work()
    if (E.isRight(done) || (await concernsEverybody(services, environment, tagOf(done.left)))) return done
    keepFor(failedBy(done.left))
  } catch (defect) {
    if (await concernsEverybody(services, environment, 'Defect')) throw defect
    keepFor({ failure: 'Defect', cause: String(defect) })
  }
  return E.right(undefined)
}

/** Whether an item of a loop waits for its next attempt: for who puts items together before they are worked on. */
export const pausedIn = (
  services: IsolationServices,
  environment: Environment,
  loop: Loop,
): ((item: Item) => boolean) => {
  const now = nowIn(services, environment)
  const paused = new Set(
    services.setbacks.of(environment, loop).flatMap((each) => (each.nextAt > now ? [keyOf(each)] : [])),
  )
  return (item) => paused.has(keyOf(item)) || paused.has(keyOf(whole(item)))
}

/** A part of a worker's step. What fails in it for all its items, and is not everybody's, holds up no other part. */
export type Part = { readonly loop: Loop; readonly run: () => Promise<E.Either<ProcessFailure, unknown>> }

/** Runs parts one after the other; one that has failed as a whole is left out until its next time. */
export const partsIsolated = (
  services: IsolationServices,
  environment: Environment,
  parts: ReadonlyArray<Part>,
): Promise<E.Either<ProcessFailure, void>> =>
  eachIsolated(services, environment, {
    loop: 'pass',
    items: parts.map(({ loop, run }) => ({ merchantId: platform, environment, id: loop, run })),
    again: () => null,
    work: ({ run }) => run(),
  })

/** As the ledger and this machine's clock have it: whichever is ahead. */
const nowIn = ({ clock, cursors }: IsolationServices, environment: Environment): UnixMs =>
  unixMs(Math.max(clock.now(), cursors.closedAt(environment) ?? 0))

const failedBy = (failure: ProcessFailure): Failed => {
  const { _tag: _, ...facts } = failure
  const text = JSON.stringify(facts, (_, value: unknown) =>
    typeof value === 'bigint' || value instanceof Error ? String(value) : value,
  )
  return { failure: tagOf(failure), cause: text }
}

/** A step that the domain rejected is a defect of ours, though it is no throw. */
const tagOf = ({ _tag }: ProcessFailure): FailureTag => (_tag === 'StepRejected' ? 'Defect' : _tag)

const keyOf = ({ merchantId, id }: Item): string => `${merchantId} ${id}`
const whole = ({ merchantId, environment }: Item): Item => ({ merchantId, environment, id: wholeMerchant })
const countOf = (known: ReadonlyMap<string, Setback>, merchantId: string): number =>
  [...known.values()].filter((each) => each.merchantId === merchantId).length
