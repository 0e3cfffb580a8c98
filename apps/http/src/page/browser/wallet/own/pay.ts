import type { Api } from '../../api.ts'
import { fieldsOf, textIn } from '../../fields.ts'
import type { Mandate } from '../../mandate.ts'
import type { Choice, PageQuote } from '../../wire.ts'
import { trustlineProblem } from '../check-trustline.ts'
import { hashOf } from '../funds.ts'
import { submit } from '../pay.ts'
import { checkedTransaction, plainTransaction } from '../proposed.ts'
import type { StellarSdk, Transaction } from '../sdk.ts'
import type { Pause } from '../submit.ts'
import { walletWords } from '../wallet-words.ts'
import type { WalletModule } from './kit.ts'
import type { OwnStep } from './steps.ts'
import { Stopped, troubleOfWallet } from './trouble.ts'
import { networkName } from './words.ts'

/** How long a wallet may take: its owner has to unlock it, read and decide. Transactions live as long. */
const WALLET_WITHIN_MS = 240_000
const LEDGER_ATTEMPTS = 60

/** The payer's wallet, as it was chosen from the list. */
export type ChosenWallet = {
  readonly name: string
  readonly url: string
  readonly opensWindow: boolean
  readonly module: WalletModule
}

export type OwnPayment = {
  readonly wallet: ChosenWallet
  readonly sdk: StellarSdk
  readonly api: Api
  readonly pause: Pause
  readonly networkPassphrase: string
  readonly onStep: (step: OwnStep) => void
  /** Rejects once the payer has stopped waiting. */
  readonly abandoned: Promise<never>
  readonly currentQuote: () => Promise<PageQuote>
  /** Resolves once the wallet may open a window, which browsers allow upon a press alone. */
  readonly pressed: () => Promise<void>
}

/** Asks the wallet for something. Rejects with `Stopped` when it refuses or is silent. */
const ofWallet = async <A>({ wallet, pause, abandoned, pressed }: OwnPayment, ask: () => Promise<A>): Promise<A> => {
  await Promise.race([pressed(), abandoned])
  const silence = pause(WALLET_WITHIN_MS).then((): never => {
    throw new Stopped({ _tag: 'WalletSilent', wallet: wallet.name })
  })
  const answer = ask().catch((cause: unknown): never => {
    throw new Stopped(troubleOfWallet(cause, wallet))
  })
  return Promise.race([answer, silence, abandoned])
}

/** Wallets that do not tell their network sign for the one that they are asked for. */
const checkNetwork = async (payment: OwnPayment): Promise<void> => {
  const { wallet, networkPassphrase, pause, abandoned } = payment
  const untold = { networkPassphrase }
  const network = wallet.module.getNetwork().catch(() => untold)
  const told = await Promise.race([network, pause(2_500).then(() => untold), abandoned])
  if (told.networkPassphrase === networkPassphrase) return
  const [wanted, found] = [networkPassphrase, told.networkPassphrase].map(networkName)
  throw new Stopped({ _tag: 'WrongNetwork', wallet: wallet.name, wanted: wanted ?? '', found: found ?? '' })
}

/** The address of the account that the wallet's owner opens to the page. */
export const connect = async (payment: OwnPayment): Promise<string> => {
  payment.onStep('wallet')
  const { address } = await ofWallet(payment, () => payment.wallet.module.getAddress())
  await checkNetwork(payment)
  return address
}

const isSignedBy = (sdk: StellarSdk, transaction: Transaction, address: string): boolean => {
  const keypair = sdk.Keypair.fromPublicKey(address)
  const hash = transaction.hash()
  return transaction.signatures.some(({ signature }) => keypair.verify(hash, signature.value))
}

/** The signed envelope. What came back must be what was asked, signed by the account that was opened. */
const signed = async (payment: OwnPayment, address: string, transaction: Transaction): Promise<string> => {
  const { wallet, sdk, networkPassphrase, onStep } = payment
  onStep('signature')
  await checkNetwork(payment)
  const { signedTxXdr, signerAddress } = await ofWallet(payment, () =>
    wallet.module.signTransaction(transaction.toXdr(), { networkPassphrase, address }),
  )
  const otherSigner = new Stopped({ _tag: 'OtherSigner', wallet: wallet.name, address })
  if ((signerAddress ?? address) !== address) throw otherSigner
  const back = readBack(payment, signedTxXdr)
  if (back === null || hashOf(back) !== hashOf(transaction)) throw new Stopped({ _tag: 'Altered', wallet: wallet.name })
  if (!isSignedBy(sdk, back, address)) throw otherSigner
  return back.toXdr()
}

const readBack = ({ sdk, networkPassphrase }: OwnPayment, envelope: string): Transaction | null => {
  try {
    const transaction = sdk.TransactionBuilder.fromXdr(envelope, networkPassphrase)
    return 'innerTransaction' in transaction ? null : transaction
  } catch {
    return null
  }
}

/** Hands a signed transaction in, and waits until a ledger holds it. */
const carryOut = async ({ api, pause, onStep }: OwnPayment, envelope: string, hash: string): Promise<void> => {
  onStep('submission')
  await submit(api, pause, envelope)
  onStep('ledger')
  for (let attempt = 0; attempt < LEDGER_ATTEMPTS; attempt += 1) {
    const answer = fieldsOf(await api.get(`/outcome?transaction_hash=${hash}`).catch(() => null))
    const outcome = textIn(answer, 'outcome')
    if (outcome === 'succeeded') return
    if (outcome === 'failed') throw new Stopped({ _tag: 'FailedOnLedger', code: textIn(answer, 'code') ?? '' })
    await pause(1_000)
  }
  throw new Stopped({ _tag: 'Unsure' })
}

/**
 * Pays what is due, or signs the mandate on the page, with the payer's own wallet. Resolves once a ledger holds it; only the
 * service tells whether the checkout is paid.
 */
export const payWithWallet = async (
  payment: OwnPayment,
  address: string,
  choice: Choice | null,
  agreed: Mandate | null,
): Promise<void> => {
  const { api, sdk, networkPassphrase, onStep } = payment
  onStep('transaction')
  const quote = await payment.currentQuote()
  const chosen = choice === null ? {} : { send_asset: choice.assetId, send_max: choice.sendMax }
  const answer = await api.post('/transaction', { source_account: address, ...chosen })
  const transaction = checkedTransaction({ sdk, networkPassphrase, quote, choice, agreed }, address, answer)
  await carryOut(payment, await signed(payment, address, transaction), hashOf(transaction))
}

/** Makes the payer's account able to hold the asset asked for. */
export const addAsset = async (payment: OwnPayment, address: string): Promise<void> => {
  const { api, sdk, networkPassphrase, onStep } = payment
  onStep('transaction')
  const { assetId } = await payment.currentQuote()
  const answer = fieldsOf(await api.post('/transaction', { source_account: address, add_trustline: true }))
  const transaction = plainTransaction(sdk, networkPassphrase, answer)
  if (trustlineProblem(transaction, address, assetId) !== null)
    throw new Stopped({ _tag: 'Refused', detail: walletWords.problems.somethingElse })
  await carryOut(payment, await signed(payment, address, transaction), hashOf(transaction))
}
