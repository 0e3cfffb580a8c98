import { Keypair } from '@stellar/stellar-sdk'
import type { BrowserContext } from 'playwright-core'
import type { Wallet } from './wallet.ts'

/** How the owner of the wallet, or the wallet itself, behaves. */
export type Mood = 'willing' | 'declines' | 'locked' | 'silent' | 'gone' | 'other signer' | 'alters'

/** What a test can change while pages are open. `beforeSigning` runs while the wallet asks its owner. */
export type Extension = {
  wallet: Wallet
  mood: Mood
  networkPassphrase: string
  beforeSigning: () => Promise<unknown>
  readonly signed: Array<string>
}

type Request = { readonly type: string; readonly transactionXdr: string; readonly networkPassphrase: string }

const rejected = { apiError: { code: -4, message: 'The user rejected this request.' } }

const sign = async (extension: Extension, { transactionXdr, networkPassphrase }: Request): Promise<object | null> => {
  const { mood, wallet, signed } = extension
  if (mood === 'declines') return rejected
  if (mood === 'silent') return null
  await extension.beforeSigning()
  const signer = mood === 'other signer' ? Keypair.random() : wallet.keypair
  const asked =
    mood === 'alters'
      ? await wallet.payment({ destination: wallet.address, assetId: 'native', amount: '1', memo: null })
      : wallet.read(transactionXdr, networkPassphrase)
  asked.sign(signer)
  signed.push(asked.toXdr())
  return { signedTransaction: asked.toXdr(), signerAddress: mood === 'other signer' ? '' : wallet.address }
}

/** What the extension of Freighter answers to each message of `@stellar/freighter-api`; null for silence. */
const answerTo = async (extension: Extension, request: Request): Promise<object | null> => {
  const { mood, wallet, networkPassphrase } = extension
  switch (request.type) {
    case 'REQUEST_CONNECTION_STATUS':
      return mood === 'gone' ? null : { isConnected: true }
    case 'REQUEST_ACCESS':
      return mood === 'declines' ? rejected : { publicKey: mood === 'locked' ? '' : wallet.address }
    case 'REQUEST_PUBLIC_KEY':
      return { publicKey: mood === 'locked' ? '' : wallet.address }
    case 'REQUEST_NETWORK_DETAILS':
      return { networkDetails: { network: 'CUSTOM', networkName: 'Custom', networkUrl: '', networkPassphrase } }
    case 'SUBMIT_TRANSACTION':
      return sign(extension, request)
    default:
      throw new Error(`Freighter has no message ${request.type}`)
  }
}

/** What the extension runs in each page. `messagedId` is its spelling. */
const contentScript = `addEventListener('message', async ({ data, source }) => {
  if (source !== window || data?.source !== 'FREIGHTER_EXTERNAL_MSG_REQUEST') return
  const answer = await askExtension(data)
  if (answer === null) return
  postMessage({ source: 'FREIGHTER_EXTERNAL_MSG_RESPONSE', messagedId: data.messageId, ...answer }, location.origin)
})`

/**
 * Puts a stand-in for the extension of Freighter into all pages of a browser. It speaks the messages of the real one, and signs
 * with the real key of the wallet.
 */
export const installExtension = async (context: BrowserContext, extension: Extension): Promise<void> => {
  await context.exposeFunction('askExtension', (request: Request) => answerTo(extension, request))
  await context.addInitScript({ content: contentScript })
}
