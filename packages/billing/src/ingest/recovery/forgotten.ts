import type { Environment } from '@quittance/domain'
import type { IngestedLedger, KeysOf, OwnTransaction } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { platform } from '../../kernel/platform.ts'
import type { Owners } from '../../services/owners.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import type { IngestServices } from '../services.ts'

/** The hash by which the log knows a transaction: of a fee bump, that of the one inside. */
export const ownHashOf = ({ outcome: { transactionHash, innerHash } }: OwnTransaction) => innerHash ?? transactionHash

/**
 * The transactions of ours in a closed ledger that the log does not know, or has begun to recover. One that was not tried,
 * because its fee bump failed, is left out: it has used nothing.
 */
export const forgottenIn = (
  { readModels: { ledgerTransactions } }: Pick<Services, 'readModels'>,
  environment: Environment,
  keysOf: KeysOf,
  { ownTransactions }: Pick<IngestedLedger, 'ownTransactions'>,
): ReadonlyArray<OwnTransaction> =>
  ownTransactions(keysOf).filter((own) => {
    const known = ledgerTransactions.withId(ownHashOf(own))
    const isKnown = known?.environment === environment
    const isRecovering = isKnown && known.row.operations !== undefined && known.row.status !== 'closed'
    return own.outcome._tag !== 'BumpFailed' && (!isKnown || isRecovering)
  })

/**
 * A log that does not know a transaction of ours went back: nothing is sent until a person accepts that, also where the
 * merchant's share is parked and placed later. Setting an account up moves no money.
 */
export const suspectLog = async (
  { logStanding }: Pick<IngestServices, 'logStanding'>,
  environment: Environment,
  forgotten: ReadonlyArray<OwnTransaction>,
): Promise<E.Either<ProcessFailure, void>> => {
  for (const { signers, outcome, isSetUp } of forgotten) {
    const [account] = signers
    if (account === undefined || isSetUp) continue
    const { transactionHash, ledger } = outcome
    const suspected = await logStanding.suspect({ environment, account, transactionHash, ledger })
    if (E.isLeft(suspected)) return suspected
  }
  return E.right(undefined)
}

/** The merchant whose account a transaction of ours uses; the platform for calls that charge for many. */
export const merchantOf = (ownerOf: Owners, { payments, signers }: OwnTransaction): string => {
  const used = [...payments.map(({ from }) => from), ...signers]
  return used.flatMap((account) => ownerOf(account)?.merchantId ?? [])[0] ?? platform
}
