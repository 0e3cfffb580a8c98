import type { CatchUp } from '@quittance/host'
import { openSale } from '../testing/sale.ts'
import { startStillService } from '../testing/still-service.ts'
import { fundedWallet } from '../testing/wallet.ts'

let close = async (): Promise<void> => {}
afterEach(() => close())

/** A payment that was relayed, and is in a ledger that nobody has read. */
const paidUnread = async (catchUp?: CatchUp) => {
  const service = await startStillService(catchUp)
  close = service.close
  const wallet = await fundedWallet(service.network)
  const sale = await openSale(service)
  const body = { transaction_xdr: (await wallet.payment(sale)).toXDR() }
  expect((await service.anyone(`/pay/${sale.id}/submit`, { body })).status).toBe(200)
  service.sandbox.close()
  const { payment_id } = (await service.api(`/checkout/${sale.id}`)).body.data
  const statusOf = async () => (await service.api(`/payment/${payment_id}`)).body.data.status
  return { service, statusOf }
}

describe('a pending payment', () => {
  it('confirms a pending payment in the response that retrieves it, once its ledger has closed', async () => {
    const { service, statusOf } = await paidUnread()
    const listed = (await service.api('/payment')).body.data.data
    expect(listed.map(({ status }: { status: string }) => status)).toEqual(['pending'])
    expect(await statusOf()).toBe('confirmed')
  }, 30_000)

  it('returns a pending payment as recorded when the ledger is slow', async () => {
    const { statusOf } = await paidUnread(() => new Promise(() => {}))
    expect(await statusOf()).toBe('pending')
  }, 30_000)

  it('returns a pending payment as recorded when the ledger cannot be read', async () => {
    const { statusOf } = await paidUnread(() => Promise.reject(new Error('a defect in the reading')))
    expect(await statusOf()).toBe('pending')
  }, 30_000)
})
