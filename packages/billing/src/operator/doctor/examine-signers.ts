import type { AccountId, Environment } from '@quittance/domain'
import { heaviestThreshold, type LedgerUnreachable, payingThreshold, weightOf } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { recoveryKeysOf, recoverySigningInForce } from '../../features/outgoing/recovery-signers.ts'
import { knownKeysOf, laterKeysOf } from '../../features/outgoing/rotations.ts'
import { channelAccounts, operatorAccounts } from '../../features/outgoing/signing-accounts.ts'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import { severalAtOnce } from '../../kernel/several-at-once.ts'
import type { Network } from '../../services/services.ts'
import type { Finding } from './findings.ts'
import type { DoctorServices } from './services.ts'

/** The most settlement accounts whose signers are read, those set up last first. */
const mostRead = 500
const atOnce = 8

/**
 * Finds keys that are not ours on accounts of the service, recovery signers that were removed, and on the mainnet their
 * lack; and accounts for which no key of the vault signs any more, as on a host that was given up.
 */
export const examineSigners = async (
  services: DoctorServices,
  network: Network,
  environment: Environment,
): Promise<E.Either<LedgerUnreachable, ReadonlyArray<Finding>>> => {
  const { left } = services
  const settlement = (
    await filterInTurn(
      await services.readModels.watchedAccounts.all(),
      async ({ merchantId, row }) =>
        row.environment === environment && row.custody === 'service' && !(await left.has(merchantId)),
    )
  ).map(({ row }) => row.account)
  // Another installation gives the accounts of a merchant that has left other keys.
  const operators = await filterInTurn(
    await operatorAccounts(services, environment),
    async ({ key }) => !(await left.has(key.split('/')[2] ?? '')),
  )
  const own = [...operators, ...(await channelAccounts(services, environment))]
  const accounts = [...new Set([...own.map(({ account }) => account), ...settlement.slice(-mostRead)])].toSorted()
  const found = new Map<AccountId, ReadonlyArray<Finding>>()
  const examined = await severalAtOnce(accounts, atOnce, async (account) => {
    const view = await network.gateway.accountView(account, [])()
    if (E.isRight(view) && view.right !== null)
      found.set(account, await findingsOf(services, environment, account, view.right.authority))
    return view
  })
  return E.map(() => accounts.flatMap((account) => found.get(account) ?? []))(examined)
}

type Authority = Parameters<typeof heaviestThreshold>[0]

const findingsOf = async (
  services: DoctorServices,
  environment: Environment,
  account: AccountId,
  authority: Authority,
): Promise<ReadonlyArray<Finding>> => {
  const { readModels } = services
  const recovery: ReadonlyArray<string> = await recoveryKeysOf(readModels, environment, account)
  const known: ReadonlyArray<string> = [...(await knownKeysOf(services, environment, account)), ...recovery]
  const foreign = authority.signers
    .filter(({ key, weight }) => weight > 0 && !known.includes(key))
    .map(({ key }): Finding => ({ environment, code: 'foreign_signer', account, key }))
  const ours = [account, ...(await laterKeysOf(services.vault, environment, account))]
  if (!ours.some((key) => weightOf(authority, key) >= payingThreshold(authority)))
    return [...foreign, { environment, code: 'no_key_signs', account }]
  const wanted = (await recoverySigningInForce(readModels, environment, account))?.action.signer
  if (wanted !== undefined && weightOf(authority, wanted) === 0)
    return [...foreign, { environment, code: 'recovery_signer_removed', account, key: wanted }]
  const canRecover = recovery.some((key) => weightOf(authority, key) >= heaviestThreshold(authority))
  const isLacking = environment === 'mainnet' && !canRecover
  return isLacking ? [...foreign, { environment, code: 'recovery_signer_missing', account }] : foreign
}
