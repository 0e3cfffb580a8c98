import * as E from 'fp-ts/lib/Either.js'
import { type Command, option } from '../command.ts'
import { usageError } from '../command-error.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'
import { settlementResult } from './settlement-result.ts'

/** The assets of a list with commas, each once; null if one is empty. */
const assetsIn = (text: string): ReadonlyArray<string> | null => {
  const ids = text.split(',').map((id) => id.trim())
  return ids.includes('') ? null : [...new Set(ids)]
}

export const merchantAssets: Command = {
  name: 'merchant assets',
  summary: 'Shows or changes the assets that a merchant accepts.',
  explanation: `Shows the assets that a merchant accepts in an environment, and the state of its settlement account. --accept replaces
the accepted assets: XLM is native, others are CODE:ISSUER. --default chooses the asset of checkouts in a currency.
Available are the assets of the network, and those that QUITTANCE_ASSETS_TESTNET and QUITTANCE_ASSETS_MAINNET declare.
Open checkouts and subscriptions keep their asset.`,
  options: [
    merchantOption,
    environmentOption,
    option('--accept <asset,asset>', 'The accepted assets, in place of all earlier ones.'),
    option('--default <asset>', 'The asset of checkouts in a currency.'),
  ],
  needsSoundLog: (line) => line.option('accept') !== null || line.option('default') !== null,
  example: {
    words: '--accept native,USDC:GISSUER… --default native',
    prints: `environment  testnet
network      Test SDF Network ; September 2015
address      GSETTLEMENT…
exists       yes
balance      10 XLM
reserve      1.5 XLM
missing      0 XLM
ready        yes

ASSET         TRUSTLINE   BALANCE  DEFAULT
native        not_needed  10       yes
USDC:GISSUER… present     0        no

Nothing is left to do.`,
    json: '{"object":"settlement","environment":"testnet","assets":[{"asset_id":"native",…},…],…}',
  },
  run: async (line, installation, screen) => {
    const accept = line.option('accept')
    const assets = accept === null ? undefined : assetsIn(accept)
    if (assets === null) return E.left(usageError('--accept takes assets separated by commas.'))
    const defaultAssetId = line.option('default') ?? undefined
    const isChange = assets !== undefined || defaultAssetId !== undefined
    return forMerchant(line, installation, async ({ settlementAccounts }, context) => {
      const settlement = isChange
        ? await settlementAccounts.accept(context, { assets, defaultAssetId })()
        : await settlementAccounts.show(context)()
      return E.isLeft(settlement) ? settlement : E.right(await settlementResult(settlement.right, screen.showsOutput))
    })
  },
}
