import { language } from '../language.ts'
import type { WalletMessages } from './messages/en.ts'

/** What the payer's wallet and the sandbox's say in the language of the document. Only this language is loaded. */
export const walletWords: WalletMessages =
  language === 'de' ? (await import('./messages/de.ts')).de : (await import('./messages/en.ts')).en
