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
}

/** How a wallet is reached: through its extension, on its own site, or by a cable. */
export type Reach = 'extension' | 'site' | 'cable'

export type ListedWallet = {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly reach: Reach
  readonly isHere: boolean
  readonly module: () => Promise<WalletModule>
}

export const publicNetwork = 'Public Global Stellar Network ; September 2015'
export const testNetwork = 'Test SDF Network ; September 2015'

/** The networks of wallets that cannot be told on which to sign. */
const networksOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  albedo: [publicNetwork, testNetwork],
  lobstr: [publicNetwork],
}

const ledger = { id: 'LEDGER', name: 'Ledger', url: 'https://www.ledger.com/', reach: 'cable' } as const

const ANSWER_WITHIN_MS = 2_500

const isHere = async (module: WalletModule, pause: (ms: number) => Promise<unknown>): Promise<boolean> => {
  try {
    return (await Promise.race([module.isAvailable(), pause(ANSWER_WITHIN_MS)])) === true
  } catch {
    return false
  }
}

/** The wallets that can sign on a network, those that are here first. `loadLedger` is null where no cable can be used. */
export const listWallets = async (
  modules: ReadonlyArray<WalletModule>,
  loadLedger: (() => Promise<WalletModule>) | null,
  networkPassphrase: string,
  pause: (ms: number) => Promise<unknown>,
): Promise<ReadonlyArray<ListedWallet>> => {
  const fitting = modules.filter(({ productId }) => networksOf[productId]?.includes(networkPassphrase) ?? true)
  const listed = fitting.map(async (module): Promise<ListedWallet> => {
    const { productId, productName, productUrl } = module
    const reach = productId === 'albedo' ? 'site' : 'extension'
    const found = await isHere(module, pause)
    return { id: productId, name: productName, url: productUrl, reach, isHere: found, module: async () => module }
  })
  const wired = loadLedger === null ? [] : [{ ...ledger, isHere: true, module: loadLedger }]
  const all = [...(await Promise.all(listed)), ...wired]
  return [...all.filter((each) => each.isHere), ...all.filter((each) => !each.isHere)]
}
