/** The part of the wallets kit's `ModuleInterface` that the pages use. */
export type WalletModule = {
  readonly productId: string
  readonly productName: string
  readonly productUrl: string
  isAvailable(): Promise<boolean>
  getAddress(): Promise<{ address: string }>
  signTransaction(
    envelope: string,
    options: { networkPassphrase: string; address: string },
  ): Promise<{ signedTxXdr: string; signerAddress?: string | undefined }>
  /** Rejects where the wallet does not tell. */
  getNetwork(): Promise<{ network: string; networkPassphrase: string }>
  /** Ends what the wallet’s owner has agreed to, where that outlasts a signature. */
  close?(): Promise<void>
}

/** How a wallet is reached: through its extension, on its own site, by a cable, or on another device. */
export type Reach = 'extension' | 'site' | 'cable' | 'elsewhere'

export type ListedWallet = {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly reach: Reach
  readonly isHere: boolean
  readonly module: () => Promise<WalletModule>
}

/** A wallet whose module is loaded once it is chosen. */
export type LateWallet = Omit<ListedWallet, 'isHere'>

export const publicNetwork = 'Public Global Stellar Network ; September 2015'
export const testNetwork = 'Test SDF Network ; September 2015'

/** The networks of wallets that cannot be told on which to sign. */
const networksOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  albedo: [publicNetwork, testNetwork],
  lobstr: [publicNetwork],
  walletconnect: [publicNetwork, testNetwork],
}

export const ledger = { id: 'LEDGER', name: 'Ledger', url: 'https://www.ledger.com/', reach: 'cable' } as const
export const walletConnect = {
  id: 'walletconnect',
  name: 'WalletConnect',
  url: 'https://walletguide.walletconnect.network/',
  reach: 'elsewhere',
} as const

const ANSWER_WITHIN_MS = 2_500

const isHere = async (module: WalletModule, pause: (ms: number) => Promise<unknown>): Promise<boolean> => {
  try {
    return (await Promise.race([module.isAvailable(), pause(ANSWER_WITHIN_MS)])) === true
  } catch {
    return false
  }
}

/** The wallets that can sign on a network, those that are here first. */
export const listWallets = async (
  modules: ReadonlyArray<WalletModule>,
  late: ReadonlyArray<LateWallet>,
  networkPassphrase: string,
  pause: (ms: number) => Promise<unknown>,
): Promise<ReadonlyArray<ListedWallet>> => {
  const fits = (id: string): boolean => networksOf[id]?.includes(networkPassphrase) ?? true
  const listed = modules
    .filter(({ productId }) => fits(productId))
    .map(async (module): Promise<ListedWallet> => {
      const { productId, productName, productUrl } = module
      const reach = productId === 'albedo' ? 'site' : 'extension'
      const found = await isHere(module, pause)
      return { id: productId, name: productName, url: productUrl, reach, isHere: found, module: async () => module }
    })
  const loaded = late.filter(({ id }) => fits(id)).map((wallet) => ({ ...wallet, isHere: true }))
  const all = [...(await Promise.all(listed)), ...loaded]
  return [...all.filter((each) => each.isHere), ...all.filter((each) => !each.isHere)]
}
