import { Contract, nativeToScVal, type Transaction, TransactionBuilder } from '@stellar/stellar-sdk'
import { openSale } from './testing/sale.ts'
import { type Service, startService } from './testing/service.ts'
import { fundedWallet, type Wallet } from './testing/wallet.ts'

const wallets = 10
const each = 10
const months = 12

let service: Service
let payers: ReadonlyArray<Wallet>
beforeAll(async () => {
  service = await startService()
  const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  payers = await Promise.all(Array.from({ length: wallets }, () => fundedWallet(service.facts, [usdc])))
})
afterAll(() => service.close())

const advance = async (body: object) => (await service.api('/sandbox/advance', { body })).body.data
const look = async (id: string) => (await service.api(`/subscriptions/${id}`)).body.data

/** Approves as much again as a mandate was given at first, as a wallet does by itself. */
const renew = async (
  payer: Wallet,
  { authorization }: { authorization: { contract_id: string; mandate_id: string } },
) => {
  const { sequence } = await payer.ledger.getLatestLedger()
  const call = new Contract(authorization.contract_id).call(
    'renew_allowance',
    nativeToScVal(Buffer.from(authorization.mandate_id, 'hex')),
    nativeToScVal(10_000_000_000n, { type: 'i128' }),
    nativeToScVal(sequence + 3_110_390, { type: 'u32' }),
  )
  const account = await payer.ledger.getAccount(payer.address)
  const options = { fee: '1000', networkPassphrase: service.facts.network_passphrase }
  const { closeTime } = await payer.ledger.getLatestLedger()
  const timebounds = { minTime: 0, maxTime: Number(closeTime) + 300 }
  const built = new TransactionBuilder(account, { ...options, timebounds }).addOperation(call).build()
  const prepared: Transaction = await payer.ledger.prepareTransaction(built)
  prepared.sign(payer.keypair)
  expect(await payer.ledger.sendTransaction(prepared)).toMatchObject({ status: 'PENDING' })
}

it(`${wallets * each} monthly subscriptions renew ${months} times in a year, each period once`, async () => {
  const plan = { name: 'Club', type: 'subscription', recurring_period: 'month', currency_code: 'USD', price_amount: 5 }
  const product_id = (await service.api('/product', { body: plan })).body.data.id
  const checkouts: Array<string> = []
  for (let turn = 0; turn < each; turn++) {
    await Promise.all(
      payers.map(async (payer, person) => {
        const customer_email = `p${person}-${turn}@example.com`
        const { id } = await openSale(service, { product_id, customer_email }, 'product')
        const offer = await service.anyone(`/pay/${id}/transaction`, { body: { source_account: payer.address } })
        const transaction_xdr = payer.sign(offer.body.data.transaction_xdr)
        expect((await service.anyone(`/pay/${id}/submit`, { body: { transaction_xdr } })).status).toBe(200)
        checkouts[turn * wallets + person] = id
      }),
    )
    await advance({ seconds: 6 })
  }
  const subscriptions = await Promise.all(
    checkouts.map(async (id): Promise<string> => (await service.api(`/checkout/${id}`)).body.data.subscription_id),
  )
  expect(new Set(subscriptions).size).toBe(wallets * each)

  const first = await look(subscriptions[0] ?? '')
  const begun = new Date(first.current_period_start)
  for (let month = 1; month <= months; month++) {
    if (month === 5 || month === 9) {
      for (const [person, payer] of payers.entries()) await renew(payer, await look(subscriptions[person] ?? ''))
      await advance({ seconds: 6 })
    }
    await advance({ seconds: 31 * 24 * 3_600 })
  }
  const shown = await Promise.all(subscriptions.map(look))
  expect(new Set(shown.map(({ status }) => status))).toEqual(new Set(['active']))
  for (const { id, current_period_start, failed_payment_count } of shown) {
    expect(failed_payment_count).toBe(0)
    const history = (await service.api(`/subscriptions/${id}/history`)).body.data.data
    const confirmed = history.filter(({ type }: { type: string }) => type === 'ChargeConfirmed')
    expect(confirmed.map(({ data }: { data: { n: number } }) => data.n)).toEqual(
      Array.from({ length: months }, (_, index) => index + 1),
    )
    expect(new Date(current_period_start).getUTCFullYear()).toBe(begun.getUTCFullYear() + 1)
  }
  expect((await service.api('/exceptions')).body.data.data).toEqual([])
})
