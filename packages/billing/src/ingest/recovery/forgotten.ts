import type { Environment } from '@quittance/domain'
import { type IngestedLedger, type OwnTransaction, withAnswers } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import { platform } from '../../kernel/platform.ts'
import type { Owners } from '../../services/owners.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import type { IngestServices } from '../services.ts'
import type { KeysLookUp } from './own-accounts.ts'

/** The hash by which the log knows a transaction: of a fee bump, that of the one inside. */
export const ownHashOf = ({ outcome: { transactionHash, innerHash } }: OwnTransaction) => innerHash ?? transactionHash

/**
 * The transactions of ours in a closed ledger that the log does not know, or has begun to recover. One that was not tried,
 * because its fee bump failed, is left out: it has used nothing.
 */
export const forgottenIn = async (
  { readModels: { ledgerTransactions } }: Pick<Services, 'readModels'>,
  environment: Environment,
  keysOf: KeysLookUp,
  { ownTransactions }: Pick<IngestedLedger, 'ownTransactions'>,
): Promise<ReadonlyArray<OwnTransaction>> =>
  filterInTurn(await withAnswers(keysOf, [], ownTransactions), async (own) => {
    const known = await ledgerTransactions.withId(ownHashOf(own))
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
export const merchantOf = async (ownerOf: Owners, { payments, signers }: OwnTransaction): Promise<string> => {
  const used = [...payments.map(({ from }) => from), ...signers]
  return (
    (await Promise.all(used.map(async (account) => (await ownerOf(account))?.merchantId ?? []))).flat()[0] ?? platform
  )
}
