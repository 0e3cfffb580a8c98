import type { BrowserContext } from 'playwright-core'
import { type Owner, signedBy } from './owner.ts'

type Asked = { readonly xdr: string; readonly accountToSign?: string; readonly networkPassphrase?: string }

const sign = (owner: Owner, { xdr, accountToSign, networkPassphrase }: Asked): string => {
  if (accountToSign !== owner.wallet.address) throw new Error('Account not found')
  const signed = signedBy(owner, xdr, networkPassphrase)
  if (signed === null) throw new Error('User rejected the request')
  return signed
}

/** What the extension puts into each page. It answers texts, and throws errors. */
const provider = `globalThis.hanaWallet = {
  stellar: {
    getPublicKey: () => hanaPublicKey(),
    signTransaction: (props) => hanaSign(props),
  },
}`

/** A stand-in for the extension of Hana. */
export const installHana = async (context: BrowserContext, owner: Owner): Promise<void> => {
  await context.exposeFunction('hanaPublicKey', () => owner.wallet.address)
  await context.exposeFunction('hanaSign', (props: Asked) => sign(owner, props))
  await context.addInitScript({ content: provider })
}
