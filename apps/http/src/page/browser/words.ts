import type { ScriptMessages } from './messages/en.ts'

export type CheckoutStatus = 'open' | 'completed' | 'expired' | 'failed'

/** The purpose of a page: a purchase, a subscription, an overdue invoice, or a new authorisation. */
export type PageKind = 'payment' | 'subscription' | 'invoice' | 'authorization'

/** Why a checkout failed, for payers. An unknown reason gets a sentence that is true for all. */
export const failureText = ({ failures }: ScriptMessages, reason: string | null): string => {
  const sentences: Readonly<Record<string, string>> = failures
  return (reason === null || !Object.hasOwn(sentences, reason) ? undefined : sentences[reason]) ?? failures.other
}

/** What the service refused, in the reader's language as far as its code tells. */
export const refusalText = ({ refusals, refusal }: ScriptMessages, code: string | null, sentence: string): string =>
  (code === null || !Object.hasOwn(refusals, code) ? undefined : refusals[code]) ?? refusal(sentence)

/** The code of an asset: `XLM`, or the part before the issuer. */
export const assetCode = (assetId: string): string =>
  assetId === 'native' ? 'XLM' : (assetId.split(':')[0] ?? assetId)

/** The issuer of an asset; null for the network's own. */
export const assetIssuer = (assetId: string): string | null => assetId.split(':')[1] ?? null
