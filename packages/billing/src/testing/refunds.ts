import { asText } from '@quittance/domain'
import type { NewRefund } from '../features/refunds/request.ts'
import type { CommandContext } from '../kernel/execute.ts'
import type { PaymentResource } from '../resources/payment.ts'
import type { RefundResource } from '../resources/refund.ts'
import { ProcessDied } from './failing-stores.ts'
import { done } from './outcomes.ts'
import type { TestPlatform } from './platform.ts'
import { command } from './shop.ts'
import type { StoreFront } from './store-front.ts'
import { units } from './wallets.ts'

type Named = { readonly id: string }

/** As a caller with all rights wants it. */
export const wantedRefund = ({ id }: Named, changed: Partial<NewRefund> = {}): NewRefund => ({
  paymentId: id,
  reason: asText('damaged'),
  destination: null,
  mayNameAnyAddress: true,
  metadata: { order: '1042' },
  ...changed,
})

/** What tests do with the refunds of a shop. */
export const refundsIn = (front: StoreFront) => {
  const { platform, merchantId, scope, billing, network } = front
  const now = (on: TestPlatform = platform): CommandContext => command(on, merchantId)
  const refundNow = ({ id }: Named) => done(billing.refunds.retrieve(scope, id))
  return {
    now,
    refundNow,
    intentsOf: async (owner: string) => (await (await platform.shown()).intents.withKey(owner)).map(({ row }) => row),
    /** A book that a guest has paid for. */
    paid: async (amount = 10, asset = network.usdc.assetId, from = front.payer): Promise<PaymentResource> => {
      const { id } = await front.sell(asset)
      await front.pay(id, [units(amount)], { asset, from })
      return front.payment(id)
    },
    request: (payment: Named, changed: Partial<NewRefund> = {}, context: CommandContext = now()) =>
      billing.refunds.request(context, wantedRefund(payment, changed)),
    paymentNow: ({ id }: Named) => done(billing.payments.retrieve(scope, id)),
    /** The refund once a ledger has decided, and the worker has seen it. */
    ended: async (refund: Named): Promise<RefundResource> => {
      for (let ledgers = 0; ledgers < 10; ledgers++) {
        await front.step()
        const known = await refundNow(refund)
        if (known.status !== 'pending') return known
        network.wait(1000)
      }
      throw new Error(`${refund.id} does not end`)
    },
  }
}

/** Whether a process finished its work. Any failure but its death fails the test. */
export const survived = async (work: Promise<unknown>): Promise<boolean> => {
  try {
    await work
    return true
  } catch (defect) {
    if (defect instanceof ProcessDied) return false
    throw defect
  }
}
