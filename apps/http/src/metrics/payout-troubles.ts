import type { Health } from '@quittance/host'
import { Gauge, type Registry } from 'prom-client'

/** Counts troubles by network and reason. Accounts and transactions are no labels. */
export const measurePayoutTroubles = (troubles: Health['payoutTroubles'], registry: Registry): void => {
  const gauge = new Gauge({
    name: 'quittance_payout_troubles',
    help: 'Troubles that keep money from going out, as the last step met them',
    labelNames: ['environment', 'reason'],
    registers: [registry],
    collect: () => {
      gauge.reset()
      for (const { environment, reason } of troubles()) gauge.inc({ environment, reason })
    },
  })
}
