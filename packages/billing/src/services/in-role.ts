import * as E from 'fp-ts/lib/Either.js'
import { RoleLost, whileHolding } from '../kernel/fence.ts'
import { type HeldRole, type Roles, usualLeaseMs } from '../stores/roles.ts'

/** Why work in a role did not begin, or ended early. It is the work of another process, so nothing is wrong. */
export type NotInRole =
  /** Another process has the role, or this one has stood down. */
  | { readonly _tag: 'HeldElsewhere'; readonly role: string }
  /** The role was lost during the work. What the work tried to write since was refused. */
  | { readonly _tag: 'RoleLost'; readonly role: string }

/** A role that this process takes for its work, and keeps in between until another process needs to take it. */
export type RoleWork = {
  /** Runs work in the role, which it takes or renews first, and keeps until the work ends. */
  readonly run: <A>(work: (role: HeldRole) => Promise<A>) => Promise<E.Either<NotInRole, A>>
  /** Gives the role away, so that another process takes it at once. No work may be under way. */
  readonly giveAway: () => Promise<void>
  /** The same, and never takes it again. */
  readonly standDown: () => Promise<void>
}

/** Errors: `run` rejects with whatever the work throws, and both with the database's failure. */
export const inRole = (roles: Roles, name: string, renewedEachMs: number = usualLeaseMs / 3): RoleWork => {
  const elsewhere = E.left({ _tag: 'HeldElsewhere', role: name } as const)
  let held: HeldRole | null = null
  let hasStoodDown = false
  const giveAway = async (): Promise<void> => {
    if (held !== null) await roles.release(held)
  }
  return {
    giveAway,
    run: async (work) => {
      if (hasStoodDown) return elsewhere
      const role = await roles.take(name)
      held = role
      if (role === null) return elsewhere
      const end = keepRenewing(roles, role, renewedEachMs)
      try {
        return E.right(await whileHolding(roles.fence(role), () => work(role)))
      } catch (cause) {
        if (cause instanceof RoleLost) return E.left({ _tag: 'RoleLost', role: name })
        throw cause
      } finally {
        await end()
      }
    },
    standDown: async () => {
      hasStoodDown = true
      await giveAway()
    },
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
