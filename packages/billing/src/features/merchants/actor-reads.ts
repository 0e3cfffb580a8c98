import type { MerchantState } from '@quittance/domain'
import { type Reads, readsAll, readsOf } from '../../resources/scopes.ts'

/** What an actor of recorded events may read of a merchant's: an app token what its scopes name, all others everything. */
export const actorReads = (merchant: MerchantState, actor: string): Reads => {
  const key = merchant.status === 'absent' ? undefined : merchant.apiKeys.find(({ keyId }) => keyId === actor)
  return key === undefined ? readsAll : readsOf(key)
}
