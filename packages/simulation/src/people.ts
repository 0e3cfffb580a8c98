import { type Wallet, walletsOn } from '@quittance/billing/testing/wallets'
import type { SubscriptionRecord } from '@quittance/domain'
import { memberNumbers } from './club.ts'
import type { Stage } from './stage.ts'

export type Subscribed = { readonly id: string; readonly state: SubscriptionRecord }

/** The club's wallets and subscriptions. */
export const peopleOf = ({ random, network, faultFree }: Stage) => {
  const wallets = memberNumbers.map(walletsOn(network).again)
  const subscribed = async (): Promise<ReadonlyArray<Subscribed>> =>
    (await faultFree.readModels.subscriptions.all()).map(({ id, row: state }) => ({ id, state }))
  return {
    wallets,
    subscribed,
    anyOf: async (): Promise<Subscribed> => random.oneOf(await subscribed()),
    walletOf: ({ authorization: { mandate } }: SubscriptionRecord): Wallet => {
      const wallet = wallets.find(({ account }) => account === mandate.customer)
      if (wallet === undefined) throw new Error('no wallet holds this mandate')
      return wallet
    },
  }
}

export type People = ReturnType<typeof peopleOf>
