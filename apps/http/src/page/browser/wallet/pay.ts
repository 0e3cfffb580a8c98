import { type Api, Refused, Unanswered } from '../api.ts'
import { type Choice, fieldsOf, type PageQuote, textIn } from '../wire.ts'
import { paymentProblem } from './check-payment.ts'
import { hashOf, provideFunds, type SandboxTools } from './funds.ts'
import type { Keypair, StellarSdk, Transaction } from './sdk.ts'
import type { WalletStep } from './steps.ts'
import { untilApplied } from './submit.ts'

type SecretStore = {
  readonly getItem: (key: string) => string | null
  readonly setItem: (key: string, value: string) => void
}

export type SandboxPayment = {
  readonly tools: SandboxTools
  readonly api: Api
  readonly secrets: SecretStore
  /** The quote as it is now; the page shows the same one. */
  readonly currentQuote: () => Promise<PageQuote>
  /** What to send instead of the asset that is asked for; null for that one. */
  readonly choice: Choice | null
  readonly onStep: (step: WalletStep) => void
}

const SUBMISSIONS = 5

/** The key of an earlier visit, or a new one. It holds worthless test money, so the browser's own store will do. */
const openWallet = (sdk: StellarSdk, secrets: SecretStore, networkPassphrase: string): Keypair => {
  const slot = `quittance.sandbox-wallet.${networkPassphrase}`
  const kept = secrets.getItem(slot)
  if (kept !== null) {
    try {
      return sdk.Keypair.fromSecret(kept)
    } catch {
      // Not a key: something else wrote there. A new one takes its place.
    }
  }
  const fresh = sdk.Keypair.random()
  secrets.setItem(slot, fresh.secret())
  return fresh
}

/** The address of the wallet in this browser, which has an account then, with test money to exchange. */
export const openAccount = async (tools: SandboxTools, secrets: SecretStore): Promise<string> => {
  const keypair = openWallet(tools.sdk, secrets, tools.networkPassphrase)
  await provideFunds(tools, keypair, 'native', '0')
  return keypair.publicKey()
}

const kinds: ReadonlyArray<string | null> = ['payment', 'path_payment']

const readTransaction = ({ sdk, networkPassphrase }: SandboxTools, answer: unknown): Transaction => {
  const fields = fieldsOf(answer)
  if (!kinds.includes(textIn(fields, 'kind'))) throw new Refused('The sandbox wallet can make one-time payments only.')
  if (textIn(fields, 'network_passphrase') !== networkPassphrase) {
    throw new Refused('The transaction is for another network, so it was not signed.')
  }
  const transaction = sdk.TransactionBuilder.fromXdr(textIn(fields, 'transaction_xdr') ?? '', networkPassphrase)
  if ('innerTransaction' in transaction) throw new Refused('The transaction is not a plain one, so it was not signed.')
  return transaction
}

/** Hands the signed bytes in; the same bytes again when no answer came, since they can be applied only once. */
const submit = async ({ api, tools }: SandboxPayment, envelope: string): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await api.post('/submit', { transaction_xdr: envelope })
      return
    } catch (cause) {
      if (!(cause instanceof Unanswered) || attempt === SUBMISSIONS) throw cause
      await tools.pause(attempt * 1_000)
    }
  }
}

/**
 * Pays the amount due from a test wallet that lives in this browser, and answers the transaction's hash in hex once a
 * ledger holds it. Rejects with `Refused` or `Unanswered`, whose message is for the payer. Whether the checkout is
 * paid is not for this to say: the page hears that from the service, which reads the ledger.
 */
export const payWithSandboxWallet = async (payment: SandboxPayment): Promise<string> => {
  const { tools, api, choice, onStep } = payment
  onStep('wallet')
  const keypair = openWallet(tools.sdk, payment.secrets, tools.networkPassphrase)
  onStep('funds')
  const asked = await payment.currentQuote()
  await provideFunds(tools, keypair, choice?.assetId ?? asked.assetId, choice?.sendMax ?? asked.amountDue)
  onStep('transaction')
  const quote = await payment.currentQuote()
  const chosen = choice === null ? {} : { send_asset: choice.assetId, send_max: choice.sendMax }
  const answer = await api.post('/transaction', { source_account: keypair.publicKey(), ...chosen })
  const transaction = readTransaction(tools, answer)
  onStep('signature')
  const problem = paymentProblem(transaction, keypair.publicKey(), quote, choice)
  if (problem !== null) throw new Refused(`The transaction was not signed. ${problem}`)
  transaction.sign(keypair)
  const hash = hashOf(transaction)
  onStep('submission')
  await submit(payment, transaction.toXdr())
  onStep('ledger')
  await untilApplied(tools.rpc, hash, tools.pause)
  return hash
}
