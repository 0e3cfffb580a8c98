import {
  LedgerSequence,
  OperationIndex,
  Payment,
  type PaymentCommand,
  type PaymentEvent,
  PaymentId,
  stroops,
  TransactionHash,
} from '@quittance/domain'
import { decoded, exampleId } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import { allOf } from '../../kernel/all-of.ts'
import { step } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { done, present } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openNextDoor, openStoreFront, type StoreFront } from '../../testing/store-front.ts'

let front: StoreFront
beforeEach(async () => {
  front = await openStoreFront()
})
afterEach(() => front.close())

const whole = { from: null, to: null, merchantId: null }
const reconciled = (request: object = {}) =>
  done(front.billing.following.reconcile(front.scope.environment, { ...whole, ...request }))

/** The incoming payment of a sale, and what its payment is about. */
const soldBy = async (shop: StoreFront) => {
  const { id } = await refundsIn(shop).paid()
  const found = present(await (await shop.platform.shown()).payments.withId(id))
  return { details: found.row.details, incoming: present(found.row.incomingPayments[0]) }
}
type Sold = Awaited<ReturnType<typeof soldBy>>

/** Records a payment as the service itself would, in the log and in all rows, of money that need not be there. */
const forge = async (shop: StoreFront, { details, incoming }: Sold, number: number): Promise<string> => {
  const id = exampleId(PaymentId, number)
  const commands: ReadonlyArray<PaymentCommand> = [
    { type: 'OpenPayment', ...details },
    { type: 'RecordCredit', credit: incoming },
    {
      type: 'ConfirmPayment',
      excess: stroops(0n),
      overpaid: stroops(0n),
      late: false,
      transactionHash: incoming.transactionHash,
      walletId: null,
      billingDetails: null,
    },
  ]
  const context = stepContext(shop.scope, `forged ${number}`, 'forge', incoming.closedAt)
  await done(() => step(shop.services.store)(Payment, id, context, allOf(Payment.decider, commands)))
  await shop.platform.shown()
  return id
}

describe('reconciling the log', () => {
  it('proves each incoming payment by the ledger, and the journal by the balances', async () => {
    const [refunds, payouts] = [refundsIn(front), payoutsIn(front)]
    const payment = await refunds.paid()
    await payouts.earn(1)
    await refunds.ended(await done(refunds.request(payment)))
    await payouts.request(await payouts.destination())()
    for (let ledgers = 0; ledgers < 4; ledgers++) {
      await front.step()
      front.network.wait(1000)
      const { log, isOk } = await reconciled()
      expect([isOk, log.forged, log.balances.filter(({ difference }) => difference !== 0n)]).toEqual([true, [], []])
    }
    const { log } = await reconciled()
    expect(log.proven).toBe(2)
    expect(log.balances.map(({ assetId }) => assetId)).toContain(front.network.usdc.assetId)
  })

  it('names a payment that is forged in log and rows, for the money of another sale', async () => {
    const sold = await soldBy(front)
    const id = await forge(front, sold, 7)
    const { log, isOk, missing, unexplained } = await reconciled()
    // By the rows, nothing is missing.
    expect([missing, unexplained]).toEqual([[], []])
    expect(log.forged).toMatchObject([{ reason: 'recorded_twice', subject: id, stream: `payment-${id}`, revision: 1n }])
    expect(isOk).toBe(false)
    const usdc = log.balances.find(({ assetId }) => assetId === front.network.usdc.assetId)
    expect(usdc?.difference).toBe(-sold.incoming.amount)
  })

  it('names payments of transactions that no ledger holds, also where their ledger is still to come', async () => {
    const sold = await soldBy(front)
    const later = decoded(LedgerSequence, sold.incoming.ledger + 1_000)
    const operationIndex = decoded(OperationIndex, 1)
    const nowhere = { ...sold.incoming, transactionHash: decoded(TransactionHash, 'f'.repeat(64)) }
    const first = await forge(front, { ...sold, incoming: nowhere }, 1)
    const second = await forge(front, { ...sold, incoming: { ...nowhere, operationIndex, ledger: later } }, 2)
    const { log, isOk } = await reconciled()
    expect(isOk).toBe(false)
    expect(log.forged.map(({ reason, subject }) => [reason, subject])).toEqual([
      ['not_on_ledger', first],
      ['not_on_ledger', second],
    ])
  })

  it('names a payment that is confirmed although nothing came in for it', async () => {
    const { details, incoming } = await soldBy(front)
    const { transactionHash, ledger, closedAt, from, amount } = incoming
    const confirmation = { amount, excess: stroops(0n), overpaid: stroops(0n), late: false, transactionHash, ledger }
    const payer = { confirmedAt: closedAt, walletId: null, payer: from, billingDetails: null }
    const id = exampleId(PaymentId, 9)
    const context = stepContext(front.scope, 'forged 9', 'forge', closedAt)
    const events: ReadonlyArray<PaymentEvent> = [
      { type: 'PaymentOpened', data: details },
      { type: 'PaymentConfirmed', data: { ...confirmation, ...payer } },
    ]
    await done(() => step(front.services.store)(Payment, id, context, () => E.right(events)))
    await front.platform.shown()
    const { log, isOk, missing } = await reconciled()
    expect(missing).toEqual([])
    expect(log.forged).toMatchObject([{ reason: 'not_covered', subject: id, revision: 1n }])
    expect(isOk).toBe(false)
  })

  it("names a payment that is forged for another merchant's money", async () => {
    const neighbour = await openNextDoor(front)
    const sold = await soldBy(front)
    const theirs = await soldBy(neighbour)
    const id = await forge(front, { ...sold, incoming: theirs.incoming }, 3)
    const { log } = await reconciled({ merchantId: front.merchantId })
    expect(log.forged).toMatchObject([{ reason: 'not_on_ledger', subject: id, merchantId: front.merchantId }])
  })
})
