import type { SqlRun } from '@quittance/event-store'

/**
 * For what does not wait for the disk. A power failure may undo the last of these transactions, never one without those
 * after it; the results of deliveries are then found again by delivering. Other commits wait for the disk as usual, and make
 * these durable too.
 */
export const soonDurable: SqlRun = { durability: 'soon' }
