import type { BrowserContext } from 'playwright-core'
import { type Owner, signedBy } from './owner.ts'

type Asked = {
  readonly xdr: string
  readonly opts?: { readonly networkPassphrase?: string; readonly address?: string }
}

const sign = (owner: Owner, { xdr, opts }: Asked): object => {
  const { address } = owner.wallet
  if (opts?.address !== address) return { error: { code: -1, message: 'The account is not in this wallet' } }
  const signedTxXdr = signedBy(owner, xdr, opts.networkPassphrase)
  if (signedTxXdr === null) return { error: { code: -1, message: 'Sign request denied' } }
  return { signedTxXdr, signerAddress: address }
}

/** What the extension puts into each page: the interface of SEP-43. It answers errors, and throws none. */
const sdk = `globalThis.xBullSDK = {
  getAddress: () => xBullAddress(),
  signTransaction: (params) => xBullSign(params),
}`

/** A stand-in for the extension of xBull. */
export const installXBull = async (context: BrowserContext, owner: Owner): Promise<void> => {
  await context.exposeFunction('xBullAddress', () => ({ address: owner.wallet.address }))
  await context.exposeFunction('xBullSign', (params: Asked) => sign(owner, params))
  await context.addInitScript({ content: sdk })
}
