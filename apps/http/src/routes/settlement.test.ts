import { createClient } from '@quittance/client'
import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk'
import { eventually } from '../testing/eventually.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('a merchant sees that the sandbox has set up the settlement account', async () => {
  const { url, facts } = service
  const settlement = await createClient({ baseUrl: url, apiKey: facts.api_key }).settlement.retrieve()
  expect(settlement).toMatchObject({
    environment: 'testnet',
    network_passphrase: facts.network_passphrase,
    exists: true,
    missing: '0',
    problems: [],
    next_step: null,
    is_ready: true,
  })
  expect((await service.api('/settlement')).body).toEqual({ data: settlement })
})

it('a change of accepted assets is returned at once and retrieved later', async () => {
  const { api, facts } = service
  const [xlm, usdc, eurc] = ['XLM', 'USDC', 'EURC'].map(
    (code) => facts.assets.find((each) => each.code === code)?.asset_id,
  )
  const change = (body: object) => api('/settlement', { method: 'PUT', body })
  const changed = await change({ assets: [usdc, xlm], default_asset_id: xlm })
  expect(changed).toMatchObject({
    status: 200,
    body: {
      data: {
        assets: [
          { asset_id: usdc, is_default: false },
          { asset_id: xlm, is_default: true },
        ],
      },
    },
  })
  expect((await api('/settlement')).body).toEqual(changed.body)
  const unknown = `EVIL:${usdc?.split(':')[1]}`
  expect(await change({ assets: [usdc, unknown] })).toMatchObject({
    status: 400,
    body: { code: 'unsupported_asset', param: 'assets' },
  })
  expect(await change({ assets: [] })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', param: 'assets' },
  })
  expect(await change({ assets: [usdc, usdc] })).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  await change({ assets: [usdc, xlm, eurc], default_asset_id: usdc })
})

it('an unpayable checkout is refused with reason and remedy', async () => {
  const { api, facts } = service
  const { address } = (await api('/settlement')).body.data
  const usdc = facts.assets.find(({ code }) => code === 'USDC')?.asset_id
  await api('/sandbox/faults', { body: { deauthorise: { account: address, asset_id: usdc } } })
  const { data } = await eventually(
    async () => (await api('/settlement')).body,
    ({ data: { is_ready } }) => !is_ready,
  )
  const reason = `The issuer of ${usdc} has not authorised the settlement account to hold it.`
  const remedy = 'Ask the issuer of USDC to authorise the account, or accept another asset.'
  expect(data).toMatchObject({
    problems: [{ code: 'trustline_not_authorized', message: reason, remedy }],
    next_step: remedy,
  })
  const { status, body } = await api('/checkout?type=direct', { body: { currency_code: 'USDC', amount: 10 } })
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { code: 'merchant_not_ready', param: 'currency_code', error: `Nothing can be sold now: ${reason} ${remedy}` },
  })
})

describe('settlement accounts of merchants', () => {
  it('receives payments to an account once it is proven, and pays nothing out of it', async () => {
    const { url, facts, api } = service
    const client = createClient({ baseUrl: url, apiKey: facts.api_key })
    const key = Keypair.random()
    const address = key.publicKey()
    await fetch(`${facts.friendbot_url}?addr=${address}`)
    const signed = (xdr: string): string => {
      const transaction = TransactionBuilder.fromXdr(xdr, facts.network_passphrase)
      transaction.sign(key)
      return transaction.toXdr()
    }
    const { transaction } = await client.settlement.requestAccount({ address })
    const unsigned = await api('/settlement/account/verify', { body: { transaction } })
    expect([unsigned.status, unsigned.body.code]).toEqual([400, 'challenge_not_signed'])
    const settlement = await client.settlement.verifyAccount({ transaction: signed(transaction) })
    expect(settlement).toMatchObject({ address, custody: 'merchant', exists: true })
    expect(await client.settlement.signatures()).toEqual({ object: 'signature_requests', requests: [] })
    const payout = await api('/payouts', { body: { asset_id: 'native', amount: '1', destination: address } })
    expect([payout.status, payout.body.code]).toEqual([409, 'settlement_account_is_own'])
  })

  it('refuses the account of another merchant, and funding accounts that others pay from', async () => {
    const { api } = service
    const { address } = (await api('/settlement')).body.data
    const put = (accounts: ReadonlyArray<string>) =>
      api('/settlement', { method: 'PUT', body: { funding_accounts: accounts } })
    expect((await put([address])).body).toMatchObject({ code: 'funding_account_refused', param: 'funding_accounts' })
    const other = Keypair.random().publicKey()
    expect((await put([other])).body.data.funding_accounts).toEqual([other])
    expect((await put([])).body.data.funding_accounts).toEqual([])
  })
})
