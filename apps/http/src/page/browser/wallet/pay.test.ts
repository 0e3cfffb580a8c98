import { openDatabase } from '@quittance/event-store/sqlite'
import { listen, openSandbox } from '@quittance/sandbox'
import * as Sdk from '@stellar/stellar-sdk'
import { type Api, Refused, Unanswered } from '../api.ts'
import type { PageQuote } from '../wire.ts'
import { openAccount, payWithSandboxWallet } from './pay.ts'
import { createRpc } from './rpc.ts'
import type { WalletStep } from './steps.ts'

/** 2026-11-01T00:00:00Z; the sandbox's ledgers close when the wallet pauses. */
const startMs = 1_793_491_200_000
const merchant = Sdk.Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(9))

/** A checkout of a service that builds transactions and relays them, on a sandbox behind a real socket. */
const open = async (assetCode: 'USDC' | 'XLM', amountDue: string) => {
  const database = openDatabase(':memory:', { durability: 'relaxedLosesCommitsOnPowerLoss' })
  const sandbox = openSandbox({ database, wallClock: () => startMs })
  await sandbox.provision(merchant.secret())()
  const network = await listen(sandbox)
  const assetId = sandbox.assets().find(({ code }) => code === assetCode)?.assetId ?? ''
  const [code = '', issuer] = assetId.split(':')
  const asset = issuer === undefined ? Sdk.Asset.native() : new Sdk.Asset(code, issuer)
  const client = new Sdk.rpc.Server(network.url, { allowHttp: true })
  const { networkPassphrase } = sandbox

  const kept = new Map<string, string>()
  const steps: Array<WalletStep> = []
  const submitted: Array<string> = []
  const service = {
    kind: 'payment',
    amount: amountDue,
    networkPassphrase,
    friendbot: fetch,
    submit: (envelope: string): void => void sandbox.submit(envelope),
  }

  const build = async (payer: string): Promise<string> => {
    const { sequence, now } = { sequence: (await client.getAccount(payer)).sequenceNumber(), now: sandbox.clock().now }
    return new Sdk.TransactionBuilder(new Sdk.Account(payer, sequence), { fee: '100', networkPassphrase })
      .addOperation(Sdk.Operation.payment({ destination: merchant.publicKey(), asset, amount: service.amount }))
      .addMemo(Sdk.Memo.text('chk_1'))
      .setTimebounds(0, Math.floor(now / 1_000) + 300)
      .build()
      .toXdr()
  }

  const api: Api = {
    get: () => Promise.reject(new Refused('not asked for')),
    post: async (path, body) => {
      if (path === '/transaction') {
        const transaction = await build(String(body.source_account))
        return { transaction_xdr: transaction, network_passphrase: service.networkPassphrase, kind: service.kind }
      }
      const envelope = String(body.transaction_xdr)
      submitted.push(envelope)
      service.submit(envelope)
      return {}
    },
  }

  const quote: PageQuote = {
    destination: merchant.publicKey(),
    assetId,
    amount: amountDue,
    amountReceived: '0',
    amountDue,
    memo: 'chk_1',
    validUntil: '2026-11-01T00:15:00.000Z',
    sep7Uri: 'web+stellar:pay',
    mandate: null,
    isAuthorization: false,
  }

  const tools = {
    sdk: Sdk,
    rpc: createRpc(network.url, fetch),
    // Of these requests, only those to friendbot go this way; the RPC has its own.
    fetch: (...[url, init]: Parameters<typeof fetch>) => service.friendbot(url, init),
    pause: async () => void sandbox.close(),
    friendbotUrl: `${network.url}/friendbot`,
    networkPassphrase,
  }
  const secrets = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  const onStep = (step: WalletStep) => void steps.push(step)
  const rest = { choice: null, agreed: null, onMandate: () => undefined, onStep }
  const pay = () => payWithSandboxWallet({ tools, api, secrets, currentQuote: async () => quote, ...rest })
  const account = async () => {
    const address = await openAccount(tools, secrets)
    return { address, balance: (await client.getAccountEntry(address)).balance.toString() }
  }

  const received = async (): Promise<string> => {
    const balance =
      issuer === undefined
        ? (await client.getAccountEntry(merchant.publicKey())).balance
        : (await client.getTrustline(merchant.publicKey(), asset)).balance
    return balance.toString()
  }
  const wallet = () => Sdk.Keypair.fromSecret([...kept.values()][0] ?? '').publicKey()
  return { sandbox, service, pay, account, received, steps, submitted, kept, wallet, close: network.close }
}

