import { type Market, startMarket } from '@quittance/ledger/testing/markets'
import { problem } from '../testing/client.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet, type Wallet, walletOn } from '../testing/wallet.ts'

let finder: Market
let service: Service
let wallet: Wallet
beforeAll(async () => {
  finder = await startMarket()
  service = await startService({ QUITTANCE_PATHS_URL: finder.url })
  wallet = await fundedWallet(service.facts)
}, 30_000)
afterAll(async () => {
  await service.close()
  await finder.close()
})

const nobodysAsset = 'GOLD:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'

/** A sale of 5 USDC, and a finder that knows how to pay it with so much XLM. */
const saleFor = async (sendAmount: string | null) => {
  const usdc = service.facts.assets.find(({ code }) => code === 'USDC')
  const sale = await openSale(service, { amount: 5, currency_code: 'USDC' })
  const record = {
    source_asset_type: 'native',
    source_amount: sendAmount,
    destination_asset_type: 'credit_alphanum4',
    destination_asset_code: 'USDC',
    destination_asset_issuer: usdc?.issuer,
    destination_amount: '5.0000000',
    path: [],
  }
  finder.behaves(JSON.stringify({ _embedded: { records: sendAmount === null ? [] : [record] } }))
  return sale
}
const ask = async (path: string, body?: object) => {
  const { status, body: answer } = await service.anyone(path, body === undefined ? {} : { body })
  return { status, body: answer }
}
const refused = (status: number, code: string, param?: string) => ({ status, body: problem(code, param) })

describe('a transaction that sends another asset', () => {
  const build = (id: string, more: object) => ask(`/pay/${id}/transaction`, { source_account: wallet.address, ...more })

  it('builds a path payment with its maximum to send', async () => {
    const { id } = await saleFor('20')
    expect(await build(id, { send_asset: 'native' })).toEqual({
      status: 200,
      body: {
        data: {
          transaction_xdr: expect.any(String),
          network_passphrase: service.facts.network_passphrase,
          kind: 'path_payment',
          mandate: null,
          send_max: '20.3',
          sep7_uri: expect.stringMatching(/^web\+stellar:tx\?/),
          expires_at: expect.any(String),
        },
      },
    })
    expect((await build(id, { send_asset: 'native', send_max: '20.1' })).body.data.send_max).toBe('20.1')
  })

  it('refuses to build a path payment, and gives the reason', async () => {
    const { id } = await saleFor('20')
    for (const send_asset of ['', 'XLM', 'USDC', 'USDC:G123', 5])
      expect(await build(id, { send_asset })).toEqual(refused(400, 'invalid_request', 'send_asset'))
    for (const send_max of ['0', '-1', '1.00000001', 'x', 20, '922337203685.4775808'])
      expect(await build(id, { send_asset: 'native', send_max })).toEqual(refused(400, 'invalid_request', 'send_max'))
    expect(await build(id, { send_asset: nobodysAsset })).toEqual(refused(409, 'send_asset_not_held', 'send_asset'))
    expect(await build(id, { send_asset: 'native', send_max: '19' })).toEqual(
      refused(409, 'path_too_expensive', 'send_asset'),
    )
    const dear = await saleFor('21')
    expect(await build(dear.id, { send_asset: 'native' })).toEqual(refused(409, 'path_too_expensive', 'send_asset'))
    const closed = await saleFor(null)
    expect(await build(closed.id, { send_asset: 'native' })).toEqual(refused(409, 'no_path', 'send_asset'))
    finder.behaves('<html>')
    expect(await build(closed.id, { send_asset: 'native' })).toEqual(refused(503, 'paths_unavailable'))
  })
})

describe('the assets that an account can pay with', () => {
  it('lists the assets of an account with the amounts, and without their owner', async () => {
    const { id } = await saleFor('20')
    expect(await ask(`/pay/${id}/assets?account=${wallet.address}&asset_ids=${nobodysAsset}`)).toEqual({
      status: 200,
      body: {
        data: [
          {
            asset_id: 'native',
            code: 'XLM',
            issuer: null,
            balance: '10000',
            send_amount: '20',
            send_max: '20.3',
            path_available: true,
            is_price_checked: true,
            is_settlement_asset: false,
          },
        ],
      },
    })
  })

  it('lists no assets for an invalid account or asset, or for an unknown account', async () => {
    const { id } = await saleFor('20')
    expect(await ask(`/pay/${id}/assets`)).toEqual(refused(400, 'invalid_request', 'account'))
    expect(await ask(`/pay/${id}/assets?account=G123`)).toEqual(refused(400, 'invalid_request', 'account'))
    const eleven = Array(11).fill('native').join()
    for (const others of ['', 'x', eleven, `native&asset_ids=native`])
      expect(await ask(`/pay/${id}/assets?account=${wallet.address}&asset_ids=${others}`)).toEqual(
        refused(400, 'invalid_request', 'asset_ids'),
      )
    expect(await ask(`/pay/${id}/assets?account=${walletOn(service.facts).address}`)).toEqual(
      refused(409, 'source_account_not_found', 'source_account'),
    )
    expect((await ask(`/pay/chk_unknown/assets?account=${wallet.address}`)).status).toBe(404)
  })
})

describe("the sandbox's own market", () => {
  it("converts a wallet's asset, and the merchant receives exactly the price", async () => {
    const sandbox = await startService()
    try {
      const assetId = (code: string) => sandbox.facts.assets.find((each) => each.code === code)?.asset_id ?? ''
      const payer = await fundedWallet(sandbox.facts, [assetId('EURC')])
      for (const [code, most] of [
        ['XLM', '20.3203'],
        ['EURC', '4.6574'],
      ] as const) {
        const { id } = await openSale(sandbox, { amount: 5, currency_code: 'USDC' })
        const { data: held } = (await sandbox.anyone(`/pay/${id}/assets?account=${payer.address}`)).body
        const chosen = held.find((each: { code: string }) => each.code === code)
        expect(Number(chosen.send_max)).toBeCloseTo(Number(most), 3)
        expect(chosen).toMatchObject({ path_available: true, is_price_checked: true, is_settlement_asset: false })
        const choice = { source_account: payer.address, send_asset: chosen.asset_id, send_max: chosen.send_max }
        const { data: built } = (await sandbox.anyone(`/pay/${id}/transaction`, { body: choice })).body
        const signed = payer.sign(built.transaction_xdr)
        expect((await sandbox.anyone(`/pay/${id}/submit`, { body: { transaction_xdr: signed } })).status).toBe(200)
        const { payment_id } = await completed(sandbox, id)
        expect((await sandbox.api(`/payment/${payment_id}`)).body.data).toMatchObject({
          status: 'confirmed',
          amount: '5 USDC',
          transactions: [{ amount: '5 USDC', from: payer.address }],
        })
      }
    } finally {
      await sandbox.close()
    }
  }, 60_000)
})
