import { right } from '@quittance/domain/testing/outcomes'
import { Asset, Operation } from '@stellar/stellar-sdk'
import { funded, keyNumber, network, outcomeOf, signed, trustline } from '../testing/fixture.ts'
import { type Served, serve } from '../testing/server.ts'

const payer = keyNumber(1)
const payee = keyNumber(2)
const [usdc, eurc] = network.issuers.map(({ code, keypair }) => new Asset(code, keypair.publicKey()))
if (usdc === undefined || eurc === undefined) throw new Error('the sandbox issues two assets')
const idOf = (asset: Asset) => (asset.isNative() ? 'native' : `${asset.getCode()}:${asset.getIssuer()}`)
const dollars = {
  destination_asset_type: 'credit_alphanum4',
  destination_asset_code: 'USDC',
  destination_asset_issuer: usdc.getIssuer() ?? '',
}

let served: Served
beforeEach(async () => {
  served = await serve()
  const { sandbox } = served
  await funded(sandbox, payer, payee)
  for (const key of [payer, payee]) {
    const lines = [usdc, eurc].map((asset) => Operation.changeTrust({ asset }))
    expect(outcomeOf(sandbox, signed(sandbox, key, lines, { fee: '200' }))).toBe('txSuccess')
  }
  right(await sandbox.fund({ address: payer.publicKey(), assetId: idOf(eurc) })())
})
afterEach(() => served.close())

const search = async (query: Readonly<Record<string, string>>) => {
  const response = await fetch(`${served.url}/paths/strict-receive?${new URLSearchParams(query)}`)
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: JSON.parse(await response.text()),
  }
}

