import * as E from 'fp-ts/lib/Either.js'
import { inRole } from '../../services/in-role.ts'
import type { Roles } from '../../stores/roles.ts'
import type { WorkFinder } from './find-work.ts'

/** A finder that only finds while this process has the role. */
export type WorkFinderInRole = Pick<WorkFinder, 'find'> & {
  /** Gives the role to another process, which need not wait for the end of a lease. */
  readonly standDown: () => Promise<void>
}

/**
 * For processes that share a database: one at a time finds work, and the others only send what falls due. This spares them the
 * same work many times over; nothing is delivered twice if two find it at once. So a thorough look, which answers for everything,
 * needs no role.
 */
export const workFinderInRole = (finder: WorkFinder, roles: Roles | null, pollMs: number): WorkFinderInRole => {
  if (roles === null) return { find: finder.find, standDown: async () => undefined }
  const role = inRole(roles, 'webhooks', { askedEachMs: pollMs })
  return {
    find: async (isThorough) => {
      if (isThorough) return finder.find(true)
      const found = await role.run((isNew) => {
        if (isNew) finder.beginAnew()
        return finder.find(false)
      })
      return E.isRight(found) && found.right
    },
    standDown: role.standDown,
  }
}
