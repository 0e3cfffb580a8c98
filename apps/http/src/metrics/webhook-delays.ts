import { environments, type Health } from '@quittance/host'
import { Gauge, Histogram, type Registry } from 'prom-client'
import { whileStoreAnswers } from './while-store-answers.ts'

const boundsSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400]

/**
 * Measures how late events reach endpoints: the delay of what this process delivered, and the wait of what no process has
 * sent yet. Merchants and endpoints are no labels.
 */
export const measureWebhooks = ({ webhooks }: Pick<Health, 'webhooks'>, registry: Registry): void => {
  const delays = new Histogram({
    name: 'quittance_webhook_delay_seconds',
    help: 'Time from the recording of an event to its first successful delivery, of the deliveries of this process',
    labelNames: ['environment'],
    buckets: boundsSeconds,
    registers: [registry],
  })
  for (const environment of environments) delays.zero({ environment })
  webhooks.onArrival(({ environment, delayMs }) => delays.observe({ environment }, delayMs / 1_000))
  const waits: Gauge<'environment'> = new Gauge({
    name: 'quittance_webhook_wait_seconds',
    help: 'How long the oldest event has waited that is due for an endpoint, or that no process has looked at',
    labelNames: ['environment'],
    registers: [registry],
    collect: () =>
      whileStoreAnswers(waits, async () => {
        for (const environment of environments)
          waits.set({ environment }, (await webhooks.longestWait(environment)) / 1_000)
      }),
  })
}
