import { asText, type IntentEnd, LedgerSequence, OperationIndex } from '@quittance/domain'
import { decoded, hashOf } from '@quittance/domain/testing'
import type { CommandContext } from '../execute.ts'
import { reportToRefund } from '../refunds/report.ts'
import type { NewRefund } from '../refunds/request.ts'
import type { PaymentResource } from '../resources/payment.ts'
import { ProcessDied } from './failing-stores.ts'
import { done, present } from './outcomes.ts'
import type { TestPlatform } from './platform.ts'
import { command } from './shop.ts'
import type { StoreFront } from './store-front.ts'
import { units } from './wallets.ts'

type Named = { readonly id: string }

export const wantedRefund = ({ id }: Named, changed: Partial<NewRefund> = {}): NewRefund => ({
  paymentId: id,
  reason: asText('damaged'),
  destination: null,
  metadata: { order: '1042' },
  ...changed,
})

/** What tests do with the refunds of a shop. The worker's part of the ledger is played: it tells how an intent has ended. */
export const refundsIn = (front: StoreFront) => {
  const { platform, merchantId, scope, billing, services, network } = front
  const now = (on: TestPlatform = platform): CommandContext => command(on, merchantId)
  const intentsOf = async (owner: string) => (await platform.shown()).intents.withKey(owner).map(({ row }) => row)
  const intentOf = async ({ id }: Named) => present((await intentsOf(id))[0]).details
  const place = () => ({
    transactionHash: hashOf(7),
    operationIndex: decoded(OperationIndex, 0),
    ledger: decoded(LedgerSequence, network.sandbox.clock().ledger),
    closedAt: services.clock.now(),
  })
  const tell = async (refund: Named, end: IntentEnd, on: TestPlatform = platform): Promise<void> =>
    done(reportToRefund(on.services, scope, await intentOf(refund), end, services.clock.now()))
  return {
    now,
    intentsOf,
    place,
    tell,
    settle: (refund: Named) => tell(refund, { _tag: 'settled', ...place() }),
    fail: (refund: Named, code = 'paymentNoTrust') => tell(refund, { _tag: 'refused', code: asText(code), ...place() }),
    /** A book that a guest has paid for. */
    paid: async (amount = 10): Promise<PaymentResource> => {
      const { id } = await front.sell()
      await front.pay(id, [units(amount)])
      return front.payment(id)
    },
    request: (payment: Named, changed: Partial<NewRefund> = {}, context: CommandContext = now()) =>
      billing.refunds.request(context, wantedRefund(payment, changed)),
    paymentNow: ({ id }: Named) => done(billing.payments.retrieve(scope, id)),
    refundNow: ({ id }: Named) => done(billing.refunds.retrieve(scope, id)),
  }
}

/** Whether a process got through its work; everything but its death is a failure of the test. */
export const survived = async (work: Promise<unknown>): Promise<boolean> => {
  try {
    await work
    return true
  } catch (defect) {
    if (defect instanceof ProcessDied) return false
    throw defect
  }
}
