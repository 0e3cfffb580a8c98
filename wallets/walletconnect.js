import { SignClient } from '@walletconnect/sign-client'
import { keptInMemory } from './adapters/memory.js'
import { qrOf } from './adapters/qr.js'

const chains = {
  'Public Global Stellar Network ; September 2015': 'stellar:pubnet',
  'Test SDF Network ; September 2015': 'stellar:testnet',
}
const method = 'stellar_signXDR'

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
      telemetryEnabled: false,
      logger: 'silent',
    })
    // Its makers would have a frame of their own site in the page, to vouch for the page’s address.
    client.core.verify.register = async () => ''
    return client
  }

  async getAddress() {
    const { onPairing } = this.#options
    this.#client ??= await this.#open()
    await this.close()
    const stellar = { methods: [method], chains: [this.#chain], events: [] }
    const { uri, approval } = await this.#client.connect({ requiredNamespaces: { stellar } })
    onPairing({ uri, qr: qrOf(uri) })
    try {
      this.#session = await approval()
    } finally {
      onPairing(null)
    }
    const account = this.#session.namespaces.stellar.accounts.find((each) => each.startsWith(`${this.#chain}:`))
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

  /** Ends what the wallet has agreed to. */
  async close() {
    const session = this.#session
    this.#session = null
    if (session === null) return
    const reason = { code: 6000, message: 'The page is done' }
    await this.#client.disconnect({ topic: session.topic, reason }).catch(() => {})
  }
}

export const modules = (options) => [new WalletConnect(options)]
