import type { Health } from '@quittance/host'
import { Gauge, type Registry } from 'prom-client'

/** Counts setbacks by network, loop and failure. Merchants and streams are no labels. */
export const measureSetbacks = (setbacks: Health['setbacks'], registry: Registry): void => {
  const gauge = new Gauge({
    name: 'quittance_setbacks',
    help: 'Items of merchants that have failed and wait for their next attempt',
    labelNames: ['environment', 'loop', 'failure'],
    registers: [registry],
    collect: () => {
      gauge.reset()
      for (const { environment, loop, failure, count } of setbacks()) gauge.set({ environment, loop, failure }, count)
    },
  })
}
