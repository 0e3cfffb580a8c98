import { type AccountId, AccountSequence, type Environment } from '@quittance/domain'
import type { AccountView, LedgerUnreachable, Signer } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { isBusy } from '../features/outgoing/sequence.ts'
import { type ChannelAccount, operatorAccount, setUpAccount } from '../features/outgoing/signing-accounts.ts'

/** An account on the ledger whose next sequence number is free, and its key. */
export type Lender = { readonly signer: Signer; readonly view: AccountView }

/** The account itself, unless it is busy, not on the ledger, or has no number left. */
export const lenderOf = async (
  { services, network }: Outgoing,
  environment: Environment,
  signer: Signer,
): Promise<E.Either<LedgerUnreachable, Lender | null>> => {
  if (isBusy(services.readModels, environment, signer.publicKey)) return E.right(null)
  const view = await network.gateway.accountView(signer.publicKey, [])()
  return E.map((found: AccountView | null) => {
    // Whoever holds its key may have bumped the number to the last there is.
    const isLeft = found !== null && AccountSequence.is(found.accountSequence + 1n)
    return isLeft ? { signer, view: found } : null
  })(view)
}

/**
 * The channels that are free. `isAny`: whether there are channels on the ledger at all, else the accounts that pay lend
 * their own numbers.
 */
export const freeChannels = async (
  outgoing: Outgoing,
  environment: Environment,
  channels: ReadonlyArray<ChannelAccount>,
): Promise<E.Either<LedgerUnreachable, { readonly isAny: boolean; readonly free: ReadonlyArray<Lender> }>> => {
  const { services, network, raise } = outgoing
  const busy = (account: AccountId) => isBusy(services.readModels, environment, account)
  const free: Array<Lender> = []
  for (const channel of channels.filter(({ signer }) => !busy(signer.publicKey))) {
    const known = await lenderOf(outgoing, environment, channel.signer)
    if (E.isLeft(known)) return known
    if (known.right !== null) {
      free.push(known.right)
      continue
    }
    const isSetUp = await setUpAccount(services, network, channel)
    if (E.isLeft(isSetUp)) raise({ _tag: 'FeeSourceCannotPay', account: channel.signer.publicKey })
    if (E.isLeft(isSetUp) || !isSetUp.right) continue
    const made = await lenderOf(outgoing, environment, channel.signer)
    if (E.isLeft(made)) return made
    if (made.right !== null) free.push(made.right)
  }
  const isAny = free.length > 0 || channels.some(({ signer }) => busy(signer.publicKey))
  return E.right({ isAny, free })
}

/** Whether the account that charges is on the ledger, where the network may set it up; if not, an operator has to fund it. */
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
