import { Asset, Keypair } from '@stellar/stellar-sdk'
import { eventually } from '../testing/eventually.ts'
import { type Operator, openOperator } from '../testing/operator.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

const shared = Keypair.random()
let service: Service
let operator: Operator
let usdc: string
let [payer, exchange, thief]: ReadonlyArray<Wallet> = []
beforeAll(async () => {
  service = await startService({ QUITTANCE_OMNIBUS_ACCOUNTS: shared.publicKey() })
  operator = await openOperator(service.dataDir)
  usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  payer = await fundedWallet(service.facts, [usdc])
  exchange = await fundedWallet(service.facts, [usdc], shared)
  thief = await fundedWallet(service.facts, [usdc])
}, 30_000)
afterAll(async () => {
  await operator.close()
  await service.close()
})

const tokenFor = async (...scopes: ReadonlyArray<string>) => {
  const { secret } = await operator.createKey(service.facts.merchant_id, { scopes })
  return (path: string, body: object) => service.anyone(path, { body, headers: { 'x-app-token': secret } })
}
type Token = Awaited<ReturnType<typeof tokenFor>>

const price = { amount: 5, currency_code: 'USDC' }
const sold = async (more: object = {}, amount = '5') => {
  const sale = await openSale(service, { ...price, ...more })
  if (amount !== '5') await thief?.pay({ ...sale, amount: '0.0000001' })
  await payer?.pay({ ...sale, amount })
  return (await completed(service, sale.id)).payment_id
}
const stranded = async (): Promise<string> => {
  const paid = await exchange?.pay({ ...(await openSale(service, price)), memo: 'for nobody' })
  type Listed = Readonly<Record<string, unknown>>
  const find = (all: ReadonlyArray<Listed>) =>
    all.find((each) => each.transaction_hash === paid?.hash && each.decision_needed !== null)
  const { body } = await eventually(
    () => service.api('/exceptions?status=open&limit=100'),
    (answer) => find(answer.body.data.data) !== undefined,
  )
  return String(find(body.data.data)?.id)
}
/** Proves the thief's wallet as a customer's. */
const prove = async (token: Token, customer: string) => {
  const { data } = (await token(`/customers/${customer}/wallets`, { address: thief?.address })).body
  const transaction = thief?.sign(data.transaction)
  await token(`/customers/${customer}/wallets/verify`, { transaction })
}
const stolen = async (before: number) => {
  await service.api('/sandbox/advance', { body: { seconds: 60 } })
  return (await holds()) - before
}
const holds = async (): Promise<number> => {
  const [code = '', issuer] = usdc.split(':')
  const entry = (await thief?.ledger.getAssetBalance(thief.address, new Asset(code, issuer)))?.balanceEntry
  return Number(entry?.amount)
}

describe('a thief with a leaked app token', () => {
  type Attack = readonly [name: string, act: () => Promise<ReadonlyArray<number>>]
  it.each<Attack>([
    [
      'refunds:write refunds the payments of others to the own wallet',
      async () => {
        const token = await tokenFor('refunds:write')
        const payments = [await sold(), await sold(), await sold()]
        const refund = (payment_id: string) => token('/refunds', { payment_id, wallet_address: thief?.address })
        return (await Promise.all(payments.map(refund))).map(({ status }) => status)
      },
    ],
    [
      'refunds:write joins a purchase with one stroop and is refunded as a paying wallet',
      async () => {
        const token = await tokenFor('refunds:write')
        const payment_id = await sold({}, '4.9999999')
        return [(await token('/refunds', { payment_id, wallet_address: thief?.address })).status]
      },
    ],
    [
      'refunds:write and customers:write prove the own wallet as that of a paying customer',
      async () => {
        const token = await tokenFor('refunds:write', 'customers:write')
        const customer = (await token('/customers', { email: 'victim@leaked.example', name: 'V' })).body.data.id
        const payment_id = await sold({ customer_id: customer })
        await prove(token, customer)
        return [(await token('/refunds', { payment_id, wallet_address: thief?.address })).status]
      },
    ],
    [
      'exceptions:write returns the money of others to the own wallet',
      async () => {
        const token = await tokenFor('exceptions:write')
        const exceptions = [await stranded(), await stranded()]
        const take = (id: string) =>
          token(`/exceptions/${id}/resolve`, { action: 'refund', destination: thief?.address })
        return (await Promise.all(exceptions.map(take))).map(({ status }) => status)
      },
    ],
  ])('gains nothing: %s', async (_, act) => {
    const before = await holds()
    const answers = await act()
    const refused = answers.map(() => 403)
    expect({ answers, stolen: Math.max(0, await stolen(before)) }).toEqual({ answers: refused, stolen: 0 })
  })
})

describe('a caller who may name any address', () => {
  type Sent = { readonly path: string; readonly cancel: string; readonly sendsAt: string; readonly waiting: string }
  const refunded = async (as: Token): Promise<Sent> => {
    const body = { payment_id: await sold(), wallet_address: thief?.address }
    const answer = await as('/refunds', body)
    expect(answer).toMatchObject({ status: 200 })
    const path = `/refunds/${answer.body.data.id}`
    return { path, cancel: `${path}/cancel`, sendsAt: 'sends_at', waiting: 'refund.waiting' }
  }
  const returned = async (as: Token): Promise<Sent> => {
    const path = `/exceptions/${await stranded()}`
    const answer = await as(`${path}/resolve`, { action: 'refund', destination: thief?.address })
    expect(answer).toMatchObject({ status: 200 })
    return {
      path,
      cancel: `${path}/cancel_return`,
      sendsAt: 'return_sends_at',
      waiting: 'exception.return_waiting',
    }
  }
  const secretKey: Token = (path, body) => service.api(path, { body })
  const typesOf = async ({ path }: Sent) => {
    const { body } = await service.api(`/events?resource_id=${path.split('/')[2]}`)
    return body.data.data.map(({ type }: { readonly type: string }) => type)
  }
  const shown = async ({ path }: Sent) => (await service.api(path)).body.data

  type Way = readonly [name: string, scope: string, send: (as: Token) => Promise<Sent>]
  it.each<Way>([
    ['a refund', 'refunds:write', refunded],
    ['an exception', 'exceptions:write', returned],
  ])('sends %s there a day later, tells the merchant at once, and can cancel until then', async (_, scope, send) => {
    const before = await holds()
    const [kept, canceled] = [await send(secretKey), await send(await tokenFor(scope, 'destinations:write'))]
    for (const each of [kept, canceled]) {
      expect(await typesOf(each)).toContain(each.waiting)
      const { now } = (await service.api('/sandbox/clock')).body.data
      const left = Date.parse((await shown(each))[each.sendsAt]) - Date.parse(now)
      expect([left > 23 * 3_600_000, left <= 24 * 3_600_000]).toEqual([true, true])
    }
    expect(await (await tokenFor(scope))(canceled.cancel, {})).toMatchObject({ status: 200 })
    expect((await shown(canceled))[canceled.sendsAt]).toBeNull()
    await service.api('/sandbox/advance', { body: { seconds: 23 * 3_600 } })
    expect(await stolen(before)).toBe(0)
    await service.api('/sandbox/advance', { body: { seconds: 3_600 } })
    expect(await stolen(before)).toBe(50_000_000)
    const late = await service.api(kept.cancel, { method: 'POST' })
    expect(late).toMatchObject({
      status: 409,
      body: { code: expect.stringMatching(/^(refund|return)_not_cancelable$/) },
    })
  })
})
