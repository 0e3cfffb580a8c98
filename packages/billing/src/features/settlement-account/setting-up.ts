import type { AccountId, Environment, Stroops } from '@quittance/domain'
import type { AccountView, IngestedLedger, LedgerUnreachable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Network, Services } from '../../services/services.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import { operatorAccount } from '../outgoing/signing-accounts.ts'
import { type Friendbots, friendbots } from './friendbots.ts'
import { type Pauses, pauses } from './pauses.ts'

/** The memory that a process keeps from one pass to the next. */
export type SetUpMemory = { readonly pauses: Pauses; readonly friendbots: Friendbots | null }

export const setUpMemory = ({ friendbot }: Pick<Network, 'friendbot'>): SetUpMemory => ({
  pauses: pauses(),
  friendbots: friendbot === null ? null : friendbots(friendbot),
})

/** Wakes accounts that have received something: they may afford more now. */
export const wakeFunded = ({ pauses }: SetUpMemory, { movements }: Pick<IngestedLedger, 'movements'>): void => {
  for (const { account, delta } of movements) if (delta > 0n) pauses.wake(account)
}

/** What the set-up of accounts needs. */
export type SettingUp = Outgoing & SetUpMemory

/** The XLM, in stroops, that the operator's account keeps for its own work and does not use to sponsor. */
const keptBySponsor = 50_000_000n

/** The account that sponsors the reserves of others, with the lumens left for that in this pass. */
export interface Sponsor {
  readonly account: AccountId
  /** Reserves `amount` (XLM in stroops) for one account; false if too little is left. */
  readonly grants: (amount: bigint) => boolean
}

/** The sponsoring account of an environment, read from the ledger once a pass. Null without an operator's account. */
export const sponsorIn = (
  services: Pick<Services, 'vault' | 'clock'>,
  network: Network,
  environment: Environment,
): (() => Promise<E.Either<LedgerUnreachable, Sponsor | null>>) => {
  const ask = async (): Promise<E.Either<LedgerUnreachable, Sponsor | null>> => {
    const account = (await operatorAccount(services, environment))?.account ?? null
    if (account === null) return E.right(null)
    const view = await network.gateway.accountView(account, [])()
    return E.map((found: AccountView | null): Sponsor => sponsorWith(account, found?.nativeSpendable ?? null))(view)
  }
  let asked: ReturnType<typeof ask> | null = null
  return () => {
    asked ??= ask()
    return asked
  }
}

const sponsorWith = (account: AccountId, spendable: Stroops | null): Sponsor => {
  let left = (spendable ?? 0n) - keptBySponsor
  return {
    account,
    grants: (amount) => {
      if (left < amount) return false
      left -= amount
      return true
    },
  }
}
