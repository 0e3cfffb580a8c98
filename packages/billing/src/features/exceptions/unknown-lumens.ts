import type { UnknownLumens } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

/**
 * What becomes of XLM that names nothing of ours: what the merchant's policy says, else it waits for a person. The sandbox,
 * which sets accounts up by itself, gives it back: there nobody has to fund an account.
 */
export const unknownLumensOf = (
  services: Pick<Services, 'settlementOf' | 'networks'>,
  { merchantId, environment }: Scope,
): TE.TaskEither<StoreUnavailable, UnknownLumens> => {
  const networks = services.networks[environment]?.provision == null ? 'wait' : 'return'
  return pipe(
    services.settlementOf(merchantId, environment),
    TE.map(({ policy }) => policy.unknownLumens ?? networks),
    TE.orElse((failure) =>
      failure._tag === 'MerchantNotReady' ? TE.right<StoreUnavailable, UnknownLumens>(networks) : TE.left(failure),
    ),
  )
}
