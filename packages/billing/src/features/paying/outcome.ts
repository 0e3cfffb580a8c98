import { type Environment, TransactionHash } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { networkOf, type Services } from '../../services/services.ts'
import type { PayFailure } from './pay.ts'

/** What became of a transaction; `code` is the network's name for why it failed. */
export type OutcomeView = {
  readonly transaction_hash: string
  readonly outcome: 'succeeded' | 'failed' | 'not_found'
  readonly code: string | null
}

/**
 * What the network says of a transaction, for who has signed it and waits. It decides nothing: effects are read from ingested
 * ledgers.
 */
export const outcomeView = async (
  services: Pick<Services, 'networks'>,
  environment: Environment,
  hash: string,
): Promise<E.Either<PayFailure, OutcomeView>> => {
  const unknown: OutcomeView = { transaction_hash: hash, outcome: 'not_found', code: null }
  if (!TransactionHash.is(hash)) return E.right(unknown)
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const found = await network.right.gateway.lookUp(hash)()
  if (E.isLeft(found)) return found
  switch (found.right._tag) {
    case 'Succeeded':
      return E.right({ transaction_hash: hash, outcome: 'succeeded', code: null })
    case 'Failed': {
      const { code, operationCodes } = found.right
      const reason = operationCodes.find((each) => !each.endsWith('Success'))
      return E.right({ transaction_hash: hash, outcome: 'failed', code: reason ?? code })
    }
    case 'NotFound':
      return E.right(unknown)
  }
}
