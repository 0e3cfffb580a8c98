import { AlbedoModule } from '@creit.tech/stellar-wallets-kit/modules/albedo'
import { FreighterModule } from '@creit.tech/stellar-wallets-kit/modules/freighter'
import { HanaModule } from '@creit.tech/stellar-wallets-kit/modules/hana'
import { LobstrModule } from '@creit.tech/stellar-wallets-kit/modules/lobstr'
import { xBullModule } from '@creit.tech/stellar-wallets-kit/modules/xbull'
import { isInstalled } from './adapters/xbull.js'

class XBull extends xBullModule {
  isAvailable() {
    return Promise.resolve(isInstalled())
  }
}

/** The wallets that are extensions of the browser or sites, in the order in which they are shown. */
export const modules = () => [
  new FreighterModule(),
  new LobstrModule(),
  new XBull(),
  new HanaModule(),
  new AlbedoModule(),
]
