/**
 * A first sale on a real network: it creates a merchant and starts the service, which sets the settlement account up with
 * lumens of the testnet's friendbot; then a customer pays from their own wallet.
 *
 * The price is in XLM, because friendbot gives XLM to anyone, while a person must request test USDC on Circle's web page.
 * The merchant can still be paid in USDC: GET /settlement shows its trustline.
 *
 * Run it by `npm run example -- --network testnet`. It works in a temporary directory and leaves traces only on the
 * testnet. QUITTANCE_TESTNET_RPC_URLS, _PASSPHRASE and _FRIENDBOT_URL name another test network.
 */
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Keypair, rpc, TransactionBuilder } from '@stellar/stellar-sdk'

const nodes = process.env.QUITTANCE_TESTNET_RPC_URLS || 'https://soroban-testnet.stellar.org'
const friendbot = process.env.QUITTANCE_TESTNET_FRIENDBOT_URL || 'https://friendbot.stellar.org'
const dataDir = mkdtempSync(join(tmpdir(), 'quittance-testnet-'))
const settings = {
  ...process.env,
  QUITTANCE_DATA_DIR: dataDir,
  QUITTANCE_MASTER_KEY: randomBytes(32).toString('hex'),
  QUITTANCE_TESTNET_RPC_URLS: nodes,
  QUITTANCE_PORT: '0',
  QUITTANCE_LOG_LEVEL: 'info',
}
const entry = (app: string) => fileURLToPath(new URL(`../../apps/${app}/src/main.ts`, import.meta.url))

/** Asks until the answer is the expected one; the testnet closes a ledger about every five seconds. */
const until = async <A>(what: string, read: () => Promise<A>, isReached: (answer: A) => boolean): Promise<A> => {
  for (let seconds = 0; seconds < 120; seconds++) {
    const answer = await read()
    if (isReached(answer)) return answer
    await pause(1000)
  }
  throw new Error(`${what} took longer than two minutes`)
}

const ledger = new rpc.Server(nodes.split(',')[0] ?? '', { allowHttp: true })
ledger.httpClient.defaults.timeout = 10_000

const isReachable = async (): Promise<boolean> => {
  try {
    const { passphrase } = await ledger.getNetwork()
    console.log(`network     ${passphrase}`)
    return true
  } catch (cause) {
    console.error(`No test network answers at ${nodes}: ${cause instanceof Error ? cause.message : String(cause)}`)
    console.error(
      'Name another node by QUITTANCE_TESTNET_RPC_URLS. Without a network, the same sale runs on the sandbox:',
    )
    console.error('npm start, and npm run example in another terminal.')
    return false
  }
}

/** The merchant and its key, as `npx quittance merchant create` prints them. */
const merchant = async (): Promise<{ readonly merchant_id: string; readonly api_key: string }> => {
  const words = ['--no-warnings', entry('cli'), 'merchant', 'create', '--name', 'Ada & Co', '--json']
  return JSON.parse((await promisify(execFile)(process.execPath, words, { env: settings })).stdout)
}

/** Starts what `npm start` runs, and waits until it listens. */
const service = async () => {
  const child = spawn(process.execPath, ['--no-warnings', entry('http')], {
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    void ended.then(() => reject(new Error('the service ended')))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const listening = /"Server listening at (http:\/\/[^"]+)"/.exec(line)?.[1]
      if (listening !== undefined) resolve(listening)
    })
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, stop }
}

const sale = async (url: string, apiKey: string): Promise<void> => {
  const api = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = JSON.parse(await response.text())
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.code}: ${answer.error}`)
    return answer.data
  }

  // The service funds the settlement account by friendbot, and signs its trustlines.
  const settlement = await until(
    'the set-up',
    () => api('GET', '/settlement'),
    ({ is_ready }) => is_ready,
  )
  console.log(
    `settlement  ${settlement.address}  is ready for ${settlement.assets.map(({ code }: { code: string }) => code)}`,
  )

  const checkout = await api('POST', '/checkout?type=direct', { amount: 5, currency_code: 'XLM' })
  const quote = await api('GET', `/pay/${checkout.id}/quote`)
  console.log(`checkout    ${checkout.id}  ${quote.amount} XLM to ${quote.destination}, memo ${quote.memo}`)

  const wallet = Keypair.random()
  const funded = await fetch(`${friendbot}?addr=${wallet.publicKey()}`)
  if (!funded.ok) throw new Error(`friendbot: ${funded.status} ${await funded.text()}`)
  console.log(`wallet      ${wallet.publicKey()}`)

  const built = await api('POST', `/pay/${checkout.id}/transaction`, { source_account: wallet.publicKey() })
  const transaction = TransactionBuilder.fromXDR(built.transaction_xdr, built.network_passphrase)
  transaction.sign(wallet)
  const sent = await api('POST', `/pay/${checkout.id}/submit`, { transaction_xdr: transaction.toXDR() })
  console.log(`sent        ${sent.transaction_hash}`)

  const paid = await until(
    'the payment',
    () => api('GET', `/checkout/${checkout.id}`),
    ({ status }) => status !== 'open',
  )
  if (paid.status !== 'completed') throw new Error(`the checkout is ${paid.status}`)
  console.log('payment    ', JSON.stringify(await api('GET', `/payment/${paid.payment_id}`), null, 2))
}

try {
  if (await isReachable()) {
    const { merchant_id, api_key } = await merchant()
    console.log(`merchant    ${merchant_id}`)
    const { url, stop } = await service()
    await sale(url, api_key).finally(stop)
  } else process.exitCode = 1
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
