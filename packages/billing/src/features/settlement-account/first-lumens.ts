import type { AccountId, Environment } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { channelAccounts, operatorAccounts } from '../outgoing/signing-accounts.ts'
import type { SettingUp } from './setting-up.ts'

/**
 * Has the network's friendbot create an account, again in growing pauses until the ledger holds it. Without a
 * friendbot, the account waits until somebody funds it.
 */
export const giveFirstLumens = (
  { friendbots, pauses, ingested }: Pick<SettingUp, 'friendbots' | 'pauses' | 'ingested'>,
  account: AccountId,
  stamp: string,
): void => {
  const standing = friendbots?.standing(account) ?? { _tag: 'given' }
  friendbots?.ask(account)
  switch (standing._tag) {
    case 'not_asked':
    case 'asking':
      pauses.moved(account, stamp, ingested.closedAt)
      return
    case 'given':
      pauses.stuck(account, stamp, ingested.closedAt, null)
      return
    case 'failed': {
      const { cause } = standing
      const trouble = { _tag: 'SetUpStuck' as const, account, reason: 'friendbot_failed' as const, cause }
      pauses.stuck(account, stamp, ingested.closedAt, trouble)
    }
  }
}

const serviceAccount = 'service account'

/** Has the friendbot create the accounts that charge and the channels that have keys. */
export const fundServiceAccounts = async (
  settingUp: SettingUp,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const { services, network, friendbots, pauses, ingested } = settingUp
  if (friendbots === null || network.provision !== null) return E.right(undefined)
  const own = [...(await channelAccounts(services, environment)), ...(await operatorAccounts(services, environment))]
  for (const { account } of own) {
    if (pauses.nextAt(account, serviceAccount) > ingested.closedAt) continue
    const view = await network.gateway.accountView(account, [])()
    if (E.isLeft(view)) return view
    if (view.right === null) giveFirstLumens(settingUp, account, serviceAccount)
    else pauses.rest(account, serviceAccount)
  }
  return E.right(undefined)
}
