import type { MerchantState } from '@quittance/domain'
import { asText, MemberId, Merchant, memberIn, Team, type Text } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

/** Who is not bound by limits: whoever runs its command line can read the vault. */
export const operatorActor = 'operator'

/**
 * Whom an actor of the log stands for: of a key that a member has made, the person for whom that member stood; of a key that
 * has taken the place of others, the first of these. So a rotated key is no second person, and brings no new limit.
 */
export const holderIn = (merchant: MerchantState, actor: string): Text => {
  const keys = merchant.status === 'active' ? merchant.apiKeys : []
  let holder = actor
  for (;;) {
    const former = keys.find(({ replacedBy }) => replacedBy === holder)
    if (former === undefined) break
    holder = former.keyId
  }
  return keys.find(({ keyId }) => keyId === holder)?.maker?.person ?? asText(holder)
}

/** As `holderIn`; of a member whom others have invited, the person at the beginning: nobody makes a second person of themselves. */
export const holderOf = async (
  { store }: Pick<Services, 'store'>,
  merchantId: string,
  actor: string,
): Promise<E.Either<StoreUnavailable, Text>> => {
  if (MemberId.is(actor)) {
    const team = await stateOf(store)(Team, merchantId)
    return E.isLeft(team) ? team : E.right(memberIn(team.right.state, actor)?.person ?? asText(actor))
  }
  const merchant = await stateOf(store)(Merchant, merchantId)
  return E.isLeft(merchant) ? merchant : E.right(holderIn(merchant.right.state, actor))
}
