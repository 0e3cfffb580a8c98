import { join } from 'node:path'
import { type Run, runCli, runInside } from '@quittance/cli/testing/run-cli'
import { Asset, Operation } from '@stellar/stellar-sdk'
import { type Client, clientOf } from './testing/client.ts'
import { type ConfiguredProcess, startConfigured } from './testing/configured-process.ts'
import { eventually } from './testing/eventually.ts'
import { privatePassphrase, startPrivateNetwork } from './testing/private-network.ts'
import { completed } from './testing/sale.ts'
import { temporaryDirectory } from './testing/service.ts'
import type { Wallet } from './testing/wallet.ts'

const passphrase = privatePassphrase
const daySeconds = 24 * 60 * 60

/** What the merchant of this story has and uses: variables, the command line, HTTP. */
type Story = {
  settings: Readonly<Record<string, string>>
  service: ConfiguredProcess | null
  merchantId: string
  apiKey: string
  subscription: string
  payment: string
}

describe('a merchant on a custom network, with nothing prepared, by variables, command line and HTTP alone', () => {
  const directory = temporaryDirectory()
  const story: Story = { settings: {}, service: null, merchantId: '', apiKey: '', subscription: '', payment: '' }
  let network: Awaited<ReturnType<typeof startPrivateNetwork>>
  let [issuer, funds, customer]: ReadonlyArray<Wallet> = []

  const wallet = (one: Wallet | undefined): Wallet => {
    if (one === undefined) throw new Error('there is no such wallet yet')
    return one
  }
  const usdc = () => `USDC:${wallet(issuer).address}`
  const printed = ({ status, stdout, stderr }: Run) => {
    if (status !== 0) throw new Error(`${stdout}${stderr}`)
    return JSON.parse(stdout)
  }
  /** What the command line prints, as a process of its own. */
  const cli = async (...words: ReadonlyArray<string>) => printed(await runCli(story.settings, ...words, '--json'))
  /** The same within this process, which saves its start. */
  const quickly = async (...words: ReadonlyArray<string>) =>
    printed(await runInside(story.settings, ...words, '--json'))
  /** What the doctor finds: how bad, what, and of whom. */
  const complaints = async () => {
    const { stdout } = await runInside(story.settings, 'doctor', '--json')
    const { findings }: { findings: ReadonlyArray<Record<'level' | 'code' | 'subject', string | null>> } =
      JSON.parse(stdout)
    return findings.map(({ level, code, subject }) => [level, code, subject])
  }
  const asked =
    (key: string | null): Client =>
    (path, request) => {
      if (story.service === null) throw new Error('the service does not run')
      return clientOf(story.service.url, key)(path, request)
    }
  const api: Client = (path, request) => asked(story.apiKey)(path, request)
  const anyone: Client = (path, request) => asked(null)(path, request)
  const dataOf = async (answer: ReturnType<Client>) => {
    const { status, body } = await answer
    if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
    return body.data
  }
  const settlement = () => dataOf(api('/settlement'))
  /** The funding account creates an account, or tops it up. */
  const fund = async (address: string, amount: string): Promise<void> => {
    const creation = Operation.createAccount({ destination: address, startingBalance: amount })
    const { status } = await wallet(funds).send(await wallet(funds).build([creation]))
    expect(status).toBe('SUCCESS')
  }
  const dollars = () => new Asset('USDC', wallet(issuer).address)
  /** What a wallet holds of them, in stroops. */
  const held = async (owner: Wallet | undefined) => {
    const { ledger, address } = wallet(owner)
    return (await ledger.getAssetBalance(address, dollars(), passphrase)).balanceEntry?.amount
  }
  /** The issuer has the asset's own contract made, by which other contracts move it. */
  const makeTokenContract = async ({ ledger, build, send, keypair }: Wallet): Promise<void> => {
    const prepared = await ledger.prepareTransaction(
      await build([Operation.createStellarAssetContract({ asset: dollars() })]),
    )
    prepared.sign(keypair)
    expect(await send(prepared)).toMatchObject({ status: 'SUCCESS' })
  }
  const opened = (body: object, type: 'direct' | 'product') => dataOf(api(`/checkout?type=${type}`, { body }))
  /** The customer signs what the service has built, and has it relayed. */
  const pay = async (id: string) => {
    const payer = wallet(customer)
    const source_account = payer.address
    const { transaction_xdr, kind } = await dataOf(anyone(`/pay/${id}/transaction`, { body: { source_account } }))
    const signed = payer.sign(transaction_xdr, passphrase)
    await dataOf(anyone(`/pay/${id}/submit`, { body: { transaction_xdr: signed } }))
    return { kind, checkout: await completed({ api }, id) }
  }

  beforeAll(async () => {
    network = await startPrivateNetwork()
    issuer = await network.wallet()
    funds = await network.wallet()
    customer = await network.wallet()
    await customer.trust(usdc())
    const gift = { destination: customer.address, assetId: usdc(), amount: '100', memo: null }
    await issuer.pay(gift)
    story.settings = {
      QUITTANCE_DATA_DIR: join(directory.path, 'data'),
      QUITTANCE_MASTER_KEY: 'ab'.repeat(32),
      QUITTANCE_TESTNET_RPC_URLS: network.url,
      QUITTANCE_TESTNET_PASSPHRASE: passphrase,
      QUITTANCE_ASSETS_TESTNET: `${usdc()}=USD`,
      QUITTANCE_SOURCE_SECRET: funds.keypair.secret(),
    }
  })
  afterAll(async () => {
    await story.service?.stop()
    await network.close()
    directory.remove()
  })

  it('deploys the contract, and creates a merchant and the accounts that charge and send', async () => {
    const { contract_id } = await cli('contract', 'deploy', '--source', 'env', '--fee-limit', '1000')
    story.settings = { ...story.settings, QUITTANCE_MANDATE_CONTRACT_TESTNET: contract_id }
    const made = await cli('merchant', 'create', '--name', 'Ada & Co')
    expect(made).toEqual({ merchant_id: expect.stringMatching(/^mer_/), api_key: expect.stringMatching(/^sk_test_/) })
    story.merchantId = made.merchant_id
    story.apiKey = made.api_key
    await quickly('settlement', 'declare', '--accounts', wallet(funds).address)
    const { account } = await quickly('operator', 'create')
    const [channel] = await quickly('channel', 'create', '--count', '1')
    await fund(account, '100')
    await fund(channel.account, '100')
    expect(await quickly('operator', 'show')).toEqual({ account, balance: '100' })
  })

  it('shows what the settlement account lacks, and is ready once exactly that arrives', async () => {
    story.service = await startConfigured(story.settings)
    const before = await settlement()
    expect(before).toMatchObject({ network_passphrase: passphrase, exists: false, is_ready: false })
    expect(before.assets.map((each: { asset_id: string; peg: string | null }) => [each.asset_id, each.peg])).toEqual([
      [usdc(), 'USD'],
      ['native', null],
    ])
    expect(await dataOf(api('/assets'))).toMatchObject([
      { asset_id: usdc(), code: 'USDC', canonicalIssuer: wallet(issuer).address },
      { asset_id: 'native', code: 'XLM', canonicalIssuer: null },
    ])
    const refused = await api('/checkout?type=direct', { body: { amount: 10, currency_code: 'USD' } })
    expect([refused.status, refused.body.code]).toEqual([409, 'merchant_not_ready'])

    expect(await quickly('merchant', 'setup')).toEqual(before)
    expect(await complaints()).toContainEqual(['error', 'account_missing', story.merchantId])

    await fund(before.address, before.missing)
    // In the first two minutes after its start, a service sends nothing on a network that its backups do not hold.
    await network.pass(150)
    const after = await eventually(settlement, ({ is_ready }) => is_ready)
    expect(after).toMatchObject({ exists: true, missing: '0', problems: [], next_step: null })
    // Sales go on, of what has a price: nobody says what lumens are worth, no asset has a contract, and the issuer names no
    // domain.
    expect(await complaints()).toEqual([
      ['warning', 'no_rate', 'native'],
      ['warning', 'token_missing', usdc()],
      ['warning', 'asset_not_listed', usdc()],
    ])
  })

  it('sells for dollars through the peg, without any source of rates', async () => {
    const { id } = await opened({ amount: 10, currency_code: 'USD' }, 'direct')
    const quote = await dataOf(anyone(`/pay/${id}/quote`))
    expect(quote).toMatchObject({ asset_id: usdc(), amount: '10', rates: [] })
    const { checkout } = await pay(id)
    expect(await dataOf(api(`/payment/${checkout.payment_id}`))).toMatchObject({ status: 'confirmed' })
    story.payment = checkout.payment_id
  })

  it('sells a subscription, and collects its renewal a day later', async () => {
    const plan = { name: 'P', type: 'subscription', recurring_period: 'day', currency_code: 'USD', price_amount: 5 }
    const { id: product_id } = await dataOf(api('/product', { body: plan }))
    const buyer = { product_id, customer_email: 'ada@shop.example' }
    // The ledger has no contract by which the issuer's dollars are moved: no subscription in them could be collected.
    const refused = await api('/checkout?type=product', { body: buyer })
    expect([refused.status, refused.body.code]).toEqual([409, 'subscriptions_not_available'])
    await makeTokenContract(wallet(issuer))
    const { id } = await opened(buyer, 'product')
    const { kind, checkout } = await pay(id)
    expect(kind).toBe('mandate')
    story.subscription = checkout.subscription_id
    const shown = () => dataOf(api(`/subscriptions/${story.subscription}`))
    const first = await shown()
    await network.pass(daySeconds + 60)
    const renewed = await eventually(shown, ({ current_period_end }) => current_period_end > first.current_period_end)
    expect(renewed.status).toBe('active')
    const { data: payments } = await dataOf(api(`/payment?subscription_id=${story.subscription}`))
    expect(payments.map(({ status }: { status: string }) => status)).toEqual(['confirmed', 'confirmed'])
    expect(await held(customer)).toBe('800000000')
  })

  it('refunds a payment on a custom network', async () => {
    const { id } = await dataOf(api('/refunds', { body: { payment_id: story.payment } }))
    await eventually(
      () => dataOf(api(`/refunds/${id}`)),
      ({ status }) => status === 'succeeded',
    )
    expect(await held(customer)).toBe('900000000')
  })

  it('pays out the balance to an address that is proven by a signature', async () => {
    const bank = await network.wallet()
    await bank.trust(usdc())
    const { id: destination, challenge } = await dataOf(
      api('/payout_destinations', { body: { address: bank.address } }),
    )
    const transaction = bank.sign(challenge.transaction, passphrase)
    await dataOf(api(`/payout_destinations/${destination}/verify`, { body: { transaction } }))
    const { id } = await dataOf(api('/payouts', { body: { asset_id: usdc(), amount: 'all', destination } }))
    const ended = await eventually(
      () => dataOf(api(`/payouts/${id}`)),
      ({ status }) => status !== 'pending',
    )
    expect(ended).toMatchObject({ status: 'succeeded', amount: '10 USDC', failure_reason: null })
    expect(await held(bank)).toBe('100000000')
  })

  it('has books that match the ledger, and no transaction that waits for a decision', async () => {
    expect((await dataOf(api('/exceptions'))).data).toEqual([])
    expect(await story.service?.stop()).toBe(0)
    story.service = null
    expect(await quickly('reconcile', '--from', '1')).toMatchObject({
      ok: true,
      named: { set_up: 1, payment: 3, refund: 1, payout: 1, unexplained: 0 },
      accounts: [
        { asset: 'native', difference: '0' },
        { asset: usdc(), difference: '0' },
      ],
    })
    await quickly('verify')
  })
})
