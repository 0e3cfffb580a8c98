import * as E from 'fp-ts/lib/Either.js'
import { RoleLost, whileHolding } from '../kernel/fence.ts'
import { type HeldRole, type Roles, usualLeaseMs } from '../stores/roles.ts'

/** Why work in a role did not begin, or ended early. It is the work of another process, so nothing is wrong. */
export type NotInRole =
  /** Another process has the role, or this one has stood down. */
  | { readonly _tag: 'HeldElsewhere'; readonly role: string }
  /** The role was lost during the work. What the work tried to write since was refused. */
  | { readonly _tag: 'RoleLost'; readonly role: string }

/**
 * A role that this process takes for its work, and keeps in between until another process needs to take it. `Because` is why it
 * may give the role away for a while.
 */
export type RoleWork<Because> = {
  /**
   * Runs work in the role, which it takes or renews first, and keeps until the work ends. `isNew`: another process may have been
   * at work since this one last was.
   */
  readonly run: <A>(work: (isNew: boolean) => Promise<A>) => Promise<E.Either<NotInRole | Because, A>>
  /**
   * Gives the role away, so that another process takes it at once. This one does not ask for it for so long; meanwhile `run`
   * answers why. No work may be under way.
   */
  readonly giveAway: (because: Because, forMs: number) => Promise<void>
  /** Gives the role away, and never takes it again. No work may be under way. */
  readonly standDown: () => Promise<void>
}

/**
 * `renewedEachMs`: how often work that lasts renews the role; `askedEachMs`: how soon the role is asked for again after another
 * process had it.
 * Errors: `run` rejects with whatever the work throws, and all with the database's failure.
 */
export const inRole = <Because = never>(
  roles: Roles,
  name: string,
  { renewedEachMs = usualLeaseMs / 3, askedEachMs = 0 } = {},
): RoleWork<Because> => {
  const elsewhere: NotInRole = { _tag: 'HeldElsewhere', role: name }
  /** The role as this process last had it; null if another one may have had it since. */
  let last: HeldRole | null = null
  /** Until then the role is not asked for, and this is the answer. */
  let pause: { readonly answer: NotInRole | Because; readonly until: number } = { answer: elsewhere, until: 0 }
  const giveAway = async (answer: NotInRole | Because, until: number): Promise<void> => {
    pause = { answer, until }
    if (last !== null) await roles.release(last)
  }
  return {
    run: async (work) => {
      const askedAt = performance.now()
      if (askedAt < pause.until) return E.left(pause.answer)
      const notInRole = (answer: NotInRole): E.Either<NotInRole, never> => {
        last = null
        pause = { answer: elsewhere, until: askedAt + askedEachMs }
        return E.left(answer)
      }
      const role = await roles.take(name)
      if (role === null) return notInRole(elsewhere)
      const isNew = role.epoch !== last?.epoch
      last = role
      const end = keepRenewing(roles, role, renewedEachMs)
      try {
        return E.right(await whileHolding(roles.fence(role), () => work(isNew)))
      } catch (cause) {
        if (cause instanceof RoleLost) return notInRole({ _tag: 'RoleLost', role: name })
        throw cause
      } finally {
        await end()
      }
    },
    giveAway: (because, forMs) => giveAway(because, performance.now() + forMs),
    standDown: () => giveAway(elsewhere, Number.POSITIVE_INFINITY),
  }
}

/** A renewal that fails is repeated. Whether the role lasts is for the fence to say. */
const keepRenewing = ({ renew }: Roles, role: HeldRole, eachMs: number): (() => Promise<void>) => {
  let renewal: Promise<void> | null = null
  const begin = (): void => {
    const end = (): void => {
      renewal = null
    }
    renewal ??= renew(role).then(end, end)
  }
  const timer = setInterval(begin, eachMs)
  return async () => {
    clearInterval(timer)
    // A renewal after the release would give the role back to this process.
    await renewal
  }
}
