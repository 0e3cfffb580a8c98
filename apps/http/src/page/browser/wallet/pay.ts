import { type Api, Refused, Unanswered } from '../api.ts'
import type { Mandate } from '../mandate.ts'
import type { Choice, PageQuote } from '../wire.ts'
import { hashOf, provideFunds, type SandboxTools } from './funds.ts'
import { checkedTransaction, OtherMandate } from './proposed.ts'
import type { Keypair, StellarSdk, Transaction } from './sdk.ts'
import type { WalletStep } from './steps.ts'
import { type Pause, untilApplied } from './submit.ts'
import { walletWords } from './wallet-words.ts'

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
  /** The mandate that the page shows for this very wallet, once it has been asked; null before. */
  readonly agreed: Mandate | null
  /** The page is to show this mandate: it is another one than was shown. */
  readonly onMandate: (mandate: Mandate) => void
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

/** A mandate that differs from the one on the page is shown first, so that the owner can agree to it. */
const checked = ({ onMandate }: SandboxPayment, check: () => Transaction): Transaction => {
  try {
    return check()
  } catch (cause) {
    if (!(cause instanceof OtherMandate)) throw cause
    onMandate(cause.mandate)
    throw new Refused(walletWords.problems.agreeAgain(cause.message))
  }
}

/** Submits the signed bytes, and retries them without a response: they can be applied only once. */
export const submit = async (api: Api, pause: Pause, envelope: string): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await api.post('/submit', { transaction_xdr: envelope })
      return
    } catch (cause) {
      if (!(cause instanceof Unanswered) || attempt === SUBMISSIONS) throw cause
      await pause(attempt * 1_000)
    }
  }
}

/**
 * Pays the amount due, or signs the mandate on the page, from a test wallet in this browser. Answers the transaction's
 * hash once a ledger holds it. Rejects with `Refused` or `Unanswered`, whose message is for the payer. Only the
 * service, which reads the ledger, tells whether the checkout is paid.
 */
export const payWithSandboxWallet = async (payment: SandboxPayment): Promise<string> => {
  const { tools, api, choice, onStep } = payment
  onStep('wallet')
  const keypair = openWallet(tools.sdk, payment.secrets, tools.networkPassphrase)
  onStep('funds')
  const asked = await payment.currentQuote()
  // For a subscription, also for later charges.
  const most = choice?.sendMax ?? asked.mandate?.cap ?? asked.amountDue
  await provideFunds(tools, keypair, choice?.assetId ?? asked.assetId, most)
  onStep('transaction')
  const quote = await payment.currentQuote()
  const chosen = choice === null ? {} : { send_asset: choice.assetId, send_max: choice.sendMax }
  const answer = await api.post('/transaction', { source_account: keypair.publicKey(), ...chosen })
  onStep('signature')
  const { sdk, networkPassphrase } = tools
  const seen = { sdk, networkPassphrase, quote, choice, agreed: payment.agreed }
  const transaction = checked(payment, () => checkedTransaction(seen, keypair.publicKey(), answer))
  transaction.sign(keypair)
  const hash = hashOf(transaction)
  onStep('submission')
  await submit(api, tools.pause, transaction.toXdr())
  onStep('ledger')
  await untilApplied(tools.rpc, hash, tools.pause)
  return hash
}
