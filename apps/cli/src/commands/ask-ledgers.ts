import type { VerifiedAnchor } from '@quittance/billing/evidence'
import type { Environment, LedgerSequence, UnixMs } from '@quittance/domain'
import type { LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Installation } from '../installation.ts'

/** What a ledger says of the transaction of an anchor. */
export type LedgerAnswer =
  | { readonly _tag: 'holds_it'; readonly ledger: LedgerSequence; readonly closedAt: UnixMs }
  | { readonly _tag: 'problem'; readonly problem: string }
  | { readonly _tag: 'not_checked'; readonly why: string }

const problem = (text: string): LedgerAnswer => ({ _tag: 'problem', problem: text })
const notChecked = (why: string): LedgerAnswer => ({ _tag: 'not_checked', why })

const environments: ReadonlyArray<Environment> = ['mainnet', 'testnet']

/** The configured ledger whose network has this passphrase. Errors: why there is none. */
const ledgerWith = async (
  passphrase: string,
  { ledgerOf }: Pick<Installation, 'ledgerOf'>,
): Promise<E.Either<string, LedgerGateway>> => {
  const reasons: Array<string> = []
  for (const environment of environments) {
    const ledger = await ledgerOf(environment)
    if (E.isRight(ledger) && ledger.right.networkPassphrase === passphrase) return ledger
    reasons.push(`${environment}: ${E.isLeft(ledger) ? ledger.left.error : 'another network'}`)
  }
  return E.left(reasons.join('; '))
}

/**
 * Asks the ledger of an anchor for its transaction. That this names the checkpoint was verified by the transaction's hash, so no node can lie
 * about it.
 */
export const askLedger = async (
  { network_passphrase, transaction_hash, ledger: told }: VerifiedAnchor,
  installation: Pick<Installation, 'ledgerOf'>,
): Promise<LedgerAnswer> => {
  const gateway = await ledgerWith(network_passphrase, installation)
  if (E.isLeft(gateway)) return notChecked(`no ledger of "${network_passphrase}" is configured (${gateway.left})`)
  const found = await gateway.right.lookUp(transaction_hash)()
  if (E.isLeft(found)) return notChecked(`no node answers (${found.left.cause})`)
  switch (found.right._tag) {
    case 'Succeeded':
      return { _tag: 'holds_it', ledger: found.right.ledger, closedAt: found.right.closedAt }
    case 'Failed':
      return problem('failed on its ledger')
    case 'NotFound': {
      const { oldest, latest } = found.right.range
      const isInRange = told !== null && oldest <= told && told <= latest
      return isInRange ? problem(`is not in ledger ${told}`) : notChecked('no node holds its ledger any more')
    }
  }
}
