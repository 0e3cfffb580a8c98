import * as E from 'fp-ts/lib/Either.js'
import type { LogStandings } from './log-standing.ts'
import type { Network, Services } from './services.ts'

/** The networks, of which none is reached without a permit: see `LogStandings`. */
export const gatedNetworks = (
  { testnet, mainnet }: Services['networks'],
  standings: LogStandings,
): Services['networks'] => ({
  testnet: testnet === null ? null : gated(testnet, standings),
  mainnet: mainnet === null ? null : gated(mainnet, standings),
})

const gated = (network: Network, { permit }: LogStandings): Network => {
  const { gateway, provision, friendbot } = network
  return {
    ...network,
    gateway: {
      ...gateway,
      submit: (envelopeXdr) => async () => {
        const permitted = await permit()
        return E.isLeft(permitted) ? permitted : gateway.submit(envelopeXdr)()
      },
    },
    provision:
      provision === null
        ? null
        : (secret) => async () => {
            const permitted = await permit()
            if (E.isRight(permitted)) return provision(secret)()
            return E.left({ _tag: 'ProvisionFailed', reason: permitted.left.cause })
          },
    friendbot:
      friendbot === null
        ? null
        : (account) => async () => {
            const permitted = await permit()
            if (E.isRight(permitted)) return friendbot(account)()
            return E.left({ _tag: 'FriendbotFailed', reason: permitted.left.cause })
          },
  }
}
