import type { SqlRun } from '@quittance/event-store'

/**
 * For what does not wait for the disk. A power failure may undo the last of these transactions, never one without those
 * after it; the results of deliveries are then found again by delivering. Other commits wait for the disk as usual, and make
 * these durable too.
 */
const soon = { durability: 'soon' } as const

/** For programs that hold each endpoint before they read or change its deliveries, and change nothing else. */
export const holdingEndpoints: SqlRun = {
  ...soon,
  isolation: {
    level: 'read committed',
    because: 'programs about one endpoint follow one another, so each sees all that the one before has written',
  },
}

/** For a lone statement that processes may repeat in any order. */
export const inAnyOrder: SqlRun = {
  ...soon,
  isolation: { level: 'read committed', because: 'it reads and writes in one statement, and its repeat is harmless' },
}
