import * as E from 'fp-ts/lib/Either.js'
import { inRole } from '../../services/in-role.ts'
import type { Roles } from '../../stores/roles.ts'
import type { Feeder } from './feeding.ts'

/** A feeder that only feeds while this process has the role. */
export type FeederInRole = Pick<Feeder, 'feed'> & {
  /** Gives the role to another process, which need not wait for the end of a lease. */
  readonly standDown: () => Promise<void>
}

/**
 * For processes that share a database: one at a time feeds, and the others only send what falls due. This spares them the same work
 * many times over; nothing is delivered twice if two feed at once. So a thorough feed, which answers for everything, needs no role.
 */
export const feederInRole = (feeder: Feeder, roles: Roles | null, pollMs: number): FeederInRole => {
  if (roles === null) return { feed: feeder.feed, standDown: async () => undefined }
  const role = inRole(roles, 'webhooks')
  let since: number | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  return {
    feed: async (isThorough) => {
      if (isThorough) return feeder.feed(true)
      if (since === null && performance.now() - askedAt < pollMs) return false
      askedAt = performance.now()
      const fed = await role.run(({ epoch }) => {
        if (since !== epoch) feeder.beginAnew()
        since = epoch
        return feeder.feed(false)
      })
      if (E.isRight(fed)) return fed.right
      since = null
      return false
    },
    standDown: role.standDown,
  }
}
