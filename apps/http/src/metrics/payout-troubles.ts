import type { Health } from '@quittance/host'
import { Gauge, type Registry } from 'prom-client'

/** Tells how many troubles keep money from going out, by network and reason; accounts and transactions are no labels. */
export const tellPayoutTroubles = (troubles: Health['payoutTroubles'], registry: Registry): void => {
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
