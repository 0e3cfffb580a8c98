import type { BrowserContext } from 'playwright-core'
import { type Owner, signedBy } from './owner.ts'

type Request = {
  readonly type: string
  readonly version: number
  readonly dataToSign?: string
  readonly connectionKey?: string
  readonly signType?: string
}

const CONNECTION_KEY = 'the key of this connection'

/** What the extension answers to each message of `@lobstrco/signer-extension-api` 2. It signs for the public network alone. */
const answerTo = (owner: Owner, { type, version, ...request }: Request): object => {
  switch (type) {
    case 'REQUEST_CONNECTION_STATUS':
      return { isConnected: true }
    case 'REQUEST_ACCESS':
      return { publicKey: owner.wallet.address, connectionKey: CONNECTION_KEY }
    case 'SIGN': {
      if (version !== 1 || request.signType !== 'transaction') throw new Error(`LOBSTR cannot sign ${request.signType}`)
      if (request.connectionKey !== CONNECTION_KEY) return { error: 'The connection key is missing' }
      const signedData = signedBy(owner, request.dataToSign ?? '')
      return signedData === null
        ? { error: 'User declined access' }
        : { signedData, signerAddress: owner.wallet.address }
    }
    default:
      throw new Error(`LOBSTR has no message ${type}`)
  }
}

/** What the extension runs in each page. `messagedId` is its spelling. */
const contentScript = `addEventListener('message', async ({ data, source }) => {
  if (source !== window || data?.source !== 'LOBSTR_EXTERNAL_MSG_REQUEST') return
  const answer = await askLobstr(data)
  postMessage({ source: 'LOBSTR_EXTERNAL_MSG_RESPONSE', messagedId: data.messageId, ...answer }, location.origin)
})`

/** A stand-in for the extension of LOBSTR. */
export const installLobstr = async (context: BrowserContext, owner: Owner): Promise<void> => {
  await context.exposeFunction('askLobstr', (request: Request) => answerTo(owner, request))
  await context.addInitScript({ content: contentScript })
}
