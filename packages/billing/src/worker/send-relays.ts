import type { Environment } from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Network, Services } from '../services/services.ts'

/**
 * Sends what was relayed again, as long as no ledger holds it and its time is not over: a node may forget it without a
 * word, and whoever signed it has gone. What comes of it is read from the ledger; no answer is an outcome.
 */
export const sendRelays = async (
  { relays }: Pick<Services, 'relays'>,
  { gateway }: Network,
  environment: Environment,
  ingested: LedgerHead,
): Promise<E.Either<never, void>> => {
  for (const relay of relays.of(environment)) {
    if (ingested.closedAt > relay.maxTime) {
      relays.remove(relay)
      continue
    }
    const found = await gateway.lookUp(relay.transactionHash)()
    if (E.isRight(found) && found.right._tag === 'Succeeded') relays.remove(relay)
    else await gateway.submit(relay.envelopeXdr)()
  }
  return E.right(undefined)
}