type Opened = Awaited<ReturnType<typeof open>>
let opened: Opened
const opening = async (assetCode: 'USDC' | 'XLM', amountDue: string): Promise<Opened> => {
  opened = await open(assetCode, amountDue)
  return opened
}
afterEach(() => opened.close())

describe('paying with a sandbox wallet', () => {
  it('creates a wallet from nothing and pays until a ledger includes the payment', async () => {
    const { pay, received, steps, sandbox } = await opening('USDC', '12.5')
    const hash = await pay()
    expect(sandbox.read.findTransaction(hash)?.succeeded).toBe(true)
    expect(await received()).toBe('125000000')
    expect(steps).toEqual(['wallet', 'funds', 'transaction', 'signature', 'submission', 'ledger'])
  })

  it('uses the same sandbox wallet on a second visit', async () => {
    const { pay, received, wallet } = await opening('USDC', '12.5')
    await pay()
    const first = wallet()
    await pay()
    expect(wallet()).toBe(first)
    expect(await received()).toBe('250000000')
  })

  it('funds one account with test money before it pays', async () => {
    const { account, pay, wallet, steps } = await opening('USDC', '12.5')
    const first = await account()
    expect(first.balance).toBe('100000000000')
    expect(await account()).toEqual(first)
    expect(steps).toEqual([])
    await pay()
    expect(wallet()).toBe(first.address)
  })

  it('pays with a sandbox wallet in the native asset', async () => {
    const { pay, received } = await opening('XLM', '40')
    const before = BigInt(await received())
    await pay()
    expect(BigInt(await received()) - before).toBe(400_000_000n)
  })

  it('gets as much test money as the price needs', async () => {
    const { pay, received } = await opening('USDC', '25000')
    await pay()
    expect(await received()).toBe('250000000000')
  })

  it('reports a price above all available test money', async () =>
    expect((await opening('XLM', '10000')).pay()).rejects.toThrow('more than a sandbox wallet can be given'))

  it("follows the ledger's clock, however far it is ahead", async () => {
    const { pay, received, sandbox } = await opening('USDC', '12.5')
    await sandbox.advance({ seconds: 90 * 86_400, nextDue: async () => null, settle: async () => {} })()
    await pay()
    expect(await received()).toBe('125000000')
  })

  it('creates a new wallet when the stored key is invalid', async () => {
    const { pay, received, kept, sandbox } = await opening('USDC', '12.5')
    kept.set(`quittance.sandbox-wallet.${sandbox.networkPassphrase}`, 'nonsense')
    await pay()
    expect(await received()).toBe('125000000')
  })

  it.each<[string, (service: Opened['service']) => void, string]>([
    ['another amount', (service) => Object.assign(service, { amount: '13' }), 'It pays another amount.'],
    ['another network', (service) => Object.assign(service, { networkPassphrase: 'other' }), 'another network'],
    ['a mandate', (service) => Object.assign(service, { kind: 'mandate' }), 'of another kind than is shown'],
  ])('signs nothing for %s', async (_, change, problem) => {
    const { pay, service, submitted } = await opening('USDC', '12.5')
    change(service)
    await expect(pay()).rejects.toThrow(problem)
    expect(submitted).toEqual([])
  })

  it('resubmits the same bytes after a lost response, and pays once', async () => {
    const { pay, service, submitted, received, sandbox } = await opening('USDC', '12.5')
    let calls = 0
    service.submit = (envelope) => {
      calls += 1
      sandbox.submit(envelope)
      if (calls < 3) throw new Unanswered('the connection broke')
    }
    await pay()
    expect(new Set(submitted).size).toBe(1)
    expect(submitted).toHaveLength(3)
    expect(await received()).toBe('125000000')
  })

  it('stops paying when the service refuses', async () => {
    const { pay, service, submitted, received } = await opening('USDC', '12.5')
    service.submit = () => {
      throw new Refused('This checkout has expired')
    }
    await expect(pay()).rejects.toThrow('This checkout has expired')
    expect(submitted).toHaveLength(1)
    expect(await received()).toBe('0')
  })

  it('leaves the outcome open when no ledger includes the payment', async () => {
    const { pay, service, received } = await opening('USDC', '12.5')
    service.submit = () => {}
    await expect(pay()).rejects.toBeInstanceOf(Unanswered)
    expect(await received()).toBe('0')
  })

  it('shows the message of friendbot when it fails', async () => {
    const { pay, service } = await opening('USDC', '12.5')
    service.friendbot = async () => Response.json({ status: 400, detail: 'paymentLineFull' }, { status: 400 })
    await expect(pay()).rejects.toThrow('Friendbot refused: paymentLineFull')
  })
})
