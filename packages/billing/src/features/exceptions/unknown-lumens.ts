import type { UnknownLumens } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

/**
 * What to do with XLM that names nothing of ours: the merchant's policy says so; without one it waits for a person. The
 * sandbox, which sets accounts up by itself, returns it, because nobody has to fund an account there.
 */
export const unknownLumensOf = async (
  services: Pick<Services, 'settlementOf' | 'networks'>,
  { merchantId, environment }: Scope,
): Promise<E.Either<StoreUnavailable, UnknownLumens>> => {
  const byDefault = services.networks[environment]?.provision == null ? 'wait' : 'return'
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isRight(settlement)) return E.right(settlement.right.policy.unknownLumens ?? byDefault)
  return settlement.left._tag === 'MerchantNotReady' ? E.right(byDefault) : E.left(settlement.left)
}