describe('a search for strict-receive paths', () => {
  it('a path search answers cost and path for each source asset', async () => {
    const source_assets = ['native', idOf(eurc), idOf(usdc)].join(',')
    const destination = { ...dollars, destination_amount: '10.8' }
    expect(await search({ ...destination, source_assets })).toEqual({
      status: 200,
      type: 'application/hal+json; charset=utf-8',
      body: {
        _embedded: {
          records: [
            { source_asset_type: 'native', source_amount: '43.2432', ...destination, path: [] },
            {
              source_asset_type: 'credit_alphanum4',
              source_asset_code: 'EURC',
              source_asset_issuer: eurc.getIssuer(),
              source_amount: '10.01',
              ...destination,
              path: [],
            },
            {
              source_asset_type: 'credit_alphanum4',
              source_asset_code: 'USDC',
              source_asset_issuer: usdc.getIssuer(),
              source_amount: '10.8',
              ...destination,
              path: [],
            },
          ],
        },
      },
    })
  })

  it('a path search names the assets between', async () => {
    const { sandbox } = served
    const goldIssuer = keyNumber(3)
    await funded(sandbox, goldIssuer)
    const gold = new Asset('GOLDBAR', goldIssuer.publicKey())
    const offer = Operation.manageSellOffer({ selling: gold, buying: usdc, amount: '5', price: '2' })
    const line = Operation.changeTrust({ asset: usdc })
    expect(outcomeOf(sandbox, signed(sandbox, goldIssuer, [line, offer], { fee: '200' }))).toBe('txSuccess')
    const { body } = await search({
      source_assets: 'native',
      destination_asset_type: 'credit_alphanum12',
      destination_asset_code: 'GOLDBAR',
      destination_asset_issuer: gold.getIssuer() ?? '',
      destination_amount: '5',
    })
    expect(body._embedded.records).toEqual([
      expect.objectContaining({
        source_asset_type: 'native',
        source_amount: '40.04',
        path: [{ asset_type: 'credit_alphanum4', asset_code: 'USDC', asset_issuer: usdc.getIssuer() }],
      }),
    ])
  })

  it('a path search for an account uses its holdings, where they suffice', async () => {
    const sourcesOf = async (source_account: string, destination_amount: string) => {
      const { body } = await search({ ...dollars, destination_amount, source_account })
      return body._embedded.records.map((each: { source_asset_code?: string }) => each.source_asset_code ?? 'XLM')
    }
    expect(await sourcesOf(payer.publicKey(), '100')).toEqual(['XLM', 'EURC'])
    expect(await sourcesOf(payer.publicKey(), '10000')).toEqual(['EURC'])
    expect(await sourcesOf(payer.publicKey(), '20000')).toEqual([])
    expect(await sourcesOf(keyNumber(9).publicKey(), '1')).toEqual([])
  })

  it("a path search finds nothing beyond the market's depth", async () => {
    const { status, body } = await search({ ...dollars, destination_amount: '900000000', source_assets: 'native' })
    expect({ status, body }).toEqual({ status: 200, body: { _embedded: { records: [] } } })
  })

  it('a path search is exact: its amount suffices in the next ledger, one stroop less does not', async () => {
    const { sandbox } = served
    for (const [send, amount] of [
      [Asset.native(), '7.1234567'],
      [eurc, '0.0000001'],
      [eurc, '333.3333333'],
      [Asset.native(), '0.0000003'],
    ] as const) {
      const { body } = await search({ ...dollars, destination_amount: amount, source_assets: idOf(send) })
      const sendMax: string = body._embedded.records[0].source_amount
      const payment = (max: string) =>
        signed(sandbox, payer, [
          Operation.pathPaymentStrictReceive({
            sendAsset: send,
            sendMax: max,
            destination: payee.publicKey(),
            destAsset: usdc,
            destAmount: amount,
            path: [],
          }),
        ])
      const before = trustline(sandbox, payee, usdc).balance
      const less = BigInt(Math.round(Number(sendMax) * 1e7)) - 1n
      if (less > 0n) {
        const short = `${less / 10_000_000n}.${(less % 10_000_000n).toString().padStart(7, '0')}`
        expect(outcomeOf(sandbox, payment(short))).toBe('pathPaymentStrictReceiveOverSendmax')
      }
      expect(outcomeOf(sandbox, payment(sendMax))).toBe('txSuccess')
      const arrived = trustline(sandbox, payee, usdc).balance - before
      expect(arrived).toBe(BigInt(Math.round(Number(amount) * 1e7)))
    }
  })

  const whole = { ...dollars, destination_amount: '1', source_assets: 'native' }
  it.each([
    ['no amount', { destination_amount: '' }, 'destination_amount'],
    ['nothing', { destination_amount: '0' }, 'destination_amount'],
    ['eight decimals', { destination_amount: '1.00000001' }, 'destination_amount'],
    ['a sign', { destination_amount: '-1' }, 'destination_amount'],
    ['more than there can be', { destination_amount: '922337203685.4775808' }, 'destination_amount'],
    ['another type', { destination_asset_type: 'gold' }, 'destination_asset_type'],
    ['a code of another length', { destination_asset_code: 'DOLLAR' }, 'destination_asset_code'],
    ['a code for XLM', { destination_asset_type: 'native' }, 'destination_asset_code'],
    ['an issuer that is none', { destination_asset_issuer: 'G' }, 'destination_asset_issuer'],
    ['an asset that is none', { source_assets: 'native,USDC' }, 'source_assets'],
    ['sixteen assets', { source_assets: Array.from({ length: 16 }, () => 'native').join(',') }, 'source_assets'],
    ['no account', { source_assets: '', source_account: 'G' }, 'source_account'],
  ])('is refused with %s', async (_, wrong, invalid_field) => {
    const { status, type, body } = await search({ ...whole, ...wrong })
    expect({ status, type, body }).toEqual({
      status: 400,
      type: 'application/problem+json; charset=utf-8',
      body: {
        type: 'https://stellar.org/horizon-errors/bad_request',
        title: 'Bad Request',
        status: 400,
        detail: expect.any(String),
        extras: { invalid_field, reason: expect.any(String) },
      },
    })
  })

  it('a path search needs exactly one kind of source', async () => {
    const none = await search({ ...whole, source_assets: '' })
    const two = await search({ ...whole, source_account: payer.publicKey() })
    for (const { status, body } of [none, two])
      expect({ status, title: body.title, extras: body.extras }).toEqual({ status: 400, title: 'Bad Request' })
  })

  it('a path search only accepts GET', async () => {
    expect((await fetch(`${served.url}/paths/strict-receive`, { method: 'POST' })).status).toBe(405)
  })
})
