import type { Billing } from '@quittance/billing'
import { type Wallet, walletsOn } from '@quittance/billing/testing/wallets'
import type { SubscriptionRecord } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { memberNumbers } from './club.ts'
import type { Stage } from './stage.ts'

export type Subscribed = { readonly id: string; readonly state: SubscriptionRecord }

/** Who lives in a club, and how they get at servers and at the network. */
export const peopleOf = ({ draws, network, scheduler, anyServer, untroubled }: Stage) => {
  const wallets = memberNumbers.map(walletsOn(network).again)
  const subscribed = (): ReadonlyArray<Subscribed> =>
    untroubled.readModels.subscriptions.all().map(({ id, row: state }) => ({ id, state }))
  return {
    wallets,
    subscribed,
    anyOf: (): Subscribed => draws.oneOf(subscribed()),
    walletOf: ({ authorization: { mandate } }: SubscriptionRecord): Wallet => {
      const wallet = wallets.find(({ account }) => account === mandate.customer)
      if (wallet === undefined) throw new Error('a mandate of nobody')
      return wallet
    },
    /** Asks a server for something once; `heard` gets what is answered, where anything is. */
    visit: <A>(
      name: string,
      question: (billing: Billing) => TE.TaskEither<unknown, A>,
      heard: (answer: A) => void = () => undefined,
    ): void => {
      const { process, billing } = anyServer()
      scheduler.start(
        process,
        name,
        question(billing),
        E.match(() => undefined, heard),
      )
    },
  }
}

export type People = ReturnType<typeof peopleOf>
