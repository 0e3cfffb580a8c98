import type { EventStore } from '@quittance/event-store'
import { environments } from '@quittance/host'
import { Counter, type Registry } from 'prom-client'

/** Streams that tell of sales, renewals and money that goes out. */
const streamPrefixes = ['checkout-', 'payment-', 'subscription-', 'refund-', 'payout-', 'exception-']

/** Sales with renewals among them, renewals, and charges that failed: counted from 0, so that none of them is the first. */
const watchedTypes = ['PaymentConfirmed', 'ChargeConfirmed', 'ChargeFailed']

/**
 * Counts the events of any process that were recorded after the first collection, by their types: a collection reads on from
 * where the one before has ended. `end`: the log's newest position; null while the log does not answer.
 */
export const measureEvents = (
  { readAll }: Pick<EventStore, 'readAll'>,
  end: () => Promise<bigint | null>,
  registry: Registry,
): void => {
  let counted: bigint | null = null
  let counting: Promise<void> | null = null
  const count = async (): Promise<void> => {
    if (counted === null) {
      counted = await end()
      return
    }
    try {
      for await (const { position, type, metadata } of readAll(counted, { streamPrefixes })) {
        made.inc({ environment: metadata.environment, type })
        counted = position
      }
    } catch {
      // The log does not answer, which `quittance_log_readable` says: the next collection reads on.
    }
  }
  const made = new Counter({
    name: 'quittance_events_total',
    help: 'Events of sales, renewals and outgoing money by type, of all processes, since this one was first asked',
    labelNames: ['environment', 'type'],
    registers: [registry],
    collect: () => {
      counting ??= count().finally(() => {
        counting = null
      })
      return counting
    },
  })
  for (const environment of environments) for (const type of watchedTypes) made.inc({ environment, type }, 0)
}
