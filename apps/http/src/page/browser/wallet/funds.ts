import { stroopsFromDecimal } from '../amounts.ts'
import { ask, jsonOf, Refused, Unanswered } from '../api.ts'
import { fieldsOf, textIn } from '../fields.ts'
import { type Holdings, readHoldings } from './account.ts'
import { ledgerCloseTime, type Rpc } from './rpc.ts'
import type { Keypair, StellarSdk, Transaction } from './sdk.ts'
import { type Pause, sendToNetwork, untilApplied } from './submit.ts'
import { walletWords } from './wallet-words.ts'

export type SandboxTools = {
  readonly sdk: StellarSdk
  readonly rpc: Rpc
  readonly fetch: typeof globalThis.fetch
  readonly pause: Pause
  readonly friendbotUrl: string
  readonly networkPassphrase: string
}

const FEE_STROOPS = '1000'
const VALID_FOR_SECONDS = 120
/** Two base reserves, one for the trustline, and room for fees: 5 XLM stay untouched. */
const KEPT_STROOPS = 50_000_000n
/** Friendbot gives 10,000 of an asset at a time. */
const MOST_GIFTS = 20

const friendbot = async (tools: SandboxTools, parameters: Readonly<Record<string, string>>): Promise<void> => {
  const url = `${tools.friendbotUrl}?${new URLSearchParams(parameters)}`
  const answer = await ask(tools.fetch, url, {})
  if (answer.ok) return
  const fields = fieldsOf(await jsonOf(answer))
  const detail = textIn(fields, 'detail') ?? textIn(fields, 'error') ?? walletWords.sandbox.status(answer.status)
  if (answer.status >= 500) throw new Unanswered(walletWords.sandbox.friendbotSilent(detail))
  throw new Refused(walletWords.sandbox.friendbotRefused(detail))
}

const trust = async (tools: SandboxTools, keypair: Keypair, sequence: bigint, assetId: string): Promise<void> => {
  const { sdk, rpc } = tools
  const [code = '', issuer = ''] = assetId.split(':')
  const transaction = new sdk.TransactionBuilder(new sdk.Account(keypair.publicKey(), sequence.toString()), {
    fee: FEE_STROOPS,
    networkPassphrase: tools.networkPassphrase,
    // The sandbox's clock may have been moved: only the ledger knows what time it is there.
    timebounds: { minTime: '0', maxTime: String((await ledgerCloseTime(rpc)) + VALID_FOR_SECONDS) },
  })
    .addOperation(sdk.Operation.changeTrust({ line: new sdk.Asset(code, issuer) }))
    .build()
  transaction.sign(keypair)
  await sendToNetwork(rpc, transaction.toXdr(), tools.pause)
  await untilApplied(rpc, hashOf(transaction), tools.pause)
}

/** The hash in lower-case hex, as the network writes it. */
export const hashOf = (transaction: Transaction): string =>
  Array.from(transaction.hash(), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Sees to it that the account exists, trusts the asset and holds at least `amount` (a decimal) of it. Each thing is
 * looked up in the ledger first, so doing it again, also after the sandbox was reset, only does what is missing.
 */
export const provideFunds = async (
  tools: SandboxTools,
  keypair: Keypair,
  assetId: string,
  amount: string,
): Promise<void> => {
  const address = keypair.publicKey()
  const needed = (stroopsFromDecimal(amount) ?? 0n) + (assetId === 'native' ? KEPT_STROOPS : 0n)
  const holdings = (): Promise<Holdings> => readHoldings(tools.sdk, tools.rpc, address, assetId)

  let held = await holdings()
  if (held.sequence === null) {
    await friendbot(tools, { addr: address })
    held = await holdings()
  }
  if (held.sequence === null) throw new Unanswered(walletWords.sandbox.noAccount)
  if (assetId !== 'native' && held.asset === null) {
    await trust(tools, keypair, held.sequence, assetId)
    held = await holdings()
  }
  for (let gift = 0; (held.asset ?? 0n) < needed && assetId !== 'native' && gift < MOST_GIFTS; gift += 1) {
    await friendbot(tools, { addr: address, asset: assetId })
    held = await holdings()
  }
  if ((held.asset ?? 0n) < needed) throw new Refused(walletWords.sandbox.tooMuch)
}
