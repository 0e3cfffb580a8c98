import { hourMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import { createBilling } from '../../face/billing.ts'
import { inTrouble } from '../merchant-trouble.ts'
import { done, present } from '../outcomes.ts'
import { command, someone } from '../shop.ts'
import type { Scenarios } from './scenario.ts'

/** The loop that destroys what deleted customers have left; no stream has a part in it. */
export const ofCustomers = {
  sweep: {
    streams: /^vault-/,
    failures: ['Defect'],
    waitMs: hourMs,
    prepare: async (shop) => {
      const { billing, platform, merchantId, services } = shop
      const customers = await done(
        billing.customers.createAll(command(platform, merchantId), [someone('deleted@example.com')]),
      )
      const { id } = present(customers[0])
      const trouble = { merchantId, streams: /^vault-/, failure: 'Defect', isOn: true } as const
      const { customers: held } = createBilling(inTrouble(services, { ...trouble }))
      return async () => {
        // It dies between the deletion and the destruction of the key.
        await expect(held.remove(command(platform, merchantId), id)()).rejects.toThrow('a test')
        return async () => O.isNone(await services.vault.seal(id, {}))
      }
    },
  },
} as const satisfies Scenarios
