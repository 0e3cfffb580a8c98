import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import { type Owner, signedBy } from './owner.ts'
import type { Relay } from './relay.ts'

const CIPHER = 'chacha20-poly1305'
const TAG_BYTES = 16
/** What comes before the 32 bytes of a public key of X25519 in its DER form. */
const derPrefix = Buffer.from('302a300506032b656e032100', 'hex')
const passphrase = 'Public Global Stellar Network ; September 2015'
const [chain, method] = ['stellar:pubnet', 'stellar_signXDR']

type Message = { readonly id: number; readonly method?: string; readonly params?: Asked; readonly result?: unknown }
type Asked = {
  readonly requiredNamespaces?: Readonly<Record<string, object>>
  readonly optionalNamespaces?: Readonly<Record<string, object>>
  readonly proposer?: { readonly publicKey: string; readonly metadata: { readonly name: string; readonly url: string } }
  readonly request?: { readonly method: string; readonly params: { readonly xdr: string } }
  readonly chainId?: string
}

/** Messages under a key, as the two ends encrypt them: the type of envelope 0, a nonce, the text and its tag. */
const sealed = (key: Buffer, message: object): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  const text = Buffer.concat([cipher.update(JSON.stringify(message), 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(0), nonce, text, cipher.getAuthTag()]).toString('base64')
}
const opened = (key: Buffer, envelope: string): Message => {
  const bytes = Buffer.from(envelope, 'base64')
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(1, 13), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return JSON.parse(`${decipher.update(bytes.subarray(13, -TAG_BYTES), undefined, 'utf8')}${decipher.final('utf8')}`)
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The key of a session: what both ends derive from the other's public key. */
const agreed = (theirs: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  const key = Buffer.concat([derPrefix, Buffer.from(theirs, 'hex')])
  const other = createPublicKey({ key, format: 'der', type: 'spki' })
  const secret = diffieHellman({ privateKey, publicKey: other })
  const own = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
  return { own, key: Buffer.from(hkdfSync('sha256', secret, '', '', 32)) }
}

/** What has happened in the wallet. */
export type WalletLog = {
  /** Names and addresses of pages, as they introduced themselves, and the session with each. */
  readonly pages: Array<{ readonly name: string; readonly url: string; readonly session: string }>
  /** The sessions that pages have ended. */
  readonly ended: Array<string>
}

/**
 * A wallet on another device that scans the code of a page, agrees to what it proposes, and signs on the public network.
 * Source: WalletConnect specifications, "Sign" and "Crypto".
 */
export const scanWith = (owner: Owner, relay: Relay, log: WalletLog, uri: string): void => {
  const { pathname, searchParams } = new URL(uri)
  const pairingKey = Buffer.from(searchParams.get('symKey') ?? '', 'hex')
  const pairing = pathname.split('@')[0] ?? ''

  const answerTo = ({ request, chainId }: Asked): object => {
    if (chainId !== chain || request?.method !== method) throw new Error(`The wallet cannot ${request?.method}`)
    const signedXDR = signedBy(owner, request.params.xdr, passphrase)
    return signedXDR === null ? { error: { code: 5000, message: 'User rejected.' } } : { result: { signedXDR } }
  }

  const openSession = (theirs: string) => {
    const { own, key } = agreed(theirs)
    const topic = sha256(key)
    const hear = (_: string, envelope: string): void => {
      const { id, method: asked, params = {} } = opened(key, envelope)
      const send = (content: object) => relay.publish(topic, sealed(key, { id, jsonrpc: '2.0', ...content }), hear)
      if (asked === 'wc_sessionRequest') send(answerTo(params))
      if (asked === 'wc_sessionDelete') log.ended.push(topic)
    }
    relay.subscribe(topic, hear)
    const metadata = { name: 'A wallet', description: 'On another device', url: 'https://wallet.example', icons: [] }
    const stellar = { accounts: [`${chain}:${owner.wallet.address}`], methods: [method], events: [] }
    const params = {
      relay: { protocol: 'irn' },
      namespaces: { stellar },
      controller: { publicKey: own, metadata },
      expiry: Math.floor(Date.now() / 1000) + 7 * 24 * 60 * 60,
    }
    const settle = { id: Date.now() * 1000, jsonrpc: '2.0', method: 'wc_sessionSettle', params }
    relay.publish(topic, sealed(key, settle), hear)
    return { own, topic }
  }

  const hearPairing = (topic: string, envelope: string): void => {
    const { id, method: asked, params } = opened(pairingKey, envelope)
    if (asked !== 'wc_sessionPropose' || params?.proposer === undefined) return
    const { publicKey, metadata } = params.proposer
    const session = openSession(publicKey)
    log.pages.push({ name: metadata.name, url: metadata.url, session: session.topic })
    const result = { relay: { protocol: 'irn' }, responderPublicKey: session.own }
    relay.publish(topic, sealed(pairingKey, { id, jsonrpc: '2.0', result }), hearPairing)
  }
  relay.subscribe(pairing, hearPairing)
}
