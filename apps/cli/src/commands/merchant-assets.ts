import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Command, option } from '../command.ts'
import { misuse } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { operatorContext } from '../site.ts'
import { merchantOption, whichMerchant } from '../which-merchant.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'
import { settlementAnswer } from './settlement-answer.ts'

const name = 'merchant assets'

/** The assets separated by commas, each once; null for a list in which one is empty. */
const listed = (text: string): ReadonlyArray<string> | null => {
  const ids = text.split(',').map((id) => id.trim())
  return ids.includes('') ? null : [...new Set(ids)]
}

/** What a merchant accepts. */
export const merchantAssets: Command = {
  name,
  summary: 'Shows or changes the assets that a merchant accepts.',
  explanation: `Shows what a merchant accepts in an environment and how its settlement account stands. With --accept, those assets
are accepted from now on, and no others: XLM is native, all else CODE:ISSUER. With --default, checkouts in a currency
settle in that one. The network's assets can be chosen; QUITTANCE_ASSETS_TESTNET and QUITTANCE_ASSETS_MAINNET declare
others. Open checkouts and subscriptions keep their asset.`,
  options: [
    merchantOption,
    environmentOption,
    option('--accept <asset,asset>', 'The assets that are accepted, in place of all before.'),
    option('--default <asset>', 'The one in which checkouts in a currency settle.'),
  ],
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
  run: (given, site, screen) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    const accept = given.option('accept')
    const assets = accept === null ? undefined : listed(accept)
    if (assets === null) return TE.left(misuse('--accept takes assets separated by commas.', name))
    const defaultAssetId = given.option('default') ?? undefined
    const isChange = assets !== undefined || defaultAssetId !== undefined
    return site.withBilling((billing) =>
      pipe(
        TE.fromEither(whichMerchant(billing, given.option('merchant'), name)),
        TE.chain((merchantId) => {
          const { settlementAccounts } = billing
          const context = { ...operatorContext(billing, environment.right), merchantId }
          return TE.mapLeft(complaintOf)(
            isChange
              ? settlementAccounts.accept(context, { assets, defaultAssetId })
              : settlementAccounts.show(context),
          )
        }),
        TE.chainTaskK((shown) => () => settlementAnswer(shown, screen.showsAnswer)),
      ),
    )
  },
}
