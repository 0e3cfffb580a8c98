import { type AccountId, AccountSequence, type Environment } from '@quittance/domain'
import type { AccountView, LedgerUnreachable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { rotationHoldingUp } from '../features/outgoing/rotations.ts'
import { isBusy, isSequenceKnown } from '../features/outgoing/sequence.ts'
import {
  type AccountSigner,
  type ChannelAccount,
  type OwnAccount,
  operatorAccounts,
  setUpAccount,
  signerOf,
} from '../features/outgoing/signing-accounts.ts'
import { filterInTurn, someInTurn } from '../kernel/checks-in-turn.ts'
import type { ProcessFailure } from '../services/process-failure.ts'

/** An account on the ledger whose next sequence number is free, and its key. */
export type SequenceSource = { readonly signer: AccountSigner; readonly view: AccountView }

/**
 * The account as a source; null if it is busy, not on the ledger, has no number left, or one used that the log lacks, or if
 * no key of the vault has weight.
 */
export const sequenceSourceOf = async (
  outgoing: Outgoing,
  environment: Environment,
  own: OwnAccount,
): Promise<E.Either<ProcessFailure, SequenceSource | null>> => {
  const { services, network, raise } = outgoing
  const { account } = own
  if (await isBusy(services.readModels, environment, account)) return E.right(null)
  const view = await network.gateway.accountView(account, [])()
  if (E.isLeft(view)) return view
  if (view.right === null) return E.right(null)
  const found = view.right
  const known = await isSequenceKnown(outgoing, environment, found)
  if (E.isLeft(known)) return known
  // The holder of the account's key may have bumped its sequence to the last number.
  const isLeft = AccountSequence.is(found.accountSequence + 1n)
  if (!known.right || !isLeft) return E.right(null)
  const signer = await signerOf(services, environment, own, found)
  if (signer === null) raise({ _tag: 'CannotSign', account, cause: 'no key of the vault has weight on the ledger' })
  return E.right(signer === null ? null : { signer, view: found })
}

/**
 * The free channels. `isAny`: whether the ledger holds any channel; if not, paying accounts use their own sequence
 * numbers.
 */
export const freeChannels = async (
  outgoing: Outgoing,
  environment: Environment,
  channels: ReadonlyArray<ChannelAccount>,
): Promise<E.Either<ProcessFailure, { readonly isAny: boolean; readonly free: ReadonlyArray<SequenceSource> }>> => {
  const { services, network, raise } = outgoing
  const busy = async (account: AccountId) =>
    (await isBusy(services.readModels, environment, account)) ||
    (await rotationHoldingUp(services.readModels, environment, account)) !== null
  const free: Array<SequenceSource> = []
  // On the ledger, but not to be used now.
  let isHeld = false
  for (const channel of await filterInTurn(channels, async ({ account }) => !(await busy(account)))) {
    const found = await sequenceSourceOf(outgoing, environment, channel)
    if (E.isLeft(found)) return found
    if (found.right !== null) {
      free.push(found.right)
      continue
    }
    const view = await network.gateway.accountView(channel.account, [])()
    if (E.isLeft(view)) return view
    isHeld ||= view.right !== null
    if (view.right !== null) continue
    const isSetUp = await setUpAccount(services, network, channel)
    if (E.isLeft(isSetUp)) raise({ _tag: 'FeeSourceCannotPay', account: channel.account })
    if (E.isLeft(isSetUp) || !isSetUp.right) continue
    const made = await sequenceSourceOf(outgoing, environment, channel)
    if (E.isLeft(made)) return made
    if (made.right !== null) free.push(made.right)
  }
  const isAny = isHeld || free.length > 0 || (await someInTurn(channels, ({ account }) => busy(account)))
  return E.right({ isAny, free })
}

/**
 * Whether the ledger holds the charging account. Sets an operator account up where it can; else raises a trouble.
 */
export const isOnLedger = async (
  { services, network, raise }: Outgoing,
  environment: Environment,
  own: OwnAccount,
): Promise<E.Either<LedgerUnreachable, boolean>> => {
  const { account } = own
  const view = await network.gateway.accountView(account, [])()
  if (E.isLeft(view) || view.right !== null) return E.map(() => true)(view)
  const isOperator = (await operatorAccounts(services, environment)).some((each) => each.account === account)
  const isSetUp = isOperator ? await setUpAccount(services, network, own) : E.right(false)
  if (E.isRight(isSetUp) && isSetUp.right) return E.right(true)
  raise({ _tag: 'FeeSourceCannotPay', account })
  return E.right(false)
}
