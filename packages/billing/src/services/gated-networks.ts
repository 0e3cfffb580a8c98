import type { Environment } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { LogStandings, Withheld } from './log-standing.ts'
import type { NetworkEpochs } from './network-epochs.ts'
import type { Network, Services } from './services.ts'

type Purpose = Parameters<NetworkEpochs['permit']>[1]

/** The networks, of which none is reached without a permit: see `LogStandings` and `NetworkEpochs`. */
export const gatedNetworks = (
  { testnet, mainnet }: Services['networks'],
  standings: Pick<LogStandings, 'permit'>,
  epochs: Pick<NetworkEpochs, 'permit'>,
): Services['networks'] => {
  const permitFor = (environment: Environment) => async (purpose: Purpose) => {
    const onNetwork = await epochs.permit(environment, purpose)
    return E.isLeft(onNetwork) ? onNetwork : standings.permit()
  }
  return {
    testnet: testnet === null ? null : gated(testnet, permitFor('testnet')),
    mainnet: mainnet === null ? null : gated(mainnet, permitFor('mainnet')),
  }
}

const gated = (network: Network, permit: (purpose: Purpose) => Promise<E.Either<Withheld, void>>): Network => {
  const { gateway, provision, friendbot } = network
  return {
    ...network,
    gateway: {
      ...gateway,
      submit: (envelopeXdr) => async () => {
        const permitted = await permit('send')
        return E.isLeft(permitted) ? permitted : gateway.submit(envelopeXdr)()
      },
    },
    provision:
      provision === null
        ? null
        : (secret) => async () => {
            const permitted = await permit('set_up')
            if (E.isRight(permitted)) return provision(secret)()
            return E.left({ _tag: 'ProvisionFailed', reason: permitted.left.cause })
          },
    friendbot:
      friendbot === null
        ? null
        : (account) => async () => {
            const permitted = await permit('set_up')
            if (E.isRight(permitted)) return friendbot(account)()
            return E.left({ _tag: 'FriendbotFailed', reason: permitted.left.cause })
          },
  }
}
