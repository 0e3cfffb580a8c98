import { SignClient } from '@walletconnect/sign-client'
import { keptInMemory } from './adapters/memory.js'
import { qrOf } from './adapters/qr.js'

const chains = {
  'Public Global Stellar Network ; September 2015': 'stellar:pubnet',
  'Test SDF Network ; September 2015': 'stellar:testnet',
}
const method = 'stellar_signXDR'
let clients = 0

const end = async (client, { topic }) => {
  await client.disconnect({ topic, reason: { code: 6000, message: 'The page is done' } }).catch(() => {})
  await client.core.relayer.transportClose().catch(() => {})
}

/**
 * A wallet on another device, which a relay speaks with. What passes there is encrypted for the two ends; `onPairing` shows
 * what the wallet has to scan, and hides it with null. Nothing is kept in the browser.
 */
class WalletConnect {
  productId = 'walletconnect'
  productName = 'WalletConnect'
  productUrl = 'https://walletguide.walletconnect.network/'
  #options
  #client = null
  #session = null
  #turn = 0

  constructor(options) {
    this.#options = options
  }

  get #chain() {
    return chains[this.#options.networkPassphrase]
  }

  isAvailable() {
    return Promise.resolve(this.#chain !== undefined)
  }

  async #open() {
    const { projectId, relayUrl, name } = this.#options
    const metadata = { name, description: name, url: location.origin, icons: [] }
    const client = await SignClient.init({
      projectId,
      relayUrl,
      metadata,
      storage: keptInMemory(),
      // Clients of one prefix share a connection, which the first to end would close for all.
      customStoragePrefix: `page-${++clients}`,
      telemetryEnabled: false,
      logger: 'silent',
    })
    // Its makers would have a frame of their own site in the page, to vouch for the page’s address.
    client.core.verify.register = async () => ''
    return client
  }

  async getAddress() {
    const { onPairing } = this.#options
    await this.close()
    const turn = this.#turn
    const client = await this.#open()
    this.#client = client
    const stellar = { methods: [method], chains: [this.#chain], events: [] }
    const { uri, approval } = await client.connect({ requiredNamespaces: { stellar } })
    if (turn === this.#turn) onPairing({ uri, qr: qrOf(uri) })
    const session = await approval().finally(() => turn === this.#turn && onPairing(null))
    if (turn !== this.#turn) {
      await end(client, session)
      throw new Error('The page has stopped waiting')
    }
    this.#session = session
    const account = session.namespaces.stellar.accounts.find((each) => each.startsWith(`${this.#chain}:`))
    if (account === undefined) throw new Error('The wallet has not opened an account')
    return { address: account.slice(this.#chain.length + 1) }
  }

  async signTransaction(xdr) {
    const request = { method, params: { xdr } }
    const { topic } = this.#session
    const { signedXDR } = await this.#client.request({ topic, chainId: this.#chain, request })
    return { signedTxXdr: signedXDR }
  }

  getNetwork() {
    return Promise.reject(new Error('The wallet does not tell its network'))
  }

  /** Ends what the wallet has agreed to, or will agree to yet. */
  async close() {
    const [client, session] = [this.#client, this.#session]
    this.#turn += 1
    this.#client = null
    this.#session = null
    if (client !== null && session !== null) await end(client, session)
  }
}

export const modules = (options) => [new WalletConnect(options)]
