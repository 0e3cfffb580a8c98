import { type AccountId, AccountSequence, type Environment } from '@quittance/domain'
import type { AccountView, LedgerUnreachable, Signer } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { isBusy } from '../features/outgoing/sequence.ts'
import { type ChannelAccount, operatorAccount, setUpAccount } from '../features/outgoing/signing-accounts.ts'

/** An account on the ledger whose next sequence number is free, and its key. */
export type SequenceSource = { readonly signer: Signer; readonly view: AccountView }

/** The account as a source; null if it is busy, not on the ledger, or has no sequence number left. */
export const sequenceSourceOf = async (
  { services, network }: Outgoing,
  environment: Environment,
  signer: Signer,
): Promise<E.Either<LedgerUnreachable, SequenceSource | null>> => {
  if (isBusy(services.readModels, environment, signer.publicKey)) return E.right(null)
  const view = await network.gateway.accountView(signer.publicKey, [])()
  return E.map((found: AccountView | null) => {
    // The holder of the account's key may have bumped its sequence to the last number.
    const isLeft = found !== null && AccountSequence.is(found.accountSequence + 1n)
    return isLeft ? { signer, view: found } : null
  })(view)
}

/**
 * The free channels. `isAny`: whether the ledger holds any channel; if not, paying accounts use their own sequence
 * numbers.
 */
export const freeChannels = async (
  outgoing: Outgoing,
  environment: Environment,
  channels: ReadonlyArray<ChannelAccount>,
): Promise<E.Either<LedgerUnreachable, { readonly isAny: boolean; readonly free: ReadonlyArray<SequenceSource> }>> => {
  const { services, network, raise } = outgoing
  const busy = (account: AccountId) => isBusy(services.readModels, environment, account)
  const free: Array<SequenceSource> = []
  for (const channel of channels.filter(({ signer }) => !busy(signer.publicKey))) {
    const found = await sequenceSourceOf(outgoing, environment, channel.signer)
    if (E.isLeft(found)) return found
    if (found.right !== null) {
      free.push(found.right)
      continue
    }
    const isSetUp = await setUpAccount(services, network, channel)
    if (E.isLeft(isSetUp)) raise({ _tag: 'FeeSourceCannotPay', account: channel.signer.publicKey })
    if (E.isLeft(isSetUp) || !isSetUp.right) continue
    const made = await sequenceSourceOf(outgoing, environment, channel.signer)
    if (E.isLeft(made)) return made
    if (made.right !== null) free.push(made.right)
  }
  const isAny = free.length > 0 || channels.some(({ signer }) => busy(signer.publicKey))
  return E.right({ isAny, free })
}

/**
 * Whether the ledger holds the charging account. Sets the operator's account up where it can; else raises a trouble.
 */
export const isOnLedger = async (
  { services, network, raise }: Outgoing,
  environment: Environment,
  { publicKey: account }: Signer,
): Promise<E.Either<LedgerUnreachable, boolean>> => {
  const view = await network.gateway.accountView(account, [])()
  if (E.isLeft(view) || view.right !== null) return E.map(() => true)(view)
  const operator = operatorAccount(services, network, environment)
  const isOperator = operator?.signer.publicKey === account
  const isSetUp = operator !== null && isOperator ? await setUpAccount(services, network, operator) : E.right(false)
  if (E.isRight(isSetUp) && isSetUp.right) return E.right(true)
  raise({ _tag: 'FeeSourceCannotPay', account })
  return E.right(false)
}
