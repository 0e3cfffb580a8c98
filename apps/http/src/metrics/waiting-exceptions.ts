import type { Health } from '@quittance/host'
import { Gauge, type Registry } from 'prom-client'

export const measureWaitingExceptions = (waiting: Health['waitingExceptions'], registry: Registry): void => {
  const gauge = new Gauge({
    name: 'quittance_exceptions_waiting',
    help: 'Exceptions that wait for a decision, by how old they are',
    labelNames: ['environment', 'age'],
    registers: [registry],
    collect: () => {
      for (const { environment, age, count } of waiting()) gauge.set({ environment, age }, count)
    },
  })
}
