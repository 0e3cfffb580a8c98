import { asText } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { peopleOf } from '../people.ts'
import type { Player } from '../player.ts'
import { processes, type Stage } from '../stage.ts'

/**
 * An operator who configures another version of the mandate contract, and sometimes the former one again, each time by a new
 * start of all processes, and moves subscribers to it. Customers sign what they are asked for, or do not.
 */
export const migrator = (stage: Stage): Player => {
  const { random, fixture, network, note, restart, visit } = stage
  const { nextContract, merchantId } = fixture
  if (nextContract === null) return { moves: [], rest: () => undefined, attend: () => undefined }
  const configure = (): void => {
    network.configure(network.configured() === nextContract ? network.contract : nextContract)
    note(`the mandate contract is ${network.configured()}`)
    for (const name of processes) restart(name)
  }
  const ask = (what: 'migrate' | 'cancel'): void => {
    const of = random.onceIn(2) ? null : merchantId
    const request = { merchantId: of, by: asText('an operator'), reason: asText('version 2') }
    visit(`${what} to the configured contract`, ({ mandateContracts }) => mandateContracts[what]('testnet', request))
  }
  const { subscribed, walletOf } = peopleOf(stage)
  const sign = async (): Promise<void> => {
    const asked = (await subscribed()).filter(({ state }) => state.authorization.requested !== null)
    if (asked.length === 0) return
    const { state } = random.oneOf(asked)
    const { authorizationId: id } = state.authorization.requested ?? { authorizationId: '' }
    visit(`signing for ${id}`, ({ payer }) => async () => {
      const wallet = walletOf(state)
      const built = await payer.transaction(id, wallet.account)()
      return E.isLeft(built) ? built : payer.submit(id, wallet.sign(built.right.transaction_xdr))()
    })
  }
  return {
    moves: [
      { name: 'another contract', weight: 6, act: configure },
      { name: 'a migration', weight: 12, act: () => ask('migrate') },
      { name: 'a customer signs', weight: 16, act: sign },
      { name: 'a migration is canceled', weight: 2, act: () => ask('cancel') },
    ],
    rest: () => undefined,
    attend: async () => {
      if (network.configured() !== nextContract) configure()
      else if (random.onceIn(3)) ask('migrate')
      else await sign()
    },
  }
}
